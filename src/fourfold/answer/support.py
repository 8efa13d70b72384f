"""Whether cited lines speak of what a sentence says: its names must stand in them, and some of its words."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from fourfold.answer.claim import Evidence
from fourfold.answer.marks import Mark, spans, without_code
from fourfold.answer.pages import MAX_QUOTED
from fourfold.model.answer import Passage
from fourfold.model.text import STOP_WORDS, words
from fourfold.rank.identifiers import is_shaped
from fourfold.store.terms import stem_terms

_NAME = re.compile(r"[^\W\d]\w*")
AROUND = 2
"""Lines on either side of the most telling one, where a model cites a whole passage."""


def names(sentence: str) -> list[str]:
    """The identifiers that a sentence names as code."""
    return list(dict.fromkeys(name for span in spans(sentence) for name in _NAME.findall(span)))


def unknown(sentence: str, items: Sequence[Passage], question: str) -> list[str]:
    """Names in a sentence, written as code or shaped like it, that no passage and not the question holds."""
    prose = _NAME.findall(without_code(sentence))
    shaped = [name for name in prose if is_shaped(name) or any(map(str.isdigit, name))]
    asked = frozenset(_NAME.findall(question))
    wanted = dict.fromkeys([*names(sentence), *shaped])
    return [name for name in wanted if name not in asked and not any(_holds(item, name) for item in items)]


def grounded(sentence: str, mark: Mark) -> Evidence | None:
    """The lines that a citation means, or None where its passage says nothing of what the sentence says."""
    item = mark.passage
    wanted = _stems(sentence)
    around = _stems(f"{item.path} {item.symbol}")
    named = names(sentence)
    if named and not any(_holds(item, name) for name in named):
        return None
    if wanted and not wanted & (_stems(item.snippet) | around):
        return None
    start, end = (mark.start, mark.end) if mark.start else _telling(item, named, wanted)
    lines = item.snippet.split("\n")[start - item.start_line : end - item.start_line + 1][:MAX_QUOTED]
    while lines and not lines[0].strip():
        lines, start = lines[1:], start + 1
    while lines and not lines[-1].strip():
        lines = lines[:-1]
    if not lines:
        return None
    return Evidence(item.path, start, start + len(lines) - 1, "\n".join(lines), item.symbol)


def _telling(item: Passage, named: Sequence[str], wanted: frozenset[str]) -> tuple[int, int]:
    """The lines of a passage around the one that holds most of a sentence's names and words."""
    scores = [3 * sum(name in line for name in named) + len(_stems(line) & wanted) for line in item.snippet.split("\n")]
    best = scores.index(max(scores)) + item.start_line
    return max(best - AROUND, item.start_line), min(best + AROUND, item.end_line)


def _holds(item: Passage, name: str) -> bool:
    whole = re.compile(rf"(?<!\w){re.escape(name)}(?!\w)")
    return any(whole.search(text) for text in (item.snippet, item.symbol, item.path))


@lru_cache(maxsize=4096)
def _stems(text: str) -> frozenset[str]:
    """Stems of the content words of a text; words of other scripts than the code's are left out."""
    content = (word for word in words(text) if word.isascii() and word.lower() not in STOP_WORDS)
    return frozenset(term for word in content for term in stem_terms(word) if len(term) > 2)
