"""The tables of the SQLite file. It is the one truth: rows say which segment files count and which rows live.

File versions are kept as an interval of generations: a row of ``files`` is visible to generation *g* where
``born <= g < died``. Everything else a file has (chunks, symbols, facts, its text) hangs on the number of that
version, is never changed once written and goes only when the version is swept, so that a reader of an older
generation reads on.
"""

from __future__ import annotations

LIVE = 2**63 - 1
"""``files.died`` of a version that is still current."""

APPLICATION_ID = 0x46344C44
"""Marks the SQLite file as one of ours ("F4LD")."""

HORIZON = "horizon"
"""Key in ``state``: the newest generation in which a swept version ended; older snapshots have expired."""

INCARNATION = "incarnation"
"""Key in ``state``: a random number that tells this database from an earlier one in the same place."""

TRIGRAM_ROWS = "trigram_rows"
"""Key in ``state``: how many texts were put into the trigram index since it was last built."""

_META = """CREATE TABLE meta (
    key TEXT PRIMARY KEY,
    value TEXT NOT NULL
) WITHOUT ROWID"""

_STATE = """CREATE TABLE state (
    key TEXT PRIMARY KEY,
    value INTEGER NOT NULL
) WITHOUT ROWID"""

# `content` is the generation that last changed rows or segments: new stat values and meta leave it alone.
_GENERATIONS = """CREATE TABLE generations (
    number INTEGER PRIMARY KEY,
    content INTEGER NOT NULL,
    published REAL NOT NULL
)"""

# `file_ids` (int64 each) names the file version of each file row, `dead` (one byte each) is its tombstone.
_SEGMENTS = """CREATE TABLE segments (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT NOT NULL UNIQUE,
    chunks INTEGER NOT NULL,
    files INTEGER NOT NULL,
    file_ids BLOB NOT NULL,
    dead BLOB NOT NULL
)"""

_FILES = f"""CREATE TABLE files (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    born INTEGER NOT NULL,
    died INTEGER NOT NULL DEFAULT {LIVE},
    text INTEGER,
    symbols INTEGER NOT NULL,
    path TEXT NOT NULL,
    size INTEGER NOT NULL,
    mtime_ns INTEGER NOT NULL,
    ctime_ns INTEGER NOT NULL,
    inode NOT NULL,
    status TEXT NOT NULL,
    reason TEXT NOT NULL,
    detail TEXT NOT NULL,
    language TEXT NOT NULL,
    encoding TEXT NOT NULL,
    content_hash TEXT NOT NULL,
    lines INTEGER NOT NULL,
    chunks INTEGER NOT NULL,
    note TEXT NOT NULL,
    doc TEXT NOT NULL
)"""

_TEXTS = """CREATE TABLE texts (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    hash BLOB NOT NULL UNIQUE,
    body BLOB NOT NULL
)"""

_CHUNKS = """CREATE TABLE chunks (
    file INTEGER NOT NULL,
    ordinal INTEGER NOT NULL,
    start_line INTEGER NOT NULL,
    end_line INTEGER NOT NULL,
    kind TEXT NOT NULL,
    symbol TEXT NOT NULL,
    parent TEXT NOT NULL,
    signature TEXT NOT NULL,
    PRIMARY KEY (file, ordinal)
) WITHOUT ROWID"""

# `folded_qualified` is null where the qualified name is the bare name: those rows are found by `folded`.
_SYMBOLS = """CREATE TABLE symbols (
    file INTEGER NOT NULL,
    ordinal INTEGER NOT NULL,
    chunk INTEGER NOT NULL,
    name TEXT NOT NULL,
    folded TEXT NOT NULL,
    qualified TEXT NOT NULL,
    folded_qualified TEXT,
    kind TEXT NOT NULL,
    start_line INTEGER NOT NULL,
    end_line INTEGER NOT NULL,
    parent TEXT NOT NULL,
    signature TEXT NOT NULL,
    PRIMARY KEY (file, ordinal)
) WITHOUT ROWID"""

# What a layer above made of a file version, as it gave it; no row where it gave nothing.
_FACTS = """CREATE TABLE facts (
    file INTEGER PRIMARY KEY,
    body BLOB NOT NULL
)"""

_STATISTICS = """CREATE TABLE statistics (
    content INTEGER NOT NULL,
    name TEXT NOT NULL,
    shape TEXT NOT NULL,
    data BLOB NOT NULL,
    PRIMARY KEY (content, name)
) WITHOUT ROWID"""

_INDEXES = (
    # A path dies at most once in a generation, so this also forbids two live versions of one path.
    "CREATE UNIQUE INDEX files_path ON files (path, died)",
    "CREATE INDEX files_text ON files (text) WHERE text IS NOT NULL",
    f"CREATE INDEX files_dead ON files (died) WHERE died < {LIVE}",
    "CREATE INDEX symbols_name ON symbols (folded)",
    "CREATE INDEX symbols_qualified ON symbols (folded_qualified) WHERE folded_qualified IS NOT NULL",
)

TABLES: tuple[str, ...] = (
    _META,
    _STATE,
    _GENERATIONS,
    _SEGMENTS,
    _FILES,
    _TEXTS,
    _CHUNKS,
    _SYMBOLS,
    _FACTS,
    _STATISTICS,
    *_INDEXES,
)
"""Every statement that makes an empty database, in order (without the trigram table)."""
