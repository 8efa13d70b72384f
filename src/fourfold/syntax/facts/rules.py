"""What the facts of one language need beyond its query: how it imports, and what its expressions say of types."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from fourfold.model.reference import Import

if TYPE_CHECKING:
    from tree_sitter import Node

    from fourfold.syntax.facts.source import Source

CAPITALISED = re.compile(r"_*[A-Z]\w*$")
"""A callee that is a type by the custom of the language."""


def no_imports(node: Node, source: Source) -> Iterable[Import]:
    """For languages whose query captures no import statement."""
    return ()


@dataclass(frozen=True, slots=True)
class Rules:
    """The rules of one language; the maps are by type of node.

    `imports` reads one import statement (lines and scopes are filled in by the caller). `constructors`: expressions
    that make an object, and the field (or, with a number, the named child) that holds its type. `callees`: calls, and
    the field or fields that hold the callee. `aliases`: expressions that are a path. `through`: expressions whose type
    is that of one named child (by number). `is_constructor`: a callee, split into receiver and name, -> the type it
    makes, or "" where it is an ordinary function. `selves`: what an object calls itself. `ignored_types` and
    `ignored_calls`: names of the language itself that nobody looks up, `ignored_members` the same for what follows a
    receiver. `clean` gives the plain name where names may hold more than letters and digits. `type_name` replaces
    :func:`~fourfold.syntax.facts.names.bare_type`; `special` tells the (type, source) of an expression before all
    other rules, `unwrap` the expression that counts instead of it. `exports`: the variable that lists what is exported.
    """

    imports: Callable[[Node, Source], Iterable[Import]] = no_imports
    constructors: Mapping[str, str | int] = field(default_factory=dict)
    callees: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    aliases: frozenset[str] = frozenset()
    through: Mapping[str, int] = field(default_factory=dict)
    is_constructor: Callable[[str, str], str] | None = None
    selves: frozenset[str] = frozenset({"self"})
    ignored_types: frozenset[str] = frozenset()
    ignored_calls: frozenset[str] = frozenset()
    ignored_members: frozenset[str] = frozenset()
    clean: Callable[[str], str] | None = None
    type_name: Callable[[str], str] | None = None
    special: Callable[[Node, Source], tuple[str, str] | None] | None = None
    unwrap: Callable[[Node, Source], Node | None] | None = None
    exports: str = ""


def capitalised(receiver: str, name: str) -> str:
    """``Client(...)`` and ``net.Client(...)`` make what they are named after."""
    if not CAPITALISED.match(name) or (name.isupper() and len(name) > 1):
        return ""
    return f"{receiver}.{name}" if receiver else name
