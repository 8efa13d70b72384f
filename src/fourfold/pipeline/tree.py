"""The code as a tree: folders, files, classes, functions; each node in one line of text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from fourfold.model.chunk import TYPE_KINDS
from fourfold.model.counting import count
from fourfold.rank.demotion import demote
from fourfold.rank.diversify import approx_tokens

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from fourfold.model.symbol import Symbol
    from fourfold.pipeline.searcher import Searcher

DOC_CHARS = 100
NAMES_TOLD = 6
"""Definitions of a file that its line names."""


@dataclass(frozen=True, slots=True)
class Node:
    """A folder (`path` is "", `folder` its path), a file (`symbol` is "") or a definition. `told` is its line."""

    folder: str
    path: str = ""
    symbol: str = ""
    start_line: int = 0
    told: str = ""


class Tree:
    """The tree of one snapshot, of the files `only` where that is given, and of those that `allowed` lets through."""

    def __init__(
        self, searcher: Searcher, allowed: NDArray[np.bool_] | None, only: Collection[str] | None = None
    ) -> None:
        self.root = Node("")
        self._searcher = searcher
        self._children: dict[Node, list[Node]] = {}
        self._symbols: dict[str, list[Symbol]] = {}
        corpus = searcher.corpus
        paths = [path for path in corpus.paths if path and (only is None or path in only)]
        if allowed is not None:
            import numpy as np

            let = {corpus.paths[number] for number in np.unique(corpus.chunk_file[allowed])}
            paths = [path for path in paths if path in let]
        self._paths = sorted(paths, key=lambda path: (-demote(1.0, path, frozenset())[0], path))

    @cached_property
    def _folders(self) -> Counter[str]:
        """How many files lie below each folder."""
        counts: Counter[str] = Counter()
        for path in self._paths:
            parts = path.split("/")[:-1]
            counts.update("/".join(parts[:depth]) for depth in range(len(parts) + 1))
        return counts

    def level(self, opened: Sequence[Node], tokens: int) -> list[Node]:
        """What lies in the nodes that were opened, in turn, as many as `tokens` allow; a folder with nothing but one
        folder in it is passed through."""
        lists = [self.children(node) for node in opened]
        shown: list[Node] = []
        used = 0
        for place in range(max(map(len, lists), default=0)):
            for inner in lists:
                if place < len(inner):
                    price = approx_tokens(inner[place].told) + 3
                    if used + price > tokens and shown:
                        return shown
                    used += price
                    shown.append(inner[place])
        return shown

    def children(self, node: Node) -> list[Node]:
        """The nodes in a node: folders, then files; types and functions of a file; members of a type."""
        if node not in self._children:
            self._children[node] = self._inside(node)
        return self._children[node]

    def _inside(self, node: Node) -> list[Node]:
        if node.path:
            return self._definitions(node)
        prefix = f"{node.folder}/" if node.folder else ""
        inner = [path for path in self._paths if path.startswith(prefix)]
        names = dict.fromkeys(
            prefix + path[len(prefix) :].split("/")[0] for path in inner if "/" in path[len(prefix) :]
        )
        files = [path for path in inner if "/" not in path[len(prefix) :]]
        if len(names) == 1 and not files:
            return self.children(Node(next(iter(names))))
        folders = [Node(name, told=f"{name}/ ({count(self._folders[name], 'file')})") for name in names]
        return [*folders, *(self._file(path) for path in files)]

    def _file(self, path: str) -> Node:
        names = [one.name for one in self.symbols(path) if not one.parent and one.kind != "section"]
        told = ", ".join(names[:NAMES_TOLD]) + (" ..." if len(names) > NAMES_TOLD else "")
        return Node(path.rpartition("/")[0], path, told=f"{path}{f': {told}' if told else ''}")

    def _definitions(self, node: Node) -> list[Node]:
        """The definitions directly in a file or a type."""
        return [
            Node(node.folder, node.path, one.qualified_name, one.start_line, _line(node.path, one))
            for one in self.symbols(node.path)
            if one.parent == node.symbol and one.kind not in ("variable", "field", "section")
            and (not node.symbol or one.qualified_name != node.symbol)
        ]  # fmt: skip

    def symbols(self, path: str) -> list[Symbol]:
        """The definitions of a file with their details."""
        if path not in self._symbols:
            from fourfold.index.knowledge import unpack

            snapshot = self._searcher.snapshot
            rows = [row.symbol for row in snapshot.symbols_of(path)]
            self._symbols[path] = unpack(path, snapshot.facts_of(path)).detailed(rows)
        return self._symbols[path]


def _line(path: str, symbol: Symbol) -> str:
    """``class Session(Base) @dataclass in src/session.py: Keeps what ...``"""
    decorators = " ".join(symbol.decorators[:3])
    head = " ".join(part for part in (decorators, symbol.signature or f"{symbol.kind} {symbol.name}") if part)
    doc = " ".join(symbol.doc.split())[:DOC_CHARS]
    holder = f"{symbol.parent}." if symbol.parent and symbol.kind not in TYPE_KINDS else ""
    return f"{head[:160]} ({holder}{symbol.name}, {path}:{symbol.start_line}){f': {doc}' if doc else ''}"
