"""The footprint of a walk: unchanged trees are told by stat alone, and nothing that a walk would see is missed."""

from __future__ import annotations

import contextlib
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from fourfold.source.footprint import RACY_NS
from fourfold.source.footprint_file import pack, unpack
from fourfold.source.walk import WalkOptions, WalkResult, walk, walk_again

Git = Callable[..., str]
Write = Callable[..., None]

OLD_S = 3600.0


def walked(root: Path, options: WalkOptions | None = None, later_s: float = OLD_S) -> WalkResult:
    """A walk that takes place `later_s` from now: a test cannot set when an inode was changed."""
    ahead = time.time_ns() + int(later_s * 1e9)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(time, "time_ns", lambda: ahead)
        return walk(root, options, noting=True)


def is_as_it_was(root: Path, before: WalkResult, options: WalkOptions | None = None) -> bool:
    again = look(root, before, options)
    return again is not None and not again.found


def look(root: Path, before: WalkResult, options: WalkOptions | None = None) -> WalkResult | None:
    again = walk_again(root, options or WalkOptions(), before, sys.maxsize)
    return again[0] if again is not None else None


def is_sure(result: WalkResult) -> bool:
    assert result.footprint is not None
    return result.footprint.is_sure


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
    seen = walked(tree)
    assert is_sure(seen)
    assert is_as_it_was(tree, seen)


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
    seen = walked(tree)
    time.sleep(0.01)  # longer than a file system's time stamp
    change(tree)
    assert not is_as_it_was(tree, seen)


def test_edits_alone_are_told_without_a_walk(tree: Path) -> None:
    seen = walked(tree)
    (tree / "a.py").write_text("a = 22\n")
    again = look(tree, seen)
    assert again is not None
    full = walk(tree)
    assert again.found == [found for found in full.found if found.path == "a.py"]
    assert again.fingerprint == full.fingerprint
    assert is_as_it_was(tree, again)
    (tree / "src/b.py").write_text("b = 22\n")  # a link leads to it
    assert look(tree, again) is None


def test_a_file_that_grows_above_the_cap_takes_a_walk(tree: Path) -> None:
    options = WalkOptions(max_file_bytes=100)
    seen = walked(tree, options)
    (tree / "a.py").write_text("a" * 101)
    assert look(tree, seen, options) is None


def test_a_cache_tag_counts(tree: Path) -> None:
    (tree / "src/deep/CACHEDIR.TAG").write_text("no tag\n")
    seen = walked(tree)
    assert "src/deep/c.py" in [found.path for found in seen.found]
    (tree / "src/deep/CACHEDIR.TAG").write_text("Signature: 8a477f597d28d172789f06886806bc55\n")
    assert not is_as_it_was(tree, seen) or look(tree, seen) is None


def test_what_is_ignored_may_change(tree: Path) -> None:
    seen = walked(tree)
    (tree / "out/y.txt").write_text("y\n")
    (tree / "out/x.txt").write_text("z\n")
    assert is_as_it_was(tree, seen)


def test_a_broken_link_whose_target_appears_is_seen(tree: Path) -> None:
    (tree / "dangling.py").symlink_to("out/later.py")
    seen = walked(tree)
    assert is_as_it_was(tree, seen)
    (tree / "out/later.py").write_text("x\n")
    assert not is_as_it_was(tree, seen)


def test_other_options_are_another_walk(tree: Path) -> None:
    seen = walked(tree)
    assert not is_as_it_was(tree, seen, WalkOptions(exclude=("a.py",)))


def test_a_folder_changed_a_moment_before_vouches_for_nothing(tree: Path) -> None:
    assert not is_sure(walked(tree, later_s=0.0))
    assert not is_sure(walked(tree, later_s=RACY_NS / 1e9 / 2))


def test_what_git_tracks_belongs_to_it(tree: Path, git: Git) -> None:
    git(tree, "init", "-q")
    git(tree, "add", "a.py")
    seen = walked(tree)
    assert is_as_it_was(tree, seen)
    time.sleep(0.01)
    git(tree, "add", "-f", "out/x.txt")
    assert not is_as_it_was(tree, seen)


def test_a_repository_within_vouches_for_nothing(tree: Path, git: Git) -> None:
    git(tree / "src", "init", "-q")
    assert not is_sure(walked(tree, WalkOptions(nested_repos=True)))


def test_young_files_are_told_apart(tree: Path) -> None:
    seen = walked(tree)
    since = (tree / "a.py").stat().st_mtime_ns
    (tree / "src/b.py").unlink()  # ends the link's target, too
    (tree / "link.py").unlink()
    os.utime(tree / "src/deep/c.py", ns=(since - 10**9, since - 10**9))
    seen = walked(tree)
    again = walk_again(tree, WalkOptions(), seen, since)
    assert again is not None
    young = {found.path for found in again[1]}
    assert "a.py" in young
    assert "src/deep/c.py" not in young


def test_a_rule_or_a_target_changed_a_moment_before_vouches_for_nothing(tree: Path) -> None:
    ahead = time.time_ns() + int(OLD_S * 1e9)
    for name in ("src/.gitignore", "src/b.py"):
        os.utime(tree / name, ns=(ahead, ahead))
        assert not is_sure(walked(tree))
        os.utime(tree / name, ns=(0, 0))
        assert is_sure(walked(tree))


def test_a_footprint_is_the_same_after_it_was_packed(tree: Path) -> None:
    with contextlib.suppress(OSError):  # a system that wants names in Unicode
        (tree / os.fsdecode(b"bad\xff.py")).write_text("b = 1\n")
    seen = walked(tree)
    assert seen.footprint is not None
    unpacked = unpack(pack(seen, 7))
    assert unpacked is not None
    restored, files = unpacked
    assert files == 7
    assert restored.footprint is not None
    assert restored.footprint.traces == seen.footprint.traces
    assert (restored.fingerprint, restored.warnings) == (seen.fingerprint, seen.warnings)
    assert is_as_it_was(tree, restored)
    (tree / "a.py").write_text("a = 22\n")
    assert not is_as_it_was(tree, restored)


@pytest.mark.parametrize("data", [b"", b"{}\n", b"nonsense", b'{"version": 1}\n', b"[]\n\0", b"\xff\n"])
def test_what_is_no_footprint_is_none(data: bytes) -> None:
    assert unpack(data) is None


def test_what_vouches_for_nothing_is_not_packed(tree: Path) -> None:
    assert pack(walked(tree, later_s=0.0), 7) == b""
    assert pack(walk(tree), 7) == b""


def test_no_footprint_is_left_unasked(tree: Path) -> None:
    assert walk(tree).footprint is None
