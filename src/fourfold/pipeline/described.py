"""Questions about uses of something that is described, not named: the best places are taken for it, and what the graph
knows to use their definitions stands behind each.

On the 34 questions about callers, subclasses and impact that describe what they mean (``benchmarks.large --sets
structural``) Hit@5 is .71; it was .15 when plain words of such a question were taken for names.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from fourfold.pipeline.references import inheriting_by_name, then, uses_of_nodes
from fourfold.pipeline.steps.nodes import nodes_at
from fourfold.rank.demotion import wanted_categories

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from fourfold.model.query import Query
    from fourfold.pipeline.ranked import Ranked
    from fourfold.pipeline.searcher import Searcher

DESCRIBED = 2
"""Places that are taken for what is described."""
USES = 2
"""Uses behind each. With three the second description stands too far down: Hit@5 fell by .06 when that was chosen."""


def with_uses(
    searcher: Searcher, query: Query, items: Sequence[Ranked], allowed: NDArray[np.bool_] | None
) -> list[Ranked]:
    """Ranked places with what uses the first of them behind each, at its score; before all what inherits from a name
    that is another project's."""
    corpus = searcher.corpus
    wanted = wanted_categories(query.text, query.filters.paths)
    if by_name := inheriting_by_name(searcher.graph, corpus, query, wanted, None):
        return then([one for one in by_name if allowed is None or allowed[one.chunk]], list(items))
    order: list[Ranked] = []
    taken: set[int] = set()
    for item in items[:DESCRIBED]:
        if item.chunk not in taken:
            taken.add(item.chunk)
            order.append(item)
        path = corpus.path_of(item.chunk)
        start, end = item.span if item.span[0] else _lines(searcher, item.chunk)
        nodes = nodes_at(searcher.graph, path, start, end, item.line)
        found = uses_of_nodes(searcher.graph, corpus, nodes, wanted, None)
        fresh = [use for use in found if use.chunk not in taken and (allowed is None or allowed[use.chunk])]
        for rank, use in enumerate(fresh[:USES], 1):
            taken.add(use.chunk)
            use.score, use.signals, use.ranks = item.score, [], {**use.ranks, "graph": rank}
            order.append(use)
    return order + [item for item in items if item.chunk not in taken]


def _lines(searcher: Searcher, chunk: int) -> tuple[int, int]:
    return int(searcher.corpus.start_lines[chunk]), int(searcher.corpus.end_lines[chunk])
