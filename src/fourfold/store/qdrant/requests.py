"""Our points, conditions and questions in the models of qdrant-client."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from qdrant_client import models

from fourfold.store.qdrant.layout import CODE, CONTENT, WORDS, Layout
from fourfold.store.qdrant.points import Condition, In, Is, Leg, Point, Sparse, Where


def collection(layout: Layout, *, local: bool) -> dict[str, Any]:
    """The arguments of ``create_collection``.

    Vectors and payload lie on disk where `layout` says so, and their quantised form in memory; the graph over one
    service is built apart from those of the others (`payload_m`, no global graph), since every question names services.
    """
    vectors: dict[str, Any] = {}
    if layout.dimension:
        dense = models.VectorParams(size=layout.dimension, distance=models.Distance.COSINE, on_disk=layout.on_disk)
        vectors = {CODE: dense, CONTENT: dense}
    made: dict[str, Any] = {
        "vectors_config": vectors,
        "sparse_vectors_config": {
            WORDS: models.SparseVectorParams(
                modifier=models.Modifier.IDF, index=models.SparseIndexParams(on_disk=layout.on_disk)
            )
        },
    }
    if not local:
        made |= {
            "shard_number": layout.shards,
            "replication_factor": layout.replicas,
            "on_disk_payload": layout.on_disk,
            "quantization_config": _quantisation(layout.quantisation),
            "hnsw_config": models.HnswConfigDiff(m=0, payload_m=16),
        }
    return made


def _quantisation(name: str) -> Any:
    if name == "int8":
        scalar = models.ScalarQuantizationConfig(type=models.ScalarType.INT8, always_ram=True)
        return models.ScalarQuantization(scalar=scalar)
    if name == "binary":
        return models.BinaryQuantization(binary=models.BinaryQuantizationConfig(always_ram=True))
    return None


def indexes(tenant: str, keywords: Sequence[str], integers: Sequence[str]) -> Iterator[tuple[str, Any]]:
    """(field, schema) of every payload index."""
    keyword, integer = models.KeywordIndexType.KEYWORD, models.IntegerIndexType.INTEGER
    yield tenant, models.KeywordIndexParams(type=keyword, is_tenant=True)
    for name in keywords:
        yield name, models.KeywordIndexParams(type=keyword, on_disk=name in ("path", "names"))
    for name in integers:
        ranged = name != "grams"
        yield name, models.IntegerIndexParams(type=integer, lookup=True, range=ranged, on_disk=not ranged)


def switch(alias: str, name: str, *, replace: bool) -> list[Any]:
    """The alias operations that make `alias` name the collection `name`, applied together."""
    made: list[Any] = []
    if replace:
        made.append(models.DeleteAliasOperation(delete_alias=models.DeleteAlias(alias_name=alias)))
    create = models.CreateAlias(collection_name=name, alias_name=alias)
    return [*made, models.CreateAliasOperation(create_alias=create)]


def filter_of(where: Where) -> models.Filter:
    """A filter."""
    return models.Filter(
        must=[_condition(item) for item in where.must] or None,
        must_not=[_condition(item) for item in where.must_not] or None,
        should=[_condition(item) for item in where.should] or None,
    )


def selector(where: Where) -> models.FilterSelector:
    """All points that match."""
    return models.FilterSelector(filter=filter_of(where))


def _condition(item: Condition) -> models.FieldCondition:
    if isinstance(item, Is):
        return models.FieldCondition(key=item.key, match=models.MatchValue(value=item.value))
    if isinstance(item, In):
        return models.FieldCondition(key=item.key, match=models.MatchAny(any=list(item.values)))  # type: ignore[arg-type]
    bounds = models.Range(gt=item.gt, gte=item.gte, lt=item.lt, lte=item.lte)
    return models.FieldCondition(key=item.key, range=bounds)


def point(item: Point) -> models.PointStruct:
    """A point to upsert."""
    return models.PointStruct(id=item.id, vector=_vectors(item), payload=dict(item.payload))


def point_vectors(item: Point) -> models.PointVectors:
    """The vectors of a point to replace."""
    return models.PointVectors(id=item.id, vector=_vectors(item))


def settings(changes: Sequence[tuple[str, Mapping[str, Any]]]) -> list[Any]:
    """One operation for each (point, payload values to set)."""
    return [
        models.SetPayloadOperation(set_payload=models.SetPayload(payload=dict(payload), points=[point]))
        for point, payload in changes
    ]


def _vectors(item: Point) -> dict[str, Any]:
    return {name: _vector(value) for name, value in item.vectors.items()}


def _vector(value: list[float] | Sparse) -> Any:
    return models.SparseVector(indices=value.indices, values=value.values) if isinstance(value, Sparse) else value


def leg(item: Leg, keys: Sequence[str], *, exact: bool) -> models.QueryRequest:
    """One query of a batch."""
    return models.QueryRequest(
        query=_vector(item.vector),
        using=item.using,
        filter=filter_of(item.where),
        params=_params(item, exact=exact),
        limit=item.limit,
        with_payload=list(keys),
    )


def fused(legs: Sequence[Leg], k: int, *, exact: bool) -> dict[str, Any]:
    """The arguments of one query that fuses a prefetch for each leg."""
    prefetch = [
        models.Prefetch(
            query=_vector(item.vector),
            using=item.using,
            filter=filter_of(item.where),
            params=_params(item, exact=exact),
            limit=item.limit,
        )
        for item in legs
    ]
    return {"prefetch": prefetch, "query": models.RrfQuery(rrf=models.Rrf(k=k + 1))}


def _params(item: Leg, *, exact: bool) -> models.SearchParams | None:
    corpus = models.IdfCorpusParams(corpus=filter_of(item.corpus)) if item.corpus is not None else None
    if corpus is None and not exact:
        return None
    return models.SearchParams(exact=exact or None, idf=corpus)
