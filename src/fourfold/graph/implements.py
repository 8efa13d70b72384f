"""Types of Go that implement an interface: by having its methods, which nothing in the source says.

A type has its own methods and those of what it embeds; an interface wants its own and those of what it embeds. The
signatures are compared without the names of parameters and without the packages of types.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from fourfold.graph.facts import AMBIGUOUS, EDGE_CODES, RESOLVED, Class
from fourfold.graph.resolve import Edges
from fourfold.syntax.facts.names import split_outside

if TYPE_CHECKING:
    from fourfold.graph.world import World

_LANGUAGE = "go"
_INTERFACE = "interface"
_METHOD = "method"
_PACKAGE = re.compile(r"\b[A-Za-z_]\w*\.(?=[A-Za-z_])")
_NAMED = re.compile(r"(?!(?:func|chan|map|struct|interface)\b)[A-Za-z_]\w*\s+\S")
_NAME = re.compile(r"[A-Za-z_]\w*\Z")
_SPACE = re.compile(r"\s+")


@dataclass(frozen=True, slots=True)
class _Method:
    """A method of a method set: its node, its namespace, and its signature (None where that cannot be read)."""

    node: int
    namespace: str
    signature: tuple[tuple[str, ...], tuple[str, ...]] | None


def implemented(world: World) -> Edges:
    """Edges from each type to the interfaces that it implements (``inherits``), and from its own methods to those of
    the interface (``overrides``).

    *Resolved* where the interface is known as a whole and all signatures agree, which is the language's own rule.
    *Ambiguous* where the names agree and a signature cannot be compared (it is generic or was cut), or where the
    interface embeds one that is not in this repository. None where a signature says otherwise.
    """
    edges = Edges()
    methods = _declared(world)
    if not methods:
        return edges
    sets = {owner: _method_set(world, Class(*owner), methods) for owner in _types(world)}
    having: dict[str, set[tuple[str, str]]] = {}
    interfaces = []
    for owner, found in sets.items():
        if _is_interface(world, owner):
            if found:
                interfaces.append(owner)
        else:
            for name in found:
                having.setdefault(name, set()).add(owner)
    for interface in interfaces:
        wanted = sets[interface]
        whole = world.knows_all_bases(Class(*interface))
        candidates = min((having.get(name, set()) for name in wanted), key=len)
        for owner in sorted(candidates):
            sure = _agreement(sets[owner], wanted, owner[0] == interface[0])
            if sure:
                _add(world, edges, (owner, interface), (sets[owner], wanted), sure if whole else AMBIGUOUS)
    return edges


def _declared(world: World) -> dict[tuple[str, str], dict[str, _Method]]:
    """The methods that stand under each type of Go, by its namespace and name."""
    table = world.table
    found: dict[tuple[str, str], dict[str, _Method]] = {}
    for number, file in enumerate(world.files):
        if file.language != _LANGUAGE:
            continue
        namespace = table.namespaces[number]
        for ordinal, symbol in enumerate(file.symbols):
            if symbol.kind == _METHOD and symbol.parent:
                node = table.bases[number] + 1 + ordinal
                method = _Method(node, namespace, signature_types(symbol.signature, symbol.name))
                found.setdefault((namespace, symbol.parent), {}).setdefault(symbol.name, method)
    return found


def _types(world: World) -> Iterator[tuple[str, str]]:
    """Types of Go by namespace and name, each once."""
    seen = set()
    for number, file in enumerate(world.files):
        if file.language == _LANGUAGE:
            namespace = world.table.namespaces[number]
            for symbol in file.symbols:
                key = (namespace, symbol.qualified_name)
                if not symbol.parent and key not in seen and world.table.is_type(*key):
                    seen.add(key)
                    yield key


def _is_interface(world: World, owner: tuple[str, str]) -> bool:
    return any(world.table.kind(node) == _INTERFACE for node in world.table.nodes(*owner))


def _method_set(world: World, owner: Class, methods: dict[tuple[str, str], dict[str, _Method]]) -> dict[str, _Method]:
    """Own methods and those of what is embedded, the nearest of each name."""
    found: dict[str, _Method] = {}
    for one in world.lineage(owner):
        for name, method in methods.get((one.namespace, one.qualified), {}).items():
            found.setdefault(name, method)
    return found


def _agreement(had: dict[str, _Method], wanted: dict[str, _Method], same_package: bool) -> int:
    """How surely a method set holds another one; 0 where it does not."""
    sure = RESOLVED
    for name, method in wanted.items():
        own = had.get(name)
        if own is None or (not name[0].isupper() and not same_package):
            return 0
        if own.signature is None or method.signature is None:
            sure = AMBIGUOUS
        elif own.signature != method.signature:
            return 0
    return sure


def _add(
    world: World,
    edges: Edges,
    pair: tuple[tuple[str, str], tuple[str, str]],
    sets: tuple[dict[str, _Method], dict[str, _Method]],
    confidence: int,
) -> None:
    """The edges of a type and an interface, given with their method sets."""
    table = world.table
    source, target = (table.node(*owner) for owner in pair)
    symbol = table.symbols[source]
    edges.add(source, target, EDGE_CODES["inherits"], confidence, symbol.start_line if symbol is not None else 1)
    had, wanted = sets
    for name, method in wanted.items():
        own = table.symbols[had[name].node]
        if own is not None and own.parent == pair[0][1] and had[name].namespace == pair[0][0]:
            edges.add(had[name].node, method.node, EDGE_CODES["overrides"], confidence, own.start_line)


def signature_types(signature: str, name: str) -> tuple[tuple[str, ...], tuple[str, ...]] | None:
    """Types of parameters and of results of a method of Go as its signature gives them, packages left out:
    ``func (f *File) Read(p, q []byte) (n int, err error)`` -> ``(("[]byte", "[]byte"), ("int", "error"))``. None where
    it cannot be read."""
    text = _SPACE.sub(" ", signature.strip())
    if text.startswith("func ("):
        end = _closing(text, len("func "))
        text = text[end + 1 :].lstrip() if end >= 0 else ""
    if not text.startswith(f"{name}("):
        return None
    end = _closing(text, len(name))
    if end < 0:
        return None
    results = text[end + 1 :].strip().removesuffix("{").strip()
    if results.startswith("(") and _closing(results, 0) == len(results) - 1:
        results = results[1:-1]
    if "\u2026" in text or "..." in results:
        return None
    return _types_of(text[len(name) + 1 : end]), _types_of(results)


def _closing(text: str, opening: int) -> int:
    """Where the bracket at `opening` is closed, -1 where it is not."""
    depth = 0
    for place in range(opening, len(text)):
        if text[place] in "([{":
            depth += 1
        elif text[place] in ")]}":
            depth -= 1
            if not depth:
                return place
    return -1


def _types_of(text: str) -> tuple[str, ...]:
    """The types of a list of parameters; of names that share one it is given once for each."""
    parts = split_outside(text.replace("<-", "\u2190"), ",")
    if not any(_NAMED.match(part) for part in parts):
        return tuple(map(_plain, parts))
    types: list[str] = []
    for part in reversed(parts):
        if _NAME.match(part) and types:
            types.append(types[-1])
        else:
            types.append(_plain(part.partition(" ")[2]))
    return tuple(reversed(types))


def _plain(kind: str) -> str:
    """A type without packages and blanks that mean nothing."""
    return _PACKAGE.sub("", kind).replace("interface{}", "any").replace("interface {}", "any").strip()
