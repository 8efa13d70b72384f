"""From parsed files to the arrays of a segment (see :mod:`fourfold.store.local.schema`)."""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from fourfold.embed.protocol import BagEmbedder, Embedder, EmbedInput
from fourfold.embed.quantise import signs, to_int8
from fourfold.index.counts import postings, sum_pairs
from fourfold.index.lexicon import Lexicon, Ragged
from fourfold.index.prose import prose_of
from fourfold.model.chunk import KIND_CODES, Chunk
from fourfold.model.path import file_stem
from fourfold.model.symbol import Symbol
from fourfold.model.text import parts, words
from fourfold.source.read import count_lines
from fourfold.store.local.schema import FILE_FIELDS
from fourfold.store.question import name_pairs
from fourfold.store.terms import term_hash

if TYPE_CHECKING:
    from numpy.typing import NDArray

STEM_WEIGHT = 2
"""How often the words of a file's stem count in each of its chunks; a directory's words count once."""
CONTEXT_DIRECTORIES = 3
"""How many of the innermost directories give context to a chunk."""
HEAD_CHARS = 2000
"""Characters at the start of a file that make its ``head`` field."""
MAX_SYMBOL_WORDS = 8
"""Words of the names of a chunk of several small definitions that enter its symbol field."""
MAX_NAMES = 40
"""Names of a chunk whose words are kept: a table of constants is not a definition of all of them."""


@dataclass(frozen=True, slots=True)
class Source:
    """One file as the builder needs it."""

    path: str
    language: str
    text: str
    chunks: tuple[Chunk, ...]
    symbols: tuple[Symbol, ...]
    imports: frozenset[str]


Pairs = tuple["NDArray[np.int64]", "NDArray[np.int64]", "NDArray[np.int64]"]
"""Distinct (word, row) with summed weights, as three columns."""


@dataclass(frozen=True, slots=True)
class Counted:
    """Files whose words are counted: their chunks with the row of each one's file, the columns of the segment so far,
    and the words of bodies and of symbols, which vectors are made of."""

    files: Sequence[Source]
    chunks: list[tuple[int, Chunk]]
    arrays: dict[str, NDArray[Any]]
    body: Pairs
    symbols: Pairs


class _Pairs:
    """(word, row) occurrences with a weight, gathered as plain numbers."""

    def __init__(self, lexicon: Lexicon) -> None:
        self._lexicon = lexicon
        self._words: array[int] = array("q")
        self._lengths: array[int] = array("q")
        self._weights: array[int] = array("q")
        self._rows: array[int] = array("q")

    def add(self, row: int, words_of_row: Iterable[str], weight: int = 1) -> None:
        before = len(self._words)
        self._words.extend(map(self._lexicon.__getitem__, words_of_row))
        self._lengths.append(len(self._words) - before)
        self._weights.append(weight)
        self._rows.append(row)

    def summed(self, rows: int) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
        """Distinct (word, row) with summed weights."""
        lengths = np.frombuffer(self._lengths, dtype=np.int64) if self._lengths else np.zeros(0, dtype=np.int64)
        if not len(self._words):
            empty = np.zeros(0, dtype=np.int64)
            return empty, empty, empty
        row_of = np.repeat(np.frombuffer(self._rows, dtype=np.int64), lengths)
        weights = np.repeat(np.frombuffer(self._weights, dtype=np.int64), lengths)
        return sum_pairs(np.frombuffer(self._words, dtype=np.int64), row_of, weights, max(rows, 1))


def _expand(
    ragged: Ragged, pairs: tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]], rows: int
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Pairs of words become summed pairs of the words' terms."""
    owners, terms = ragged.expand(pairs[0])
    return sum_pairs(terms, pairs[1][owners], pairs[2][owners], max(rows, 1))


def path_context(path: str) -> tuple[str, list[str]]:
    """The stem of a path's file name, and its innermost directories."""
    return file_stem(path), path.split("/")[:-1][-CONTEXT_DIRECTORIES:]


