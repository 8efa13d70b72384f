"""Commits that answer a question: BM25 over subject, body and file names, the newer first where scores are near."""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from fourfold.index.history import reading, term_text
from fourfold.model.query import Filters
from fourfold.model.text import STOP_WORDS, words

COLUMN_WEIGHTS = (3.0, 1.0, 1.0)
"""Weights of subject, body and file names in BM25: measured in docs/history.md."""
BARE = 0.9
"""What the score of a commit without files is multiplied by: a merge repeats what the commits that it joins say, and
those show what was done. Measured in docs/history.md."""
RECENCY = 0.1
"""The share by which the newest commit's score grows; that of one a year older by half of it, and so on (1 / (1 +
years)). Small: it orders commits of nearly equal score and no others."""
YEAR_S = 365.25 * 86400

MAX_TERMS = 96
"""Terms of a question that are looked up."""
SNIPPET_CHARS = 400
SHOWN_FILES = 50
"""Files told with a commit, those that answer the question first; the count is of all."""

_COMMIT = re.compile(r"[0-9a-f]{7,40}")


@dataclass(frozen=True, slots=True)
class HistoryFilters:
    """What a commit must satisfy: it touches a file that `files` allows, `author` is part of the author's name or
    e-mail address (any case), and `since` <= date <= `until`, in seconds since the epoch."""

    files: Filters = field(default_factory=Filters)
    author: str = ""
    since: int | None = None
    until: int | None = None


@dataclass(frozen=True, slots=True)
class CommitHit:
    """One commit. `date` is in seconds since the epoch; `snippet` is the part of the body that answers best; `files`
    are at most :data:`SHOWN_FILES` of `files_total`; `score` is 0 where nothing was asked for but filters."""

    commit: str
    date: int
    author: str
    subject: str
    snippet: str
    files: tuple[str, ...]
    files_total: int
    score: float


@dataclass(frozen=True, slots=True)
class HistoryHits:
    """The best commits, how many there were in all, and the state of the index (see :func:`state_of`)."""

    hits: tuple[CommitHit, ...]
    total: int
    state: dict[str, str]


def search_history(directory: Path, text: str, filters: HistoryFilters, limit: int) -> HistoryHits:
    """The commits that answer `text` best; without words the newest ones that satisfy the filters.

    A text that is nothing but the first 7 to 40 digits of a commit finds that commit. Raises IndexUnavailable where
    there is no index, sqlite3.DatabaseError where it is damaged.
    """
    with reading(directory) as connection:
        state = dict(connection.execute("SELECT key, value FROM state"))
        asked = _Asked(connection, filters, _newest(connection, state))
        terms = question_terms(text)
        found: list[tuple[int, float, int]] = []
        if _COMMIT.fullmatch(text.strip()):
            found = asked.named(text.strip(), limit)
        if not found and terms and not _is_hash(text.strip()):
            found = asked.about(terms, limit)
        elif not found and not text.strip():
            found = asked.newest(limit)
        hits = tuple(asked.hit(entry, score, terms) for entry, score, _ in found)
        return HistoryHits(hits, found[0][2] if found else 0, state)


def _is_hash(text: str) -> bool:
    """True for what can hardly be anything but a commit: hexadecimal digits of both sorts."""
    return _COMMIT.fullmatch(text) is not None and not text.isdecimal() and not text.isalpha()


def question_terms(text: str) -> tuple[str, ...]:
    """The terms that a question looks up, without words that say nothing (unless it has no others)."""
    named = words(text)
    telling = [word for word in named if word.lower() not in STOP_WORDS] or named
    return tuple(dict.fromkeys(term_text(" ".join(telling)).split()))[:MAX_TERMS]


def _newest(connection: sqlite3.Connection, state: dict[str, str]) -> int:
    """The date of the commit that the index follows; dates of others may lie in the future by mistake."""
    named = bytes.fromhex(state.get("tip", ""))
    row = connection.execute("SELECT date FROM commits WHERE hash = ?", (named,)).fetchone()
    if row is None:
        row = connection.execute("SELECT coalesce(max(date), 0) FROM commits WHERE live").fetchone()
    return int(row[0])


def _path_test(filters: Filters) -> Callable[[str, str], bool]:
    from fourfold.retrieve.mask import path_allowed  # loads numpy, which nothing else here needs

    return path_allowed(filters)


