"""Graphs of a few files written in a test, asked in words."""

from __future__ import annotations

from collections.abc import Mapping

from fourfold.graph.build import build_graph
from fourfold.graph.facts import CONFIDENCES, FileFacts
from fourfold.graph.graph import Graph
from fourfold.model.reference import Facts
from fourfold.syntax.languages.detect import language_of
from fourfold.syntax.parse import parse_file

Edge = tuple[str, str, str]


def graph_of(files: Mapping[str, str], manifests: Mapping[str, str] | None = None) -> Graph:
    """The graph of files by path."""
    return Graph(build_graph(facts_of(files), manifests or {}), sorted(files))


def facts_of(files: Mapping[str, str]) -> list[FileFacts]:
    """What a graph is built from, of files by path."""
    facts = []
    for path in sorted(files):
        language = language_of(path)
        parsed = parse_file(path, files[path], language)
        facts.append(FileFacts(path, language, tuple(parsed.symbols), parsed.facts or Facts()))
    return facts


def edges(graph: Graph, kind: str = "calls") -> set[Edge]:
    """(``path:name`` of the source, ``path:name`` of the target, confidence) of all edges of a kind."""
    return {
        (label(graph, edge.source), label(graph, edge.target), CONFIDENCES[edge.confidence])
        for number in range(len(graph))
        for edge in graph.outgoing(number, (kind,))
    }


def names(graph: Graph, name: str) -> set[tuple[str, str]]:
    """(source, confidence) of the references that stayed a name."""
    return {(label(graph, one.source), CONFIDENCES[one.confidence]) for one in graph.mentions(name)}


def label(graph: Graph, number: int) -> str:
    """``path:name``; of a file its path."""
    node = graph.node(number)
    return node.path if node.kind == "file" else f"{node.path}:{node.name}"
