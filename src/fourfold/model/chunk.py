"""A chunk: the unit that is indexed, embedded and shown."""

from __future__ import annotations

from fourfold.model.record import record


@record(frozen=True, slots=True)
class Chunk:
    """A run of whole lines of one file.

    `start_line` and `end_line` count from 1, both included; `text` is exactly those lines joined by ``\\n``, without a
    final newline. `kind` is one of :data:`KINDS`. `symbol` is the qualified name of the definition that the chunk holds
    ("Client.request"), empty where it holds none or several small ones; `parent` is what encloses it (class, module
    path, heading); `signature` is the head of the definition on one line.
    """

    start_line: int
    end_line: int
    text: str
    kind: str
    symbol: str = ""
    parent: str = ""
    signature: str = ""


KINDS: tuple[str, ...] = (
    "function",
    "method",
    "class",
    "interface",
    "struct",
    "enum",
    "trait",
    "type",
    "module",
    "macro",
    "constant",
    "variable",
    "field",
    "table",
    "test",
    "section",
    "cell",
    "config",
    "block",
    "window",
    "file",
)
"""Kinds of chunks and symbols, in a fixed order: an index stores the position in this tuple. Append only."""

KIND_CODES: dict[str, int] = {kind: code for code, kind in enumerate(KINDS)}

TYPE_KINDS: frozenset[str] = frozenset({"class", "interface", "struct", "enum", "trait", "type", "module"})
"""Kinds that name a type or a container of code."""

FUNCTION_KINDS: frozenset[str] = frozenset({"function", "method", "macro", "test"})
"""Kinds that are called."""


def definition_worth(kind: str) -> float:
    """What a definition of a kind is worth among those of one name: a type before a function before the rest."""
    return 3.0 if kind in TYPE_KINDS else 2.0 if kind in FUNCTION_KINDS else 1.0
