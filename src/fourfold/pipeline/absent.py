"""Whether what is asked for is there at all: names and words of a question that no file holds.

A ranked list always has a first result. Where the index can tell that the name asked for occurs nowhere, or that much
of what makes up the question does not, the answer says so beside the closest it has.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from fourfold.model.text import terms, words
from fourfold.pipeline.direct import CLOSEST
from fourfold.rank.identifiers import is_shaped, last_segment
from fourfold.rank.languages.stop_words import FOREIGN_STOP_WORDS, is_foreign
from fourfold.store.local.postings import idf
from fourfold.store.question import Question
from fourfold.store.terms import term_hash

if TYPE_CHECKING:
    from fourfold.model.query import Query
    from fourfold.store.local.corpus import Corpus

ABSENT_SHARE = 0.35
"""Share of a question's idf in words that no file holds from which that is said: two words of five, or one of three."""
WORDS_SAID = 3
SHORT = 8
"""Words of a question whose words of letters and digits are names; in a longer one they may be values of a message."""
_NUMBERED = re.compile(r"[A-Za-z]{3,}\d{1,4}|[A-Z]{2,}\d[A-Z\d]*")
"""``Step99``, ``ERR676X27``; hashes and numbers of bytes are told apart by what they begin with."""

_BEFORE_MESSAGE = re.compile(
    r"\s*(?:"
    r"(?:[A-Z][a-z]{2} +)?[A-Z][a-z]{2} +\d{1,2} +[\d:.]+(?: +[\w.-]+ +[\w./-]+(?:\[\d+\])?:)?"  # syslog
    r"|[\[(]?\d{1,4}[-/.:]\d[\d/:.,TZ+-]*[\])]?"  # a date, a time
    r"|\[[^\]\n]*\]|<\d+>"  # a logger, a process, a priority
    r"|(?:TRACE|DEBUG|INFO|NOTICE|WARN|WARNING|ERROR|CRITICAL|FATAL)\b"
    r")(?:\s+[-|]+(?=\s)|[:|])?"
)
"""One part of what a log puts before a message."""


def absent_note(corpus: Corpus, query: Query) -> str:
    """What is said of the answer to a question, "" where nothing tells that it has none."""
    if names := absent_names(corpus, query) or _absent_numbered(corpus, query):
        return f"the name {names[0]} occurs in nothing that is indexed; {CLOSEST}"
    asked_in = [word.lower() for word in words(query.text)]
    if query.literal or query.english or not query.text.isascii() or is_foreign(asked_in):
        return ""  # of words in another language it says nothing
    question = Question(without_log_parts(query.text))
    total = corpus.live_chunk_count
    asked = [
        pair
        for pair in zip(question.content, question.content_stems, strict=True)
        if pair[0] not in FOREIGN_STOP_WORDS and not pair[0].isdigit() and not (pair[0].isascii() and len(pair[0]) == 1)
    ]
    held = [corpus.holding("stems", stem) for _, stem in asked]
    worths = [idf(total, count) for count in held]
    missing = [word for (word, _), count in zip(asked, held, strict=True) if not count]
    share = sum(worth for worth, count in zip(worths, held, strict=True) if not count) / max(sum(worths), 1e-9)
    if not missing or share < ABSENT_SHARE:
        return ""
    more = f" and {len(missing) - WORDS_SAID} more words" if len(missing) > WORDS_SAID else ""
    return f"no file mentions {', '.join(missing[:WORDS_SAID])}{more}; {CLOSEST}"


def without_log_parts(text: str) -> str:
    """A line of a log without the time, the logger and the level before its message; other texts as they are."""
    at = 0
    while (part := _BEFORE_MESSAGE.match(text, at)) is not None:
        at = part.end()
    return text[at:].strip() or text


def absent_names(corpus: Corpus, query: Query) -> list[str]:
    """The names of a question, told by their shape, that the index holds nowhere, not even as a word."""
    if query.literal:
        return []
    asked = without_log_parts(query.text)
    shaped = (name for name in query.identifiers if is_shaped(name) and last_segment(name) in asked)
    return [name for name in shaped if not corpus.holding("raw", last_segment(name).lower())]


def _absent_numbered(corpus: Corpus, query: Query) -> list[str]:
    """The words of letters and digits of a short question that no file holds, whole or in parts (*utf8* as *utf-8*)."""
    asked = [] if query.literal else words(without_log_parts(query.text))
    if len(asked) > SHORT:
        return []
    named = (word for word in asked if _NUMBERED.fullmatch(word) and not corpus.holding("raw", word.lower()))
    return [word for word in named if not (word.islower() and _held_in_parts(corpus, word))]


def _held_in_parts(corpus: Corpus, word: str) -> bool:
    """True where one chunk holds all the parts of a word."""
    rows = [set(corpus.rows_holding("raw", term_hash(part)).tolist()) for part in terms(word) if part != word.lower()]
    return bool(rows) and bool(set.intersection(*rows))
