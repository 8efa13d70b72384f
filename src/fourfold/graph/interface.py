"""What other files may see of a file: all that its edges and theirs depend on besides its own uses of names."""

from __future__ import annotations

from dataclasses import replace

from fourfold.graph.facts import FileFacts
from fourfold.graph.modules import FAMILIES
from fourfold.model.chunk import FUNCTION_KINDS


def interface_of(file: FileFacts) -> tuple[object, ...]:
    """Equal for two states of a file between which nothing changed that another file may see.

    Lines count only by their order: they say what holds what.
    """
    facts = file.facts
    lines = sorted({line for one in file.symbols for line in (one.start_line, one.end_line)})
    place = {line: number for number, line in enumerate(lines)}
    symbols = tuple(
        (one.qualified_name, one.kind, one.signature, one.decorators, place[one.start_line], place[one.end_line])
        for one in file.symbols
    )
    # A function of JavaScript may be a type: what is bound in it may be a field.
    hidden = {one.qualified_name for one in file.symbols if one.kind in FUNCTION_KINDS}
    if FAMILIES.get(file.language) == "ecmascript":
        hidden = set()
    return (
        file.path,
        file.language,
        facts.package,
        symbols,
        tuple((one.module, one.name, one.alias, one.scope, one.reexport) for one in facts.imports),
        tuple((one.scope, one.name, one.type, one.source) for one in facts.bindings if one.scope not in hidden),
        facts.returns,
        tuple((one.scope, one.name, one.receiver) for one in facts.references if one.kind == "inherit"),
    )


def without_uses(file: FileFacts) -> FileFacts:
    """A file without what only its own edges depend on."""
    kept = tuple(one for one in file.facts.references if one.kind == "inherit")
    return replace(file, facts=replace(file.facts, references=kept))
