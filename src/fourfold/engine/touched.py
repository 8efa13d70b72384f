"""Which commits touched a symbol: the lines of its definition, followed back through the history."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import TYPE_CHECKING

from fourfold.engine.checks import check_limit
from fourfold.engine.history import HistoryItem, HistoryResult, written
from fourfold.model.query import Filters

if TYPE_CHECKING:
    from fourfold.engine.index import Index
    from fourfold.model.structure import SymbolItem
    from fourfold.pipeline.structure.items import Structure


def touched(index: Index, name: str, *, path: str, line: int, limit: int, refresh: bool) -> HistoryResult:
    """See :meth:`fourfold.engine.Index.touched`."""
    from fourfold.pipeline.structure.symbols import near_names
    from fourfold.pipeline.structure.usages import targets
    from fourfold.source.line_history import line_commits

    started = time.perf_counter()
    check_limit(limit)

    def look(structure: Structure) -> tuple[SymbolItem | None, str, tuple[str, ...]]:
        items, _ = targets(structure, name, Filters(paths=(path,)) if path else Filters())
        if not items:
            return None, "", near_names(structure, name)
        chosen = min(items, key=lambda item: abs(item.start_line - line)) if line else items[0]
        return chosen, structure.snapshot.text(chosen.path) or "", ()

    (found, text, near), meta = index._ask(look, refresh, None)
    query = {"text": "", "symbol": name, "path": path, "line": line, "near": near}
    if found is None:
        return HistoryResult(query, (), meta)
    query |= {"path": found.path, "line": found.start_line, "end_line": found.end_line}
    commits = line_commits(index.root, found.path, found.start_line, found.end_line, text, limit + 1)
    items = tuple(
        HistoryItem(rank, one.hash, written(one.date), one.author, one.subject, "", one.files, 1, 0.0)
        for rank, one in enumerate(commits[:limit], 1)
    )
    took = round((time.perf_counter() - started) * 1000, 2)
    return HistoryResult(query, items, replace(meta, preset="history", took_ms=took, truncated=len(commits) > limit))
