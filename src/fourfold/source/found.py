"""The nouns of discovery: a file found, a path left out, the options and the outcome of a walk."""

from __future__ import annotations

from dataclasses import field
from typing import TYPE_CHECKING, NamedTuple

from fourfold.model.record import record

if TYPE_CHECKING:
    from fourfold.source.footprint import Footprint

MAX_FILE_BYTES = 1_000_000
"""Default size cap. Above it are data dumps and generated files: a 38 MB makefile once exhausted an indexer's
memory."""

IGNORED = "ignored"
EXCLUDED = "excluded"
HIDDEN = "hidden"
SECRET = "secret"
BINARY = "binary"
TOO_LARGE = "too-large"
MINIFIED = "minified"
GENERATED = "generated"
SPECIAL = "special"
UNREADABLE = "unreadable"
VANISHED = "vanished"
BAD_NAME = "bad-name"
LFS_POINTER = "lfs-pointer"
SUBMODULE = "submodule"
LINK_OUTSIDE = "link-outside"
LINK_BROKEN = "link-broken"
LINK_TO_DIRECTORY = "link-to-directory"
NESTED_WORKTREE = "nested-worktree"
NESTED_REPO = "nested-repo"
DIRECTORY = "directory"
ABSENT = "absent"

REASONS: dict[str, str] = {
    IGNORED: "an ignore file or the exclude option names it",
    EXCLUDED: "an untracked folder of installed packages, caches or build output",
    HIDDEN: "an untracked hidden folder (use the hidden option or track it)",
    SECRET: "its name says that it holds keys or passwords",
    BINARY: "it is not text",
    TOO_LARGE: "it is larger than the size cap",
    MINIFIED: "its lines are too long to be read by people",
    GENERATED: "a lock file, source map or very large generated file",
    SPECIAL: "a pipe, socket or device",
    UNREADABLE: "it cannot be opened",
    VANISHED: "it disappeared or changed while it was read",
    BAD_NAME: "its name is not valid Unicode",
    LFS_POINTER: "a pointer of git LFS; the file itself is not in the repository",
    SUBMODULE: "another repository at a fixed commit; its files are not in this one",
    LINK_OUTSIDE: "a link to a place outside the root, or to a secret",
    LINK_BROKEN: "a link to nothing",
    LINK_TO_DIRECTORY: "a link to a folder (links to folders are not followed)",
    NESTED_WORKTREE: "another work tree of a git repository",
    NESTED_REPO: "another git repository (use the nested_repos option)",
    DIRECTORY: "a folder, not a file",
    ABSENT: "there is no such file",
}
"""Every reason for leaving a path out, and what it means. The words are stable: an index stores them."""


class Found(NamedTuple):
    """A file to be read. `path` is relative to the root, POSIX; the stat values are those of a link's target.

    A named tuple, since a walk makes one for each file and it costs a third of a frozen dataclass.
    """

    path: str
    size: int
    mtime_ns: int
    ctime_ns: int
    inode: int


@record(frozen=True, slots=True)
class Skip:
    """A path left out. `reason` is a key of :data:`REASONS`, `detail` says what exactly decided.

    The stat values are 0 where the path could not be looked at.
    """

    path: str
    reason: str
    detail: str = ""
    size: int = 0
    mtime_ns: int = 0
    ctime_ns: int = 0
    inode: int = 0


@record(frozen=True, slots=True)
class WalkOptions:
    """What the person may choose.

    `max_file_bytes`: larger files are skipped. `hidden`: walk untracked hidden folders too. `include`:
    gitignore-style patterns of paths to keep although ignored, hidden or excluded by default. `exclude`: such
    patterns of paths to leave out, tracked or not; they win over `include`. `ignore_files`: False turns off
    every ignore file at once (.gitignore, .git/info/exclude, the global excludes file, .fourfoldignore).
    `nested_repos`: walk clones inside the root. `redact_secrets`: replace tokens and passwords in the text
    that is read.
    """

    max_file_bytes: int = MAX_FILE_BYTES
    hidden: bool = False
    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    ignore_files: bool = True
    nested_repos: bool = False
    redact_secrets: bool = True


@record(frozen=False, slots=True)
class WalkResult:
    """What a walk saw. `found` and `skipped` are sorted by path.

    `ignored_dirs` and `ignored_files` count what was pruned by rule and is not listed. `fingerprint` stands
    for everything that the choice of files depended on besides the tree itself; give it to the next walk
    together with the paths that were found. `footprint`, where one was asked for, tells whether another walk would
    see the same.
    """

    found: list[Found] = field(default_factory=list)
    skipped: list[Skip] = field(default_factory=list)
    ignored_dirs: int = 0
    ignored_files: int = 0
    warnings: list[str] = field(default_factory=list)
    fingerprint: str = ""
    footprint: Footprint | None = None
