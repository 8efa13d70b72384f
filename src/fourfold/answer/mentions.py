"""Lines that name a symbol and that the graph does not count, shown where it counts few."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from fourfold.answer.claim import Claim, Section
from fourfold.answer.prose import code, name_of
from fourfold.pipeline.run import run_grep
from fourfold.pipeline.structure.items import is_test
from fourfold.retrieve.patterns import compile_pattern
from fourfold.syntax.languages.registry import LANGUAGES

if TYPE_CHECKING:
    from fourfold.answer.scene import Scene
    from fourfold.model.structure import UsageItem
    from fourfold.model.symbol import Symbol

FEW = 8
"""Where the graph knows as many references (tests aside, unless they are asked for), lines that only name the symbol
are not shown."""
LOOKED_AT = 400
SHOWN = 12
_DIRECTIONS = frozenset({"callers", "uses", "importers", "tests", "inheritors"})
_COMMENT = re.compile(r"\s*(?:#(?!include)|//|/?\*|--|;;|%|<!--|\.\.)")


def named(scene: Scene, name: str, direction: str, known: Sequence[UsageItem]) -> list[Section]:
    """The lines of code that name a symbol, ordinary source first, those without its references and definitions."""
    if direction not in _DIRECTIONS or sum(direction == "tests" or not item.is_test for item in known) >= FEW:
        return []
    bare = re.split(r"[.:#]", name)[-1]
    pattern = compile_pattern(bare, literal=True, word=True)
    found = run_grep(
        scene.structure.searcher, root=scene.structure.root, pattern=pattern, filters=scene.filters, limit=LOOKED_AT
    )
    seen = {(item.at or item.path, item.line) for item in known}
    lines = [
        line
        for line in found.lines
        if (line.path, line.line) not in seen and _fits(direction, bare, line.path, line.text, line.language)
    ]
    lines.sort(key=lambda line: -scene.structure.worth(line.path))
    claims = []
    for line in lines:
        holder = inmost(scene.symbols(line.path), line.line)
        if holder is not None and holder.name == bare and line.line < holder.start_line + 3:
            continue  # its definition
        where = f" in {name_of(holder.qualified_name, holder.kind)}" if holder is not None else ""
        evidence = scene.pages.evidence(line.path, line.line, line.line, holder.qualified_name if holder else "")
        text = f"{code(f'{line.path}:{line.line}')}{where}: {code(evidence.quote)}"
        claims.append(Claim(text, (evidence,), bullet=True))
    lead = "Lines of code that name it; the index could not trace whether they mean it:"
    return [Section(lead, claims[:SHOWN], max(len(claims) - SHOWN, 0))] if claims else []


def inmost(symbols: Sequence[Symbol], line: int) -> Symbol | None:
    """The smallest definition around a line."""
    around = [one for one in symbols if one.start_line <= line <= one.end_line and one.kind != "section"]
    return min(around, key=lambda one: one.end_line - one.start_line, default=None)


def _fits(direction: str, name: str, path: str, text: str, language: str) -> bool:
    """Whether a line that holds a name may be such a reference."""
    known = LANGUAGES.get(language)
    if known is None or known.family not in ("code", "component", "notebook") or _COMMENT.match(text):
        return False
    imports = re.search(r"\b(?:import|require|use|using|include)\b", text) is not None
    if direction == "importers":
        return imports
    if direction == "tests":
        return is_test(path) and not imports
    if direction == "inheritors":
        words = r"class|interface|struct|trait|extends|implements"
        return re.search(rf"\b(?:{words})\b.*\b{re.escape(name)}\b", text) is not None
    return not imports
