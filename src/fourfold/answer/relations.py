"""Who refers to a symbol and what a change of it reaches, in words; how places of an answer hang together."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from fourfold.answer.claim import Claim, Section
from fourfold.answer.describe import defined
from fourfold.answer.mentions import named
from fourfold.answer.prose import agrees, code, count, listed, name_of
from fourfold.graph.facts import CONFIDENCES, UNIQUE
from fourfold.pipeline.structure.items import is_test
from fourfold.pipeline.structure.reach import reach
from fourfold.pipeline.structure.usages import usages

if TYPE_CHECKING:
    from fourfold.answer.places import Place
    from fourfold.answer.scene import Scene
    from fourfold.model.structure import SymbolItem, UsageItem

FOUND = 200
"""References that are counted."""
SHOWN = 15
POSSIBLE_SHOWN = 4
DEPTH = 3
UNRESOLVED_SHOWN = 5
TEST = 2
"""The rank of a test that refers to something: where there is little room, what is no test goes before it."""
LAST = 100
"""The rank of what is told where there is room: places go before relations between them."""
CONNECTED = 6
"""Relations between the places of an answer that are told."""
ANCHORS = 2
"""Definitions of one name that are described before its uses."""

LEADS = {
    "callers": "{name} is called in {places}:",
    "callees": "{name} calls {names}:",
    "inherits": "{name} inherits from {names}:",
    "inheritors": "{names} from {name}:",
    "imports": "The file of {name} imports:",
    "importers": "{name} is imported in {places}:",
    "tests": "{name} is reached by {tests}:",
    "overrides": "{name} overrides or is overridden in {places}:",
    "uses": "{name} is used in {places}:",
}
NOTHING = {
    "callers": "No call of {name} could be traced.",
    "callees": "{name} calls nothing that is defined here, as far as the index can tell.",
    "inherits": "{name} inherits from nothing that is defined here.",
    "inheritors": "Nothing inherits from {name}, as far as the index can tell.",
    "imports": "The file of {name} imports nothing that is defined here.",
    "importers": "No import of {name} could be traced.",
    "tests": "No test that reaches {name} could be traced.",
    "overrides": "{name} overrides nothing and nothing overrides it.",
    "uses": "No use of {name} could be traced.",
}

NOTES = {"inherits": "inherits", "imports": "imports", "references": "refers to it"}


def references(scene: Scene, name: str, direction: str) -> list[Section]:
    """The definition of a name and its references in one direction; [] where the name is not known."""
    found = usages(scene.structure, name, direction, scene.filters, FOUND)
    if not found.symbols and not found.items and not found.possible:
        return []
    shown = code(name)
    sections = [Section(claims=_anchors(scene, found.symbols))]
    items, of_file = _apart(found.items, name, found.symbols)
    if items:
        claims = claims_of(scene, items, direction)
        number = len({item.symbol for item in items})
        names = count(number, "definition")
        if direction == "inheritors":
            names = f"{count(number, 'type')} {agrees(number, 'inherit')}"
        least = "at least " if len(found.items) == FOUND else ""
        files = count(len({_file(item) for item in items}), "file")
        lead = LEADS[direction].format(
            name=shown,
            places=f"{least}{count(len(items), 'place')} in {files}",
            names=least + names,
            tests=least + count(len(items), "test"),
        )
        sections.append(Section(lead, claims[:SHOWN], max(len(claims) - SHOWN, 0)))
    else:
        sections[0].lead = NOTHING[direction].format(name=shown)
    if of_file:
        claims = claims_of(scene, of_file, direction)
        lead = f"The file of {shown} is imported whole, by files that use it, in {count(len(of_file), 'place')}:"
        sections.append(Section(lead, claims[:POSSIBLE_SHOWN], max(len(claims) - POSSIBLE_SHOWN, 0)))
    if found.possible and direction == "callees":
        sections.append(Section(claims=[_unresolved(scene, found.possible)]))
    elif found.possible:
        most = POSSIBLE_SHOWN if found.items else SHOWN
        sections.append(_possible(scene, found.possible, direction, most))
    return [*sections, *named(scene, name, direction, found.items + found.possible)]


def effects(scene: Scene, name: str) -> list[Section]:
    """What a change of a symbol reaches, nearest first; [] where the name is not known."""
    found, by_depth, files, tests, _ = reach(scene.structure, name, "callers", scene.filters, depth=DEPTH, limit=FOUND)
    if not found.symbols and not found.items:
        return []
    shown = code(name)
    sections = [Section(claims=_anchors(scene, found.symbols))]
    total = sum(by_depth.values())
    if not total:
        sections[0].lead = f"Nothing that uses {shown} could be traced."
    else:
        tested = f", among them {count(tests, 'test')}" if tests else ""
        steps = f"within {DEPTH} steps" if len(by_depth) > 1 else "directly"
        sections[
            0
        ].lead = f"A change of {shown} reaches {count(total, 'definition')} in {count(files, 'file')} {steps}{tested}."
    direct = [one for one in found.items if one.depth == 1]
    for depth in sorted(by_depth, key=int):
        items = [item for item in found.items if str(item.depth) == depth]
        items.sort(key=lambda item: item.relation == "imports")  # that a file is imported says least
        most = SHOWN if depth == "1" else SHOWN // 3
        told = claims_of(scene, items, "callers", via=depth != "1")
        claims = [replace(one, rank=one.rank + int(depth) - 1) for one in told]
        lead = f"Directly ({by_depth[depth]:,}):" if depth == "1" else f"In {depth} steps ({by_depth[depth]:,}):"
        sections.append(Section(lead, claims[:most], max(by_depth[depth] - min(len(claims), most), 0)))
        if depth == "1":
            sections += named(scene, name, "uses", [*direct, *found.possible])
    if found.possible:
        sections.append(_possible(scene, found.possible, "callers"))
    return sections if direct else [*sections, *named(scene, name, "uses", found.possible)]


def connections(scene: Scene, places: Sequence[Place]) -> Section:
    """Which of the places call, inherit from or refer to each other, with the line that does."""
    graph = scene.structure.graph
    nodes: dict[int, SymbolItem] = {}
    for one in places:
        if one.item is not None:
            node = graph.find(one.item.path, one.item.symbol, one.item.start_line)
            if node >= 0:
                nodes[node] = one.item
    claims: list[Claim] = []
    told: set[tuple[str, str, str]] = set()
    for node, item in nodes.items():
        for inner in (node, *graph.members(node)):
            source = graph.node(inner)
            for edge in graph.outgoing(inner, ("calls", "inherits")):
                target = nodes.get(edge.target)
                key = (source.name, edge.kind, target.symbol if target else "")
                if target is None or target == item or edge.confidence < UNIQUE or not edge.line or key in told:
                    continue
                told.add(key)
                verb = "calls" if edge.kind == "calls" else "inherits from"
                line = scene.pages.evidence(source.path, edge.line, edge.line, source.name)
                sure = CONFIDENCES[edge.confidence]
                text = f"{name_of(source.name, source.kind)} {verb} {name_of(target.symbol, target.kind)}"
                claims.append(Claim(f"{text} ({_words(sure)}): {code(line.quote)}", (line,), bullet=True, rank=LAST))
    return Section("How they hang together:", claims[:CONNECTED], max(len(claims) - CONNECTED, 0))


def _apart(
    items: Sequence[UsageItem], name: str, symbols: Sequence[SymbolItem]
) -> tuple[list[UsageItem], list[UsageItem]]:
    """References to a symbol, and imports of its file as a whole."""
    known = {name, *(symbol.symbol for symbol in symbols)}
    bare = re.compile(rf"(?<!\w){re.escape(re.split(r'[.:#]', name)[-1])}(?!\w)")
    if not symbols:
        return list(items), []  # the name is that of a file
    own = [one for one in items if one.relation != "imports" or one.via in known or bare.search(one.text)]
    kept = {id(one) for one in own}
    return own, [one for one in items if id(one) not in kept]


def _anchors(scene: Scene, symbols: Sequence[SymbolItem]) -> list[Claim]:
    """The definitions that are asked about, as sentences, or as a list where there are several."""
    several = len(symbols) > 1
    claims = [
        replace(defined(scene, item), bullet=several, rank=TEST if several and is_test(item.path) else 0)
        for item in symbols[:ANCHORS]
    ]
    return [*claims, *_others(scene, symbols[ANCHORS:])] if len(symbols) > ANCHORS else claims


def _possible(scene: Scene, items: Sequence[UsageItem], direction: str, most: int = POSSIBLE_SHOWN) -> Section:
    """References whose owner the source does not tell."""
    claims = claims_of(scene, items, direction)
    lead = f"{count(len(items), 'further place')} may mean it; the source does not tell whose it is:"
    return Section(lead, claims[:most], max(len(claims) - most, 0))


def _unresolved(scene: Scene, items: Sequence[UsageItem]) -> Claim:
    """Names that are called and that nothing here surely defines, in one sentence."""
    first = {item.symbol: item for item in reversed(items)}
    shown = sorted(first.values(), key=lambda item: item.line)[:UNRESOLVED_SHOWN]
    more = f" and {len(first) - len(shown)} more" if len(first) > len(shown) else ""
    names = [code(item.symbol) for item in shown]
    return Claim(
        f"It also calls names that nothing here surely defines: {', '.join(names) + more if more else listed(names)}.",
        tuple(scene.pages.evidence(_file(item), item.line, item.line) for item in shown),
    )


def _others(scene: Scene, items: Sequence[SymbolItem]) -> Iterable[Claim]:
    """Further definitions of a name in one sentence."""
    shown = items[:ANCHORS]
    places = ", ".join(code(f"{item.path}:{item.start_line}") for item in shown)
    more = f" and {len(items) - len(shown)} more" if len(items) > len(shown) else ""
    heads = tuple(scene.pages.head(item) for item in shown)
    yield Claim(f"The same name is also defined in {places}{more}.", heads, bullet=True)


def claims_of(scene: Scene, items: Sequence[UsageItem], direction: str, *, via: bool = False) -> list[Claim]:
    """One claim a definition that refers (or is referred to), with the line of its first reference."""
    first: dict[tuple[str, str], UsageItem] = {}
    counts: dict[tuple[str, str], int] = {}
    for item in items:
        key = (item.path, item.symbol)
        first.setdefault(key, item)
        counts[key] = counts.get(key, 0) + 1
    outward = direction in ("callees", "inherits", "imports")
    return [_claim(scene, item, counts[key], outward=outward, via=via) for key, item in first.items()]


def _claim(scene: Scene, item: UsageItem, times: int, *, outward: bool, via: bool) -> Claim:
    path = _file(item)
    holder = item.symbol if not outward else ""
    line = scene.pages.evidence(path, item.line, item.line, holder)
    name = name_of(item.symbol, item.kind) if item.symbol else f"module level of {code(item.path)}"
    where = code(f"{path}:{item.line}")
    notes = []
    if outward and item.kind and item.kind != "file":
        notes.append(f"defined in {code(f'{item.path}:{item.start_line}')}")
    if item.relation not in ("calls", "tests") or outward:
        notes.append(NOTES.get(item.relation, ""))
    if via and item.via:
        notes.append(f"through {code(item.via)}")
    if item.confidence != "resolved":
        notes.append(_words(item.confidence))
    if item.is_test:
        notes.append("test")
    if times > 1:
        notes.append(f"{times} times")
    said = f", {', '.join(filter(None, notes))}" if any(notes) else ""
    return Claim(f"{name} ({where}{said}): {code(line.quote)}", (line,), bullet=True, rank=TEST if item.is_test else 0)


def _file(item: UsageItem) -> str:
    return item.at or item.path


def _words(confidence: str) -> str:
    return {
        "resolved": "resolved",
        "unique": "by its unique name",
        "ambiguous": "one of several of that name",
        "unresolved": "unresolved name",
    }[confidence]