class SegmentBuilder:
    """Builds segments; keeps its lexicon between batches, so that a word is analysed once a process."""

    def __init__(self, embedder: Embedder | None) -> None:
        self._embedder = embedder
        self._bag = embedder if isinstance(embedder, BagEmbedder) else None
        self._lexicon = Lexicon(self._bag.token_ids if self._bag is not None else None)

    @property
    def words(self) -> int:
        """How many words it has analysed."""
        return len(self._lexicon)

    def build(self, files: Sequence[Source]) -> dict[str, NDArray[Any]]:
        """All arrays of one segment; chunk rows follow the order of files and of their chunks."""
        return self.embed(self.count(files))

    def embed(self, counted: Counted) -> dict[str, NDArray[Any]]:
        """The arrays of what was counted, with its vectors: all of a segment."""
        vectors = self._vectors(counted.files, counted.chunks, counted.body, counted.symbols)
        return counted.arrays | vectors

    def count(self, files: Sequence[Source]) -> Counted:
        """The arrays of one segment without its vectors; chunk rows follow the order of files and of their chunks."""
        chunks = [(row, chunk) for row, file in enumerate(files) for chunk in file.chunks]
        arrays = self._chunk_columns(chunks)
        names, definition_arrays = self._definitions(files)
        arrays |= definition_arrays
        body = _Pairs(self._lexicon)
        context = _Pairs(self._lexicon)
        symbol = _Pairs(self._lexicon)
        tokens = _Pairs(self._lexicon)
        contexts = [_context_words(file.path) for file in files]
        for number, (row, chunk) in enumerate(chunks):
            tokens.add(number, _name_parts(names[number]))
            body.add(number, words(chunk.text))
            stem, directories = contexts[row]
            context.add(number, stem, STEM_WEIGHT)
            context.add(number, directories)
            symbol.add(number, _symbol_words(chunk, names[number]))
        count = len(chunks)
        body_pairs, context_pairs, symbol_pairs = body.summed(count), context.summed(count), symbol.summed(count)
        everything = _joined(body_pairs, context_pairs, symbol_pairs)
        arrays |= self._chunk_postings(everything, count)
        arrays |= self._name_tokens(tokens, count)
        chunk_file = arrays["chunk.file"]
        arrays |= self._file_postings(files, body_pairs, chunk_file)
        return Counted(files, chunks, arrays, body_pairs, symbol_pairs)

    def vectors(self, files: Sequence[Source]) -> dict[str, NDArray[Any]]:
        """The arrays of :meth:`build` that depend on the embedding model: vectors and name tokens."""
        chunks = [(row, chunk) for row, file in enumerate(files) for chunk in file.chunks]
        names, _ = self._definitions(files)
        body, symbol, tokens = _Pairs(self._lexicon), _Pairs(self._lexicon), _Pairs(self._lexicon)
        for number, (_, chunk) in enumerate(chunks):
            tokens.add(number, _name_parts(names[number]))
            body.add(number, words(chunk.text))
            symbol.add(number, _symbol_words(chunk, names[number]))
        count = len(chunks)
        arrays = self._name_tokens(tokens, count)
        return arrays | self._vectors(files, chunks, body.summed(count), symbol.summed(count))

    def _chunk_columns(self, chunks: list[tuple[int, Chunk]]) -> dict[str, NDArray[Any]]:
        return {
            "chunk.file": np.array([row for row, _ in chunks], dtype=np.int32),
            "chunk.start": np.array([chunk.start_line for _, chunk in chunks], dtype=np.int32),
            "chunk.end": np.array([chunk.end_line for _, chunk in chunks], dtype=np.int32),
            "chunk.kind": np.array([KIND_CODES[chunk.kind] for _, chunk in chunks], dtype=np.uint8),
        }

    def _definitions(self, files: Sequence[Source]) -> tuple[list[str], dict[str, NDArray[Any]]]:
        """Names defined in each chunk, and the definition arrays."""
        columns: dict[str, list[int]] = {key: [] for key in ("file", "chunk", "kind", "line", "name", "folded_name")}
        names: list[list[str]] = []
        for row, file in enumerate(files):
            base = len(names)
            names.extend([] for _ in file.chunks)
            starts = [chunk.start_line for chunk in file.chunks]
            for symbol in file.symbols if starts else ():
                number = base + max(bisect_right(starts, symbol.start_line) - 1, 0)
                if len(names[number]) < MAX_NAMES:
                    names[number].append(symbol.name)
                columns["file"].append(row)
                columns["chunk"].append(number)
                columns["kind"].append(KIND_CODES[symbol.kind])
                columns["line"].append(symbol.start_line)
                columns["name"].append(term_hash(symbol.name))
                columns["folded_name"].append(term_hash(symbol.name.lower()))
        dtypes = {"kind": "|u1", "name": "<u8", "folded_name": "<u8"}
        arrays = {
            f"definition.{key}": np.array(values, dtype=dtypes.get(key, "<i4")) for key, values in columns.items()
        }
        return [" ".join(found) for found in names], arrays

    def _chunk_postings(
        self, pairs: tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]], count: int
    ) -> dict[str, NDArray[Any]]:
        arrays: dict[str, NDArray[Any]] = {}
        for name, ragged, vocabulary, length in (
            ("raw", self._lexicon.raw, self._lexicon.raw_vocabulary, "chunk.raw_length"),
            ("stems", self._lexicon.stems, self._lexicon.stem_vocabulary, "chunk.stem_length"),
        ):
            terms, rows, counts = _expand(ragged, pairs, count)
            arrays |= postings(name, terms, rows, counts, vocabulary.stored())
            arrays[length] = np.bincount(rows, weights=counts, minlength=count).astype(np.float32)
        return arrays

    def _file_postings(
        self,
        files: Sequence[Source],
        body: tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]],
        chunk_file: NDArray[np.int32],
    ) -> dict[str, NDArray[Any]]:
        count = len(files)
        fields = [_Pairs(self._lexicon) for _ in FILE_FIELDS[:-1]]
        imports = _Pairs(self._lexicon)
        for row, file in enumerate(files):
            stem, directories = _context_words(file.path)
            fields[0].add(row, stem, STEM_WEIGHT)
            fields[0].add(row, directories)
            fields[1].add(row, _words_of_names(sorted({symbol.name for symbol in file.symbols})))
            fields[2].add(row, words(prose_of(file.text, file.language)))
            fields[3].add(row, words(file.text[:HEAD_CHARS]))
            imports.add(row, _words_of_names(sorted(file.imports)))
        columns = [_expand(self._lexicon.stems, pairs.summed(count), count) for pairs in fields]
        word, chunk, times = body
        columns.append(_expand(self._lexicon.stems, (word, chunk_file[chunk].astype(np.int64), times), count))
        lengths = [np.bincount(rows, weights=counts, minlength=count) for _, rows, counts in columns]
        stem_names = ((row, [path_context(file.path)[0]]) for row, file in enumerate(files))
        columns[0] = _joined(columns[0], self._name_pairs(stem_names))
        symbol_names = ((row, {symbol.name for symbol in file.symbols}) for row, file in enumerate(files))
        columns[1] = _joined(columns[1], self._name_pairs(symbol_names))
        arrays = self._fields(columns, count)
        arrays["file.lengths"] = np.stack(lengths, axis=1).astype(np.float32)
        arrays["file.lines"] = np.array([count_lines(file.text) for file in files], dtype=np.int32)
        owners, terms = self._lexicon.raw.expand(imports.summed(count)[0])
        rows = imports.summed(count)[1][owners]
        terms, rows, _ = sum_pairs(terms, rows, None, max(count, 1))
        arrays |= postings("imports", terms, rows, None, self._lexicon.raw_vocabulary.stored())
        return arrays

    def _fields(
        self, columns: list[tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]], count: int
    ) -> dict[str, NDArray[Any]]:
        """The ``fields`` postings: one count column per field over the union of (stem, file) pairs."""
        width = max(count, 1)
        keys = np.unique(np.concatenate([terms * width + rows for terms, rows, _ in columns]))
        matrix = np.zeros((len(keys), len(columns)), dtype=np.int64)
        for column, (terms, rows, counts) in enumerate(columns):
            matrix[np.searchsorted(keys, terms * width + rows), column] = counts
        return postings("fields", keys // width, keys % width, matrix, self._lexicon.stem_vocabulary.stored())

    def _name_pairs(
        self, names: Iterable[tuple[int, Iterable[str]]]
    ) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
        """Neighbouring stems of names as terms of their own, once per file; they add nothing to a field's length."""
        number = self._lexicon.stem_vocabulary.__getitem__
        pairs = [
            (number(pair), row)
            for row, found in names
            for pair in sorted({pair for name in found for pair in name_pairs(name)})
        ]
        terms = np.array([term for term, _ in pairs], dtype=np.int64)
        rows = np.array([row for _, row in pairs], dtype=np.int64)
        return terms, rows, np.ones(len(pairs), dtype=np.int64)

    def _name_tokens(self, tokens: _Pairs, count: int) -> dict[str, NDArray[Any]]:
        ids, rows, _ = _expand(self._lexicon.tokens, tokens.summed(count), count)
        order = np.lexsort((ids, rows))
        indptr = np.zeros(count + 1, dtype=np.int64)
        np.cumsum(np.bincount(rows, minlength=count), out=indptr[1:])
        return {"name_tokens.indptr": indptr, "name_tokens.values": ids[order].astype(np.int32)}

    def _vectors(
        self,
        files: Sequence[Source],
        chunks: list[tuple[int, Chunk]],
        body: tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]],
        symbol: tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]],
    ) -> dict[str, NDArray[Any]]:
        """Quantised content vectors and path vectors, the norms and sign codes of their sums."""
        content: NDArray[np.float32]
        path: NDArray[np.float32]
        if self._bag is not None:
            weights = self._bag.field_weights
            content = self._bags(body, len(chunks)) * np.float32(weights["body"])
            content += self._bags(symbol, len(chunks)) * np.float32(weights["symbol"])
            names = _Pairs(self._lexicon)
            for row, file in enumerate(files):
                names.add(row, words(file.path))
            path = self._bags(names.summed(len(files)), len(files)) * np.float32(weights["path"])
        elif self._embedder is not None:
            content = self._embedder.documents(
                [EmbedInput(chunk.text, files[row].path, chunk.symbol) for row, chunk in chunks]
            )
            path = self._embedder.paths([file.path for file in files])
        else:
            content = np.zeros((len(chunks), 0), dtype=np.float32)
            path = np.zeros((len(files), 0), dtype=np.float32)
        return quantised(content, path, np.array([row for row, _ in chunks], dtype=np.int64))

    def _bags(
        self, pairs: tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]], count: int
    ) -> NDArray[np.float32]:
        """Sum of token vectors over the set of tokens of each row."""
        assert self._bag is not None
        ids, rows, _ = _expand(self._lexicon.tokens, pairs, count)
        order = np.argsort(rows, kind="stable")
        offsets = np.zeros(count + 1, dtype=np.int64)
        np.cumsum(np.bincount(rows, minlength=count), out=offsets[1:])
        return self._bag.sum_bags(ids[order].astype(np.int32), offsets)


