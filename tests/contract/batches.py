"""Synthetic batches for tests of stores: small files with chunks, symbols and arrays that follow the
schema."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fourfold.model.chunk import Chunk
from fourfold.model.symbol import Symbol
from fourfold.store.contract import SKIPPED, Batch, FileRecord, IndexedFile
from fourfold.store.local.schema import COLUMNS, LISTS, POSTINGS

DIMENSION = 64
LINES_PER_CHUNK = 3

Arrays = dict[str, NDArray[Any]]


def record_of(path: str, text: str, **changes: Any) -> FileRecord:
    """The record of an indexed file; stat values depend on the text alone."""
    values: dict[str, Any] = {
        "size": len(text),
        "mtime_ns": 1_700_000_000_000_000_000 + len(text),
        "ctime_ns": 1_600_000_000_000_000_000,
        "inode": 7,
        "language": "python",
        "encoding": "utf-8",
        "content_hash": hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest(),
        "lines": len(text.split("\n")),
        "chunks": len(chunks_of(text)),
        "doc": text.split("\n")[0],
    }
    return FileRecord(path, **{**values, **changes})


def skipped(path: str, reason: str = "binary") -> FileRecord:
    """The record of a skipped file."""
    return FileRecord(path, 10, 1, 2, 3, status=SKIPPED, reason=reason, detail="why")


def chunks_of(text: str) -> tuple[Chunk, ...]:
    """Windows of three lines; none for an empty text."""
    if not text:
        return ()
    lines = text.split("\n")
    return tuple(
        Chunk(
            at + 1,
            min(at + LINES_PER_CHUNK, len(lines)),
            "\n".join(lines[at : at + LINES_PER_CHUNK]),
            "window",
        )
        for at in range(0, len(lines), LINES_PER_CHUNK)
    )


def symbols_of(text: str) -> tuple[Symbol, ...]:
    """One symbol for each line "def NAME"; "def A.b" is the name b qualified as A.b."""
    found = []
    for number, line in enumerate(text.split("\n"), 1):
        if line.startswith("def "):
            qualified = line.removeprefix("def ")
            parent, _, name = qualified.rpartition(".")
            found.append(Symbol(name, qualified, "function", number, number, parent, line))
    return tuple(found)


def indexed(path: str, text: str) -> IndexedFile:
    """A file as the index layer hands it over."""
    return IndexedFile(record_of(path, text), text, chunks_of(text), symbols_of(text), facts_for(text))


def facts_for(text: str) -> bytes:
    """Bytes that depend on the text alone, no text themselves; none for every text that defines nothing."""
    return b"\0\xff" + hashlib.blake2b(text.encode("utf-8", "surrogatepass")).digest() if "def " in text else b""


def make_batch(files: Mapping[str, str], skips: Iterable[FileRecord] = ()) -> Batch:
    """A batch of path -> text. Its arrays are random, seeded by path and text: the same file, the same
    rows."""
    batch = Batch([indexed(path, text) for path, text in files.items()], {}, list(skips))
    if batch.files:
        batch.arrays = joined([file_arrays(file) for file in batch.files])
    return batch


def file_arrays(file: IndexedFile) -> Arrays:
    """The arrays of a segment that holds one file."""
    seed = hashlib.blake2b(f"{file.record.path}\0{file.text}".encode("utf-8", "surrogatepass"), digest_size=8).digest()
    random = np.random.default_rng(int.from_bytes(seed, "little"))
    rows = {"chunk": len(file.chunks), "file": 1, "definition": len(file.symbols) if file.chunks else 0}
    arrays: Arrays = {}
    for name, column in COLUMNS.items():
        widths = {0: (), "dim": (DIMENSION,), "dim/64": (DIMENSION // 64,)}
        shape = (rows[column.axis], *widths.get(column.width, (column.width,)))
        limit = rows[column.refers] if column.refers else 100
        arrays[name] = random.integers(0, max(limit, 1), shape).astype(column.dtype)
    for name, posting in POSTINGS.items():
        arrays.update(_postings(random, name, rows[posting.axis], posting.width))
    for name, ragged in LISTS.items():
        lengths = random.integers(0, 4, rows[ragged.axis])
        arrays[f"{name}.indptr"] = np.concatenate([[0], np.cumsum(lengths)]).astype("<i8")
        arrays[f"{name}.values"] = random.integers(0, 50, int(lengths.sum())).astype("<i4")
    return arrays


def _postings(random: np.random.Generator, name: str, rows: int, width: int) -> Arrays:
    held = random.random((12, rows)) < 0.4
    terms, at = np.nonzero(held)
    unique, starts = np.unique(terms, return_index=True)
    made = {
        f"{name}.terms": unique.astype("<u8") * 7,
        f"{name}.indptr": np.append(starts, len(at)).astype("<i8"),
        f"{name}.rows": at.astype("<i4"),
    }
    if width:
        shape = (len(at),) if width == 1 else (len(at), width)
        made[f"{name}.counts"] = random.integers(1, 9, shape).astype("|u1")
    return made


def joined(parts: list[Arrays]) -> Arrays:
    """Arrays of several one-file segments as one segment: written plainly, term by term, to test against."""
    bases = [{"chunk": 0, "file": 0, "definition": 0}]
    for part in parts:
        sizes = {
            "chunk": len(part["chunk.file"]),
            "file": len(part["file.lines"]),
            "definition": len(part["definition.file"]),
        }
        bases.append({axis: base + sizes[axis] for axis, base in bases[-1].items()})
    arrays: Arrays = {}
    for name, column in COLUMNS.items():
        shift = [base[column.refers] if column.refers else 0 for base in bases]
        moved = [(part[name] + by if by else part[name]) for part, by in zip(parts, shift, strict=False)]
        arrays[name] = np.concatenate(moved).astype(column.dtype)
    for name, posting in POSTINGS.items():
        arrays.update(_joined_postings(name, parts, [base[posting.axis] for base in bases], posting.width))
    for name in LISTS:
        lengths = np.concatenate([np.diff(part[f"{name}.indptr"]) for part in parts])
        arrays[f"{name}.indptr"] = np.concatenate([[0], np.cumsum(lengths)]).astype("<i8")
        arrays[f"{name}.values"] = np.concatenate([part[f"{name}.values"] for part in parts])
    return arrays


def _joined_postings(name: str, parts: list[Arrays], bases: list[int], width: int) -> Arrays:
    held: dict[int, list[tuple[int, Any]]] = {}
    for part, base in zip(parts, bases, strict=False):
        starts = part[f"{name}.indptr"].tolist()
        for position, term in enumerate(part[f"{name}.terms"].tolist()):
            for at in range(starts[position], starts[position + 1]):
                counts = part[f"{name}.counts"][at].tolist() if width else None
                held.setdefault(term, []).append((base + int(part[f"{name}.rows"][at]), counts))
    terms = sorted(held)
    made = {
        f"{name}.terms": np.array(terms, "<u8"),
        f"{name}.indptr": np.cumsum([0, *(len(held[term]) for term in terms)]).astype("<i8"),
        f"{name}.rows": np.array([row for term in terms for row, _ in held[term]], "<i4"),
    }
    if width:
        counts = [count for term in terms for _, count in held[term]]
        made[f"{name}.counts"] = np.array(counts, "|u1").reshape((-1,) if width == 1 else (-1, width))
    return made
