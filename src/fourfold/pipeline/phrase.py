"""Messages pasted without quotes: the places whose text makes them come first.

Words that stand one after another are found by the postings: few chunks hold them all. Values of placeholders are in no
text, so of a message that no text holds as it is the best chunks by words are looked at.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from fourfold.model.text import words
from fourfold.pipeline.direct import NEAR
from fourfold.pipeline.places import Places
from fourfold.pipeline.ranked import MESSAGE, Ranked, put_before
from fourfold.rank.demotion import demotion_factor, wanted_categories
from fourfold.rank.message import Met, meets, message_of
from fourfold.retrieve.evidence import UNRANKED
from fourfold.retrieve.literal_texts import texts_of
from fourfold.store.local.postings import best
from fourfold.store.terms import raw_terms, term_hash

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from fourfold.model.query import Query
    from fourfold.rank.message import Message
    from fourfold.retrieve.evidence import Evidence
    from fourfold.store.local.corpus import Corpus
    from fourfold.store.local.snapshot import LocalSnapshot
    from fourfold.store.question import Question

HOLDING = 24
"""Chunks that hold all words of a message which are read, the first by path."""
READ = 8
"""Chunks that are read for a message with values in it: of the best by words, those of ordinary source first; as many
of the best by the words of its template alone."""
MOST = 0.5
"""Share of the words of a message that such a chunk must hold, values included (a path is many words)."""
SHOWN = 5
"""Places that stand before everything else."""
MIN_ASIDE_WORDS = 5
"""Words of a message that only tests, documents and the like hold before it comes first: fewer are often a topic."""
MIN_VALUES_WORDS = 4
"""Words of a message from which values are looked for: of three, two would be left."""

_QUESTION = re.compile(
    r"\s*(?:how|where|what|which|who|whose|why|when|does|do|is|are|can|could|should|show|find|list|explain|give|tell)\b",
    re.IGNORECASE,
)


def asks(text: str) -> bool:
    """True where a text is a question in words: values are not looked for in it."""
    return _QUESTION.match(text) is not None or text.endswith("?")


def with_messages(
    snapshot: LocalSnapshot,
    corpus: Corpus,
    query: Query,
    question: Question,
    items: Sequence[Ranked],
    allowed: NDArray[np.bool_] | None,
    evidence: Evidence | None = None,
) -> Sequence[Ranked]:
    """`items`, before them the places that make the message which the question is. A part that it quotes is looked for
    with `evidence` only: without, `items` are what holds that."""
    if not items:
        return items
    if evidence is not None:
        near = _best_raw(evidence)
    elif asks(query.text):
        near = np.zeros(0, dtype=np.int64)
    else:
        scores = corpus.words("raw", question.raw).bm25
        near = best(scores if allowed is None else np.where(allowed, scores, 0), NEAR, corpus.chunk_order)
    first = messages(snapshot, corpus, query, near, allowed, quoted=evidence is not None)
    if not first:
        return items
    chunks = items.chunks if isinstance(items, Places) else [item.chunk for item in items]
    for item in first:
        if item.chunk in chunks:
            item.ranks = items[chunks.index(item.chunk)].ranks | item.ranks
    if not isinstance(items, Places):
        return put_before(first, items)
    top, taken = items[0].score, {item.chunk for item in first}
    for item in first:
        item.score += top
    items.put_first(first, {at for at, chunk in enumerate(chunks) if chunk in taken})
    return items


def _best_raw(evidence: Evidence) -> NDArray[np.int64]:
    """The best chunks by words that the filters let through, best first."""
    ranks = evidence.ranks["raw"]
    if evidence.shown is not None:
        ranks = np.where(evidence.shown, ranks, UNRANKED)
    listed = (ranks < UNRANKED).nonzero()[0]
    near: NDArray[np.int64] = evidence.chunks[listed[ranks[listed].argsort()[:NEAR]]]
    return near


def messages(
    snapshot: LocalSnapshot,
    corpus: Corpus,
    query: Query,
    near: NDArray[np.int64],
    allowed: NDArray[np.bool_] | None,
    *,
    quoted: bool,
) -> list[Ranked]:
    """Chunks whose text makes the message that the question is, or (`quoted`) that it quotes: those with most of it
    first, ordinary source before the rest, one place a file, at most :data:`SHOWN`. The score is the share of the
    message that stands there. `near` are the best chunks by words; they are not read for a question that asks."""
    if query.literal_is_regex:
        return []
    wanted = wanted_categories(query.text, query.filters.paths)

    def factor(chunk: int) -> float:
        return demotion_factor(corpus.path_of(chunk), wanted)

    found = _found(snapshot, corpus, query.text, near, allowed, factor)
    if not found and quoted and query.literal:
        found = _found(snapshot, corpus, query.literal, near, allowed, factor)
    if len(words(query.text)) < MIN_ASIDE_WORDS:
        found = [one for one in found if factor(one[0]) >= 1.0]
    found.sort(key=lambda one: -one[2].share * factor(one[0]))
    first: dict[str, Ranked] = {}
    for rank, (chunk, line, met) in enumerate(found, 1):
        first.setdefault(
            corpus.path_of(chunk), Ranked(chunk, met.share, {"text": rank}, [(MESSAGE, met.share)], line=line)
        )
    return list(first.values())[:SHOWN]


def _found(
    snapshot: LocalSnapshot,
    corpus: Corpus,
    text: str,
    near: NDArray[np.int64],
    allowed: NDArray[np.bool_] | None,
    factor: Callable[[int], float],
) -> list[tuple[int, int, Met]]:
    """(chunk, line, how it meets it) of the chunks that meet the message of a text, as it is or, where no ordinary
    source (`factor` 1) does so, with values: tests often hold what code makes of a template."""
    message = message_of(text)
    if message is None:
        return []
    found = list(_met(snapshot, corpus, message, _holding(corpus, message, allowed), values=False))
    if any(factor(chunk) >= 1.0 for chunk, _, _ in found):
        return found
    if len(message.words) >= MIN_VALUES_WORDS and not asks(text):
        known = {chunk for chunk, _, _ in found}
        chosen: dict[int, None] = {}
        for some in (_near_template(corpus, message, allowed), near):
            most = sorted(_holding_most(corpus, message, some), key=lambda chunk: factor(chunk) < 1.0)
            chosen |= dict.fromkeys([chunk for chunk in most if chunk not in known][:READ])
        found += _met(snapshot, corpus, message, list(chosen), values=True)
    return found


def _holding(corpus: Corpus, message: Message, allowed: NDArray[np.bool_] | None) -> list[int]:
    """Chunks that hold every word of a message, by path and line; words of what may be a program's or a log's are
    none of it."""
    lists = sorted(_lists(corpus, message.words[message.starts[-1] :]), key=len)
    rows = lists[0]
    for other in lists[1:]:
        if not len(rows):
            return []
        at = np.minimum(other.searchsorted(rows), len(other) - 1)
        rows = rows[other[at] == rows]
    if allowed is not None:
        rows = rows[allowed[rows]]
    first: list[int] = rows[np.argsort(corpus.chunk_order(rows), kind="stable")][:HOLDING].tolist()
    return first


def _holding_most(corpus: Corpus, message: Message, near: NDArray[np.int64]) -> list[int]:
    """Those of some chunks that hold :data:`MOST` of the words of a message's template, in order."""
    lists = _lists(corpus, message.template)
    held = np.zeros(len(near), dtype=np.int64)
    for rows in lists:
        if len(rows):
            held += rows[np.minimum(rows.searchsorted(near), len(rows) - 1)] == near
    most: list[int] = near[held >= MOST * len(lists)].tolist()
    return most


