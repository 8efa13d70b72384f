"""A symbol: something that a file defines and that has a name."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Symbol:
    """One definition. Lines count from 1, both included; `kind` is one of :data:`fourfold.model.chunk.KINDS`.

    `name` is the bare name ("request"), `qualified_name` the name within its file ("Client.request"), `parent` the
    qualified name of what encloses it, `signature` the head of the definition on one line (whitespace folded).
    """

    name: str
    qualified_name: str
    kind: str
    start_line: int
    end_line: int
    parent: str = ""
    signature: str = ""
