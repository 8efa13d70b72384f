"""Copying an index from one store to another without reading a file of the project again.

What is copied is what the stores publish: records, texts, chunks, symbols, facts, and the columns of each batch. A
copy that was cut short goes on where it stopped: files that the target has already, with the same record, are not sent
again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from fourfold.model.chunk import Chunk
from fourfold.model.errors import IndexUnavailable
from fourfold.store.contract import INDEXED, Batch, IndexedFile
from fourfold.store.local.view import SegmentView

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from fourfold.store.local.snapshot import LocalSnapshot
    from fourfold.store.local.store import LocalStore

FILES_AT_ONCE = 200
"""Files of one published batch."""
COMPLETE = "complete"
"""The meta value that says whether everything is there; "0" while copying."""
WALKED = "walk_fingerprint"
"""The meta value that an index has from its first whole build on."""
IDENTITY = ("format", "tokenizer", "chunker", "model", "secrets", "languages")
"""Meta values that must agree for a copy to go on; where one differs, the target is emptied first."""

Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class Migrated:
    """How many files were copied, were there already, and were removed because the source has them no more."""

    copied: int
    kept: int
    removed: int


def migrate(source: LocalStore, target: LocalStore, progress: Progress = lambda done, total: None) -> Migrated:
    """Make `target` hold what `source` holds now; `progress` is told (files done, files in all).

    Readers of the target see the copy grow, as they see an index grow that is being built. Raises IndexUnavailable
    where the source holds nothing whole, LockHeld where somebody writes the target.
    """
    snapshot = source.snapshot()
    if not snapshot.generation or snapshot.meta.get(COMPLETE) == "0":
        raise IndexUnavailable("there is no finished index to copy", hint="run: fourfold index")
    records = snapshot.records()
    with target.writer(purpose="migrate") as writer:
        if _differs(target.snapshot().meta, snapshot.meta):
            writer.wipe()
        # Without what says that the whole tree was walked: until it has come over, this is a first build.
        begun = {key: value for key, value in snapshot.meta.items() if key != WALKED}
        writer.set_meta({**begun, COMPLETE: "0"})
        present = target.snapshot().records()
        missing = {path for path, record in records.items() if present.get(path) != record}
        done = len(records) - len(missing)
        progress(done, len(records))
        for batch in _batches(snapshot, missing):
            writer.put(batch)
            done += len(batch.files) + len(batch.skipped)
            progress(done, len(records))
        gone = [path for path in present if path not in records]
        writer.remove(gone)
        writer.finish(lambda _: _statistics(snapshot))
        writer.set_meta(snapshot.meta)
    return Migrated(len(missing), len(records) - len(missing), len(gone))


def _differs(old: Mapping[str, str], new: Mapping[str, str]) -> bool:
    return bool(old) and any(old.get(key, "") != new.get(key, "") for key in IDENTITY)


def _statistics(snapshot: LocalSnapshot) -> dict[str, NDArray[np.float32]]:
    mean = snapshot.statistic("mean_vector")
    return {} if mean is None else {"mean_vector": mean}


def _batches(snapshot: LocalSnapshot, missing: set[str]) -> Iterator[Batch]:
    """The missing files, some hundred at a time, each batch with the rows of its files alone."""
    from fourfold.store.local.merge import merge

    records, paths = snapshot.records(), snapshot.file_paths()
    symbols, facts = snapshot.symbols(), dict(snapshot.facts()) if missing else {}
    for number, view in enumerate(snapshot.segments):
        base = snapshot.file_base[number]
        rows = [row for row in range(view.files) if paths[base + row] in missing]
        for start in range(0, len(rows), FILES_AT_ONCE):
            part = rows[start : start + FILES_AT_ONCE]
            chosen = [paths[base + row] for row in part]
            texts = dict(snapshot.texts(chosen))
            files = [
                IndexedFile(
                    records[path],
                    texts[path],
                    _chunks(snapshot, number, view, row, texts[path]),
                    tuple(symbols.get(path, ())),
                    facts.get(path, b""),
                )
                for path, row in zip(chosen, part, strict=True)
            ]
            yield Batch(files, merge([_only(view, part)]))
    skipped = [record for path, record in records.items() if record.status != INDEXED and path in missing]
    for start in range(0, len(skipped), FILES_AT_ONCE):
        yield Batch(skipped=skipped[start : start + FILES_AT_ONCE])


def _only(view: SegmentView, rows: Sequence[int]) -> SegmentView:
    """A view whose other files are dead."""
    dead = bytearray(b"\1" * view.files)
    for row in rows:
        dead[row] = 0
    return SegmentView(view.segment, view.chunks, view.files, view.file_ids.tobytes(), bytes(dead))


def _chunks(snapshot: LocalSnapshot, number: int, view: SegmentView, row: int, text: str) -> tuple[Chunk, ...]:
    base = snapshot.chunk_base[number]
    first, last = int(view.first_chunks[row]), int(view.first_chunks[row + 1])
    lines = text.split("\n")
    return tuple(
        Chunk(
            one.start_line,
            one.end_line,
            "\n".join(lines[one.start_line - 1 : one.end_line]),
            one.kind,
            one.symbol,
            one.parent,
            one.signature,
        )
        for one in snapshot.chunk_rows(range(base + first, base + last))
    )
