"""Evidence about candidate files: everything the ranking looks at, gathered once per question.

Candidates are the union of what each way of looking finds: words and stems by chunk, meaning by chunk (with and without
the path), names, comments and paths by file, and exact definitions. Everything else is looked up for these files only.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from fourfold.model.chunk import KINDS, TYPE_KINDS, definition_worth
from fourfold.model.path import file_stem
from fourfold.model.record import record
from fourfold.retrieve.name_words import Names, match_names
from fourfold.retrieve.rare_names import holding_rare_names
from fourfold.retrieve.served import served
from fourfold.retrieve.versions import Versions
from fourfold.store.local.postings import Weighed, WeighedPostings, best, best_of, idf
from fourfold.store.local.schema import FIELD_B, FILE_FIELDS
from fourfold.store.local.vectors import QueryCosines
from fourfold.store.terms import term_hash

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from fourfold.embed.protocol import BagEmbedder
    from fourfold.store.local.corpus import Corpus
    from fourfold.store.local.vectors import Vectors
    from fourfold.store.question import Question

LIST_LENGTH = 100
"""Ranks kept of each chunk list."""
LIST_CANDIDATES = 50
"""Chunks of each list whose files become candidates."""
FIELD_CANDIDATES = {"path": 15, "definitions": 15, "docs": 10, "body": 15}
"""Files that the best matches of a field bring in (from a trial: nearly every target is then a candidate)."""
EXACT_CANDIDATES = 20
_FIELD_B = np.array([FIELD_B[name] for name in FILE_FIELDS])
_BODY = FILE_FIELDS.index("body")
UNRANKED = 1 << 30
_NOTHING = np.zeros(0, dtype=np.int64)
LISTS = ("raw", "stems", "content", "with_path")

DEFINITION_WORTH = np.array([definition_worth(kind) for kind in KINDS], dtype=np.float32)
"""Worth of a definition by kind code."""
_IS_TYPE = np.array([kind in TYPE_KINDS for kind in KINDS])


@record(frozen=True, slots=True)
class Evidence:
    """P candidate files, their C chunks, the W content words of the question.

    Chunks of file i are ``chunks[offsets[i]:offsets[i + 1]]``. `ranks` holds, for each list of :data:`LISTS`, the rank
    (from 0) of each chunk, :data:`UNRANKED` outside. `field_scores` is BM25 by file and field; `word_fields[f]` says of
    field f which words (as stems) a file has, shape (W, P). `names` says how the words meet the names that chunks
    define; `kinds` are kind codes, `sizes` word counts. `exact` is 1 where the file defines a name of the question as
    written, 0.5 in another case; `exact_type` the same for types. `superseded` is 1 for files in a folder of an older
    version that the question does not name. `definition_bonus` marks chunks that hold a definition of a name of the
    question, `rare` those that hold a name, told by its form, which stands in few chunks. `shown` marks the chunks that
    the filters let through; None where they let all.
    """

    files: NDArray[np.int64]
    paths: list[str]
    offsets: NDArray[np.int64]
    chunks: NDArray[np.int64]
    raw: NDArray[np.float32]
    stems: NDArray[np.float32]
    coverage: NDArray[np.float32]
    content: NDArray[np.float32]
    with_path: NDArray[np.float32]
    centred: NDArray[np.float32]
    ranks: dict[str, NDArray[np.int64]]
    field_scores: NDArray[np.float32]
    word_fields: dict[str, NDArray[np.bool_]]
    word_idf: NDArray[np.float64]
    names: Names
    kinds: NDArray[np.uint8]
    sizes: NDArray[np.float32]
    name_pairs: NDArray[np.float32]
    exact: NDArray[np.float32]
    exact_type: NDArray[np.float32]
    definition_bonus: NDArray[np.float32]
    rare: NDArray[np.bool_]
    imported: NDArray[np.float32]
    superseded: NDArray[np.float32]
    file_centred: NDArray[np.float32]
    shown: NDArray[np.bool_] | None = None


class Gatherer:
    """Gathers evidence on one snapshot. `vectors` is None where the index has none."""

    def __init__(self, corpus: Corpus, vectors: Vectors | None) -> None:
        self._corpus = corpus
        self._vectors = vectors if vectors is not None and not vectors.empty else None

    @cached_property
    def _versions(self) -> Versions:
        return Versions(self._corpus.paths)

    @cached_property
    def _fields(self) -> WeighedPostings:
        corpus = self._corpus
        means, total = corpus.mean_field_lengths, corpus.live_file_count
        return WeighedPostings(corpus.fields, corpus.field_lengths, means, _FIELD_B, total)

    @cached_property
    def _files_of_stem(self) -> dict[str, int]:
        """How many files share a file-name stem (lower case)."""
        counts: dict[str, int] = {}
        for path in self._corpus.paths:
            stem = file_stem(path).lower()
            counts[stem] = counts.get(stem, 0) + 1
        return counts

    def gather(
        self,
        question: Question,
        query: NDArray[np.float32] | None,
        word_vectors: NDArray[np.float32] | None,
        embedder: BagEmbedder | None,
        allowed: NDArray[np.bool_] | None = None,
        also: NDArray[np.int64] | None = None,
    ) -> Evidence:
        """Evidence for one question.

        `query` is its unit vector (None: no vectors), `word_vectors` those of its content words, `embedder` the
        model of the index where it is static; `allowed` masks chunks (filters); `also` are live files that are
        candidates whatever is found.
        """
        corpus = self._corpus
        raw = corpus.words("raw", question.raw)
        stems = corpus.words("stems", question.stems)
        cosines = None
        if query is not None and self._vectors is not None:
            cosines = QueryCosines(self._vectors, query, corpus.chunks)
        made = self._served(question, query, allowed)
        if made is not None:
            tops, by_field = made
        else:
            words = {"raw": _masked(raw.bm25, allowed), "stems": _masked(stems.bm25, allowed)}
            tops = {name: best(scores, LIST_LENGTH, corpus.chunk_order) for name, scores in words.items()}
            by_field = None
            if query is not None and cosines is not None:
                tops |= self._nearest(query, cosines, allowed)
        held = [self._fields.find(term_hash(stem)) for stem in question.content_stems]
        fields = self._field_scores(list(dict(zip(question.content_stems, held, strict=True)).values()))
        exact, exact_type, bonus = self._exact(question)
        rare = holding_rare_names(corpus, question.telling, allowed)
        files = self._candidates(tops, fields, by_field, exact, rare, allowed, also)
        offsets, chunks = self._chunks_of(files)
        ranks = self._ranks(tops, chunks)
        content, with_path, centred, file_centred = _cosines(cosines, files, chunks, offsets)
        names = match_names(corpus, chunks, word_vectors, embedder)
        return Evidence(
            files=files,
            paths=[corpus.paths[number] for number in files.tolist()],
            offsets=offsets,
            chunks=chunks,
            raw=raw.bm25[chunks],
            stems=stems.bm25[chunks],
            coverage=stems.coverage[chunks],
            content=content,
            with_path=with_path,
            centred=centred,
            ranks=ranks,
            field_scores=fields[files],
            word_fields=self._word_fields(held, files),
            word_idf=np.array([idf(corpus.live_file_count, int(found.held[_BODY])) for found in held]),
            names=names,
            kinds=corpus.kinds[chunks],
            sizes=corpus.column("chunk.raw_length")[chunks],
            name_pairs=self._name_pairs(question, files),
            exact=exact[files],
            exact_type=exact_type[files],
            definition_bonus=bonus[chunks],
            rare=np.isin(chunks, rare),
            imported=self._imported(files),
            superseded=self._superseded(question, files),
            file_centred=file_centred,
            shown=None if allowed is None else allowed[chunks],
        )

    def _ranks(self, tops: dict[str, NDArray[np.int64]], chunks: NDArray[np.int64]) -> dict[str, NDArray[np.int64]]:
        """The rank of some chunks in each list."""
        rank = np.full(self._corpus.chunks, UNRANKED, dtype=np.int64)
        ranks = {}
        for name in LISTS:
            top = tops.get(name, _NOTHING)
            rank[top] = np.arange(len(top))
            ranks[name] = rank[chunks]
            rank[top] = UNRANKED
        return ranks

    def _served(
        self, question: Question, query: NDArray[np.float32] | None, allowed: NDArray[np.bool_] | None
    ) -> tuple[dict[str, NDArray[np.int64]], dict[str, NDArray[np.int64]]] | None:
        """The best chunks and files as the store's own engine finds them; None where it has none."""
        engine = served(self._corpus, allowed)
        if engine is None:
            return None
        return engine.lists(question, None if self._vectors is None else query, LIST_LENGTH, FIELD_CANDIDATES)

    def _superseded(self, question: Question, files: NDArray[np.int64]) -> NDArray[np.float32]:
        result = np.zeros(len(files), dtype=np.float32)
        if self._versions.any:
            asked = {word.lower() for word in question.words}
            for position, number in enumerate(files.tolist()):
                path = self._corpus.paths[number]
                if self._versions.superseded(path):
                    result[position] = asked.isdisjoint(path.lower().split("/")[:-1])
        return result

    def _nearest(
        self, query: NDArray[np.float32], cosines: QueryCosines, allowed: NDArray[np.bool_] | None
    ) -> dict[str, NDArray[np.int64]]:
        """The chunks of highest cosine, best first, with and without the path."""
        assert self._vectors is not None
        rows = self._vectors.candidates(query, allowed)
        if rows is None:
            live = self._corpus.live_chunks
            rows = np.flatnonzero(live if allowed is None else live & allowed)
        result = {}
        for name, values in zip(("content", "with_path"), cosines.of(rows), strict=True):
            near = values > 0
            result[name] = best_of(rows[near], values[near], LIST_LENGTH, self._corpus.chunk_order)
        return result

    def _field_scores(self, held: list[Weighed]) -> NDArray[np.float32]:
        """BM25 of every file by field for distinct words. Shape (files, fields)."""
        count, fields = self._corpus.files, len(FILE_FIELDS)
        if not held:
            return np.zeros((count, fields), dtype=np.float32)
        rows = np.concatenate([found.rows for found in held])
        worths = np.concatenate([found.worths for found in held])
        cells = rows[:, None] * fields + np.arange(fields)
        scores = np.bincount(cells.ravel(), weights=worths.ravel(), minlength=count * fields)
        return scores.astype(np.float32).reshape(count, fields)

    def _word_fields(self, held: list[Weighed], files: NDArray[np.int64]) -> dict[str, NDArray[np.bool_]]:
        """Which of some files have which word, by field."""
        present = np.zeros((len(FILE_FIELDS), len(held) * len(files)), dtype=np.bool_)
        if held:
            place = np.full(self._corpus.files, -1)
            place[files] = np.arange(len(files))
            word = np.repeat(np.arange(len(held)), [len(found.rows) for found in held])
            at = place[np.concatenate([found.rows for found in held])]
            inside = (at >= 0).nonzero()[0]
            worths = np.concatenate([found.worths for found in held]).take(inside, 0)
            present[:, word[inside] * len(files) + at[inside]] = (worths > 0).T
        return dict(zip(FILE_FIELDS, present.reshape(len(FILE_FIELDS), len(held), len(files)), strict=True))

    def _name_pairs(self, question: Question, files: NDArray[np.int64]) -> NDArray[np.float32]:
        """How many neighbouring word pairs of the question are neighbours in a definition's name, by file."""
        result = np.zeros(self._corpus.files, dtype=np.float32)
        column = FILE_FIELDS.index("definitions")
        for pair in question.stem_pairs:
            found = self._fields.find(pair)
            result[found.rows[found.worths[:, column] > 0]] += 1
        return result[files]

    def _exact(self, question: Question) -> tuple[NDArray[np.float32], NDArray[np.float32], NDArray[np.float32]]:
        """Files that define a name of the question, those where it is a type, and a bonus for the defining chunks."""
        corpus = self._corpus
        exact = np.zeros(corpus.files, dtype=np.float32)
        exact_type = np.zeros(corpus.files, dtype=np.float32)
        bonus = np.zeros(corpus.chunks, dtype=np.float32)
        if not question.names:
            return exact, exact_type, bonus
        written, kinds = corpus.column("definition.name"), corpus.column("definition.kind")
        for name in question.names:
            numbers = corpus.definitions_named(term_hash(name.lower()))
            if not len(numbers):
                continue
            files = corpus.definition_file[numbers]
            strength = np.where(written[numbers] == np.uint64(term_hash(name)), np.float32(1.0), np.float32(0.5))
            is_type = _IS_TYPE[kinds[numbers]]
            np.maximum.at(exact, files, strength)
            np.maximum.at(exact_type, files[is_type], strength[is_type])
            np.maximum.at(bonus, corpus.definition_chunk[numbers], strength * DEFINITION_WORTH[kinds[numbers]])
        return exact, exact_type, bonus

    def _candidates(
        self,
        tops: dict[str, NDArray[np.int64]],
        fields: NDArray[np.float32],
        by_field: dict[str, NDArray[np.int64]] | None,
        exact: NDArray[np.float32],
        rare: NDArray[np.int64],
        allowed: NDArray[np.bool_] | None,
        also: NDArray[np.int64] | None,
    ) -> NDArray[np.int64]:
        corpus = self._corpus
        found = [corpus.chunk_file[top[:LIST_CANDIDATES]] for top in tops.values()]
        found.append(corpus.chunk_file[rare])
        if also is not None:
            found.append(also)
        mask = None
        if allowed is not None:
            mask = np.zeros(corpus.files, dtype=np.bool_)
            mask[corpus.chunk_file[allowed]] = True
        found += list(by_field.values()) if by_field is not None else []
        for name, limit in FIELD_CANDIDATES.items() if by_field is None else ():
            column = _masked(fields[:, FILE_FIELDS.index(name)], mask)
            found.append(best(column, limit, corpus.file_order.take))
        found.append(best(_masked(exact, mask), EXACT_CANDIDATES, corpus.file_order.take))
        files = np.bincount(np.concatenate(found), minlength=1).nonzero()[0]
        files = files[corpus.first_chunk[files + 1] > corpus.first_chunk[files]]
        return files[corpus.file_order[files].argsort(kind="stable")]

    def _chunks_of(self, files: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        first, last = self._corpus.first_chunk[files], self._corpus.first_chunk[files + 1]
        lengths = last - first
        offsets = np.zeros(len(files) + 1, dtype=np.int64)
        lengths.cumsum(out=offsets[1:])
        chunks = np.repeat(first - offsets[:-1], lengths)
        chunks += np.arange(len(chunks))
        return offsets, chunks

    def _imported(self, files: NDArray[np.int64]) -> NDArray[np.float32]:
        """How many files mention a candidate's stem on an import line, shared among files of the same stem; the
        logarithm of one more. Worked out once for each file (two threads may both do it, to the same end)."""
        known = self._mentions[files]
        for position in np.isnan(known).nonzero()[0].tolist():
            number = int(files[position])
            stem = file_stem(self._corpus.paths[number]).lower()
            mentions = len(self._corpus.imports.find(term_hash(stem)).rows)
            known[position] = self._mentions[number] = mentions / self._files_of_stem.get(stem, 1)
        return np.log1p(known)

    @cached_property
    def _mentions(self) -> NDArray[np.float32]:
        return np.full(self._corpus.files, np.nan, dtype=np.float32)


def _cosines(
    cosines: QueryCosines | None, files: NDArray[np.int64], chunks: NDArray[np.int64], offsets: NDArray[np.int64]
) -> tuple[NDArray[np.float32], NDArray[np.float32], NDArray[np.float32], NDArray[np.float32]]:
    """Cosines of candidate chunks: content, content and path, centred; and the mean of the centred ones by file."""
    zeros = np.zeros(len(chunks), dtype=np.float32)
    if cosines is None or not len(chunks):
        return zeros, zeros, zeros, np.zeros(len(files), dtype=np.float32)
    content, with_path = cosines.of(chunks)
    centred = cosines.centred(chunks)
    means = np.add.reduceat(centred, offsets[:-1]) / np.maximum(np.diff(offsets), 1)
    return content, with_path, centred, means.astype(np.float32)


def _masked(scores: NDArray[np.float32], allowed: NDArray[np.bool_] | None) -> NDArray[np.float32]:
    return scores if allowed is None else np.where(allowed, scores, np.float32(0.0))
