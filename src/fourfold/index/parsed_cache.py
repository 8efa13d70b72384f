"""What parsing made of a file, by the content of the file: the same file of two services is parsed once.

One SQLite file in the cache, used for trees that are read at a ref or a version: another ref of the same repository, a
fork and a package in its next version hold mostly the same files at the same paths. Looking a file up costs a tenth of
parsing it (607 files of five languages). It is a convenience and never a reason to fail: what cannot be read or written
is parsed.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import sqlite3
import zlib
from pathlib import Path

from fourfold.index.knowledge import unpack
from fourfold.model.chunk import Chunk
from fourfold.model.parsed import ParsedFile
from fourfold.model.symbol import Symbol
from fourfold.syntax.version import SYNTAX_VERSION

MAX_BYTES = 256 << 20
"""Above this the oldest fifth goes: room for about 20,000,000 lines."""
_BUSY_S = 5.0
_LENGTH = 4
_LEVEL = 1
_SCHEMA = "CREATE TABLE IF NOT EXISTS parsed (id INTEGER PRIMARY KEY, key BLOB NOT NULL UNIQUE, body BLOB NOT NULL)"


def parsed_key(path: str, language: str, content_hash: str, chunker: str, deadline_s: float) -> bytes:
    """All that the outcome of parsing depends on: the path as well, whose words tell a controller or a test."""
    parts = (SYNTAX_VERSION, chunker, str(deadline_s), language, content_hash, path)
    state = hashlib.blake2b(digest_size=16)
    for part in parts:
        encoded = str(part).encode("utf-8", "surrogatepass")
        state.update(len(encoded).to_bytes(4, "little") + encoded)
    return state.digest()


class ParsedCache:
    """The cache in the file `path`. Made for one thread; any number of processes may use the file."""

    def __init__(self, path: Path) -> None:
        self._connection: sqlite3.Connection | None = None
        with contextlib.suppress(OSError, sqlite3.Error):
            path.parent.mkdir(parents=True, exist_ok=True)
            connection = sqlite3.connect(path, timeout=_BUSY_S, isolation_level=None)
            self._connection = connection
            connection.execute("PRAGMA journal_mode=WAL")
            connection.execute("PRAGMA synchronous=OFF")
            connection.execute(_SCHEMA)

    def get(self, key: bytes, text: str) -> tuple[ParsedFile, bytes] | None:
        """A parsed file of this `text` and its knowledge (see :mod:`fourfold.index.knowledge`), None where it is not
        known."""
        if self._connection is None:
            return None
        try:
            row = self._connection.execute("SELECT body FROM parsed WHERE key = ?", (key,)).fetchone()
            return _unpacked(row[0], text) if row is not None else None
        except (sqlite3.Error, ValueError, TypeError, LookupError, zlib.error):
            return None

    def put(self, key: bytes, parsed: ParsedFile, knowledge: bytes) -> None:
        """Keep a parsed file; one that was cut by windows for want of time is not kept."""
        if self._connection is None or parsed.fallback:
            return
        with contextlib.suppress(sqlite3.Error, ValueError):
            row = (key, _packed(parsed, knowledge))
            self._connection.execute("INSERT OR IGNORE INTO parsed (key, body) VALUES (?, ?)", row)

    def close(self) -> None:
        """Make room where the file has grown too large, and let go of it."""
        connection, self._connection = self._connection, None
        if connection is None:
            return
        with contextlib.suppress(sqlite3.Error):
            used = connection.execute(
                "SELECT (page_count - freelist_count) * page_size "
                "FROM pragma_page_count, pragma_freelist_count, pragma_page_size"
            ).fetchone()[0]
            if used > MAX_BYTES:
                first, last = connection.execute("SELECT min(id), max(id) FROM parsed").fetchone()
                connection.execute("DELETE FROM parsed WHERE id < ?", (first + (last - first) // 5,))
        connection.close()


def _packed(parsed: ParsedFile, knowledge: bytes) -> bytes:
    chunks = [[c.start_line, c.end_line, c.kind, c.symbol, c.parent, c.signature] for c in parsed.chunks]
    symbols = [
        [s.name, s.qualified_name, s.kind, s.start_line, s.end_line, s.parent, s.signature] for s in parsed.symbols
    ]
    head = [parsed.language, parsed.doc, parsed.has_errors, sorted(parsed.imports), chunks, symbols]
    text = json.dumps(head, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "surrogatepass")
    body = zlib.compress(text, _LEVEL)
    return len(body).to_bytes(_LENGTH, "little") + body + knowledge


def _unpacked(data: bytes, text: str) -> tuple[ParsedFile, bytes]:
    length = int.from_bytes(data[:_LENGTH], "little")
    body, knowledge = data[_LENGTH : _LENGTH + length], data[_LENGTH + length :]
    language, doc, has_errors, imports, chunks, symbols = json.loads(
        zlib.decompress(body).decode("utf-8", "surrogatepass")
    )
    lines = text.split("\n")
    made = tuple(Chunk(start, end, "\n".join(lines[start - 1 : end]), *rest) for start, end, *rest in chunks)
    known = unpack("", knowledge)
    detailed = tuple(known.detailed([Symbol(*cells) for cells in symbols]))
    parsed = ParsedFile(language, made, detailed, frozenset(imports), doc, bool(has_errors))
    return parsed, knowledge
