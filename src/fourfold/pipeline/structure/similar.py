"""``similar``: code like the code at a line, or like a symbol.

Compared are definitions of the same sort: by name, by words and by meaning. A place that is no definition is compared
chunk by chunk, by words and meaning.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from fourfold.model.chunk import FUNCTION_KINDS, TYPE_KINDS
from fourfold.model.text import parts, words
from fourfold.pipeline.ranked import Answer, Ranked
from fourfold.rank.demotion import demote, wanted_categories
from fourfold.rank.identifiers import is_shaped
from fourfold.rank.likeness import MEANING, NAME, WORDS, common_share, likeness, name_likeness, same_family
from fourfold.retrieve.definition_words import definitions_like
from fourfold.retrieve.literal_texts import texts_of
from fourfold.retrieve.mask import allowed_chunks
from fourfold.retrieve.structural import bare
from fourfold.store.contract import LAST_LINE
from fourfold.store.question import Question

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from fourfold.model.query import Filters, Query
    from fourfold.pipeline.searcher import Searcher
    from fourfold.store.contract import SymbolRow

POOL = 60
"""Chunks nearest by meaning and words whose definitions are compared, and as many whose definitions have like names."""
CHUNK_MEANING, CHUNK_WORDS = 0.7, 0.3
"""Shares of cosine and common words (BM25 of the chunk's own words, relative to itself) where there are no names."""
CODE = frozenset("={};")
"""A question that holds one of these is the code itself, not the name of some."""
MAX_LINES = 200
"""Lines of a definition that are compared."""
METHOD = "similar"
_ALONE = re.compile(
    r"\b(?:like|resembling|(?:similar|analogous|comparable|equivalent|akin) to|(?:duplicates|copies|clones) of)"
    r"\s+(?:the\s+)?(?:(?:function|method|class|type|struct|trait|interface)\s+)?(`?[^\W\d]\w*`?)(?:\(\))?"
    r"(?=\s*[?.!]*\s*\Z|\s+(?:in|from|inside|within|elsewhere)\b)",
    re.IGNORECASE,
)
"""A name right behind the phrase, with nothing or only a place behind it."""


@dataclass(frozen=True, slots=True)
class Sample:
    """What others are compared with: lines of a file and, where they are a definition, its name and kind."""

    path: str
    start_line: int
    end_line: int
    name: str = ""
    kind: str = ""


def sample_at(searcher: Searcher, path: str, line: int) -> Sample | None:
    """The innermost definition of a function or type that a line is in, else the chunk; None where nothing is
    indexed."""
    found = [row for row in searcher.snapshot.symbols_of(path) if _is_compared(row)]
    around = [row for row in found if row.symbol.start_line <= line <= row.symbol.end_line]
    if around:
        return sample_of(min(around, key=lambda row: row.symbol.end_line - row.symbol.start_line))
    chunks = [row for row in searcher.snapshot.chunks_of(path) if row.start_line <= line <= row.end_line]
    return Sample(path, chunks[-1].start_line, chunks[-1].end_line) if chunks else None


def sample_of(row: SymbolRow) -> Sample:
    """A definition as a sample."""
    symbol = row.symbol
    return Sample(row.path, symbol.start_line, symbol.end_line, symbol.name, symbol.kind)


def sample_named(searcher: Searcher, name: str, question: Question) -> Sample | None:
    """The definition that a question means by a name: of several the one whose qualified name it gives, then ordinary
    source, then the one whose path has most of the question's words."""
    rows = [row for row in searcher.snapshot.symbols_named(bare(name), ignore_case=True) if _is_compared(row)]
    if not rows:
        return None
    shares = searcher.path_shares(question, [row.path for row in rows])

    def worth(at: int) -> tuple[bool, bool, float, float]:
        symbol = rows[at].symbol
        return (
            symbol.qualified_name.endswith(name),
            symbol.name == bare(name),
            demote(1.0, rows[at].path, frozenset())[0],
            shares[at],
        )

    return sample_of(rows[max(range(len(rows)), key=worth)])


def is_named_alone(text: str, name: str) -> bool:
    """True where a plain word is what others shall be like: "similar to slugify", not "similar to slugify titles"."""
    return any(match[1].strip("`") == name for match in _ALONE.finditer(text))


def like_named(searcher: Searcher, query: Query, question: Question) -> Answer:
    """What is like the definition that a question surely names; nothing where it names none, or is the code itself."""
    if not CODE & set(query.text):
        for name in query.identifiers:
            sure = is_shaped(name) or is_named_alone(query.text, name)
            sample = sample_named(searcher, name, question) if sure and searcher.knows(name) else None
            if sample is not None:
                return similar_to(searcher, sample, query.filters, wanted_categories(query.text, query.filters.paths))
    return Answer([], "single")


def similar_to(searcher: Searcher, sample: Sample, filters: Filters, wanted: frozenset[str] = frozenset()) -> Answer:
    """What is like a sample, best first, without itself; tests and the like after ordinary source, unless `wanted`."""
    text = _lines(searcher, sample.path, sample.start_line, sample.end_line)
    allowed = allowed_chunks(searcher.corpus, filters)
    live = searcher.corpus.live_chunks if allowed is None else searcher.corpus.live_chunks & allowed
    meaning, near = _near(searcher, text, live)
    if sample.name:
        items = _definitions(searcher, sample, text, meaning, _pool(searcher, sample, near, allowed))
        weights = {"semantic": MEANING, "text": WORDS, "structural": NAME}
    else:
        items = _chunks(searcher, sample, near)
        weights = {"semantic": CHUNK_MEANING, "text": CHUNK_WORDS}
    for item in items:
        path = searcher.corpus.path_of(item.chunk)
        item.score, signals = demote(item.score, path, wanted)
        item.signals = list(signals)
    items.sort(key=lambda item: -item.score)
    return Answer(items, "single", weights, METHOD)


def _near(
    searcher: Searcher, text: str, live: NDArray[np.bool_]
) -> tuple[NDArray[np.float32], list[tuple[int, float]]]:
    """The cosine of every chunk with a text, and the chunks nearest by meaning and words with their scores."""
    corpus = searcher.corpus
    found = corpus.words("stems", Question(text).stems).bm25
    scores = CHUNK_WORDS * found / max(float(found.max(initial=0.0)), 1e-9)
    meaning = np.zeros(len(live), dtype=np.float32)
    vector = None if searcher.vectors.empty else searcher.embed(text)
    if vector is not None:
        meaning = searcher.vectors.cosines(vector)[0]
        scores = scores + CHUNK_MEANING * np.maximum(meaning, 0.0)
    scores = np.where(live, scores, 0.0)
    best = np.argsort(-scores, kind="stable")[: 2 * POOL].tolist()
    return meaning, [(number, float(scores[number])) for number in best if scores[number] > 0]


def _pool(
    searcher: Searcher, sample: Sample, near: Sequence[tuple[int, float]], allowed: NDArray[np.bool_] | None
) -> list[int]:
    """Chunks whose definitions are compared: near ones, and those that define like names."""
    like = Question(" ".join(parts(sample.name)))
    named = definitions_like(searcher.snapshot, searcher.corpus, like, POOL, allowed)
    same = [row.chunk for row in searcher.snapshot.symbols_named(sample.name, ignore_case=True) if row.chunk >= 0]
    if allowed is not None:
        same = [chunk for chunk in same if allowed[chunk]]
    return list(dict.fromkeys([*(number for number, _ in near[:POOL]), *(hit.chunk for hit in named), *same]))


def _definitions(
    searcher: Searcher, sample: Sample, text: str, meaning: NDArray[np.float32], pool: Iterable[int]
) -> list[Ranked]:
    """The definitions in some chunks that are of the sample's sort, with their likeness."""
    corpus, asked = searcher.corpus, frozenset(words(text))
    by_file: dict[int, set[int]] = {}
    for chunk in pool:
        by_file.setdefault(int(corpus.chunk_file[chunk]), set()).add(chunk)
    items: list[Ranked] = []
    paths = [corpus.paths[file] for file in by_file]
    named = searcher.snapshot.names_within([(path, 0, LAST_LINE) for path in paths])
    for path, (file, chunks), defined in zip(paths, by_file.items(), named, strict=True):
        first = int(corpus.first_chunk[file])
        for one in defined:
            chunk = first + one.chunk
            if one.chunk < 0 or chunk not in chunks or not same_family(one.kind, sample.kind):
                continue
            if path == sample.path and _overlap(one.start_line, one.end_line, sample):
                continue
            own = frozenset(words(_lines(searcher, path, one.start_line, one.end_line)))
            name = name_likeness(one.name, sample.name)
            score = likeness(float(meaning[chunk]), common_share(asked, own), name)
            items.append(Ranked(chunk, score, {}, line=one.start_line))
    items.sort(key=lambda item: -item.score)
    return items


def _chunks(searcher: Searcher, sample: Sample, near: Iterable[tuple[int, float]]) -> list[Ranked]:
    """Chunks near to the sample, without its own."""
    corpus = searcher.corpus
    items: list[Ranked] = []
    for number, score in near:
        is_own = corpus.path_of(number) == sample.path and _overlap(
            int(corpus.start_lines[number]), int(corpus.end_lines[number]), sample
        )
        if not is_own:
            items.append(Ranked(number, score, {"semantic": len(items) + 1}))
    return items[:POOL]


def _is_compared(row: SymbolRow) -> bool:
    return row.chunk >= 0 and (row.symbol.kind in FUNCTION_KINDS or row.symbol.kind in TYPE_KINDS)


def _overlap(start: int, end: int, sample: Sample) -> bool:
    return start <= sample.end_line and end >= sample.start_line


def _lines(searcher: Searcher, path: str, start: int, end: int) -> str:
    """Lines of a file, at most :data:`MAX_LINES`."""
    kept = texts_of(searcher.snapshot)
    text = dict(kept.read(searcher.snapshot, [path])).get(path, "")
    return kept.part(path, text, start, min(end, start - 1 + MAX_LINES))
