"""What every store must do. One writer, many readers, one generation number for all legs of the index.

A *generation* is one published state. A writer publishes a batch with one transaction: the batch's files, chunks,
symbols, literal index and segment become visible together, and what they replace disappears together. A reader works
on a :class:`Snapshot` of one generation and is never blocked by a writer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import field
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from fourfold.model.chunk import Chunk
from fourfold.model.record import record
from fourfold.model.symbol import Symbol

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

FORMAT_VERSION = 2
"""Version of the index format. An older index is rebuilt; a newer one is refused (:class:`NewerFormat`)."""

INDEXED = "indexed"
SKIPPED = "skipped"


class FileRecord(NamedTuple):
    """What the index knows of one file. A named tuple, since every look at the tree reads all of them.

    `path` is relative to the root, POSIX. `status` is ``indexed`` or ``skipped``; `reason` (a stable word such as
    ``binary``, ``too-large``, ``secret``) and `detail` say why a file was skipped. `mtime_ns`, `ctime_ns`, `size` and
    `inode` are the stat values that the content was read under; `content_hash` is the hex BLAKE2b-128 of the decoded,
    line-end-normalised text (empty where the file was not read). `note` is free text
    (parsed with errors, cut by lines).
    """

    path: str
    size: int
    mtime_ns: int
    ctime_ns: int
    inode: int
    status: str = INDEXED
    reason: str = ""
    detail: str = ""
    language: str = ""
    encoding: str = ""
    content_hash: str = ""
    lines: int = 0
    chunks: int = 0
    note: str = ""
    doc: str = ""


@record(frozen=True, slots=True)
class IndexedFile:
    """One file ready to be stored. `text` is decoded, with ``\\n`` line ends and secrets redacted.

    `facts` are bytes that a layer above made of the file; a store keeps them as given (compress before).
    """

    record: FileRecord
    text: str
    chunks: tuple[Chunk, ...] = ()
    symbols: tuple[Symbol, ...] = ()
    facts: bytes = b""


@record(frozen=False, slots=True)
class Batch:
    """Files that become visible together, and the arrays of their segment.

    Row *i* of a chunk array belongs to the *i*-th chunk of `files`, counted through in order; row *j* of a file array
    to the *j*-th file. Array names and shapes: :mod:`fourfold.store.local.schema`. `skipped` are records without
    content.
    """

    files: list[IndexedFile] = field(default_factory=list)
    arrays: dict[str, NDArray[Any]] = field(default_factory=dict)
    skipped: list[FileRecord] = field(default_factory=list)


def paths_of(batch: Batch) -> list[str]:
    """All paths of a batch. Raises ValueError for one that occurs twice."""
    paths = [file.record.path for file in batch.files] + [record.path for record in batch.skipped]
    seen: set[str] = set()
    for path in paths:
        if path in seen:
            raise ValueError(f"{path!r} occurs twice in one batch")
        seen.add(path)
    return paths


@record(frozen=True, slots=True)
class ChunkRow:
    """A stored chunk without its text; `number` is the snapshot-wide chunk number."""

    number: int
    path: str
    language: str
    start_line: int
    end_line: int
    kind: str
    symbol: str
    parent: str
    signature: str


@record(frozen=True, slots=True)
class SymbolRow:
    """A stored symbol and where it is; `chunk` is the snapshot-wide number of the chunk that holds its first line."""

    symbol: Symbol
    path: str
    language: str
    chunk: int


class Named(NamedTuple):
    """What a stored symbol is called, and its lines, as :class:`fourfold.model.symbol.Symbol` has them; `chunk` counts
    the chunks of its file (from 0) up to the one that holds its first line, -1 where none does."""

    start_line: int
    end_line: int
    kind: str
    qualified_name: str
    parent: str
    signature: str
    name: str
    chunk: int


Span = tuple[str, int, int]
"""A path and two lines, both included."""
LAST_LINE = 1 << 62
"""The second line of a span that reaches to the end of its file."""


@record(frozen=True, slots=True)
class StoreInfo:
    """Counts of live rows and the place of the index. `meta` holds model identity, commit, tokenizer version, times."""

    generation: int
    files: int
    skipped: int
    chunks: int
    symbols: int
    lines: int
    segments: int
    dead_chunks: int
    bytes_on_disk: int
    location: str
    meta: Mapping[str, str]


class Snapshot(Protocol):
    """One generation, immutable. Cheap to open: nothing is read before it is asked for."""

    @property
    def generation(self) -> int: ...

    @property
    def meta(self) -> Mapping[str, str]: ...

    def info(self) -> StoreInfo: ...

    def records(self) -> Mapping[str, FileRecord]:
        """All file records (indexed and skipped) by path."""
        ...

    def record(self, path: str) -> FileRecord | None: ...

    def tally(self) -> Mapping[str, int]:
        """How many files are left out for each reason; those that are indexed count under ""."""
        ...

    def text(self, path: str) -> str | None:
        """The stored text of an indexed file, or None."""
        ...

    def chunk_rows(self, numbers: Sequence[int]) -> list[ChunkRow]:
        """Rows in the order asked for. Dead or unknown numbers raise KeyError."""
        ...

    def chunks_of(self, path: str) -> list[ChunkRow]:
        """Live chunks of a file in line order; empty where the file is not indexed."""
        ...

    def symbols_named(self, name: str, *, ignore_case: bool = False, limit: int = 50) -> list[SymbolRow]:
        """Symbols whose bare or qualified name is `name`."""
        ...

    def symbols_of(self, path: str, within: tuple[int, int] | None = None) -> list[SymbolRow]: ...

    def names_within(self, spans: Sequence[Span]) -> list[list[Named]]:
        """For each span the symbols that begin in it, in the order they were stored: one read for all."""
        ...

    def facts(self) -> Iterator[tuple[str, bytes]]:
        """(path, facts) of every live indexed file in path order; ``b""`` where a file has none."""
        ...

    def facts_of(self, path: str) -> bytes:
        """The facts of an indexed file, ``b""`` where it has none or the path is not indexed."""
        ...

    def paths_with_trigrams(self, required: Sequence[Sequence[str]]) -> list[str] | None:
        """Live paths that may match: for at least one inner list, every literal of it (each three characters or
        longer, any case) may occur. None means: cannot narrow, look at every file."""
        ...


class Writer(Protocol):
    """The one writer. Each of `put`, `remove`, `touch` publishes one generation atomically and durably."""

    def put(self, batch: Batch) -> int:
        """Store files, replacing rows of the same paths. Returns the new generation."""
        ...

    def remove(self, paths: Iterable[str]) -> int: ...

    def touch(self, records: Iterable[FileRecord]) -> int:
        """New stat values for files whose content did not change."""
        ...

    def set_meta(self, values: Mapping[str, str]) -> None: ...

    def wipe(self) -> None:
        """Forget every row (format, model or chunker changed); readers keep their snapshot until they refresh."""
        ...

    def finish(self, statistics: Callable[[Snapshot], Mapping[str, NDArray[np.float32]]] | None = None) -> int:
        """Merge small segments, store the generation's statistics, sweep what no row names."""
        ...


class Store(Protocol):
    """An index on disk or on a server. `directory` is its folder on this machine, where notes on it may lie."""

    directory: Path

    @property
    def needs_rebuild(self) -> str:
        """Why the index must be wiped before it can be used (older format, damage), in words; empty where it need not.

        Raises NewerFormat, and LockHeld where the store is busy: neither is a reason to rebuild.
        """
        ...

    def snapshot(self) -> Snapshot:
        """The newest generation. The same object is returned while the generation is unchanged."""
        ...

    def writer(self, *, wait_s: float = 0.0, purpose: str = "index") -> AbstractContextManager[Writer]:
        """Take the write lock; raises :class:`fourfold.model.errors.LockHeld` naming the owner after `wait_s`."""
        ...

    def clear(self) -> None:
        """Delete the whole index (takes the write lock)."""
        ...

    def close(self) -> None: ...
