"""Where a repository keeps its things, and what its HEAD says: read from its files, without running git."""

from __future__ import annotations

import os
import re
from pathlib import Path

from fourfold.model.record import record
from fourfold.source.small import read_small

CLONE = "clone"
WORKTREE = "worktree"
SUBMODULE = "submodule"

_HASH = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")
_MAX_SYMBOLIC = 5


@record(frozen=True, slots=True)
class GitDir:
    """A repository as seen from one work tree.

    `top` is the work tree's folder; `own` holds HEAD and index; `common` holds refs, config and info (the
    same folder, but for a linked work tree). `kind` is clone, worktree or submodule.
    """

    top: str
    own: str
    common: str
    kind: str


def open_gitdir(top: str) -> GitDir | None:
    """The repository whose work tree is the folder `top`, or None where ``.git`` is missing or leads
    nowhere."""
    dot_git = os.path.join(top, ".git")  # noqa: PTH118
    own = dot_git
    kind = CLONE
    if not os.path.isdir(dot_git):  # noqa: PTH112
        target = _pointer(dot_git)
        if not target:
            return None
        own = os.path.normpath(os.path.join(top, target))  # noqa: PTH118
        kind = _kind(own)
    if not os.path.lexists(os.path.join(own, "HEAD")):  # noqa: PTH118
        # A dangling work tree is still one: its files are copies of another tree's.
        return GitDir(top, own, own, kind) if kind == WORKTREE else None
    common = read_small(os.path.join(own, "commondir"))  # noqa: PTH118
    shared = os.path.normpath(os.path.join(own, os.fsdecode(common.strip()))) if common else own  # noqa: PTH118
    return GitDir(top, own, shared, kind)


def find_gitdir(folder: str | Path) -> GitDir | None:
    """The repository at or above `folder`."""
    here = os.path.realpath(folder)
    while True:
        if os.path.lexists(os.path.join(here, ".git")):  # noqa: PTH118
            found = open_gitdir(here)
            if found is not None:
                return found
        parent = os.path.dirname(here)  # noqa: PTH120
        if parent == here:
            return None
        here = parent


def _pointer(dot_git: str) -> str:
    data = read_small(dot_git, 8192)
    if data is None or not data.startswith(b"gitdir:") or b"\0" in data:
        return ""
    return os.fsdecode(data[len(b"gitdir:") :].strip())


def _kind(own: str) -> str:
    """Submodules live under ``.git/modules``, linked work trees under ``.git/worktrees`` (or a bare
    repository's)."""
    parts = own.replace("\\", "/").split("/")
    if len(parts) > 1 and parts[-2] == "worktrees":
        return WORKTREE
    return SUBMODULE if "modules" in parts[:-1] else CLONE


def read_head(git: GitDir) -> tuple[str | None, str | None] | None:
    """(commit, branch). The branch is None where HEAD is detached, the commit None where there is none yet.

    None where the files do not tell (another ref storage).
    """
    head = _line(git.own, "HEAD")
    branch = None
    for _ in range(_MAX_SYMBOLIC):
        if _HASH.fullmatch(head):
            return head, branch
        if not head.startswith("ref: "):
            return None
        ref = head[5:].strip()
        if ref.startswith("refs/heads/.invalid") or not _is_safe_ref(ref):
            return None  # the reftable format keeps its refs elsewhere
        branch = branch or ref.removeprefix("refs/heads/")
        head = _line(git.common, ref) or _line(git.own, ref) or _packed(git.common, ref)
        if not head:
            return None, branch
    return None


def _is_safe_ref(ref: str) -> bool:
    return ref.startswith("refs/") and ".." not in ref.split("/") and "\0" not in ref


def _line(folder: str, name: str) -> str:
    data = read_small(os.path.join(folder, name), 4096)  # noqa: PTH118
    return data.decode("utf-8", "surrogateescape").strip() if data else ""


def _packed(common: str, ref: str) -> str:
    data = read_small(os.path.join(common, "packed-refs"), 64 << 20)  # noqa: PTH118
    if not data:
        return ""
    wanted = b" " + ref.encode("utf-8", "surrogateescape") + b"\n"
    at = (data + b"\n").find(wanted)
    if at < 0:
        return ""
    found = data[data.rfind(b"\n", 0, at) + 1 : at].decode("ascii", "replace")
    return found if _HASH.fullmatch(found) else ""
