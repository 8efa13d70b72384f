"""The gateway of qdrant-edge: the real engine in this process, one shard in a folder. For trials and tests."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from fourfold.model.errors import BackendUnavailable, FourfoldError
from fourfold.store.qdrant import retry
from fourfold.store.qdrant.gateway import PAGE, batches
from fourfold.store.qdrant.layout import CODE, CONTENT, INTEGERS, KEYWORDS, TENANT, WORDS, Layout
from fourfold.store.qdrant.points import Condition, Found, In, Is, Leg, Point, Sparse, Where

if TYPE_CHECKING:
    from qdrant_edge import EdgeShard

T = TypeVar("T")


class EdgeGateway:
    """The shard in `folder`. One process at a time; calls of several threads wait for each other."""

    def __init__(self, folder: Path, *, exact: bool = True) -> None:
        self.folder = folder
        self._exact = exact
        self._guard = threading.RLock()
        self._shard: EdgeShard | None = None

    @property
    def address(self) -> str:
        """Where the shard is, in words."""
        return f"edge:{self.folder}"

    def exists(self) -> bool:
        """True where the shard is there."""
        return self._shard is not None or any(self.folder.glob("segments/*"))

    def create(self, layout: Layout) -> None:
        """Make the shard and its payload indexes. Shards, replicas and quantisation are a server's affair."""
        import qdrant_edge as edge

        if self.exists():
            return
        dense = edge.EdgeVectorParams(size=layout.dimension, distance=edge.Distance.Cosine)
        config = edge.EdgeConfig(
            vectors={CODE: dense, CONTENT: dense} if layout.dimension else None,
            sparse_vectors={WORDS: edge.EdgeSparseVectorParams(modifier=edge.Modifier.Idf)},
        )
        self.folder.mkdir(parents=True, exist_ok=True)
        self._shard = self._try(lambda: edge.EdgeShard.create(str(self.folder), config))
        for name in (TENANT, *KEYWORDS):
            self._index(name, edge.PayloadSchemaType.Keyword)
        for name in INTEGERS:
            self._index(name, edge.PayloadSchemaType.Integer)

    def dimension(self) -> int:
        """Dimension of the dense vectors; 0 where the shard has none. Read from the shard's own configuration."""
        import json

        config = json.loads((self.folder / "edge_config.json").read_bytes())
        return int(config.get("vectors", {}).get(CODE, {}).get("size", 0))

    def put(self, points: Sequence[Point], *, only: Where | None = None) -> None:
        """Store points."""
        import qdrant_edge as edge

        condition = _filter(only) if only is not None else None
        for part in batches(points):
            made = [edge.Point(item.id, _vectors(item), dict(item.payload)) for item in part]
            self._update(edge.UpdateOperation.upsert_points(made, condition))

    def set_payload(self, where: Where, payload: Mapping[str, Any]) -> None:
        """Set payload values of all matching points."""
        import qdrant_edge as edge

        self._update(edge.UpdateOperation.set_payload_by_filter(_filter(where), dict(payload)))

    def set_vectors(self, points: Sequence[Point]) -> None:
        """Replace the named vectors that `points` hold."""
        import qdrant_edge as edge

        for part in batches(points):
            made = [edge.PointVectors(item.id, _vectors(item)) for item in part]
            self._update(edge.UpdateOperation.update_vectors(made))

    def set_each(self, changes: Sequence[tuple[str, Mapping[str, Any]]]) -> None:
        """Set payload values of single points."""
        import qdrant_edge as edge

        for point, payload in changes:
            self._update(edge.UpdateOperation.set_payload([point], dict(payload)))

    def delete(self, where: Where) -> None:
        """Delete all matching points."""
        import qdrant_edge as edge

        self._update(edge.UpdateOperation.delete_points_by_filter(_filter(where)))

    def get(self, ids: Sequence[str], keys: Sequence[str]) -> list[Found]:
        """Those of the points that exist."""
        if not self.exists() or not ids:
            return []
        records = self._on_shard(lambda shard: shard.retrieve(list(ids), list(keys), False))
        return [_found(record) for record in records]

    def scroll(self, where: Where, keys: Sequence[str], *, vectors: bool = False) -> Iterator[Found]:
        """All matching points, a page at a time."""
        import qdrant_edge as edge

        chosen, offset = _filter(where), None
        payload: bool | list[str] = list(keys) or True
        while True:
            request = edge.ScrollRequest(
                offset=offset, limit=PAGE, filter=chosen, with_payload=payload, with_vector=vectors
            )
            records, offset = self._on_shard(partial(_scroll, request))
            yield from (_found(record) for record in records)
            if offset is None:
                return

    def count(self, where: Where) -> int:
        """How many points match."""
        import qdrant_edge as edge

        return self._on_shard(lambda shard: shard.count(edge.CountRequest(filter=_filter(where), exact=True)))

    def ask(self, legs: Sequence[Leg], keys: Sequence[str]) -> list[list[Found]]:
        """The answers to several legs."""
        import qdrant_edge as edge

        made = [
            edge.QueryRequest(
                limit=item.limit,
                query=_nearest(item),
                filter=_filter(item.where),
                params=self._params(item),
                with_payload=list(keys),
                with_vector=False,
            )
            for item in legs
        ]
        answers = self._on_shard(lambda shard: shard.query_batch(edge.QueryBatchRequest(made)))
        return [[_found(point) for point in answer] for answer in answers]

    def fused(self, legs: Sequence[Leg], k: int, limit: int, keys: Sequence[str]) -> list[Found]:
        """One query with a prefetch for each leg."""
        import qdrant_edge as edge

        prefetches = [
            edge.Prefetch(item.limit, query=_nearest(item), params=self._params(item), filter=_filter(item.where))
            for item in legs
        ]
        request = edge.QueryRequest(
            limit=limit,
            prefetches=prefetches,
            query=edge.Fusion.Rrf(k + 1),  # type: ignore[arg-type]  # the stubs forget that it is a Fusion
            with_payload=list(keys),
            with_vector=False,
        )
        return [_found(point) for point in self._on_shard(lambda shard: shard.query(request))]

    def optimize(self) -> bool:
        """Build the shard's indexes now; returns whether anything was done."""
        return self._on_shard(lambda shard: shard.optimize())

    def close(self) -> None:
        """Write everything and let go of the folder."""
        with self._guard:
            if self._shard is not None:
                self._shard.close()
                self._shard = None

    def _index(self, name: str, schema: Any) -> None:
        import qdrant_edge as edge

        self._update(edge.UpdateOperation.create_field_index(name, schema))

    def _params(self, item: Leg) -> Any:
        import qdrant_edge as edge

        corpus = edge.IdfParams(_filter(item.corpus)) if item.corpus is not None else None
        return edge.SearchParams(exact=self._exact, idf=corpus)

    def _update(self, operation: Any) -> None:
        self._on_shard(lambda shard: shard.update(operation))

    def _on_shard(self, work: Callable[[EdgeShard], T]) -> T:
        import qdrant_edge as edge

        with self._guard:
            if self._shard is None:
                if not self.exists():
                    raise retry.missing(self.address)
                self._shard = self._try(lambda: edge.EdgeShard.load(str(self.folder)))
            shard = self._shard
            return self._try(lambda: work(shard))

    def _try(self, work: Callable[[], T]) -> T:
        try:
            return work()
        except FourfoldError:
            raise
        except Exception as error:  # the engine raises plain exceptions of several kinds
            raise BackendUnavailable(f"the engine at {self.address} failed: {error}", hint=retry.FALLBACK) from error


