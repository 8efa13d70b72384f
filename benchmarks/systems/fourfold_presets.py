"""Fourfold through its public Python API, one preset a system, one shared index a root."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import Any

from benchmarks.systems.protocol import Found

PRESETS: dict[str, str] = {
    "default": "default",
    "bm25": "text",
    "semantic": "dense",
    "hybrid": "hybrid",
    "contract": "contract",
    "thorough": "thorough",
    "graph": "graph",
    "structural": "structural",
}
"""System name to preset: each part's share is seen by running it alone."""

PLAIN_FUSION = "rrf"
"""The system that fuses words and meaning by rank and does nothing else: a pipeline in code."""


class FourfoldIndexes:
    """Indexes in a throw-away cache, kept open while several presets are asked. `make` replaces the API in
    tests.
    """

    def __init__(self, make: Any = None) -> None:
        self._make = make or _open_index
        self._cache = tempfile.TemporaryDirectory(prefix="fourfold-bench-")
        self._open: dict[Path, Any] = {}
        os.environ["FOURFOLD_CACHE_DIR"] = self._cache.name

    def get(self, root: Path) -> Any:
        """The refreshed index of a root."""
        if root not in self._open:
            index = self._make(root)
            index.refresh()
            self._open[root] = index
        return self._open[root]

    def close(self) -> None:
        """Close every index and delete the cache."""
        for index in self._open.values():
            index.close()
        self._open.clear()
        self._cache.cleanup()


class FourfoldPreset:
    """One preset of Fourfold."""

    def __init__(self, name: str, preset: str, indexes: FourfoldIndexes) -> None:
        self.name = name
        self._preset = preset
        self._indexes = indexes

    def prepare(self, root: Path) -> None:
        """Build the index and answer one throw-away question, so that lazy loading is not timed."""
        self._indexes.get(root)
        self.answer(root, "where is the configuration read")

    def answer(self, root: Path, query: str) -> Found:
        """The first ten results as Fourfold gives them; the tree is known not to change, so nothing is
        refreshed.
        """
        result = self._indexes.get(root).search(query, limit=10, preset=self._preset, refresh=False)
        return [(item.path, item.start_line, item.end_line) for item in result.items]

    def close(self) -> None:
        """Nothing of its own to let go of: the indexes are shared."""


class PlainFusion(FourfoldPreset):
    """Reciprocal rank fusion of BM25 and vectors with equal weights (k = 60), nothing else."""

    def __init__(self, indexes: FourfoldIndexes) -> None:
        super().__init__(PLAIN_FUSION, "hybrid", indexes)

    def answer(self, root: Path, query: str) -> Found:
        """The first ten places."""
        import asyncio

        from fourfold.pipeline.pipeline import RetrieverPipeline
        from fourfold.pipeline.state import RetrieverState, SearchQuery
        from fourfold.pipeline.steps.fetch import Bm25Fetcher, DenseFetcher
        from fourfold.pipeline.steps.flow import Parallel
        from fourfold.pipeline.steps.fusion import RrfFusion

        branches = Parallel({"bm25": Bm25Fetcher(), "dense": DenseFetcher()})
        pipeline = self._indexes.get(root).pipeline(RetrieverPipeline([("lists", branches), ("fuse", RrfFusion())]))
        state = asyncio.run(pipeline.run(RetrieverState(SearchQuery(query))))
        return [item.place for item in state.items[:10]]


def _open_index(root: Path) -> Any:
    """An index of exactly this folder, even where it lies inside another git work tree."""
    from fourfold import Index

    return Index.open(root, root=root)
