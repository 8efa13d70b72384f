"""The state of an index, and what it says of one path."""

from __future__ import annotations

import os
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

from fourfold.index.refresh import look
from fourfold.model.errors import PathOutsideRoot
from fourfold.model.report import PathStatus, Status
from fourfold.source.found import ABSENT, DIRECTORY, IGNORED, REASONS, UNREADABLE, Skip
from fourfold.source.root import plain_path, relative_path
from fourfold.source.tree import DiskTree, Tree, as_tree
from fourfold.source.walk import eligible
from fourfold.store.contract import INDEXED

if TYPE_CHECKING:
    from fourfold.index.last_look import LastLook
    from fourfold.index.refresh import RefreshOptions
    from fourfold.store.local.store import LocalStore


def status(root: Path | Tree, store: LocalStore, options: RefreshOptions, last: LastLook | None = None) -> Status:
    """Counts, places, and how far the tree has moved since; `last` is what this process remembers of the tree."""
    tree = as_tree(root)
    state = tree.head()
    snapshot = store.snapshot()
    if snapshot.generation == 0:
        return Status(root=str(root), location=str(store.directory), exists=False, writer=store.owner)
    info = snapshot.info()
    records = snapshot.records().values()
    _, diff, _ = look(root, store, options, last=last)
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
        dirty_files=tree.dirty(),
        stale_files=len(diff.added) + len(diff.changed) + len(diff.removed),
        model=info.meta.get("model", ""),
        writer=store.owner,
        format_version=int(info.meta.get("format", "0")),
    )


def status_of(
    root: Path | Tree, store: LocalStore, options: RefreshOptions, path: str, cwd: Path | None = None
) -> PathStatus:
    """Whether one path (relative to `cwd`, else to the root) is indexed and, where not, why. Raises PathOutsideRoot."""
    tree = as_tree(root)
    if isinstance(tree, DiskTree):
        relative = path_inside(tree.root, path, cwd)
        skip = _why_not(tree.root, relative, options)
    else:
        relative = plain_path(path)
        skip = tree.why_not(relative, options.walk)
    if skip is not None and skip.reason == ABSENT:
        return PathStatus(relative, ABSENT, ABSENT, skip.detail)
    record = store.snapshot().record(relative)
    if record is not None and record.status == INDEXED and skip is None:
        return PathStatus(
            relative, "indexed", language=record.language, lines=record.lines, chunks=record.chunks, note=record.note
        )
    if skip is not None:
        kind = "ignored" if skip.reason == IGNORED else "skipped"
        return PathStatus(relative, kind, skip.reason, skip.detail)
    if record is not None:
        return PathStatus(relative, "skipped", record.reason, record.detail)
    return PathStatus(relative, "not-yet", "not-yet", "it will be indexed by the next refresh")


def path_inside(root: Path, path: str, cwd: Path | None) -> str:
    """`path` relative to the root. A link in the root that leads out of it is a path inside: the link itself. Raises
    PathOutsideRoot for all else outside."""
    try:
        return relative_path(root, path, cwd)
    except PathOutsideRoot:
        folder, name = os.path.split(os.path.join(cwd or root, path))  # noqa: PTH118
        if name in ("", ".", "..") or not os.path.islink(os.path.join(folder, name)):  # noqa: PTH114, PTH118
            raise
        above = relative_path(root, folder)
        return name if above == "." else f"{above}/{name}"


def _why_not(root: Path, relative: str, options: RefreshOptions) -> Skip | None:
    """Why the walk does not find a path, or None where it does; folders that cannot be opened included."""
    if relative == ".":
        return _closed(root, ".") or Skip(relative, DIRECTORY, "the root itself is not indexed, what lies in it is")
    skip = eligible(root, relative, options.walk)
    if skip is not None and skip.reason not in (ABSENT, DIRECTORY):
        return skip
    parts = relative.split("/")
    for depth in range(len(parts) + 1):
        closed = _closed(root, "/".join(parts[:depth]) or ".")
        if closed is not None:
            return closed
    if skip is None and not os.access(root / relative, os.R_OK):
        return Skip(relative, UNREADABLE, REASONS[UNREADABLE])
    return skip


def _closed(root: Path, folder: str) -> Skip | None:
    """Why nothing in a folder is found, where it cannot be listed or entered; None for all else."""
    path = root / folder
    if os.path.isdir(path) and not os.access(path, os.R_OK | os.X_OK):  # noqa: PTH112 (raises nothing)
        what = "the root" if folder == "." else f"the folder {folder}"
        return Skip(folder, UNREADABLE, f"{what} cannot be opened: check its permissions")
    return None
