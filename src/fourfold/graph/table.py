"""All definitions of a repository, to look up by namespace and name.

A *namespace* is what a language calls module or package: the unit in which a qualified name is unique. Which files
share one is decided by :mod:`fourfold.graph.modules`. Node numbers: for each file in path order one node for the file
itself, then one for each of its symbols.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from typing import TYPE_CHECKING

from fourfold.model.chunk import TYPE_KINDS

if TYPE_CHECKING:
    from fourfold.graph.facts import FileFacts
    from fourfold.model.symbol import Symbol

TYPES = TYPE_KINDS
"""Kinds that can own members."""

TITLED_TESTS = frozenset({"javascript", "typescript", "tsx", "jsx", "vue", "svelte", "ruby", "elixir", "zig", "dart"})
"""Languages whose tests have titles: ``describe("Session")`` defines no Session, and nothing can refer to it."""


class SymbolTable:
    """Definitions of `files` (sorted by path), each file in the namespace of the same place in `namespaces`."""

    def __init__(self, files: Sequence[FileFacts], namespaces: Sequence[str]) -> None:
        self.files = files
        self.namespaces = namespaces
        self.bases = list(accumulate((1 + len(file.symbols) for file in files), initial=0))
        self.file_of: list[int] = []
        self.symbols: list[Symbol | None] = []
        self.defined: dict[str, dict[str, list[int]]] = {}
        self.by_name: dict[str, list[int]] = {}
        self.files_in: dict[str, list[int]] = {}
        self._types: set[tuple[str, str]] = set()
        self._titled: dict[tuple[int, str], list[int]] = {}
        for number, (file, namespace) in enumerate(zip(files, namespaces, strict=True)):
            self.files_in.setdefault(namespace, []).append(number)
            defined = self.defined.setdefault(namespace, {})
            self.file_of.append(number)
            self.symbols.append(None)
            titled = file.language in TITLED_TESTS
            for symbol in file.symbols:
                node = len(self.symbols)
                self.file_of.append(number)
                self.symbols.append(symbol)
                if titled and symbol.kind == "test":
                    self._titled.setdefault((number, symbol.qualified_name), []).append(node)
                    continue
                defined.setdefault(symbol.qualified_name, []).append(node)
                if symbol.kind in TYPES:
                    self._types.add((namespace, symbol.qualified_name))
                self.by_name.setdefault(symbol.name, []).append(node)

    def __len__(self) -> int:
        return len(self.symbols)

    def nodes(self, namespace: str, qualified: str) -> list[int]:
        """Nodes of a qualified name in a namespace; several for overloads and re-opened types."""
        found = self.defined.get(namespace)
        return found.get(qualified, []) if found is not None else []

    def node(self, namespace: str, qualified: str, near: int = -1) -> int:
        """One node of a qualified name, that of file `near` where there is one; -1 where nothing has that name."""
        found = self.nodes(namespace, qualified)
        if not found:
            return -1
        if len(found) > 1 and near >= 0:
            for node in found:
                if self.file_of[node] == near:
                    return node
        return found[0]

    def kind(self, node: int) -> str:
        """Kind of a node's symbol; ``file`` for a file."""
        symbol = self.symbols[node]
        return "file" if symbol is None else symbol.kind

    def is_type(self, namespace: str, qualified: str) -> bool:
        """True where a qualified name is (also) a type."""
        return (namespace, qualified) in self._types

    def holds(self, outer: int, inner: int) -> bool:
        """True where one definition stands inside another of the same file."""
        around, held = self.symbols[outer], self.symbols[inner]
        if around is None or held is None or self.file_of[outer] != self.file_of[inner] or outer == inner:
            return False
        return around.start_line <= held.start_line and held.end_line <= around.end_line

    def scope_nodes(self, file: int, scope: str) -> list[int]:
        """The nodes that a scope of a file is, several for overloads: its definitions, or the file."""
        return self.around(file, scope) or [self.bases[file]]

    def around(self, file: int, scope: str) -> list[int]:
        """The definitions that a scope of a file is, tests with a title among them: what one holds is seen in it."""
        nodes = self.nodes(self.namespaces[file], scope) if scope else ()
        return [node for node in nodes if self.file_of[node] == file] + self._titled.get((file, scope), [])

    def holding(self, nodes: list[int], line: int) -> int:
        """The first of `nodes` that holds a line; the first one where none does."""
        for node in nodes if len(nodes) > 1 else ():
            symbol = self.symbols[node]
            if symbol is not None and symbol.start_line <= line <= symbol.end_line:
                return node
        return nodes[0]
