"""The graph's answers beside the truth: which calls lead where, and how often that is right.

A call of `name` is asked of the graph by its line: edges of the definitions around it, on that line, to a definition of
that name. Facts keep the first three of identical calls of a function; a later one counts as found where an edge of the
same function leads to a target. An edge hits a target when the file is the same, the target's line lies in the
definition and the bare names agree: of two overloads only the right one counts.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.metrics import RESAMPLES
from benchmarks.structure.site import SEED, Place, Site
from fourfold.graph.build import build_graph
from fourfold.graph.facts import RESOLVED, FileFacts
from fourfold.graph.graph import Graph, Node
from fourfold.graph.modules.manifest import MANIFEST_NAMES
from fourfold.model.reference import Facts
from fourfold.syntax.languages import language_of
from fourfold.syntax.parse import parse_file

SKIPPED = frozenset({"node_modules", ".git", "dist"})
MAX_BYTES = 1_000_000

RIGHT, WRONG, OPEN, MISSED = "right", "wrong", "unsure", "missed"
"""Verdicts: a resolved edge to a target; a resolved edge elsewhere; an edge to a target by the name alone; none."""
_LEADING = ("calls", "references")


@dataclass(frozen=True, slots=True)
class Judged:
    """A call with the verdict on it and what the graph said: resolved definitions called as it is, on its line."""

    site: Site
    verdict: str
    told: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Share:
    """A share of `count`, with its 95 % interval."""

    count: int
    value: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{self.value:.3f} [{self.low:.3f}, {self.high:.3f}]"


def sources(root: Path) -> Iterator[tuple[str, str, str]]:
    """(path, text, language) of the source files below a folder, by path."""
    for path in sorted(root.rglob("*"), key=lambda one: one.relative_to(root).as_posix()):
        if not path.is_file() or SKIPPED & set(path.relative_to(root).parts) or path.stat().st_size > MAX_BYTES:
            continue
        text = path.read_bytes().decode("utf-8", "replace").replace("\r\n", "\n").replace("\r", "\n")
        language = language_of(path.name, text[:500])
        if language:
            yield path.relative_to(root).as_posix(), text, language


def graph_below(root: Path) -> Graph:
    """The graph of all source below a folder, as an index builds it."""
    files, manifests = [], {}
    for path, text, language in sources(root):
        if path.rpartition("/")[2] in MANIFEST_NAMES:
            manifests[path] = text
        parsed = parse_file(path, text, language)
        files.append(FileFacts(path, parsed.language, parsed.symbols, parsed.facts or Facts()))
    files.sort(key=lambda one: one.path)
    return Graph(build_graph(files, manifests), [file.path for file in files])


def judge(graph: Graph, sites: Iterable[Site]) -> list[Judged]:
    """The verdict on each site whose file the graph knows."""
    return [_judged(graph, site) for site in sites if graph.file_node(site.path) >= 0]


def _judged(graph: Graph, site: Site) -> Judged:
    edges = [
        (edge, graph.node(edge.target)) for node in _around(graph, site) for edge in graph.outgoing(node, _LEADING)
    ]
    hits = [(edge, node) for edge, node in edges if any(_is_hit(node, target) for target in site.targets)]
    there = [(edge, node) for edge, node in hits if edge.line == site.line] or hits
    told = tuple(
        node
        for edge, node in edges
        if edge.line == site.line and edge.kind == "calls" and edge.confidence == RESOLVED and _bare(node) == site.name
    )
    if any(edge.confidence == RESOLVED for edge, _ in there):
        return Judged(site, RIGHT, told)
    if told:
        return Judged(site, WRONG, told)
    return Judged(site, OPEN if there else MISSED, told)


def _around(graph: Graph, site: Site) -> list[int]:
    inside = [
        number
        for number in graph.nodes_of(site.path)
        if graph.node(number).start_line <= site.line <= graph.node(number).end_line
    ]
    return [graph.file_node(site.path), *inside]


def _is_hit(node: Node, target: Place) -> bool:
    return node.path == target.path and node.start_line <= target.line <= node.end_line and _bare(node) == target.name


def _bare(node: Node) -> str:
    return node.name.rpartition(".")[2]


def precision(judged: Sequence[Judged]) -> Share:
    """Of the calls with a resolved edge, those where it is right; calls that lead out of the corpus count."""
    return _share([(one.site.path, one.verdict == RIGHT) for one in judged if one.verdict in (RIGHT, WRONG)])


def recall(judged: Sequence[Judged], verdicts: frozenset[str] = frozenset({RIGHT})) -> Share:
    """Of the calls with a target in the corpus, those with one of the verdicts."""
    return _share([(one.site.path, one.verdict in verdicts) for one in judged if one.site.targets])


def _share(marks: Sequence[tuple[str, bool]]) -> Share:
    """A share with a bootstrap interval over files: calls of one file are wrong together."""
    if not marks:
        return Share(0, 0.0, 0.0, 0.0)
    by_file: dict[str, list[bool]] = {}
    for path, mark in marks:
        by_file.setdefault(path, []).append(mark)
    groups = [(sum(one), len(one)) for one in by_file.values()]
    chance = random.Random(SEED)
    values = []
    for _ in range(RESAMPLES):
        drawn = chance.choices(groups, k=len(groups))
        values.append(sum(right for right, _ in drawn) / sum(count for _, count in drawn))
    values.sort()
    right, count = sum(mark for _, mark in marks), len(marks)
    return Share(count, right / count, values[int(0.025 * RESAMPLES)], values[int(0.975 * RESAMPLES) - 1])
