"""One definition in words: where it is, what it says of itself, what it does as far as the graph knows."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from fourfold.answer.claim import SPARE, Claim, Evidence
from fourfold.answer.prose import code, first_sentence, folded, listed, name_of
from fourfold.graph.facts import CONFIDENCES, UNIQUE
from fourfold.model.chunk import TYPE_KINDS

if TYPE_CHECKING:
    from fourfold.answer.places import Place
    from fourfold.answer.scene import Scene
    from fourfold.model.structure import SymbolItem

SHORT_LINE = 30
"""A line of text with fewer characters is quoted with the one above it."""
HEAD_LINES = 20
SAYS_SOMETHING = 8
"""Letters and digits of a line that says something."""
PART_LATER = 3
"""Places that go before a definition that was not found itself, where an answer has no room for all."""
CALLS_OF = 3
"""Places of which it may be told what they call."""
CALLS_NAMED = 3
"""Calls, bases or methods that a sentence names."""


def defined(scene: Scene, item: SymbolItem) -> Claim:
    """``X is a class in path:line: signature. Its documentation: ...``"""
    sentence = first_sentence(item.doc)
    evidence = scene.pages.documented(item, sentence) if sentence else scene.pages.head(item)
    line = scene.pages.named_line(item)
    text = f"{name_of(item.symbol, item.kind)} ({_kind(item)}) is defined in {code(f'{item.path}:{line}')}"
    if item.signature:
        text += f" as {code(item.signature)}"
    text += f". {sentence}" if sentence else "."
    if item.routes:
        text += f" It answers {listed([code(route) for route in item.routes[:CALLS_NAMED]])}."
    return Claim(text, (evidence,))


def bases(scene: Scene, item: SymbolItem) -> Claim | None:
    """What a type inherits from, where that is known."""
    found = _edges(scene, item, ("inherits",))
    if not found:
        return None
    evidence = tuple(scene.pages.evidence(item.path, line, line, item.symbol) for _, line, _ in found)
    return Claim(f"It inherits from {listed([code(name) + _sure(sure) for name, _, sure in found])}.", evidence)


def works(scene: Scene, item: SymbolItem) -> Claim | None:
    """What a function calls, or which methods a type has."""
    if item.kind in TYPE_KINDS:
        inner = [one for one in scene.symbols(item.path) if one.parent == item.symbol and not one.name.startswith("_")]
        inner = [one for one in inner if one.kind in ("method", "function")]
        if not inner:
            return None
        told = inner if len(inner) <= CALLS_NAMED + 1 else [one for one in inner if one.doc] or inner
        shown = sorted(told[: CALLS_NAMED + 1], key=lambda one: one.start_line)
        heads = [scene.structure.item(item.path, one) for one in shown]
        verb = "are" if len(shown) > 1 else "is"
        more = f"Among its {len(inner)} public methods {verb}"
        if len(inner) == len(shown):
            more = f"Its public {'methods are' if len(shown) > 1 else 'method is'}"
        text = f"{more} {listed([code(one.name + '()') for one in shown])}."
        return Claim(text, tuple(scene.pages.head(head) for head in heads))
    found = _edges(scene, item, ("calls",))
    if not found:
        return None
    evidence = tuple(scene.pages.evidence(item.path, line, line, item.symbol) for _, line, _ in found)
    return Claim(f"It calls {listed([code(name + '()') + _sure(sure) for name, _, sure in found])}.", evidence)


def place(scene: Scene, found: Place, *, named: bool = False) -> Claim:
    """``- X (method, path:line)``, for a place that the search found, at more length what it does (of the first ones
    also what they call); without the path where that has been `named` above."""
    item = found.item
    if item is None or item.kind in ("section", "config", "block", "window", "cell", "file"):
        claim = _passage(scene, found, named=named)
    else:
        brief = found.part or found.rank >= CALLS_OF
        line = scene.pages.named_line(item)
        own = (scene.pages.evidence(item.path, line, line, item.symbol),)
        longer = described(scene, item, found, brief=brief, named=named)
        claim = Claim(_head(scene, item, named=named), own, bullet=True, longer=longer)
    if found.near:
        return replace(claim, rank=SPARE + found.rank)
    return replace(claim, rank=1 + found.rank + (PART_LATER if found.part else 0))


def described(
    scene: Scene, item: SymbolItem, found: Place | None = None, *, brief: bool = False, named: bool = False
) -> Claim:
    """A definition and what it does, as an item of a list: what its documentation says, else what it calls or holds
    (unless it is to be `brief`), else the line of `found` that tells most."""
    if item.kind == "file":
        return _file(scene, item)
    sentence = first_sentence(item.doc)
    head = _head(scene, item, named=named)
    if sentence:
        return Claim(f"{head}: {sentence}", (scene.pages.documented(item, sentence),), bullet=True)
    own = scene.pages.head(item)
    doing = None if brief else works(scene, item)
    if doing is not None:
        said = doing.text[:1].lower() + doing.text[1:]
        return Claim(f"{head}: {code(item.signature)}; {said}", (own, *doing.evidence), bullet=True)
    telling = _telling(scene, found, own) if found is not None else None
    if telling is not None:
        said = f"{code(item.signature)}; line {telling.start_line} is {code(telling.quote)}"
        return Claim(f"{head}: {said}", (own, telling), bullet=True)
    return Claim(f"{head}: {code(item.signature or own.quote)}", (own,), bullet=True)


def _head(scene: Scene, item: SymbolItem, *, named: bool) -> str:
    """``X (method, path:line)``, without the path where it is named above."""
    line = scene.pages.named_line(item)
    where = f"line {line}" if named else code(f"{item.path}:{line}")
    return f"{name_of(item.symbol, item.kind)} ({_kind(item)}, {where})"


def _file(scene: Scene, item: SymbolItem) -> Claim:
    """A file by its first line that says something."""
    lines = scene.pages.lines(item.path)[:HEAD_LINES]
    first = next((at for at, line in enumerate(lines, 1) if sum(map(str.isalnum, line)) >= SAYS_SOMETHING), 1)
    evidence = scene.pages.evidence(item.path, first, first)
    return Claim(f"{code(item.path)} (file): {code(evidence.quote)}", (evidence,), bullet=True)


def _telling(scene: Scene, found: Place, own: Evidence) -> Evidence | None:
    """The line of a place that holds most words of the question, below its head."""
    lines = [line for line in found.result.matched_lines if not own.start_line <= line <= own.end_line]
    item = found.item
    lines = [line for line in lines if item is None or item.start_line <= line <= item.end_line]
    return scene.pages.evidence(own.path, lines[0], lines[0], own.symbol) if lines else None


def _passage(scene: Scene, found: Place, *, named: bool) -> Claim:
    """A place that is no definition: its heading or first lines, and the line that tells most."""
    result = found.result
    lines = [line for line in result.matched_lines if any(map(str.isalnum, scene.pages.line(result.path, line)))]
    start = lines[0] if lines else result.start_line
    first = start
    if len(scene.pages.line(result.path, start).strip()) < SHORT_LINE:
        first = max(result.start_line, start - 1)  # half a sentence tells little
    evidence = scene.pages.evidence(result.path, first, start, result.symbol)
    title = f"{folded(result.symbol)}, " if result.symbol and result.kind == "section" else ""
    lines_ = f"{result.start_line}-{result.end_line}"
    where = f"{title}lines {lines_}" if named else f"{title}{code(f'{result.path}:{lines_}')}"
    return Claim(f"{where}: {code(evidence.quote)}", (evidence,), bullet=True)


def _kind(item: SymbolItem) -> str:
    async_ = "async " if "async" in item.modifiers else ""
    return f"{async_}{item.stereotype or item.kind}"


def _edges(scene: Scene, item: SymbolItem, kinds: tuple[str, ...]) -> list[tuple[str, int, int]]:
    """(name, line, confidence) of what a definition refers to surely, each once, in the order of the source."""
    graph = scene.structure.graph
    node = graph.find(item.path, item.symbol, item.start_line)
    if node < 0:
        return []
    best: dict[str, tuple[str, int, int]] = {}
    for edge in sorted(graph.outgoing(node, kinds), key=lambda edge: edge.line):
        if edge.confidence >= UNIQUE and edge.target != node and edge.line:
            name = graph.name(edge.target)
            best.setdefault(name, (name, edge.line, edge.confidence))
    return list(best.values())[:CALLS_NAMED]


def _sure(confidence: int) -> str:
    """The confidence of a relation, where it is not the highest."""
    return "" if CONFIDENCES[confidence] == "resolved" else f" ({CONFIDENCES[confidence]} by name)"
