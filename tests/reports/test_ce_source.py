"""Field reports of groups C and E that concern discovery: work trees, paths, platforms."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from fourfold.source.root import find_root, relative_path
from fourfold.source.walk import WalkOptions, walk


def git(root: Path, *arguments: str) -> None:
    config = ["-c", "user.name=T", "-c", "user.email=t@example.org", "-c", "protocol.file.allow=always"]
    subprocess.run(["git", *config, *arguments], cwd=root, check=True, capture_output=True)


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    root = tmp_path / "repo"
    root.mkdir()
    (root / "a.py").write_text("x = 1\n")
    git(root, "init", "-q")
    git(root, "add", "-A")
    git(root, "commit", "-qm", "x")
    return root


def found(root: Path, options: WalkOptions | None = None) -> list[str]:
    return [file.path for file in walk(root, options).found]


def test_c12_nested_work_trees_are_skipped_and_submodules_walked(repo: Path, tmp_path: Path) -> None:
    git(repo, "worktree", "add", "-q", ".claude/worktrees/x")
    git(repo, "worktree", "add", "-q", "plain/y")
    other = tmp_path / "other"
    git(tmp_path, "clone", "-q", "repo", "other")
    git(repo, "submodule", "--quiet", "add", str(other), "sub")
    git(repo, "clone", "-q", str(other), "nested")
    options = WalkOptions(hidden=True)
    assert found(repo, options) == [".gitmodules", "a.py", "sub/a.py"]
    assert {skip.path: skip.reason for skip in walk(repo, options).skipped} == {
        ".claude/worktrees/x": "nested-worktree",
        "plain/y": "nested-worktree",
        "nested": "nested-repo",
    }
    assert "nested/a.py" in found(repo, WalkOptions(nested_repos=True))


def test_c13_a_work_tree_is_its_own_root(repo: Path) -> None:
    git(repo, "worktree", "add", "-q", "trees/x")
    (repo / "trees" / "x" / "sub").mkdir()
    assert find_root(repo / "trees" / "x" / "sub") == repo.resolve() / "trees" / "x"
    assert found(repo / "trees" / "x") == ["a.py"]


def test_e1_backslashes_are_turned_at_the_edge(repo: Path) -> None:
    (repo / "src" / "New").mkdir(parents=True)
    (repo / "src" / "New" / "a.py").write_text("")
    assert relative_path(repo, r"src\New\a.py") == "src/New/a.py"
    assert "src/New/a.py" in found(repo)


def test_e2_every_spelling_of_a_root_is_one(repo: Path, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(repo)
    spellings = [repo, repo / "." / "", repo / ".." / "repo", tmp_path / "link"]
    assert {find_root(spelling) for spelling in spellings} == {repo.resolve()}
    assert {relative_path(spelling, repo / "a.py") for spelling in spellings} == {"a.py"}
    assert {relative_path(repo, spelling / "a.py") for spelling in spellings} == {"a.py"}


def test_e3_a_linked_working_directory(repo: Path, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(repo)
    assert found(tmp_path / "link") == ["a.py"]
    assert relative_path(repo, "a.py", cwd=tmp_path / "link") == "a.py"


def test_e4_link_loops_end(repo: Path) -> None:
    (repo / "man").symlink_to(".")
    (repo / "py" / "lib").mkdir(parents=True)
    (repo / "py" / "lib" / "pyroot").symlink_to("../../py")
    (repo / "self").symlink_to("self")
    assert found(repo) == ["a.py"]
    assert {skip.path: skip.reason for skip in walk(repo).skipped} == {
        "man": "link-to-directory",
        "py/lib/pyroot": "link-to-directory",
        "self": "link-broken",
    }
