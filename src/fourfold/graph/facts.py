"""What the graph is built from, and the vocabulary of its edges."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fourfold.model.reference import Facts
    from fourfold.model.symbol import Symbol

EDGE_KINDS = ("calls", "imports", "inherits", "overrides", "references", "tests")
"""Kinds of edges; an edge stores the place of its kind in this tuple."""
EDGE_CODES = {kind: code for code, kind in enumerate(EDGE_KINDS)}

UNRESOLVED, AMBIGUOUS, UNIQUE, RESOLVED = range(4)
"""Confidence of an edge: resolved through scope, import or receiver; the only definition of that name; one of several
definitions of that name; a name that nothing here defines."""
CONFIDENCES = ("unresolved", "ambiguous", "unique", "resolved")

KIND_OF_REFERENCE = {
    "call": "calls",
    "new": "calls",
    "inherit": "inherits",
    "decorator": "references",
    "type": "references",
    "value": "references",
}
"""Which edge a reference becomes."""


@dataclass(frozen=True, slots=True)
class FileFacts:
    """One file: its symbols in stored order, and what it refers to."""

    path: str
    language: str
    symbols: tuple[Symbol, ...]
    facts: Facts


@dataclass(frozen=True, slots=True)
class Place:
    """Where a name leads: a symbol of a namespace, or (with `qualified` empty) the namespace itself."""

    namespace: str
    qualified: str = ""


@dataclass(frozen=True, slots=True)
class Class:
    """A type by its namespace and its qualified name in it. `confidence` says how its name was resolved."""

    namespace: str
    qualified: str
    confidence: int = RESOLVED
