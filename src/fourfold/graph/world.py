"""Names of a whole repository: what a name means in a file, what a module exports, what a type owns and inherits."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from fourfold.graph.facts import AMBIGUOUS, RESOLVED, UNIQUE, Class, FileFacts, Place
from fourfold.graph.gathered import bindings_of, default_export, extension, inherits_of
from fourfold.graph.imports import Environment, Imports
from fourfold.graph.languages import IMPLICIT_THIS, OPEN_TYPES, PASS_ON
from fourfold.graph.meanings import Meanings, member_of_union
from fourfold.graph.modules import FAMILIES, Modules, modules_of
from fourfold.graph.table import TYPES, SymbolTable

if TYPE_CHECKING:
    from fourfold.model.reference import Binding

MAX_DEPTH = 6
"""Steps of a chain of re-exports, base classes or types that are followed."""
_HEADERS = (".h", ".hh", ".hpp", ".hxx", ".inc", ".inl", ".ipp")


@dataclass(frozen=True, slots=True)
class Found:
    """A place, and how sure it is."""

    place: Place
    confidence: int = RESOLVED


class World:
    """Looks up names in `files` (sorted by path); `manifests` are the texts of package manifests by path."""

    def __init__(self, files: Sequence[FileFacts], manifests: Mapping[str, str]) -> None:
        self.files = files
        self._numbers = {file.path: number for number, file in enumerate(files)}
        self.families = [FAMILIES.get(file.language, "") for file in files]
        self.modules = self._modules(manifests)
        namespaces = [
            self.modules[family].namespace(file.path) if family else file.path
            for file, family in zip(files, self.families, strict=True)
        ]
        self.table = SymbolTable(
            files, [f"{family}:{name}" for family, name in zip(self.families, namespaces, strict=True)]
        )
        self._imports = Imports(files, self.families, self.modules, self.table)
        self._bases: dict[tuple[str, str], list[Class]] = {}
        self._ancestors: dict[tuple[str, str], tuple[Class, ...]] = {}
        self._members: dict[tuple[Class, str, bool], Found | None] = {}
        self._enclosing: dict[int, dict[str, Class | None]] = {}
        self._resolving = 0
        self._exports: dict[tuple[str, str], Place | None] = {}
        self._asked: set[tuple[str, str]] = set()
        self.meanings = Meanings(files, self.table.namespaces)
        self._inherits = inherits_of(files, self.table.namespaces, self.meanings)
        self._bindings = [bindings_of(file.facts.bindings) for file in files]

    def _modules(self, manifests: Mapping[str, str]) -> dict[str, Modules]:
        by_family: dict[str, dict[str, tuple[str, str]]] = {}
        for file, family in zip(self.files, self.families, strict=True):
            if family:
                by_family.setdefault(family, {})[file.path] = (file.language, file.facts.package)
        return {family: modules_of(family, paths, manifests) for family, paths in by_family.items()}

    def number(self, path: str) -> int:
        """The number of a file; -1 where there is none."""
        return self._numbers.get(path, -1)

    def replaced(self, number: int) -> None:
        """Take notice that another state of a file, of which others see the same, stands in its place in `files`."""
        file = self.files[number]
        base = self.table.bases[number] + 1
        self.table.symbols[base : base + len(file.symbols)] = file.symbols
        self._bindings[number] = bindings_of(file.facts.bindings)
        self._enclosing.pop(number, None)

    def environment(self, file: int) -> Environment:
        """What the imports of a file make of names."""
        return self._imports.environment(file)

    # -- names -----------------------------------------------------------------------------------------------------

    def export(self, namespace: str, name: str, depth: int = 0) -> Place | None:
        """What a name means that is asked of a module: defined there, passed on by it, or a module inside it.

        Modules that pass on each other's names are each asked once.
        """
        if self.table.nodes(namespace, name):
            return Place(namespace, name)
        key = (namespace, name)
        if depth > MAX_DEPTH or key in self._asked:
            return None
        outermost = not self._asked
        if outermost and key in self._exports:
            return self._exports[key]
        self._asked.add(key)
        found = self._passed_on(namespace, name, depth)
        if outermost:
            self._asked.clear()
            self._exports[key] = found
        return found

    def _passed_on(self, namespace: str, name: str, depth: int) -> Place | None:
        """What a module makes of a name that it does not define."""
        head, dot, rest = name.partition(".")
        if dot:
            inner = self.export(namespace, head, depth + 1)
            return self.inside(inner, rest, depth + 1) if inner is not None else None
        family = namespace.partition(":")[0]
        for file in self.table.files_in.get(namespace, ()) if family in PASS_ON else ():
            environment = self.environment(file)
            for place in environment.names.get(name, ()):
                found = self.settled(place, depth + 1)
                if found is not None:
                    return found
            for place in environment.wildcards:
                if place.namespace != namespace or place.qualified:
                    found = self.inside(place, name, depth + 1)
                    if found is not None:
                        return found
        modules = self.modules.get(family)
        child = modules.child(namespace.partition(":")[2], name) if modules is not None else None
        if child is not None:
            return Place(f"{family}:{child}")
        return default_export(self.table, namespace) if name == "default" else None

    def inside(self, place: Place, name: str, depth: int = 0) -> Place | None:
        """A name inside a module or a type."""
        if not place.qualified:
            return self.export(place.namespace, name, depth)
        settled = self.settled(place, depth)
        if settled is None:
            return None
        if not settled.qualified:
            return self.export(settled.namespace, name, depth)
        member = f"{settled.qualified}.{name}"
        if self.table.nodes(settled.namespace, member):
            return Place(settled.namespace, member)
        # What a module exports besides the function that it is as a whole.
        is_whole = depth <= MAX_DEPTH and self._whole(settled.namespace, depth + 1) == settled
        return self.export(settled.namespace, name, depth + 1) if is_whole else None

    def settled(self, place: Place, depth: int = 0) -> Place | None:
        """Follow a place that only passes a name on to where it is defined; None where that is not in sight."""
        if not place.qualified:
            return (self._whole(place.namespace, depth + 1) if depth <= MAX_DEPTH else None) or place
        if self.table.nodes(place.namespace, place.qualified):
            return place
        return None if depth > MAX_DEPTH else self.export(place.namespace, place.qualified, depth + 1)

    def _whole(self, namespace: str, depth: int) -> Place | None:
        """What a module of JavaScript is as a whole (``module.exports = Foo``)."""
        if not namespace.startswith("ecmascript:"):
            return None
        for file in self.table.files_in.get(namespace, ()):
            for place in self.environment(file).names.get("export=", ()):
                found = self.settled(place, depth + 1)
                if found is not None and found.qualified:
                    return found
        return None

    def scopes(self, scope: str) -> Iterator[str]:
        """A scope and those around it, innermost first, without the module's."""
        while scope:
            yield scope
            scope = scope.rpartition(".")[0]

    def lookup(self, file: int, scope: str, name: str) -> Found | None:
        """What a bare name means at a scope of a file; None where nothing in sight says it."""
        table, namespace = self.table, self.table.namespaces[file]
        environment = self.environment(file)
        if name not in table.by_name and name not in environment.names and not environment.wildcards:
            return None
        implicit = self.files[file].language in IMPLICIT_THIS
        for around in self.scopes(scope):
            owner = table.is_type(namespace, around)
            if owner and implicit:
                member = self.member(Class(namespace, around), name)
                if member is not None:
                    return member
            elif (not owner or around == scope) and self._nested(file, around, name, owner=owner):
                return Found(Place(namespace, f"{around}.{name}"))
            if not owner and (around, name) in self._bindings[file]:
                return None
        local = self._in_file(file, name)
        if local is not None:
            return local
        for place in environment.names.get(name, ()):
            settled = self.settled(place)
            if settled is not None:
                return Found(settled)
        if name in environment.external or name in environment.names or name in environment.own:
            return None
        shared = self._in_namespace(file, name, environment)
        if shared is not None:
            return shared
        for place in environment.wildcards:
            inner = self.inside(place, name)
            if inner is not None:
                return Found(inner)
        return None

    def _nested(self, file: int, around: str, name: str, *, owner: bool) -> bool:
        """True where a name is defined inside `around`: what is only attached to a function
        (``Foo.prototype.bar = ...``) is no name in it."""
        table, namespace = self.table, self.table.namespaces[file]
        nodes = table.nodes(namespace, f"{around}.{name}")
        if not nodes or owner or self.families[file] != "ecmascript":
            return bool(nodes)
        return any(table.holds(outer, node) for outer in table.around(file, around) for node in nodes)

    def _in_file(self, file: int, name: str) -> Found | None:
        """A definition at the top of a file; members of JavaScript's object literals stand there without being
        names."""
        table, namespace = self.table, self.table.namespaces[file]
        members = self.families[file] == "ecmascript"
        for node in table.nodes(namespace, name):
            if table.file_of[node] == file and not (members and table.kind(node) == "method"):
                return Found(Place(namespace, name))
        return None

    def _in_namespace(self, file: int, name: str, environment: Environment) -> Found | None:
        """A definition in another file of the same namespace. Where a whole language shares one, several of a name are
        told apart by what the file includes."""
        table, namespace = self.table, self.table.namespaces[file]
        if self.families[file] == "ecmascript":
            return None  # a namespace is one file, and a member of an object literal is no name
        nodes = [node for node in table.nodes(namespace, name) if self.is_visible(node, file)]
        if not nodes:
            return None
        owners = {table.file_of[node] for node in nodes}
        if self.families[file] != "shared" or len(owners) == 1 or owners & environment.included:
            return Found(Place(namespace, name))
        return Found(Place(namespace, name), AMBIGUOUS)

    def is_visible(self, node: int, file: int) -> bool:
        """False for what only its own C file sees: a macro or a static function outside of headers."""
        table, owner = self.table, self.table.file_of[node]
        if self.files[owner].language not in ("c", "cpp") or owner == file:
            return True
        if owner in self.environment(file).included:
            return True
        symbol = table.symbols[node]
        if symbol is None or self.files[owner].path.endswith(_HEADERS):
            return True
        return symbol.kind != "macro" and not symbol.signature.startswith("static ")

    def binding(self, file: int, scope: str, name: str) -> Binding | None:
        """The innermost binding of a variable at a scope."""
        for around in (*self.scopes(scope), ""):
            found = self._bindings[file].get((around, name))
            if found is not None:
                return found
        return None

    # -- types -----------------------------------------------------------------------------------------------------

    def enclosing_class(self, file: int, scope: str) -> Class | None:
        """The type whose body or method a scope is in."""
        known = self._enclosing.setdefault(file, {})
        if scope not in known:
            found = self._work_out_enclosing(file, scope)
            if self._resolving:
                return found
            known[scope] = found
        return known[scope]

    def _work_out_enclosing(self, file: int, scope: str) -> Class | None:
        namespace = self.table.namespaces[file]
        for around in self.scopes(scope):
            if self.table.is_type(namespace, around):
                return Class(namespace, around)
        # A method whose type is written elsewhere: Go, Rust, C++ outside of the class.
        owner = scope.rpartition(".")[0]
        if not owner:
            return None
        found = self.type_named(file, "", owner)
        if found is not None or self.families[file] != "ecmascript":
            return found if found is not None else Class(namespace, owner, UNIQUE)
        # A function with a prototype, if what is asked for is attached to it and not inside of it.
        outer, inner = self.table.nodes(namespace, owner), self.table.nodes(namespace, scope)
        if any(self.table.holds(one, other) for one in outer for other in inner):
            return None
        return Class(namespace, owner, RESOLVED if outer else UNIQUE)

    def type_named(self, file: int, scope: str, name: str) -> Class | None:
        """The type that a (dotted) name means."""
        for mark in ("::", "\\", "/"):
            name = name.replace(mark, ".")
        head, dot, rest = name.strip(".").partition(".")
        found = self.lookup(file, scope, head)
        place = found.place if found is not None else None
        if place is not None and dot:
            place = self.inside(place, rest)
        if place is not None and place.qualified and self.table.is_type(place.namespace, place.qualified):
            return Class(place.namespace, place.qualified, found.confidence if found is not None else RESOLVED)
        return self._type_by_name(file, name.rpartition(".")[2]) if found is None else None

    def _type_by_name(self, file: int, name: str) -> Class | None:
        """The only type of that name, where a language lets types be used without import."""
        environment = self.environment(file)
        if self.files[file].language not in OPEN_TYPES or name in environment.external:
            return None
        keys = {
            (self.table.namespaces[self.table.file_of[node]], symbol.qualified_name)
            for node in self.table.by_name.get(name, ())
            if (symbol := self.table.symbols[node]) is not None
            and symbol.kind in TYPES
            and self.families[self.table.file_of[node]] == self.families[file]
        }
        if len(keys) != 1:
            return None
        namespace, qualified = keys.pop()
        return Class(namespace, qualified, UNIQUE)

    def bases(self, owner: Class) -> list[Class]:
        """The types a type inherits from directly, as far as they are in this repository."""
        key = (owner.namespace, owner.qualified)
        found = self._bases.get(key)
        if found is None:
            found = self._bases[key] = []  # set first: a type may inherit from itself in broken source
            self._resolving += 1
            for file, reference in self._inherits.get(key, ()):
                name = f"{reference.receiver}.{reference.name}" if reference.receiver else reference.name
                base = self.type_named(file, owner.qualified.rpartition(".")[0], name)
                if base is not None and (base.namespace, base.qualified) != key:
                    found.append(base)
            self._resolving -= 1
        return found

    def knows_all_bases(self, owner: Class) -> bool:
        """True where every base of a type and of its bases is in this repository."""
        return all(
            len(self.bases(one)) == len(self._inherits.get((one.namespace, one.qualified), ()))
            for one in self.lineage(owner)
        )

    def lineage(self, owner: Class) -> tuple[Class, ...]:
        """A type and all it inherits from, nearest first, each once."""
        key = (owner.namespace, owner.qualified)
        found = self._ancestors.get(key)
        if found is None:
            found = tuple(self._inherited(owner))
            if not self._resolving:  # while bases are looked up, some are not known yet
                self._ancestors[key] = found
        return (owner, *found)

    def _inherited(self, owner: Class) -> Iterator[Class]:
        seen = {(owner.namespace, owner.qualified)}
        pending = deque((base, 1) for base in self.bases(owner))
        while pending:
            one, depth = pending.popleft()
            key = (one.namespace, one.qualified)
            if key in seen or depth > 2 * MAX_DEPTH:
                continue
            seen.add(key)
            yield one
            pending.extend((base, depth + 1) for base in self.bases(one))

    def member(self, owner: Class, name: str, *, inherited_only: bool = False) -> Found | None:
        """A member of a type, its own or inherited."""
        if name not in self.table.by_name:
            return None
        key = (owner, name, inherited_only)
        if key in self._members:
            return self._members[key]
        found = self._member(owner, name, inherited_only)
        if not self._resolving:
            self._members[key] = found
        return found

    def _member(self, owner: Class, name: str, inherited_only: bool) -> Found | None:
        for position, one in enumerate(self.lineage(owner)):
            if inherited_only and not position:
                continue
            member = f"{one.qualified}.{name}"
            if self.table.nodes(one.namespace, member):
                return Found(Place(one.namespace, member), min(owner.confidence, one.confidence))
        return None if inherited_only else member_of_union(self, owner, name) or extension(self, owner, name)

    def field(self, owner: Class, name: str) -> tuple[int, Binding] | None:
        """The binding of a field of a type, its own or inherited, with the file that holds it."""
        for one in self.lineage(owner):
            for file in self.table.files_in.get(one.namespace, ()):
                found = self._bindings[file].get((one.qualified, name))
                if found is not None:
                    return file, found
        return None
