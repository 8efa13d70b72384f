"""From rows and nodes to what is shown: definitions with their details, references with their line."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from fourfold.graph.facts import CONFIDENCES
from fourfold.index.knowledge import Knowledge, unpack
from fourfold.model.structure import SymbolItem, UsageItem
from fourfold.pipeline.kept import Recent
from fourfold.pipeline.run import PathCheck
from fourfold.pipeline.structure.routes import all_routes, routes_by_handler
from fourfold.rank.demotion import demote
from fourfold.rank.paths import categories
from fourfold.retrieve.literal_texts import texts_of
from fourfold.retrieve.mask import path_allowed
from fourfold.retrieve.names import NameIndex

if TYPE_CHECKING:
    from fourfold.graph.graph import Graph, Node
    from fourfold.model.query import Filters
    from fourfold.model.route import Route
    from fourfold.model.symbol import Symbol
    from fourfold.pipeline.searcher import Searcher
    from fourfold.pipeline.structure.overview import Overview
    from fourfold.source.tree import Tree
    from fourfold.store.contract import SymbolRow

_RUST_TESTS = frozenset({"tests", "test"})
SPLIT_FILES = 256
"""Files whose lines are kept apart: the answers about a hub come back to the same files again and again."""
KNOWN_FILES = 1024
"""Files whose symbols and details are kept, some 15 MB; those of all files would take more memory than an index."""
MAX_TEXT = 300
"""Characters of a line that are shown."""


class Structure:
    """What structural questions need of one snapshot; made once for it, everything in it when first asked for."""

    def __init__(self, searcher: Searcher, root: Path | Tree) -> None:
        self.searcher = searcher
        self.snapshot = searcher.snapshot
        self.root = root
        self.overview: Overview | None = None
        self._knowledge: Recent[Knowledge] = Recent(KNOWN_FILES)
        self._worth: dict[str, float] = {}
        self._lines: Recent[list[str]] = Recent(SPLIT_FILES)
        self._symbols: Recent[list[Symbol]] = Recent(KNOWN_FILES)

    @cached_property
    def graph(self) -> Graph:
        """The reference graph."""
        return self.searcher.graph

    @cached_property
    def names(self) -> NameIndex:
        """All names of symbols."""
        return self.searcher.names

    @cached_property
    def languages(self) -> dict[str, str]:
        """Language of each path."""
        corpus = self.searcher.corpus
        return {path: language for path, language in zip(corpus.paths, corpus.languages, strict=True) if path}

    @cached_property
    def all_routes(self) -> list[Route]:
        """Every route of the repository."""
        return all_routes(self)

    @cached_property
    def routes(self) -> dict[tuple[str, str], list[str]]:
        """Routes ("GET /users") by file and handler."""
        return routes_by_handler(self)

    def exists(self) -> PathCheck:
        """A check that paths are still in the tree."""
        return PathCheck(self.root)

    def allowed(self, filters: Filters) -> Callable[[str], bool]:
        """Whether the filters let a path through."""
        if filters.empty:
            return lambda path: True
        fits = path_allowed(filters)
        return lambda path: fits(path, self.languages.get(path, ""))

    def worth(self, path: str) -> float:
        """The factor of a path: below 1 for tests, vendored code and the like."""
        found = self._worth.get(path)
        if found is None:
            found = self._worth[path] = demote(1.0, path, frozenset())[0]
        return found

    def knowledge(self, path: str) -> Knowledge:
        """What is kept of a file besides chunks and symbols."""
        return self._knowledge.get(path, lambda: unpack(path, self.snapshot.facts_of(path)))

    def symbols_of(self, path: str) -> list[Symbol]:
        """The symbols of a file with their details."""
        rows = self.snapshot.symbols_of
        return self._symbols.get(path, lambda: self.knowledge(path).detailed([row.symbol for row in rows(path)]))

    def lines(self, path: str) -> list[str]:
        """The lines of a file as indexed."""
        texts = texts_of(self.snapshot)
        return self._lines.get(path, lambda: dict(texts.read(self.snapshot, [path])).get(path, "").split("\n"))

    def detailed(self, row: SymbolRow) -> Symbol:
        """The symbol of a row with its details."""
        for symbol in self.symbols_of(row.path):
            if symbol.start_line == row.symbol.start_line and symbol.qualified_name == row.symbol.qualified_name:
                return symbol
        return row.symbol

    def item(self, path: str, symbol: Symbol, *, rank: int = 0, match: str = "", chars: int = 0) -> SymbolItem:
        """A definition as it is shown, with at most `chars` characters of its code (whole lines)."""
        snippet = ""
        if chars:
            snippet = cut_lines(self.lines(path)[symbol.start_line - 1 : symbol.end_line], chars)
        return SymbolItem(
            path=path,
            start_line=symbol.start_line,
            end_line=symbol.end_line,
            language=self.languages.get(path, ""),
            kind=symbol.kind,
            symbol=symbol.qualified_name,
            name=symbol.name,
            rank=rank,
            parent=symbol.parent,
            package=self.knowledge(path).facts.package,
            signature=symbol.signature,
            doc=symbol.doc,
            decorators=symbol.decorators,
            visibility=symbol.visibility,
            modifiers=symbol.modifiers,
            stereotype=symbol.stereotype,
            routes=tuple(self._routes_of(path, symbol)),
            match=match,
            snippet=snippet,
        )

    def _routes_of(self, path: str, symbol: Symbol) -> Iterable[str]:
        if not self.knowledge(path).routes and symbol.stereotype != "controller":
            return ()
        return self.routes.get((path, symbol.qualified_name), ())

    def usage(
        self,
        node: Node,
        line: int,
        relation: str,
        confidence: int,
        *,
        at: str = "",
        depth: int = 1,
        via: str = "",
        rank: int = 0,
    ) -> UsageItem:
        """A reference as it is shown: `node` is the other side, `line` that of the reference in `at` or in its file."""
        lines = self.lines(at or node.path)
        text = lines[line - 1].strip()[:MAX_TEXT] if 0 < line <= len(lines) else ""
        return UsageItem(
            path=node.path,
            line=line or node.start_line,
            text=text,
            symbol="" if node.kind == "file" else node.name,
            kind=node.kind,
            start_line=node.start_line,
            end_line=node.end_line,
            language=self.languages.get(node.path, ""),
            relation=relation,
            confidence=CONFIDENCES[confidence],
            rank=rank,
            depth=depth,
            via=via,
            at="" if at == node.path else at,
            is_test=is_test(node.path, node.name, node.kind),
        )


def is_test(path: str, name: str = "", kind: str = "") -> bool:
    """True for test code: by its path, its kind, or as Rust has it by a module of tests within the source."""
    if "test" in categories(path) or kind == "test":
        return True
    return path.endswith(".rs") and not _RUST_TESTS.isdisjoint(name.split(".")[:-1])


def cut_lines(lines: list[str], chars: int) -> str:
    """Whole lines up to so many characters; at least the first."""
    kept: list[str] = []
    used = 0
    for line in lines:
        if kept and used + len(line) + 1 > chars:
            break
        kept.append(line)
        used += len(line) + 1
    return "\n".join(kept)
