"""What is to be done with a file, and what came of it: light to import, for a refresh that finds nothing to do."""

from __future__ import annotations

from dataclasses import field
from pathlib import Path
from typing import TYPE_CHECKING, TypedDict

from fourfold.model.record import record
from fourfold.source.found import Found, Skip, WalkOptions
from fourfold.source.tree import Tree
from fourfold.store.contract import SKIPPED, Batch, FileRecord

if TYPE_CHECKING:
    from fourfold.index.stage import NamedFileStages


@record(frozen=True, slots=True)
class PrepareOptions:
    """How files are prepared; the same in every process. `languages` maps a dotted extension to a language; `parsed` is
    the file that keeps what parsing made of a content (None: none); `stages` are the stages of files where there are
    others than the usual ones (:mod:`fourfold.index.ingestion`), and then they run in this process."""

    root: Path | Tree
    walk: WalkOptions
    chunker: str = "ast"
    deadline_s: float = 2.0
    languages: dict[str, str] = field(default_factory=dict)
    model: str = "static"
    parsed: Path | None = None
    stages: NamedFileStages = ()


@record(frozen=True, slots=True)
class Task:
    """One file to prepare; `known_hash` is the content hash that the index holds for it (empty: none)."""

    found: Found
    known_hash: str = ""


@record(frozen=False, slots=True)
class Prepared:
    """What came of some tasks: a batch to store, and records of files whose content is what the index holds."""

    batch: Batch = field(default_factory=Batch)
    touched: list[FileRecord] = field(default_factory=list)


class StatFields(TypedDict):
    """The part of a record that a walk knows."""

    path: str
    size: int
    mtime_ns: int
    ctime_ns: int
    inode: int


def stat_of(seen: Found | Skip) -> StatFields:
    return {
        "path": seen.path,
        "size": seen.size,
        "mtime_ns": seen.mtime_ns,
        "ctime_ns": seen.ctime_ns,
        "inode": seen.inode,
    }


def skipped_record(skip: Skip, found: Found | None = None) -> FileRecord:
    """The record of a file that is not indexed, with its reason."""
    return FileRecord(**stat_of(found or skip), status=SKIPPED, reason=skip.reason, detail=skip.detail)
