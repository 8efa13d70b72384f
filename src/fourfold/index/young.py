"""Files that changed so shortly before they were read that their times cannot tell a further change.

Their content is compared again by whoever looks at the tree. Where it is what the index holds nothing is published;
when that was found is kept beside the index, so that the next look need not read them again.
"""

from __future__ import annotations

import contextlib
import secrets
import time
from typing import TYPE_CHECKING

from fourfold.index.diff import RACY_NS, Diff
from fourfold.source.found import Skip

if TYPE_CHECKING:
    from pathlib import Path

    from fourfold.source.found import WalkOptions
    from fourfold.source.tree import Tree
    from fourfold.store.contract import Snapshot, Store

FILE_NAME = "compared.txt"
"""Beside the index: for which state of it, and when all young files were last compared by content (ns)."""
READ_BEGAN = "read_began_ns"
"""The meta value that says when the last refresh began to read (ns)."""


def vouched_ns(store: Store, snapshot: Snapshot) -> int:
    """When the files of a snapshot were last read or compared by content (ns since the epoch, 0 where unknown): a file
    changed well before that shows any further change by its times."""
    began = snapshot.meta.get(READ_BEGAN, "")
    with contextlib.suppress(OSError, ValueError):
        state, compared = (store.directory / FILE_NAME).read_text(encoding="ascii").rsplit(" ", 1)
        if state == _state(snapshot):
            return int(compared)
    return int(began or 0)


def settle(diff: Diff, tree: Tree, options: WalkOptions, store: Store, snapshot: Snapshot) -> None:
    """Read the young files of a difference: those that differ from the index are work like any other changed file."""
    if not diff.young:
        return
    began = time.time_ns()
    for task in diff.young:
        source = tree.read(task.found, options)
        if isinstance(source, Skip) or source.content_hash != task.known_hash:
            diff.changed.append(task.found.path)
            diff.unchanged -= 1
            diff.tasks.append(task)
    aged = any(task.found.mtime_ns < began - RACY_NS for task in diff.young)
    diff.young.clear()
    if aged and diff.empty:
        _note(store.directory, f"{_state(snapshot)} {began}")


def forget(directory: Path) -> None:
    """Delete what is kept beside the index in `directory`."""
    (directory / FILE_NAME).unlink(missing_ok=True)


def _state(snapshot: Snapshot) -> str:
    """One state of the index. Generations of an index that was made anew may repeat, the time of reading does not."""
    return f"{snapshot.generation} {snapshot.meta.get(READ_BEGAN, '')}"


def _note(directory: Path, line: str) -> None:
    """Replace the note as a whole; where it cannot be written the files are read again."""
    temporary = directory / f"{FILE_NAME}.{secrets.token_hex(4)}.tmp"
    with contextlib.suppress(OSError):
        try:
            temporary.write_text(line, encoding="ascii")
            temporary.replace(directory / FILE_NAME)
        finally:
            temporary.unlink(missing_ok=True)
