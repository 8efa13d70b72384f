"""The state of an index, and what it says of one path."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

from fourfold.index.refresh import look
from fourfold.model.report import PathStatus, Status
from fourfold.source.git import head
from fourfold.source.root import relative_path
from fourfold.source.walk import eligible
from fourfold.store.contract import INDEXED

if TYPE_CHECKING:
    from fourfold.index.refresh import RefreshOptions
    from fourfold.store.local.store import LocalStore


def status(root: Path, store: LocalStore, options: RefreshOptions) -> Status:
    """Counts, places, and how far the tree has moved since."""
    state = head(root)
    snapshot = store.snapshot()
    if snapshot.generation == 0:
        return Status(root=str(root), location=str(store.directory), exists=False, writer=store.owner)
    info = snapshot.info()
    records = snapshot.records().values()
    _, diff, _ = look(root, store, options)
    return Status(
        root=str(root),
        location=info.location,
        exists=True,
        generation=info.generation,
        files=info.files,
        chunks=info.chunks,
        symbols=info.symbols,
        lines=info.lines,
        segments=info.segments,
        dead_chunks=info.dead_chunks,
        bytes_on_disk=info.bytes_on_disk,
        skipped=dict(Counter(record.reason for record in records if record.status != INDEXED)),
        languages=dict(Counter(record.language or "text" for record in records if record.status == INDEXED)),
        indexed_commit=info.meta.get("indexed_commit") or None,
        live_commit=state.commit if state else None,
        branch=state.branch if state else None,
        dirty_files=state.dirty if state else 0,
        stale_files=len(diff.added) + len(diff.changed) + len(diff.removed),
        model=info.meta.get("model", ""),
        writer=store.owner,
        format_version=int(info.meta.get("format", "0")),
    )


def status_of(root: Path, store: LocalStore, options: RefreshOptions, path: str) -> PathStatus:
    """Whether one path is indexed and, where not, why. Raises PathOutsideRoot."""
    relative = relative_path(root, path)
    record = store.snapshot().record(relative)
    skip = eligible(root, relative, options.walk)
    if not (root / relative).exists():
        return PathStatus(relative, "absent", "absent", "there is no such file")
    if record is not None and record.status == INDEXED and skip is None:
        return PathStatus(
            relative, "indexed", language=record.language, lines=record.lines, chunks=record.chunks, note=record.note
        )
    if skip is not None:
        kind = "ignored" if skip.reason == "ignored" else "skipped"
        return PathStatus(relative, kind, skip.reason, skip.detail)
    if record is not None:
        return PathStatus(relative, "skipped", record.reason, record.detail)
    return PathStatus(relative, "not-yet", "not-yet", "it will be indexed by the next refresh")
