"""Field reports of group A (what gets indexed), acted out on an index."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from tests.reports.project import Project, paths

from fourfold import Index
from fourfold.model.errors import RootRefused
from fourfold.model.query import Filters


def indexed(index: Index) -> list[str]:
    """Source files that a grep reaches."""
    return [path for path in paths(index.grep("needle")) if "ignore" not in path]


def test_a1_negation_and_tracked_files_are_searched(project: Project) -> None:
    project.write(
        {
            ".gitignore": "wp-content/plugins/*\n!wp-content/plugins/app\n*.gen.py\n",
            "wp-content/plugins/app/main.php": "<?php function needle_app() {}\n",
            "wp-content/plugins/other/main.php": "<?php function needle_other() {}\n",
            "tracked.gen.py": "needle_tracked = 1\n",
            "loose.gen.py": "needle_loose = 1\n",
        }
    )
    project.git("add", "--force", "tracked.gen.py")
    index = project.index()
    assert indexed(index) == ["tracked.gen.py", "wp-content/plugins/app/main.php"]
    assert paths(index.search("needle_app"))[0] == "wp-content/plugins/app/main.php"
    assert index.status_of("wp-content/plugins/other/main.php").status == "ignored"


def test_a2_leading_and_trailing_slashes_are_honoured(project: Project) -> None:
    project.write(
        {
            ".gitignore": "/Library/\nlogs/\n",
            "Library/deep/a.cs": "class needle {}\n",
            "src/Library/a.cs": "class needle {}\n",
            "src/logs/a.py": "needle = 1\n",
            "src/logs.py": "needle = 1\n",
        }
    )
    assert indexed(project.index()) == ["src/Library/a.cs", "src/logs.py"]


def test_a4_a_dotfiles_gitignore_at_home_drops_nothing(project: Project, tmp_path: Path) -> None:
    (tmp_path / "home/.gitignore").write_text("*\n")
    project.write({"a.py": "needle = 1\n"})
    assert indexed(project.index()) == ["a.py"]
    (tmp_path / "home/everything").write_text("*\n")
    (tmp_path / "home/.gitconfig").write_text(f"[core]\n\texcludesFile = {tmp_path / 'home/everything'}\n")
    index = project.index()
    report = index.refresh()
    assert indexed(index) == ["a.py"]
    assert any("everything" in warning for warning in report.warnings)


def test_a6_an_ignored_folder_is_pruned_whole(project: Project) -> None:
    project.write({".gitignore": "build/\n", "build/node_modules/x/a.js": "needle\n", "a.js": "needle\n"})
    index = project.index()
    assert indexed(index) == ["a.js"]
    assert index.status().files == 2
    assert index.status_of("build/node_modules/x/a.js").status == "ignored"


def test_a9_every_way_of_searching_sees_the_same_files(project: Project) -> None:
    project.write({".gitignore": "hidden.py\n", "hidden.py": "def needle(): pass\n", "a.py": "def needle(): pass\n"})
    index = project.index()
    assert indexed(index) == ["a.py"]
    for question in ("needle", "where is needle defined", '"def needle"', r"/needle\(/", "who calls needle"):
        assert "hidden.py" not in paths(index.search(question))
    for preset in ("text", "dense", "hybrid", "quick", "default"):
        found = paths(index.search("needle", preset=preset))
        assert found[0] == "a.py"
        assert "hidden.py" not in found


def test_a10_two_projects_in_one_process_share_no_rules(project: Project, tmp_path: Path) -> None:
    other = Project(tmp_path / "other", project.opened)
    other.root.mkdir()
    project.write({".gitignore": "*.gen.py\n", "a.gen.py": "needle = 1\n", "a.py": "needle = 1\n"})
    other.write({"b.gen.py": "needle = 1\n", "c.py": "needle = 1\n"})
    one, two = project.index(), other.index()
    assert (indexed(one), indexed(two), indexed(one)) == (["a.py"], ["b.gen.py", "c.py"], ["a.py"])


def test_a11_a_path_named_outright_gets_no_other_answer(project: Project) -> None:
    project.write({".gitignore": "secret/\n", "secret/a.py": "needle = 1\n", "b.py": "needle = 1\n"})
    index = project.index()
    assert not index.search("needle", filters=Filters(paths=("secret/a.py",))).items
    assert not index.grep("needle", filters=Filters(paths=("secret/a.py",))).items
    found = index.status_of("secret/a.py")
    assert (found.status, found.reason, found.detail) == ("ignored", "ignored", ".gitignore:1: secret/")
    ran = project.run("grep", "needle", "secret/a.py")
    assert (ran.code, ran.out) == (1, "")


def test_a12_what_cannot_be_read_is_counted_and_costs_nothing_else(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    project.write({"d/a.py": "needle = 1\n", "b.py": "needle = 1\n"})
    (project.root / "dangling.py").symlink_to("nowhere.py")
    real = os.scandir

    def scandir(path: str) -> object:
        if str(path).rstrip("/").endswith("/d"):
            raise PermissionError(13, "Permission denied")
        return real(path)

    monkeypatch.setattr(os, "scandir", scandir)
    index = project.index()
    assert index.refresh().skipped == {"unreadable": 1, "link-broken": 1}
    assert indexed(index) == ["b.py"]


def test_a13_hidden_folders_can_be_asked_for(project: Project) -> None:
    project.write({".github/ci.yml": "needle: 1\n", ".agent/x.md": "needle\n", ".tracked/a.py": "needle = 1\n"})
    project.git("add", ".tracked")
    assert indexed(project.index()) == [".tracked/a.py"]
    assert indexed(project.index(**{"index.include": [".github/"]})) == [".github/ci.yml", ".tracked/a.py"]
    assert len(indexed(project.index(**{"index.hidden": True}))) == 3


def test_a14_an_ignored_file_that_is_wanted_is_brought_back(project: Project) -> None:
    project.write(
        {
            ".gitignore": "generated/\n",
            ".fourfoldignore": "!generated/client/\nfixtures/\n",
            "generated/client/api.py": "needle = 1\n",
            "generated/noise.py": "needle = 1\n",
            "fixtures/big.py": "needle = 1\n",
        }
    )
    assert indexed(project.index()) == ["generated/client/api.py"]


def test_a15_an_unknown_extension_is_indexed_and_not_found_differs_from_not_indexed(project: Project) -> None:
    project.write({"a.rsc": "fn needle() {}\n", "scripts/b.cjs": "function needle() {}\n", "c.png": b"\x89PNG\0\0"})
    index = project.index(**{"index.languages": {"rsc": "rust"}})
    assert indexed(index) == ["a.rsc", "scripts/b.cjs"]
    assert index.status_of("a.rsc").language == "rust"
    assert index.search("where is needle defined").items[0].path == "a.rsc"
    assert index.status_of("c.png").status == "skipped"
    assert index.status_of("gone.py").status == "absent"
    ran = project.run("status", "c.png")
    assert ran.code == 1
    assert "binary" in ran.out


@pytest.mark.parametrize("name", ["dist", "lib", "out", "classes", "build", "vendor"])
def test_a16_a_tracked_package_is_searched_whatever_it_is_called(project: Project, name: str) -> None:
    project.write({f"src/{name}/Main.java": "class needle {}\n"})
    project.git("add", "src")
    assert indexed(project.index()) == [f"src/{name}/Main.java"]


def test_a17_no_file_is_dropped_for_being_one_too_many(project: Project) -> None:
    project.write({f"p{number % 20}/m{number}.py": f"needle = {number}\n" for number in range(2_150)})
    index = project.index(**{"embedding.model": "none", "index.workers": 1})
    report = index.refresh()
    assert (report.added, index.status().files) == (2_150, 2_150)
    result = index.grep("needle")
    assert (len(result.items), result.files, result.meta.truncated) == (2_150, 2_150, False)
    assert index.grep("needle", limit=7).meta.truncated


def test_a18_a_home_folder_is_refused_and_a_dry_run_shows_what_would_be_read(project: Project, tmp_path: Path) -> None:
    with pytest.raises(RootRefused, match="home directory"):
        Index.open(tmp_path / "home")
    ran = project.run("search", "x", at=tmp_path / "home")
    assert (ran.code, ran.out) == (3, "")
    assert "hint" in ran.err
    project.write({"a.py": "needle = 1\n", "b.png": b"\0"})
    plan = project.index().plan()
    assert (plan.added, plan.skipped, plan.bytes) == (("a.py",), {"binary": 1}, 11)
    assert not project.index().status().exists
