"""The arrays of a segment, by name: the one place that says what a segment holds.

A segment has three *axes*: ``chunk``, ``file`` and ``definition``. A :class:`Column` is one array with a row per item
of its axis; where `refers` names an axis, its values are row numbers on that axis of the *same* segment. A
:class:`Postings` is an inverted index, stored as four arrays ``NAME.terms`` (uint64, sorted, unique), ``NAME.indptr``
(int64, one longer than terms), ``NAME.rows`` (int32 rows of its axis, ascending within a term) and, where `width` > 0,
``NAME.counts`` (uint8, shape (nnz,) or (nnz, width)). A :class:`Lists` is a ragged array: ``NAME.indptr`` (int64, one
longer than its axis) and ``NAME.values`` (int32).

A term is stored as the first eight bytes (little endian) of the BLAKE2b-64 of its UTF-8 text.
"""

from __future__ import annotations

from fourfold.model.record import record

AXES = ("chunk", "file", "definition")


@record(frozen=True, slots=True)
class Column:
    """One array with a row per item of `axis`; `width` 0 means one value a row, "dim" the model's dimension."""

    axis: str
    dtype: str
    width: int | str = 0
    refers: str = ""


@record(frozen=True, slots=True)
class Postings:
    """An inverted index over the rows of `axis`; `width` is the number of count columns (0: none)."""

    axis: str
    width: int


@record(frozen=True, slots=True)
class Lists:
    """A ragged int32 array with one list per row of `axis`."""

    axis: str


FILE_FIELDS: tuple[str, ...] = ("path", "definitions", "docs", "head", "body")
"""Count columns of the ``fields`` postings and of ``file.lengths``, in this order."""

FIELD_B = {"path": 0.5, "definitions": 0.75, "docs": 0.75, "head": 0.75, "body": 0.6}
"""BM25's length normalisation by field: paths are short by nature, bodies long."""

COLUMNS: dict[str, Column] = {
    "chunk.file": Column("chunk", "<i4", refers="file"),
    "chunk.start": Column("chunk", "<i4"),
    "chunk.end": Column("chunk", "<i4"),
    "chunk.kind": Column("chunk", "|u1"),
    "chunk.raw_length": Column("chunk", "<f4"),
    "chunk.stem_length": Column("chunk", "<f4"),
    "chunk.vector": Column("chunk", "|i1", "dim"),
    "chunk.scale": Column("chunk", "<f4"),
    "chunk.norm": Column("chunk", "<f4"),
    "chunk.norm_with_path": Column("chunk", "<f4"),
    "chunk.signs": Column("chunk", "<u8", "dim/64"),
    "file.lengths": Column("file", "<f4", len(FILE_FIELDS)),
    "file.lines": Column("file", "<i4"),
    "file.path_vector": Column("file", "|i1", "dim"),
    "file.path_scale": Column("file", "<f4"),
    "definition.file": Column("definition", "<i4", refers="file"),
    "definition.chunk": Column("definition", "<i4", refers="chunk"),
    "definition.kind": Column("definition", "|u1"),
    "definition.line": Column("definition", "<i4"),
    "definition.name": Column("definition", "<u8"),
    "definition.folded_name": Column("definition", "<u8"),
}
"""``chunk.vector`` is int8; times ``chunk.scale`` it is the content vector *c* (not normalised). ``chunk.norm`` is |c|,
``chunk.norm_with_path`` is |c + p| with *p* the file's path vector. ``chunk.signs`` holds the signs of c + p."""

POSTINGS: dict[str, Postings] = {
    "raw": Postings("chunk", 1),
    "stems": Postings("chunk", 1),
    "fields": Postings("file", len(FILE_FIELDS)),
    "imports": Postings("file", 0),
}

LISTS: dict[str, Lists] = {
    "name_tokens": Lists("chunk"),
}
"""``name_tokens``: the embedding's token numbers of the words in the names that a chunk defines (may be empty)."""
