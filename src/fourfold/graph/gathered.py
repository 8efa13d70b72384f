"""What all files say together: bases of types, types of variables, members that are added elsewhere."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from fourfold.graph.facts import RESOLVED, UNIQUE, Place

if TYPE_CHECKING:
    from fourfold.graph.facts import Class, FileFacts
    from fourfold.graph.meanings import Meanings
    from fourfold.graph.table import SymbolTable
    from fourfold.graph.world import Found, World
    from fourfold.model.reference import Binding, Reference


def inherits_of(
    files: Sequence[FileFacts], namespaces: Sequence[str], meanings: Meanings
) -> dict[tuple[str, str], list[tuple[int, Reference]]]:
    """By (namespace, qualified name) of a type: (file, reference) of each base that it names."""
    found = {key: list(bases) for key, bases in meanings.bases.items()}
    for number, file in enumerate(files):
        for reference in file.facts.references:
            if reference.kind == "inherit":
                found.setdefault((namespaces[number], reference.scope), []).append((number, reference))
    return found


def bindings_of(bindings: Sequence[Binding]) -> dict[tuple[str, str], Binding]:
    """By (scope, name) of a variable what tells its type, a declaration before all else."""
    found: dict[tuple[str, str], Binding] = {}
    for binding in bindings:
        if binding.source == "meaning":
            continue
        known = found.get((binding.scope, binding.name))
        if known is None or (known.source != "annotation" and binding.source == "annotation"):
            found[(binding.scope, binding.name)] = binding
    return found


def extension(world: World, owner: Class, name: str) -> Found | None:
    """A member that another file or module of the same language adds to a type (Rust ``impl``, Swift and Kotlin
    extensions), where only one of that type's name has it."""
    bare = owner.qualified.rpartition(".")[2]
    family = owner.namespace.partition(":")[0]
    if family not in ("rust", "shared", "packages"):
        return None
    found = {
        (world.table.namespaces[world.table.file_of[node]], symbol.qualified_name)
        for node in world.table.by_name.get(name, ())
        if (symbol := world.table.symbols[node]) is not None
        and symbol.parent.rpartition(".")[2] == bare
        and world.families[world.table.file_of[node]] == family
    }
    if len(found) != 1:
        return None
    from fourfold.graph.world import Found

    return Found(Place(*found.pop()), min(owner.confidence, RESOLVED if family == "rust" else UNIQUE))


def default_export(table: SymbolTable, namespace: str) -> Place | None:
    """The default export of a module: what says so, else its only outer definition."""
    outer = [
        (symbol.name, symbol.signature)
        for nodes in table.defined.get(namespace, {}).values()
        for node in nodes
        if (symbol := table.symbols[node]) is not None and not symbol.parent
    ]
    marked = [name for name, signature in outer if "export default" in signature]
    chosen = marked[:1] or ([outer[0][0]] if len(outer) == 1 else [])
    return Place(namespace, chosen[0]) if chosen else None
