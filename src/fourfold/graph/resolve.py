"""From references to edges: who is meant, and how sure that is.

A call is never bound to a stranger because the name is the same: where neither scope, import nor receiver says whose a
name is, it stays a name, with the note whether one, several or no definitions here are called so.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from fourfold.graph.doubt import doubt, is_own
from fourfold.graph.expressions import FUNCTION, LIST, MODULE, Expressions, Value
from fourfold.graph.facts import AMBIGUOUS, EDGE_CODES, KIND_OF_REFERENCE, RESOLVED, UNIQUE, UNRESOLVED, Class, Place
from fourfold.graph.languages import COMMON_MEMBERS, OPEN_FUNCTIONS, OVERLOADING
from fourfold.graph.table import TYPES
from fourfold.graph.world import Found, World
from fourfold.model.chunk import FUNCTION_KINDS

if TYPE_CHECKING:
    from fourfold.graph.precise import Precise
    from fourfold.model.reference import Reference
    from fourfold.model.symbol import Symbol

_NAMED = FUNCTION_KINDS | TYPES
_OVERLOAD = frozenset({"@overload", "@typing.overload", "@t.overload"})
_PARAMETERS = re.compile(r"\((.*)\)", re.DOTALL)


@dataclass(slots=True)
class Edges:
    """Columns of equal length: edges, and references that stay names."""

    source: list[int] = field(default_factory=list)
    target: list[int] = field(default_factory=list)
    kind: list[int] = field(default_factory=list)
    confidence: list[int] = field(default_factory=list)
    line: list[int] = field(default_factory=list)
    name_source: list[int] = field(default_factory=list)
    name: list[str] = field(default_factory=list)
    name_kind: list[int] = field(default_factory=list)
    name_confidence: list[int] = field(default_factory=list)
    name_line: list[int] = field(default_factory=list)

    def add(self, source: int, target: int, kind: int, confidence: int, line: int) -> None:
        """An edge between two nodes."""
        self.source.append(source)
        self.target.append(target)
        self.kind.append(kind)
        self.confidence.append(confidence)
        self.line.append(line)

    def add_name(self, source: int, name: str, kind: int, confidence: int, line: int) -> None:
        """A reference that stays a name."""
        self.name_source.append(source)
        self.name.append(name)
        self.name_kind.append(kind)
        self.name_confidence.append(confidence)
        self.name_line.append(line)


class Resolver:
    """Resolves the references of one file after the other."""

    def __init__(self, world: World, precise: Precise | None = None) -> None:
        self._world = world
        self._precise = precise
        self._expressions = Expressions(world)
        self._known: dict[tuple[int, str, str, str], Found | int] = {}
        self._by_names: dict[tuple[str, str, bool, bool], set[tuple[str, str]]] = {}

    def forget(self, file: int) -> None:
        """Drop what was found in a file."""
        self._expressions.forget(file)
        self._known = {key: found for key, found in self._known.items() if key[0] != file}

    def resolve(self, file: int, edges: Edges) -> None:
        """Add the edges of a file's references and imports."""
        world, table = self._world, self._world.table
        sources: dict[str, list[int]] = {}
        for reference in world.files[file].facts.references:
            nodes = sources.get(reference.scope)
            if nodes is None:
                nodes = sources[reference.scope] = table.scope_nodes(file, reference.scope)
            self._add(edges, file, table.holding(nodes, reference.line), reference)
        for target, line in dict.fromkeys(self._imported(file)):
            edges.add(table.bases[file], target, EDGE_CODES["imports"], RESOLVED, line)

    def _add(self, edges: Edges, file: int, source: int, reference: Reference) -> None:
        kind = EDGE_CODES[KIND_OF_REFERENCE[reference.kind]]
        known = self._precise.meant(file, reference.line, reference.name) if self._precise is not None else None
        if known is not None:
            if known >= 0:
                edges.add(source, known, kind, RESOLVED, reference.line)
            elif reference.kind not in ("type", "value"):
                edges.add_name(source, reference.name, kind, UNRESOLVED, reference.line)
            return
        found = self._meant(file, reference)
        if isinstance(found, int):
            if reference.kind not in ("type", "value") or found != UNRESOLVED:
                edges.add_name(source, reference.name, kind, found, reference.line)
            return
        node = self._node(found.place, file, reference)
        if found.confidence == AMBIGUOUS:
            edges.add_name(source, reference.name, kind, AMBIGUOUS, reference.line)
        elif node >= 0 and (node != source or kind == EDGE_CODES["calls"]):
            edges.add(source, node, kind, found.confidence, reference.line)

    def _meant(self, file: int, reference: Reference) -> Found | int:
        """What a reference means; where nothing says it, :data:`AMBIGUOUS` or :data:`UNRESOLVED`."""
        key = (file, reference.scope, reference.receiver, reference.name)
        found = self._known.get(key)
        if found is None:
            found = self._known[key] = self._work_out(file, reference)
        return found

    def _work_out(self, file: int, reference: Reference) -> Found | int:
        world = self._world
        if not reference.receiver:
            scope = reference.scope
            if reference.kind == "inherit":
                scope = scope.rpartition(".")[0]
            found = world.lookup(file, scope, reference.name)
            if found is not None:
                return found
            owner = world.type_named(file, scope, reference.name) if reference.kind != "call" else None
            if owner is not None:
                return Found(Place(owner.namespace, owner.qualified), owner.confidence)
            return self._by_name(file, reference)
        value = self._expressions.value(file, reference.scope, reference.receiver)
        if value is not None and value.what == LIST:
            return UNRESOLVED  # a method of lists
        if value is not None:
            found = self._in_value(value, reference.name)
            if found is not None:
                return found
            if value.what == FUNCTION and reference.name not in COMMON_MEMBERS:
                named = self._by_name(file, reference)
                return named if isinstance(named, int) else AMBIGUOUS  # a property, or what a decorator made of it
            if value.owner is None or world.knows_all_bases(value.owner):
                return UNRESOLVED
        return self._by_name(file, reference, value)

    def _in_value(self, value: Value, name: str) -> Found | None:
        world = self._world
        if value.what in (MODULE, FUNCTION) and value.place is not None:
            place = world.inside(value.place, name)
            settled = world.settled(place) if place is not None else None
            return Found(settled) if settled is not None else None
        if value.owner is not None:
            return world.member(value.owner, name, inherited_only=value.inherited)
        return None

    def _by_name(self, file: int, reference: Reference, value: Value | None = None) -> Found | int:
        """By the name alone: the only definition it can mean, where the language and the receiver leave that open."""
        world = self._world
        family, language = world.families[file], world.files[file].language
        is_open = bool(reference.receiver) or language in OPEN_FUNCTIONS
        if not is_open and not is_own(world, file, reference):
            return UNRESOLVED
        wanted = _NAMED if reference.kind in ("call", "new", "decorator", "value") else TYPES
        places = self._named(family, reference.name, wanted, bool(reference.receiver))
        if family == "shared":
            nodes = world.table.nodes
            places = {one for one in places if any(world.is_visible(node, file) for node in nodes(*one))}
        if not places:
            return UNRESOLVED
        if reference.receiver:
            surest = doubt(world, file, reference, value is not None)
        elif not is_open:
            surest = AMBIGUOUS
        else:
            surest = UNRESOLVED if reference.name in world.environment(file).external else UNIQUE
        if surest == UNRESOLVED:
            return UNRESOLVED
        if len(places) > 1 or surest == AMBIGUOUS:
            return AMBIGUOUS
        return Found(Place(*next(iter(places))), UNIQUE)

    def _named(self, family: str, name: str, kinds: frozenset[str], members: bool) -> set[tuple[str, str]]:
        """(namespace, qualified name) of all definitions of a name in a family; with `members` those inside others."""
        key = (family, name, kinds is TYPES, members)
        found = self._by_names.get(key)
        if found is None:
            world, table = self._world, self._world.table
            found = self._by_names[key] = {
                (table.namespaces[table.file_of[node]], symbol.qualified_name)
                for node in table.by_name.get(name, ())
                if (symbol := table.symbols[node]) is not None
                and symbol.kind in kinds
                and (symbol.parent or not members)
                and world.families[table.file_of[node]] == family
            }
        return found

    def _node(self, place: Place, file: int, reference: Reference) -> int:
        """The node of a place: of overloads the one that takes as many arguments."""
        world, table = self._world, self._world.table
        if not place.qualified:
            files = table.files_in.get(place.namespace, ())
            return table.bases[files[0]] if files else -1
        nodes = table.nodes(place.namespace, place.qualified)
        if reference.arguments >= 0:
            nodes = self._fitting(place, nodes, world.files[file].language, reference.arguments)
        near = [node for node in nodes if table.file_of[node] == file]
        return (near or nodes or [-1])[0]

    def _fitting(self, place: Place, nodes: list[int], language: str, arguments: int) -> list[int]:
        """Of `nodes` at a place those that take so many arguments, else inherited ones that do, else all."""
        table = self._world.table

        def taking(nodes: list[int]) -> list[int]:
            return [node for node in nodes if _takes(getattr(table.symbols[node], "signature", ""), arguments)]

        if len(nodes) < 2 and language not in OVERLOADING:
            return nodes
        if language == "python":
            return [node for node in nodes if not _OVERLOAD & set(_decorators(table.symbols[node]))] or nodes
        fitting = taking(nodes)
        owner, _, name = place.qualified.rpartition(".")
        if fitting or language not in OVERLOADING or not table.is_type(place.namespace, owner):
            return fitting or nodes
        for base in self._world.lineage(Class(place.namespace, owner)):
            fitting = fitting or taking(table.nodes(base.namespace, f"{base.qualified}.{name}"))
        return fitting or nodes

    def _imported(self, file: int) -> Iterator[tuple[int, int]]:
        """(node, line) of what a file imports: the symbol where it is named, else the file."""
        world, table = self._world, self._world.table
        environment = world.environment(file)
        lines = {one.alias or one.name or one.module: one.line for one in world.files[file].facts.imports}
        for name, places in environment.names.items():
            line = lines.get(name, 0)
            for place in places[:1]:
                yield from self._place_nodes(place, file, line)
        for place in environment.wildcards:
            yield from self._place_nodes(place, file, 0)
        for number in sorted(environment.included):
            yield table.bases[number], 0
        yield from self._modules_inside(file)

    def _modules_inside(self, file: int) -> Iterator[tuple[int, int]]:
        """``import a.b`` of Python binds ``a`` and loads ``a.b``."""
        world, table = self._world, self._world.table
        if world.families[file] != "python":
            return
        modules = world.modules["python"]
        for one in world.files[file].facts.imports:
            if "." in one.module and not (one.name or one.alias):
                for target in modules.targets(world.files[file].path, one.module):
                    for number in table.files_in.get(f"python:{target}", ())[:1]:
                        yield table.bases[number], one.line

    def _place_nodes(self, place: Place, file: int, line: int) -> Iterator[tuple[int, int]]:
        table = self._world.table
        settled = self._world.settled(place)
        if settled is not None and settled.qualified:
            yield table.node(settled.namespace, settled.qualified), line
        yield from (
            (table.bases[number], line) for number in table.files_in.get(place.namespace, ())[:1] if number != file
        )


def _decorators(symbol: Symbol | None) -> tuple[str, ...]:
    return symbol.decorators if symbol is not None else ()


def _takes(signature: str, arguments: int) -> bool:
    """True where a signature may be called with so many arguments, as far as its text tells."""
    match = _PARAMETERS.search(signature)
    if match is None:
        return False
    depth, count, text = 0, 0, match[1].strip()
    for character in text:
        depth += (character in "([{<") - (character in ")]}>")
        count += character == "," and depth == 0
    total = count + 1 if text else 0
    optional = text.count("=") + text.count("...") * 99
    return total - optional <= arguments <= total + text.count("...") * 99