def _context_words(path: str) -> tuple[list[str], list[str]]:
    """The words of :func:`path_context`."""
    stem, directories = path_context(path)
    return words(stem), words(" ".join(directories))


def _words_of_names(names: Iterable[str]) -> list[str]:
    """The words of each name in turn; most are one, which needs no search."""
    found: list[str] = []
    for name in names:
        if name.isascii() and name.isidentifier():
            found.append(name)
        else:
            found.extend(words(name))
    return found


def _name_parts(names: str) -> list[str]:
    """The parts of the words of the names that a chunk defines."""
    return sorted({part for word in words(names) for part in parts(word)})


def _symbol_words(chunk: Chunk, names: str) -> list[str]:
    """The words of a chunk's own name and of what encloses it, else of the names that it defines."""
    return words(" ".join((chunk.symbol, chunk.parent)) if chunk.symbol else names)[:MAX_SYMBOL_WORDS]


def _joined(
    *pairs: tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]],
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Pairs of several fields laid end to end (a pair may then occur more than once)."""
    word, row, weight = zip(*pairs, strict=True)
    return np.concatenate(word), np.concatenate(row), np.concatenate(weight)


def quantised(
    content: NDArray[np.float32], path: NDArray[np.float32], chunk_file: NDArray[np.int64]
) -> dict[str, NDArray[Any]]:
    """The vector columns of a segment: content (chunks, d) and path (files, d) as int8, norms and signs of their sum;
    `chunk_file` is the file row of each chunk."""
    vector, scale = to_int8(content)
    path_vector, path_scale = to_int8(path)
    stored = vector.astype(np.float32) * scale[:, None]
    stored_path = path_vector.astype(np.float32) * path_scale[:, None]
    norm = np.linalg.norm(stored, axis=1).astype(np.float32)
    stored += stored_path[chunk_file]
    return {
        "chunk.vector": vector,
        "chunk.scale": scale,
        "chunk.norm": norm,
        "chunk.norm_with_path": np.linalg.norm(stored, axis=1).astype(np.float32),
        "chunk.signs": signs(stored),
        "file.path_vector": path_vector,
        "file.path_scale": path_scale,
    }
