"""The footprint of a walk: unchanged trees are told by stat alone, and nothing that a walk would see is missed."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from fourfold.source.footprint import RACY_NS, Footprint
from fourfold.source.walk import WalkOptions, is_as_it_was, walk

Git = Callable[..., str]
Write = Callable[..., None]

OLD_S = 3600.0


def footprint_of(root: Path, options: WalkOptions | None = None, later_s: float = OLD_S) -> Footprint:
    """The footprint of a walk that takes place `later_s` from now: a test cannot set when an inode was changed."""
    ahead = time.time_ns() + int(later_s * 1e9)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(time, "time_ns", lambda: ahead)
        found = walk(root, options, noting=True).footprint
    assert found is not None
    return found


@pytest.fixture
def tree(tmp_path: Path, write: Write) -> Path:
    """A small tree with rules, a link, a binary file and an ignored folder."""
    root = tmp_path / "tree"
    files = {
        "a.py": "a = 1\n",
        "src/b.py": "b = 1\n",
        "src/deep/c.py": "c = 1\n",
        "out/x.txt": "x\n",
        ".gitignore": "out/\n",
        "src/.gitignore": "*.log\n",
        "logo.png": b"\x89PNG",
    }
    write(root, files)
    (root / "empty").mkdir()
    (root / "link.py").symlink_to("src/b.py")
    return root


def test_an_unchanged_tree_is_known_again(tree: Path) -> None:
    seen = footprint_of(tree)
    assert seen.is_sure
    assert is_as_it_was(tree, WalkOptions(), seen)


CHANGES: dict[str, Callable[[Path], object]] = {
    "a file edited in place": lambda root: (root / "src/deep/c.py").write_text("c = 2\n"),
    "a file edited, its time set back": lambda root: _edit_and_set_back(root / "a.py"),
    "a file added": lambda root: (root / "src/new.py").write_text("n = 1\n"),
    "a file added to an empty folder": lambda root: (root / "empty/new.py").write_text("n = 1\n"),
    "a file deleted": lambda root: (root / "a.py").unlink(),
    "a file renamed": lambda root: (root / "a.py").rename(root / "z.py"),
    "a file replaced by another": lambda root: (root / "a.py").replace(root / "src/b.py"),
    "a folder added": lambda root: (root / "src/more").mkdir(),
    "a folder moved": lambda root: (root / "src/deep").rename(root / "deep"),
    "a rule changed": lambda root: (root / "src/.gitignore").write_text("*.py\n"),
    "a rule changed at the top": lambda root: (root / ".gitignore").write_text(""),
    "a rule file added": lambda root: (root / "empty/.gitignore").write_text("*\n"),
    "the target of a link edited": lambda root: (root / "src/b.py").write_text("b = 2\n"),
    "a link led elsewhere": lambda root: _lead(root / "link.py", "a.py"),
    "a file made unreadable": lambda root: (root / "a.py").chmod(0),
    "a binary file turned into text": lambda root: (root / "logo.png").write_text("text\n"),
}


def _edit_and_set_back(path: Path) -> None:
    before = path.stat()
    path.write_text("a = 2\n")
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))


def _lead(link: Path, target: str) -> None:
    link.unlink()
    link.symlink_to(target)


@pytest.mark.parametrize("change", CHANGES.values(), ids=list(CHANGES))
def test_a_change_is_seen(tree: Path, change: Callable[[Path], object]) -> None:
    seen = footprint_of(tree)
    time.sleep(0.01)  # longer than a file system's time stamp
    change(tree)
    assert not is_as_it_was(tree, WalkOptions(), seen)


def test_what_is_ignored_may_change(tree: Path) -> None:
    seen = footprint_of(tree)
    (tree / "out/y.txt").write_text("y\n")
    (tree / "out/x.txt").write_text("z\n")
    assert is_as_it_was(tree, WalkOptions(), seen)


def test_a_broken_link_whose_target_appears_is_seen(tree: Path) -> None:
    (tree / "dangling.py").symlink_to("out/later.py")
    seen = footprint_of(tree)
    assert is_as_it_was(tree, WalkOptions(), seen)
    (tree / "out/later.py").write_text("x\n")
    assert not is_as_it_was(tree, WalkOptions(), seen)


def test_other_options_are_another_walk(tree: Path) -> None:
    seen = footprint_of(tree)
    assert not is_as_it_was(tree, WalkOptions(exclude=("a.py",)), seen)


def test_a_folder_changed_a_moment_before_vouches_for_nothing(tree: Path) -> None:
    assert not footprint_of(tree, later_s=0.0).is_sure
    assert not footprint_of(tree, later_s=RACY_NS / 1e9 / 2).is_sure


def test_what_git_tracks_belongs_to_it(tree: Path, git: Git) -> None:
    git(tree, "init", "-q")
    git(tree, "add", "a.py")
    seen = footprint_of(tree)
    assert is_as_it_was(tree, WalkOptions(), seen)
    time.sleep(0.01)
    git(tree, "add", "-f", "out/x.txt")
    assert not is_as_it_was(tree, WalkOptions(), seen)


def test_a_repository_within_vouches_for_nothing(tree: Path, git: Git) -> None:
    git(tree / "src", "init", "-q")
    assert not footprint_of(tree, WalkOptions(nested_repos=True)).is_sure


def test_no_footprint_is_left_unasked(tree: Path) -> None:
    assert walk(tree).footprint is None
