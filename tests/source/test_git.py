"""Facts about the repository."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from fourfold.model.errors import UsageError
from fourfold.source import gitrun
from fourfold.source.git import changed_files, head, tracked
from fourfold.source.gitdir import SUBMODULE, WORKTREE, open_gitdir
from fourfold.source.gitindex import index_names

Git = Callable[..., str]
Write = Callable[..., None]


@pytest.fixture
def repo(tmp_path: Path, git: Git, write: Write) -> Path:
    root = tmp_path / "repo"
    write(root, {"a.py": "a\n", "sub/b.py": "b\n", ".gitignore": "*.log\n"})
    git(root, "init", "-q")
    git(root, "add", "-A")
    git(root, "commit", "-qm", "first")
    return root


def rev(git: Git, root: Path) -> str:
    return git(root, "rev-parse", "HEAD").strip()


def test_head_on_a_branch(repo: Path, git: Git) -> None:
    state = head(repo)
    assert state is not None
    assert (state.commit, state.branch, state.dirty) == (rev(git, repo), "main", 0)
    below = head(repo / "sub")
    assert below is not None
    assert below.commit == state.commit


def test_a_token_in_the_name_of_a_branch_is_not_told(repo: Path, git: Git) -> None:
    token = "ghp_" + "9aB3kLmZq7Rt2XvYw5Nc8Jd4Hf6Gs1Pe0Uo3"
    git(repo, "checkout", "-qb", f"fix/{token}")
    state = head(repo)
    assert state is not None
    assert state.branch == f"fix/{'*' * len(token)}"


def test_head_from_packed_refs_and_slashed_branch(repo: Path, git: Git) -> None:
    git(repo, "checkout", "-qb", "feature/x")
    git(repo, "pack-refs", "--all")
    state = head(repo)
    assert state is not None
    assert (state.commit, state.branch) == (rev(git, repo), "feature/x")


def test_head_detached_unborn_and_none(repo: Path, git: Git, tmp_path: Path) -> None:
    git(repo, "checkout", "-q", "--detach")
    state = head(repo)
    assert state is not None
    assert (state.commit, state.branch) == (rev(git, repo), None)
    (tmp_path / "new").mkdir()
    git(tmp_path / "new", "init", "-q")
    unborn = head(tmp_path / "new")
    assert unborn is not None
    assert (unborn.commit, unborn.branch) == (None, "main")
    (tmp_path / "plain").mkdir()
    assert head(tmp_path / "plain") is None


def test_head_in_a_linked_work_tree(repo: Path, git: Git, tmp_path: Path) -> None:
    git(repo, "worktree", "add", "-q", "-b", "other", str(tmp_path / "tree"))
    state = head(tmp_path / "tree")
    assert state is not None
    assert (state.commit, state.branch) == (rev(git, repo), "other")
    opened = open_gitdir(str(tmp_path / "tree"))
    assert opened is not None
    assert opened.kind == WORKTREE


def test_submodules_are_told_from_clones(repo: Path, git: Git, tmp_path: Path) -> None:
    outer = tmp_path / "outer"
    outer.mkdir()
    git(outer, "init", "-q")
    git(outer, "submodule", "--quiet", "add", str(repo), "vendor/lib")
    opened = open_gitdir(str(outer / "vendor" / "lib"))
    assert opened is not None
    assert opened.kind == SUBMODULE
    assert tracked(outer) == (".gitmodules", "vendor/lib")


def test_dirty_counts_every_kind_of_change(repo: Path, write: Write) -> None:
    write(repo, {"a.py": "changed\n", "new.py": "n\n", "x.log": "ignored\n", "deep/er/new.py": "n\n"})
    (repo / "sub" / "b.py").unlink()
    state = head(repo)
    assert state is not None
    assert state.dirty == 4
    below = head(repo / "sub")
    assert below is not None
    assert below.dirty == 1


@pytest.mark.parametrize("version", [2, 3, 4])
def test_tracked_reads_every_index_version(repo: Path, git: Git, write: Write, version: int) -> None:
    names = {"dir/" + "n" * length + ".py": "x\n" for length in (1, 2, 3, 7, 8, 9, 60, 200)} | {"é/ü.py": "x\n"}
    write(repo, names)
    git(repo, "add", "-A")
    if version == 3:
        write(repo, {"later.py": "x\n"})
        git(repo, "add", "--intent-to-add", "later.py")
    git(repo, "update-index", "--index-version", str(version))
    expected = set(git(repo, "ls-files", "-z").strip("\0").split("\0"))
    read = index_names((repo / ".git" / "index").read_bytes())
    assert read is not None
    assert {name.decode() for name in read} == expected
    assert set(tracked(repo)) == expected
    assert set(tracked(repo / "dir")) == {name[4:] for name in expected if name.startswith("dir/")}


def test_a_split_index_is_left_to_git(repo: Path, git: Git) -> None:
    git(repo, "update-index", "--split-index")
    assert index_names((repo / ".git" / "index").read_bytes()) is None
    assert tracked(repo) == (".gitignore", "a.py", "sub/b.py")


@pytest.mark.parametrize("data", [b"", b"DIRC", b"DIRC" + b"\0\0\0\2" + b"\xff" * 40, b"x" * 200])
def test_a_broken_index_is_nothing(data: bytes) -> None:
    assert index_names(data) is None


def test_tracked_follows_the_index(repo: Path, git: Git, write: Write) -> None:
    before = tracked(repo)
    write(repo, {"z.py": "z\n"})
    git(repo, "add", "z.py")
    assert set(tracked(repo)) - set(before) == {"z.py"}


def test_changed_files(repo: Path, git: Git, write: Write) -> None:
    write(repo, {"a.py": "changed\n", "sub/new.py": "n\n", "x.log": "ignored\n"})
    assert changed_files(repo, None) == {"a.py", "sub/new.py"}
    assert changed_files(repo / "sub", None) == {"new.py"}
    (repo / "sub" / "b.py").unlink()
    assert changed_files(repo, None) == {"a.py", "sub/new.py"}


def test_changed_since_counts_from_where_the_branch_left(repo: Path, git: Git, write: Write) -> None:
    git(repo, "checkout", "-qb", "work")
    write(repo, {"mine.py": "m\n"})
    git(repo, "add", "-A")
    git(repo, "commit", "-qm", "mine")
    git(repo, "checkout", "-q", "main")
    write(repo, {"theirs.py": "t\n"})
    git(repo, "add", "-A")
    git(repo, "commit", "-qm", "theirs")
    git(repo, "checkout", "-q", "work")
    assert changed_files(repo, "main") == {"mine.py"}


@pytest.mark.parametrize("ref", ["nope", "", "--output=/tmp/x", "-p", "main..nope", "a\nb", "a\0b"])
def test_an_unknown_ref_is_named(repo: Path, ref: str) -> None:
    with pytest.raises(UsageError) as caught:
        changed_files(repo, ref)
    assert repr(ref) in str(caught.value)


def test_changed_files_needs_a_repository_and_git(repo: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "plain").mkdir()
    with pytest.raises(UsageError, match="not in a git repository"):
        changed_files(tmp_path / "plain")
    monkeypatch.setattr("fourfold.source.git.git_program", lambda: None)
    with pytest.raises(UsageError, match="not installed"):
        changed_files(repo)


def test_everything_else_works_without_git(repo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gitrun, "git_program", lambda: None)
    state = head(repo)
    assert state is not None
    assert state.commit is not None
    assert state.dirty == 0
    assert "a.py" in tracked(repo)


def test_nothing_in_the_repository_config_is_run(repo: Path, git: Git, write: Write, tmp_path: Path) -> None:
    """A cloned archive may bring its own .git/config; comparing files must not run what it names."""
    bait = tmp_path / "ran"
    script = tmp_path / "evil.sh"
    script.write_text(f"#!/bin/sh\ntouch {bait}\ncat\n")
    script.chmod(0o755)
    git(repo, "config", "core.fsmonitor", str(script))
    git(repo, "config", "filter.x.clean", str(script))
    git(repo, "config", "filter.x.process", str(script))
    git(repo, "config", "diff.external", str(script))
    write(repo, {".gitattributes": "* filter=x\n", "a.py": "b\n"})
    state = head(repo)
    assert state is not None
    assert state.dirty == 2
    assert changed_files(repo) == {"a.py", ".gitattributes"}
    assert not bait.exists()
    # The bait works: git alone takes it.
    subprocess.run([shutil.which("git") or "git", "status"], cwd=repo, check=False, capture_output=True)
    assert bait.exists()
