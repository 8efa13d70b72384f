"""The literal index: an FTS5 trigram table that names the texts in which a literal may occur.

The table is contentless with ``detail=none``: it knows which trigrams a text has, not where, so a candidate
must be verified on its text. Rows are never deleted by text (a text that is not exactly the old one corrupts
a contentless table); a text that is gone leaves a dead row, which the join with ``files`` filters, until
:func:`rebuild`.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence

from fourfold.store.local import tables
from fourfold.store.local.packing import unpack_text

TABLE = "CREATE VIRTUAL TABLE trigrams USING fts5(body, content='', columnsize=0, detail=none, tokenize='trigram')"

MAX_TRIGRAMS = 24
"""Trigrams of one literal that are asked for; more narrow little further, and a candidate is verified
anyway."""

MAX_ALTERNATIVES = 64
"""More alternatives than this are not narrowed: FTS5 limits the size of an expression."""

REBUILD_SHARE = 0.25
"""The index is built again where more than this share of its rows names texts that are gone."""


def searchable(text: str) -> str:
    """The copy of `text` that is indexed: FTS5 ends a text at NUL, and SQLite takes no lone surrogates."""
    text = text.replace("\0", " ")
    return text if text.isascii() else text.encode("utf-8", "replace").decode("utf-8")


def insert(connection: sqlite3.Connection, rows: Iterable[tuple[int, str]]) -> None:
    """Index texts given as (text number, text)."""
    counted = 0

    def prepared() -> Iterable[tuple[int, str]]:
        nonlocal counted
        for number, text in rows:
            counted += 1
            yield number, searchable(text)

    connection.executemany("INSERT INTO trigrams (rowid, body) VALUES (?, ?)", prepared())
    connection.execute("UPDATE state SET value = value + ? WHERE key = ?", (counted, tables.TRIGRAM_ROWS))


def expression(required: Sequence[Sequence[str]]) -> str | None:
    """The FTS5 expression for "one inner list has all its literals", None where it cannot narrow."""
    if not required or len(required) > MAX_ALTERNATIVES:
        return None
    alternatives = []
    for literals in required:
        grams = sorted({gram for literal in literals for gram in _grams(literal)})
        if not grams:
            return None
        alternatives.append("(" + " AND ".join(_quoted(gram) for gram in _spread(grams)) + ")")
    return " OR ".join(alternatives)


def rebuild(connection: sqlite3.Connection) -> None:
    """Build the index again from the stored texts, inside the caller's transaction."""
    connection.execute("INSERT INTO trigrams (trigrams) VALUES ('delete-all')")
    connection.execute("UPDATE state SET value = 0 WHERE key = ?", (tables.TRIGRAM_ROWS,))
    stored = connection.execute("SELECT id, body FROM texts ORDER BY id")
    insert(connection, ((number, unpack_text(body)) for number, body in stored))


def rebuild_due(connection: sqlite3.Connection) -> bool:
    """True where more than :data:`REBUILD_SHARE` of the rows are dead."""
    rows = connection.execute("SELECT value FROM state WHERE key = ?", (tables.TRIGRAM_ROWS,)).fetchone()[0]
    kept = connection.execute("SELECT count(*) FROM texts").fetchone()[0]
    return bool(rows - kept > REBUILD_SHARE * rows)


def _grams(literal: str) -> set[str]:
    text = searchable(literal)
    return {text[i : i + 3] for i in range(len(text) - 2)}


def _spread(grams: list[str]) -> list[str]:
    """At most :data:`MAX_TRIGRAMS` of the trigrams, evenly spread."""
    if len(grams) <= MAX_TRIGRAMS:
        return grams
    return [grams[i * len(grams) // MAX_TRIGRAMS] for i in range(MAX_TRIGRAMS)]


def _quoted(gram: str) -> str:
    """An FTS5 string: everything between double quotes is text, a quote inside is doubled."""
    return '"' + gram.replace('"', '""') + '"'