def _near_template(corpus: Corpus, message: Message, allowed: NDArray[np.bool_] | None) -> NDArray[np.int64]:
    """The best chunks by the words of a message's template alone, none where it has no values: those are in texts that
    have nothing to do with it."""
    if len(message.template) == len(message.words):
        return np.zeros(0, dtype=np.int64)
    scores = corpus.words("raw", dict.fromkeys(map(term_hash, _terms(message.template)), 1.0)).bm25
    return best(scores if allowed is None else np.where(allowed, scores, 0), NEAR, corpus.chunk_order)


def _terms(asked: Iterable[str]) -> set[str]:
    return {term for word in asked for part in words(word) for term in raw_terms(part)}


def _lists(corpus: Corpus, asked: Iterable[str]) -> list[NDArray[np.int64]]:
    """The chunks that hold each of some words."""
    return [corpus.rows_holding("raw", term_hash(term)) for term in _terms(asked)]


def _met(
    snapshot: LocalSnapshot, corpus: Corpus, message: Message, chunks: list[int], *, values: bool
) -> Iterator[tuple[int, int, Met]]:
    """(chunk, line, how the message meets it) of those that it meets."""
    if not chunks:
        return
    paths = [corpus.path_of(chunk) for chunk in chunks]
    kept = texts_of(snapshot)
    texts = dict(kept.read(snapshot, list(dict.fromkeys(paths))))
    for chunk, path in zip(chunks, paths, strict=True):
        if path not in texts:
            continue
        start, end = int(corpus.start_lines[chunk]), int(corpus.end_lines[chunk])
        text = kept.part(path, texts[path], start, end)
        if values and not _likely(message, text):
            continue
        met = meets(message, text, values=values)
        if met is not None:
            yield chunk, start + text.count("\n", 0, met.offset), met


def _likely(message: Message, text: str) -> bool:
    """True where two neighbouring words of a message are neighbours in a text: a template keeps some together."""
    lowered = text.lower()
    return any(pair in lowered for pair in message.pairs)
