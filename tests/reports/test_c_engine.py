"""Field reports of group C (freshness, deletion, branches, work trees), acted out on an index."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.reports.project import Project, paths

from fourfold.index import pool
from fourfold.syntax import parse
from fourfold.syntax.grammars import GrammarError

README = Path(__file__).parents[2] / "README.md"


def module(name: str, functions: int = 1) -> str:
    """A module with some functions named after it."""
    return "\n\n".join(f"def {name}_{number}(value):\n    return value + {number}\n" for number in range(functions))


def test_c1_a_deleted_file_is_never_returned(project: Project) -> None:
    project.write({"note.md": "# Needle\n\nThe needle is here.\n", "a.py": module("other")})
    index = project.index()
    assert paths(index.search("needle"))[0] == "note.md"
    (project.root / "note.md").unlink()
    stale = index.search("needle", refresh=False)
    assert "note.md" not in paths(stale)
    assert stale.meta.stale
    assert "note.md" not in paths(index.grep("needle", refresh=False))
    assert "note.md" not in paths(index.search("needle"))
    ran = project.run("search", '"The needle is here"', "--json")
    assert "note.md" not in ran.out


def test_c2_an_emptied_tree_empties_the_index(project: Project) -> None:
    project.write({"a.py": module("needle"), "b.py": module("other")})
    index = project.index()
    index.refresh()
    project.write({"a.py": ""})
    (project.root / "b.py").unlink()
    assert not index.search("needle").items
    assert (index.status().files, index.status().chunks) == (1, 0)
    (project.root / "a.py").unlink()
    assert index.refresh().removed == 1
    assert index.status().files == 0


def test_c3_a_shrunk_file_leaves_no_orphans(project: Project) -> None:
    project.write({"a.py": module("needle", 30)})
    index = project.index()
    before = index.refresh().chunks
    project.write({"a.py": module("needle", 1)})
    assert len(index.grep("def needle_").items) == 1
    assert not any(item.symbol == "needle_29" for item in index.search("needle_29").items)
    assert index.status().chunks < before
    assert index.status().symbols == 1


def test_c5_another_chunker_rebuilds_and_leaves_nothing_behind(project: Project) -> None:
    project.write({f"m{number}.py": module(f"needle{number}", 12) for number in range(4)})
    project.index().refresh()
    index = project.index(**{"index.chunker": "lines"})
    report = index.refresh()
    assert any("chunker changed" in warning for warning in report.warnings)
    status = index.status()
    assert (status.files, status.symbols, status.chunks) == (4, 0, report.chunks)
    assert index.refresh().chunks == 0
    back = project.index().refresh()
    assert back.chunks > 0
    assert project.index().status().symbols == 48


def test_c6_months_of_edits_leave_no_heap_of_dead_rows(project: Project) -> None:
    project.write({f"m{number}.py": module(f"needle{number}", 3) for number in range(4)})
    index = project.index(**{"embedding.model": "hash"})
    for day in range(12):
        project.write({f"m{day % 4}.py": module(f"needle{day % 4}", 1 + day % 5)})
        index.refresh()
    status = index.status()
    assert status.dead_chunks <= status.chunks
    assert status.segments <= 6
    checks = {check.name: check for check in index.doctor()}
    assert checks["index"].ok
    assert "% dead" in checks["index"].detail


def test_c7_every_leg_of_the_index_speaks_of_the_same_edit(project: Project) -> None:
    project.write({"a.py": "def needle_old():\n    return 'old message'\n", "b.py": module("other")})
    index = project.index()
    index.refresh()
    project.write({"a.py": "def needle_new():\n    return 'new message'\n"})
    for question in ("where is needle_new defined", '"new message"', "needle_new", "new message"):
        result = index.search(question)
        assert result.items[0].path == "a.py"
        assert "needle_new" in result.items[0].snippet
    for question in ("where is needle_old defined", '"old message"', "needle_old"):
        assert all("old" not in item.snippet for item in index.search(question).items)
    assert not index.grep("needle_old|old message").items
    kept = (index.search("needle", refresh=False), index.grep("needle", refresh=False))
    assert len({answer.meta.generation for answer in kept}) == 1


@pytest.fixture
def branches(project: Project) -> Project:
    """A repository with the branches `main` and `feature`, checked out at `main`."""
    project.write({"a.py": module("main_needle"), "shared.py": module("shared")})
    project.git("add", ".")
    project.git("commit", "-qm", "one")
    project.git("checkout", "-qb", "feature")
    project.write({"a.py": module("feature_needle"), "extra.py": module("extra_needle")})
    project.git("add", ".")
    project.git("commit", "-qm", "two")
    project.git("checkout", "-q", "main")
    return project


def test_c8_a_branch_switch_is_seen_and_status_tells_the_two_commits_apart(branches: Project) -> None:
    index = branches.index()
    index.refresh()
    main = branches.git("rev-parse", "HEAD")
    branches.git("checkout", "-q", "feature")
    status = index.status()
    assert (status.indexed_commit, status.live_commit) == (main, branches.git("rev-parse", "HEAD"))
    assert status.branch == "feature"
    assert status.stale_files == 2
    assert "the tree is at" in branches.run("status").out
    assert paths(index.search("extra_needle"))[0] == "extra.py"
    assert not index.grep("main_needle").items
    assert index.status().indexed_commit == index.status().live_commit
    branches.git("checkout", "-q", "main")
    assert not index.grep("extra_needle|feature_needle").items
    assert index.grep("main_needle").items


def test_c9_an_answer_says_of_which_commit_and_how_dirty_it_is(branches: Project) -> None:
    index = branches.index()
    first = index.search("needle").meta
    head = branches.git("rev-parse", "HEAD")
    assert (first.indexed_commit, first.live_commit, first.branch, first.stale) == (head, head, "main", False)
    assert first.dirty_files == 0
    branches.git("checkout", "-q", "feature")
    branches.write({"loose.py": module("loose")})
    reopened = branches.index()
    meta = reopened.search("needle", refresh=False).meta
    assert (meta.indexed_commit, meta.live_commit) == (head, branches.git("rev-parse", "HEAD"))
    assert (meta.branch, meta.dirty_files, meta.stale) == ("feature", 1, True)


def test_c10_to_and_fro_between_branches_answers_as_before(branches: Project) -> None:
    index = branches.index()

    def answers() -> list[tuple[str, int, float]]:
        return [(item.path, item.start_line, item.score) for item in index.search("shared needle").items]

    at_main = answers()
    branches.git("checkout", "-q", "feature")
    at_feature = answers()
    assert at_feature != at_main
    for branch, expected in (("main", at_main), ("feature", at_feature), ("main", at_main)):
        branches.git("checkout", "-q", branch)
        assert answers() == expected
    branches.git("checkout", "-q", "feature")
    assert index.refresh().unchanged == 1  # only what differs between the branches is read


def test_c11_another_work_tree_has_its_own_index_of_its_own_files(branches: Project, tmp_path: Path) -> None:
    branches.git("worktree", "add", "-q", str(tmp_path / "second"), "feature")
    second = Project(tmp_path / "second", branches.opened)
    one, two = branches.index(), second.index()
    assert one.location != two.location
    assert not one.grep("extra_needle").items
    assert paths(two.grep("extra_needle")) == ["extra.py"]
    assert two.status().branch == "feature"


def test_c12_work_trees_inside_the_repository_do_not_flood_the_answer(branches: Project) -> None:
    branches.git("worktree", "add", "-q", ".agents/x", "feature")
    branches.git("worktree", "add", "-q", "trees/y", "--detach", "feature")
    branches.git("clone", "-q", ".", "nested")
    index = branches.index()
    assert paths(index.grep("shared_0")) == ["shared.py"]
    assert paths(index.search("shared_0"))[0] == "shared.py"
    assert index.refresh().skipped == {"nested-worktree": 1, "nested-repo": 1}
    wide = branches.index(**{"index.nested_repos": True, "index.hidden": True})
    assert paths(wide.grep("shared_0")) == ["nested/shared.py", "shared.py"]


def test_c13_in_a_nested_work_tree_its_own_tree_answers(branches: Project) -> None:
    branches.git("worktree", "add", "-q", "trees/x", "feature")
    index = branches.index("trees/x")
    assert index.root == (branches.root / "trees/x").resolve()
    assert paths(index.grep("extra_needle")) == ["extra.py"]
    ran = branches.run("grep", "-l", "needle", at="trees/x")
    assert ran.out.split() == ["a.py", "extra.py"]


def test_c14_indexes_of_deleted_repositories_are_found_and_removed(project: Project, tmp_path: Path) -> None:
    project.write({"a.py": module("needle")})
    gone = Project(tmp_path / "gone")
    gone.root.mkdir()
    gone.write({"a.py": module("needle")})
    for one in (project, gone):
        one.index().refresh()
    indexes = tmp_path / "cache/indexes"
    assert len(list(indexes.iterdir())) == 2
    shutil.rmtree(gone.root)
    ran = project.run("clear", "--orphans")
    assert (ran.code, "gone-" in ran.out) == (0, True)
    assert [folder.name.split("-")[0] for folder in indexes.iterdir()] == ["project"]
    assert project.index().search("needle", refresh=False).items


@pytest.fixture
def broken_grammar(monkeypatch: pytest.MonkeyPatch) -> Iterator[pytest.MonkeyPatch]:
    """No Python grammar until the patch is undone."""

    def load(grammar: object) -> object:
        raise GrammarError(f"{grammar} cannot be loaded")

    with monkeypatch.context() as patch:
        patch.setattr(parse, "load_grammar", load)
        patch.setattr(pool, "_little", pool._in_process)  # a worker would not see the patch
        yield patch


def test_c15_a_failed_parse_is_said_and_made_good(project: Project, broken_grammar: pytest.MonkeyPatch) -> None:
    project.write({"a.py": module("needle", 3)})
    index = project.index()
    index.refresh()
    assert index.status().symbols == 0
    assert "cut by lines" in index.status_of("a.py").note
    broken_grammar.undo()
    index.refresh(force=True)
    assert index.status().symbols == 3
    assert index.status_of("a.py").note == ""


def test_c17_the_first_screen_of_the_readme_says_how_the_index_stays_fresh() -> None:
    screen = README.read_text(encoding="utf-8").split("\n")[:40]
    assert any("fresh" in line.lower() for line in screen)
    text = "\n".join(screen)
    assert "first search builds the index" in " ".join(text.split())
    assert "--no-refresh" in text


def test_c18_a_big_difference_is_a_few_transactions(project: Project) -> None:
    project.write({f"p{number % 9}/m{number}.py": module(f"needle{number}") for number in range(276)})
    for path in project.root.rglob("*.py"):
        os.utime(path, (1_700_000_000, 1_700_000_000))
    index = project.index(**{"embedding.model": "hash", "index.workers": 1})
    before = index.refresh().generation
    for number in range(0, 276, 2):
        (project.root / f"p{number % 9}/m{number}.py").unlink()
        project.write({f"q/n{number}.py": module(f"new{number}")})
    report = index.refresh()
    assert (report.added, report.removed, report.unchanged) == (138, 138, 138)
    assert report.generation - before <= 8
    assert index.status().files == 276
