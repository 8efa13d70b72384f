"""What the imports of each file make of names."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from fourfold.graph.facts import FileFacts, Place
from fourfold.graph.languages import is_standard, separator
from fourfold.graph.modules.ecmascript import EcmaModules
from fourfold.graph.modules.shared import SharedModules

if TYPE_CHECKING:
    from fourfold.graph.modules import Modules
    from fourfold.graph.table import SymbolTable
    from fourfold.model.reference import Import

_GO_VERSION = re.compile(r"[/.]v\d+$")
"""The version at the end of a path is no part of the package's name: ``github.com/go-chi/chi/v5``, ``yaml.v3``."""


@dataclass(slots=True)
class Environment:
    """What a file's imports make of names: `names` in this repository, `wildcards` whose every name counts, `external`
    names from elsewhere (of them `standard` ones from the language's own library, `whole` modules), `own` names that
    should be in this repository and are not found, `included` files whose definitions come first (C, Ruby, Bash)."""

    names: dict[str, list[Place]] = field(default_factory=dict)
    wildcards: list[Place] = field(default_factory=list)
    external: set[str] = field(default_factory=set)
    standard: set[str] = field(default_factory=set)
    whole: set[str] = field(default_factory=set)
    own: set[str] = field(default_factory=set)
    included: set[int] = field(default_factory=set)
    outside: bool = False


class Imports:
    """The environments of `files`, each made when it is first asked for. `families` has the family of each file."""

    def __init__(
        self, files: Sequence[FileFacts], families: Sequence[str], modules: Mapping[str, Modules], table: SymbolTable
    ) -> None:
        self.files = files
        self.families = families
        self.modules = modules
        self.table = table
        self._numbers = {file.path: number for number, file in enumerate(files)}
        self._environments: dict[int, Environment] = {}

    def environment(self, file: int) -> Environment:
        """What the imports of a file make of names."""
        found = self._environments.get(file)
        if found is None:
            found = self._environments[file] = Environment()
            for one in self.files[file].facts.imports:
                self._take_import(found, file, one)
        return found

    def _take_import(self, environment: Environment, file: int, one: Import) -> None:
        family = self.families[file]
        modules = self.modules.get(family)
        if modules is None:
            return
        if isinstance(modules, SharedModules):
            environment.included.update(
                self._numbers[path] for path in modules.files(self.files[file].path, one.module)
            )
        places = self._places(file, modules, one)
        if one.name == "*" and not one.alias:
            environment.wildcards.extend(places)
            environment.outside |= not places
            return
        local = one.alias or one.name or self._declared(family, places) or self._local_name(family, one.module)
        if places:
            environment.names.setdefault(local, []).extend(places)
        elif (
            local and one.name and isinstance(modules, EcmaModules) and modules.owns(self.files[file].path, one.module)
        ):
            environment.own.add(local)
        elif local:
            environment.external.add(local)
            if is_standard(family, one.module):
                environment.standard.add(local)
            if not one.name:
                environment.whole.add(local)

    def _declared(self, family: str, places: Sequence[Place]) -> str:
        """What a package of Go calls itself, whatever the last part of its path."""
        if family != "go" or not places:
            return ""
        return next((self.files[file].facts.package for file in self.table.files_in.get(places[0].namespace, ())), "")

    def _local_name(self, family: str, module: str) -> str:
        """The name under which an import of a whole module is known: ``import a.b`` binds ``a`` in Python and ``b``
        elsewhere."""
        if family == "python":
            return module.partition(".")[0]
        if family == "go":
            module = _GO_VERSION.sub("", module)
        last = module.replace("\\", "/").replace("::", "/").rpartition("/")[2]
        return last.rpartition(".")[2] if family in ("packages", "shared", "paths") else last

    def _places(self, file: int, modules: Modules, one: Import) -> list[Place]:
        family, path = self.families[file], self.files[file].path
        name = "" if one.name == "*" else one.name
        module = one.module
        if family == "python" and not one.name and not one.alias:
            module = module.partition(".")[0]
        if family == "ecmascript" and not module:
            return [Place(self.table.namespaces[file], name)]
        found = [Place(f"{family}:{target}", name) for target in modules.targets(path, module)]
        if found:
            return [self._module_inside(family, modules, place) for place in found]
        # The end of the path may name a type or a function of the module before it.
        mark = separator(self.files[file].language)
        head, rest = module, name
        while mark and mark in head:
            head, _, last = head.rpartition(mark)
            rest = f"{last}.{rest}" if rest else last
            targets = modules.targets(path, head)
            if targets:
                return [Place(f"{family}:{target}", rest) for target in targets]
        if isinstance(modules, SharedModules):
            wanted = ".".join(part for part in (module.replace("::", ".").replace("\\", "."), name) if part)
            if self.table.nodes(self.table.namespaces[file], wanted):
                return [Place(self.table.namespaces[file], wanted)]
        return []

    def _module_inside(self, family: str, modules: Modules, place: Place) -> Place:
        """``from package import module``: the module itself, where the package defines no such name."""
        if place.qualified and "." not in place.qualified and not self.table.nodes(place.namespace, place.qualified):
            child = modules.child(place.namespace.partition(":")[2], place.qualified)
            if child is not None:
                return Place(f"{family}:{child}")
        return place
