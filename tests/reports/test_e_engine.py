"""Field reports of group E (paths and platforms), acted out on an index."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.reports.project import Project, paths

from fourfold import Index

FILES = {"src/New/needle.py": "def needle():\n    return '👍 認証'\n", "src/old.py": "def other():\n    return 1\n"}


def test_e1_paths_are_posix_inside_and_backslashes_are_taken_at_the_edge(project: Project) -> None:
    index = project.write(FILES).index()
    assert index.search("needle path:src\\New").items[0].path == "src/New/needle.py"
    ran = project.run("grep", "return", "src\\New", "-l")
    assert ran.out.split() == ["src/New/needle.py"]
    assert all("\\" not in path for path in index._store.snapshot().records())


def test_e2_every_spelling_of_the_root_is_one_index(project: Project) -> None:
    project.write(FILES).index().refresh()
    root = project.root
    spellings = [f"{root}/", f"{root}/src/..", f"{root.parent}/./{root.name}", str(root)]
    for spelling in spellings:
        with Index.open(spelling) as index:
            assert index.location == project.index().location
            assert index.search("needle", refresh=False).items[0].path == "src/New/needle.py"


def test_e3_a_linked_working_folder_is_the_folder_it_leads_to(project: Project, tmp_path: Path) -> None:
    project.write(FILES)
    (tmp_path / "link").symlink_to(project.root)
    (tmp_path / "deep").symlink_to(project.root / "src/New")
    assert project.run("grep", "-l", "needle", at=tmp_path / "link").out.split() == ["src/New/needle.py"]
    with Index.open(tmp_path / "deep") as index:
        assert index.root == project.root.resolve()
        assert paths(index.search("needle other")) == ["src/New/needle.py"]


def test_e3_a_link_to_a_file_counts_under_its_own_name(project: Project) -> None:
    project.write(FILES)
    (project.root / "alias.py").symlink_to("src/old.py")
    assert paths(project.index().grep("def other")) == ["alias.py", "src/old.py"]


def test_e4_links_in_a_circle_end(project: Project) -> None:
    project.write(FILES)
    (project.root / "man").symlink_to(".")
    (project.root / "src/up").symlink_to("../src")
    (project.root / "self.py").symlink_to("self.py")
    index = project.index()
    assert index.refresh().skipped == {"link-to-directory": 2, "link-broken": 1}
    assert paths(index.grep("def")) == ["src/New/needle.py", "src/old.py"]


@pytest.mark.parametrize("encoding", ["cp1252", "ascii"])
def test_e5_a_console_that_cannot_show_a_letter_gets_a_substitute(project: Project, encoding: str) -> None:
    project.write(FILES)
    ran = project.run("grep", "return '", encoding=encoding)
    assert (ran.code, "Error" in ran.err) == (0, False)
    assert "return '? ??'" in ran.out
    ran = project.run("grep", "return '", "--json", encoding=encoding)
    assert json.loads(ran.out)["items"][0]["text"] == "    return '👍 認証'"
