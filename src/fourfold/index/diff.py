"""What changed between the tree and the index: by stat first, by content where the stat cannot tell."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from typing import TYPE_CHECKING

from fourfold.index.task import Task, skipped_record
from fourfold.model.record import record
from fourfold.source.found import Found
from fourfold.store.contract import INDEXED, FileRecord

if TYPE_CHECKING:
    from fourfold.source.walk import WalkResult

RACY_NS = 2_000_000_000
"""A file changed this shortly before it was read may change again within the same time stamp: its content is compared
once more (the "racily clean" problem of git's index)."""


@record(frozen=False, slots=True)
class Diff:
    """Work to do. `tasks` are files to read (new and changed ones); `young` are those whose stat alone cannot tell,
    counted as unchanged until they are read (:func:`fourfold.index.young.settle`)."""

    tasks: list[Task] = field(default_factory=list)
    young: list[Task] = field(default_factory=list)
    added: list[str] = field(default_factory=list)
    changed: list[str] = field(default_factory=list)
    removed: list[str] = field(default_factory=list)
    skipped: list[FileRecord] = field(default_factory=list)
    unchanged: int = 0

    @property
    def files(self) -> int:
        """How many files were found."""
        return self.unchanged + len(self.changed) + len(self.added)

    @property
    def empty(self) -> bool:
        """True where the index already equals the tree."""
        return not (self.tasks or self.young or self.removed or self.skipped)


def same_stat(record: FileRecord, found: Found) -> bool:
    """True where size, times and inode are those under which the content was read."""
    return (
        record.mtime_ns == found.mtime_ns
        and record.size == found.size
        and record.ctime_ns == found.ctime_ns
        and record.inode == found.inode
    )


def compare(walked: WalkResult, records: Mapping[str, FileRecord], indexed_at_ns: int, *, force: bool = False) -> Diff:
    """Compare a walk with the records of the index; `indexed_at_ns` is when its files were last read or
    compared by content.

    `force` reads every file again.
    """
    diff = Diff()
    racy = indexed_at_ns - RACY_NS
    present: set[str] = set()
    for found in walked.found:
        present.add(found.path)
        record = records.get(found.path)
        if record is None:
            diff.added.append(found.path)
            diff.tasks.append(Task(found))
        elif force:
            diff.changed.append(found.path)
            diff.tasks.append(Task(found))
        elif not same_stat(record, found):
            diff.changed.append(found.path)
            diff.tasks.append(Task(found, record.content_hash if record.status == INDEXED else ""))
        elif record.mtime_ns >= racy and record.status == INDEXED:
            diff.unchanged += 1
            diff.young.append(Task(found, record.content_hash))
        else:
            diff.unchanged += 1
    for skip in walked.skipped:
        present.add(skip.path)
        wanted = skipped_record(skip)
        if records.get(skip.path) != wanted:
            diff.skipped.append(wanted)
    diff.removed = [path for path in records if path not in present]
    return diff


def compare_edited(
    edited: Sequence[Found], young: Sequence[Found], files: int, record_of: Callable[[str], FileRecord | None]
) -> Diff | None:
    """As :func:`compare`, where nothing but the content of some files may differ from the records: those `edited` by
    their times, those so `young` that these cannot tell; `files` is how many files were found. None where one of the
    edited is not indexed."""
    diff = Diff(unchanged=files)
    for found in edited:
        record = record_of(found.path)
        if record is None or record.status != INDEXED:
            return None
        if same_stat(record, found):
            continue  # it was read since the tree was last walked
        diff.unchanged -= 1
        diff.changed.append(found.path)
        diff.tasks.append(Task(found, record.content_hash))
    for found in young:
        record = record_of(found.path)
        if record is not None and record.status == INDEXED:
            diff.young.append(Task(found, record.content_hash))
    return diff
