"""Which definition a byte of the source stands in."""

from __future__ import annotations

from bisect import bisect_right
from typing import NamedTuple

from fourfold.syntax.definitions import VALUE_KINDS, Definition


class Scope(NamedTuple):
    """Qualified names: the innermost definition, the innermost that is no value, the innermost type ("" for none)."""

    definition: str = ""
    block: str = ""
    owner: str = ""


class Scopes:
    """Spans of the definitions of a file, innermost first at every byte."""

    def __init__(self, definitions: list[Definition]) -> None:
        self._starts: list[int] = [0]
        self._scopes: list[Scope] = [Scope()]
        self._add(definitions, Scope())

    def definition_at(self, byte: int) -> str:
        """The innermost definition around a byte."""
        return self._scopes[bisect_right(self._starts, byte) - 1][0]

    def at(self, byte: int) -> Scope:
        """The scope of a byte."""
        return self._scopes[bisect_right(self._starts, byte) - 1]

    def _add(self, definitions: list[Definition], outer: Scope) -> None:
        for one in definitions:
            if one.start_byte < self._starts[-1]:
                continue  # the second of two values of one statement: ``int a, b;``
            if one.kind == "field" and outer.block == outer.definition != outer.owner == one.parent:
                continue  # a parameter that is a field: what stands in it is said within the constructor
            scope = _inside(one, outer)
            self._starts.append(one.start_byte)
            self._scopes.append(scope)
            self._add(one.children, scope)
            self._starts.append(max(one.end_byte, self._starts[-1]))
            self._scopes.append(outer)


def _inside(one: Definition, outer: Scope) -> Scope:
    """The scope of what stands in a definition."""
    block = outer.block if one.kind in VALUE_KINDS else one.qualified
    owner = one.qualified if one.is_type else one.parent if one.owner else outer.owner
    return Scope(one.qualified, block, owner)