class _Asked:
    """One question within a read transaction. Rows found are (id, score, how many satisfy the question)."""

    def __init__(self, connection: sqlite3.Connection, filters: HistoryFilters, newest: int) -> None:
        self._connection = connection
        self._newest = newest
        self._allowed = None if filters.files.empty else _path_test(filters.files)
        conditions, self._values = ["c.live"], []
        if self._allowed is not None:
            conditions.append("c.id IN (SELECT entry FROM touched WHERE path IN (SELECT value FROM json_each(?)))")
            self._values.append(json.dumps(self._wanted_paths(self._allowed)))
        if filters.author:
            wanted = filters.author.casefold()
            connection.create_function("is_author", 2, lambda *names: any(wanted in name.casefold() for name in names))
            conditions.append("is_author(c.author, c.email)")
        for comparison, moment in ((">=", filters.since), ("<=", filters.until)):
            if moment is not None:
                conditions.append(f"c.date {comparison} ?")
                self._values.append(moment)
        self._where = " AND ".join(conditions)

    _values: list[Any]

    def _wanted_paths(self, allowed: Callable[[str, str], bool]) -> list[int]:
        rows = self._connection.execute("SELECT id, path FROM paths")
        return [entry for entry, path in rows if allowed(path, "")]

    def about(self, terms: tuple[str, ...], limit: int) -> list[tuple[int, float, int]]:
        """By BM25 and age."""
        match = " OR ".join(f'"{term}"' for term in terms)
        weights = ", ".join(map(str, COLUMN_WEIGHTS))
        # max(): FTS5 gives terms that most commits hold a weight of nearly nothing, never a negative one.
        return self._found(
            f"WITH found AS MATERIALIZED (SELECT rowid AS id, max(-bm25(words, {weights}), 1e-6) AS points "
            "FROM words WHERE words MATCH ?) "
            f"SELECT c.id, points * iif(c.files, 1, {BARE}) * (1 + {RECENCY} / (1 + max(? - c.date, 0) / {YEAR_S})) "
            "AS score, "
            f"count(*) OVER () FROM found JOIN commits c ON c.id = found.id WHERE {self._where} "
            "ORDER BY score DESC, c.date DESC, c.id DESC LIMIT ?",
            (match, self._newest, *self._values, limit),
        )

    def newest(self, limit: int) -> list[tuple[int, float, int]]:
        """By date alone."""
        return self._found(
            f"SELECT c.id, 0.0, count(*) OVER () FROM commits c WHERE {self._where} "
            "ORDER BY c.date DESC, c.id DESC LIMIT ?",
            (*self._values, limit),
        )

    def named(self, start: str, limit: int) -> list[tuple[int, float, int]]:
        """Those whose hash begins so."""
        low, high = bytes.fromhex(start.ljust(64, "0")[:40]), bytes.fromhex(start.ljust(64, "f"))
        return self._found(
            f"SELECT c.id, 1.0, count(*) OVER () FROM commits c WHERE c.hash BETWEEN ? AND ? AND {self._where} "
            "ORDER BY c.date DESC, c.id DESC LIMIT ?",
            (low, high, *self._values, limit),
        )

    def _found(self, statement: str, values: tuple[Any, ...]) -> list[tuple[int, float, int]]:
        return [(int(row[0]), float(row[1]), int(row[2])) for row in self._connection.execute(statement, values)]

    def hit(self, entry: int, score: float, terms: tuple[str, ...]) -> CommitHit:
        """A row as what is shown of it."""
        name, date, author, subject, body, paths, total = self._connection.execute(
            "SELECT hash, date, author, subject, body, paths, files FROM commits WHERE id = ?", (entry,)
        ).fetchone()
        wanted = frozenset(terms)
        files = self._names([int(path) for path in paths.split()])
        files.sort(key=lambda path: self._standing(path, wanted))
        return CommitHit(
            name.hex(), date, author, subject, telling(body, wanted), tuple(files[:SHOWN_FILES]), total, round(score, 4)
        )

    def _names(self, ids: list[int]) -> list[str]:
        rows = dict(
            self._connection.execute(
                "SELECT id, path FROM paths WHERE id IN (SELECT value FROM json_each(?))", (json.dumps(ids),)
            )
        )
        return [rows[path] for path in ids]

    def _standing(self, path: str, wanted: frozenset[str]) -> tuple[bool, int]:
        """Files that the filter asks for stand first, then those that hold most terms of the question."""
        outside = self._allowed is not None and not self._allowed(path, "")
        return outside, -len(wanted.intersection(term_text(path).split()))


def telling(body: str, wanted: frozenset[str], room: int = SNIPPET_CHARS) -> str:
    """At most `room` characters of a message: whole paragraphs or, where they are longer, lines, from the one that
    holds most of the terms `wanted` on."""
    lines = body.split("\n")
    while lines and not lines[-1].strip():
        lines.pop()
    if len(body) <= room:
        return "\n".join(lines)
    counts = [len(wanted.intersection(term_text(line).split())) for line in lines]
    first = counts.index(max(counts))
    while first and lines[first - 1].strip() and sum(map(len, lines[first - 1 : first + 1])) < room // 2:
        first -= 1  # from where the paragraph begins
    shown: list[str] = []
    for line in lines[first:]:
        left = room - sum(len(text) + 1 for text in shown)
        if left < len(line):
            if not shown or left > room // 4:
                shown.append(line[: left - 1].rstrip() + "…")
            break
        shown.append(line)
    return "\n".join(shown).rstrip()