def _scroll(request: Any, shard: EdgeShard) -> Any:
    return shard.scroll(request)


def _filter(where: Where) -> Any:
    import qdrant_edge as edge

    return edge.Filter(
        must=[_condition(item) for item in where.must] or None,
        must_not=[_condition(item) for item in where.must_not] or None,
        should=[_condition(item) for item in where.should] or None,
    )


def _condition(item: Condition) -> Any:
    import qdrant_edge as edge

    if isinstance(item, Is):
        return edge.FieldCondition(item.key, match=edge.MatchValue(item.value))
    if isinstance(item, In):
        return edge.FieldCondition(item.key, match=edge.MatchAny(list(item.values)))  # type: ignore[arg-type]
    return edge.FieldCondition(item.key, range=edge.RangeFloat(gt=item.gt, gte=item.gte, lt=item.lt, lte=item.lte))


def _vectors(item: Point) -> Any:
    return {name: _vector(value) for name, value in item.vectors.items()}


def _vector(value: list[float] | Sparse) -> Any:
    import qdrant_edge as edge

    return edge.SparseVector(value.indices, value.values) if isinstance(value, Sparse) else value


def _nearest(item: Leg) -> Any:
    import qdrant_edge as edge

    return edge.Query.Nearest(_vector(item.vector), using=item.using)


def _found(record: Any) -> Found:
    vectors: dict[str, Any] = {}
    for name, value in (record.vector or {}).items() if isinstance(record.vector, Mapping) else ():
        sparse = hasattr(value, "indices")
        vectors[name] = Sparse(list(value.indices), list(value.values)) if sparse else list(value)
    return Found(str(record.id), record.payload or {}, float(getattr(record, "score", 0.0) or 0.0), vectors)
