"""What a repository holds, by commit and by hash: read from a git directory, or from an archive of one commit."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple, Protocol

from fourfold.model.errors import UsageError
from fourfold.source.blobs import blobs_of, close_blobs, sizes
from fourfold.source.gitrun import run_git

FILE, LINK, SUBMODULE = "100644", "120000", "160000"
"""Modes of entries, as git writes them."""


class Entry(NamedTuple):
    """A file, link or submodule of a commit: its mode in octal digits, and its hash."""

    mode: str
    hash: str


Folder = dict[str, "Entry | Folder"]
"""Names to what they are; nested."""


class Objects(Protocol):
    """The entries of commits and the blobs they name. It can be sent to another process."""

    @property
    def place(self) -> Path:
        """Where they lie on this machine."""
        ...

    def listing(self, commit: str, root: str) -> Folder:
        """All entries of a commit below the folder `root` ("" for all), by folder. Raises UsageError where there is no
        such folder."""
        ...

    def sizes(self, names: Iterable[str]) -> dict[str, int]:
        """Bytes of each blob that is here, by hash. Raises OSError where they cannot be read."""
        ...

    def read(self, name: str, limit: int) -> bytes | None:
        """At most `limit` + 1 bytes of a blob; None where it is not here. Raises OSError where it cannot be read."""
        ...

    def close(self) -> None:
        """Let go of what reading holds open; it may be read again."""
        ...


class Copy(Protocol):
    """What the cache holds of a repository elsewhere."""

    @property
    def folder(self) -> Path:
        """Where it lies."""
        ...

    def objects(self, commit: str) -> Objects:
        """What it holds of a commit."""
        ...

    def fetch(self, ref: str) -> Fetched:
        """Bring it up to the newest state of `ref` ("" for the default branch).

        Raises UsageError where there is no such ref (what was fetched before stays), BackendUnavailable where the
        repository cannot be asked, IndexUnavailable where the cache is not to be written.
        """
        ...

    def need(self, commit: str, blobs: Iterable[str]) -> int:
        """Fetch those of the blobs of a commit that are missing; how many came from elsewhere."""
        ...

    def remove(self) -> None:
        """Delete it."""
        ...


@dataclass(frozen=True, slots=True)
class Fetched:
    """What a fetch found. `commit` is a whole hash; `changed` where it is another than before; `kind` is branch, tag,
    commit or default branch; `notes` are for people."""

    commit: str
    kind: str
    changed: bool
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class GitObjects:
    """The objects of the repository at `git_dir`, read by git."""

    git_dir: Path

    @property
    def place(self) -> Path:
        """The repository."""
        return self.git_dir

    def listing(self, commit: str, root: str) -> Folder:
        """The entries of a commit."""
        return _listing(self.git_dir, commit, root)

    def sizes(self, names: Iterable[str]) -> dict[str, int]:
        """Bytes of each blob."""
        return sizes(self.git_dir, names)

    def read(self, name: str, limit: int) -> bytes | None:
        """A blob, through a process that is kept."""
        return blobs_of(self.git_dir).read(name, limit)

    def close(self) -> None:
        """End the process that reads blobs."""
        close_blobs(self.git_dir)


@lru_cache(maxsize=8)
def _listing(git_dir: Path, commit: str, root: str) -> Folder:
    """The entries of a commit: they never change."""
    out = run_git(git_dir, "--git-dir", str(git_dir), "ls-tree", "-r", "-z", f"{commit}:{root}")
    if out is None:
        raise no_folder(commit, root)
    top: Folder = {}
    for row in out.split(b"\0"):
        if not row:
            continue
        head, _, name = row.partition(b"\t")
        mode, _, number = head.decode("ascii").split(" ")
        put(top, name.decode("utf-8", "surrogateescape").split("/"), Entry(mode, number))
    return top


def no_folder(commit: str, root: str) -> UsageError:
    """The error for a root that a commit does not have."""
    where = f"no folder {root!r}" if root else "nothing"
    return UsageError(f"{where} is there to read at {commit[:12]}", hint="check the ref and the root of the service")


def put(top: Folder, parts: list[str], entry: Entry) -> bool:
    """Put an entry at a path, making its folders; False (nothing is put) where a file stands in the way."""
    *folders, last = parts
    here = top
    for part in folders:
        inner = here.setdefault(part, {})
        if not isinstance(inner, dict):
            return False
        here = inner
    if last in here:
        return False
    here[last] = entry
    return True
