"""What the store asks of an engine: a server, the client's own local mode, or the engine in this process."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Protocol

from fourfold.store.qdrant.layout import Layout
from fourfold.store.qdrant.points import Found, Leg, Point, Where

MAX_POINTS = 100
"""Points sent in one request."""
MAX_BYTES = 5_000_000
"""Bytes of payload and vectors sent in one request, about: a server refuses bodies above 32 MB."""
PAGE = 500
"""Points asked for at once while scrolling."""


class Gateway(Protocol):
    """One collection of one engine. Every call raises an error of :mod:`fourfold.model.errors`.

    Calls are safe to repeat; what a call wrote is seen by the next one. Safe to share between threads.
    """

    @property
    def address(self) -> str:
        """Where the collection is, in words, without a key."""
        ...

    def exists(self) -> bool:
        """True where the collection is there."""
        ...

    def create(self, layout: Layout) -> None:
        """Make the collection and its payload indexes; does nothing where it is there."""
        ...

    def dimension(self) -> int:
        """Dimension of the dense vectors that the collection takes; 0 where it has none."""
        ...

    def put(self, points: Sequence[Point], *, only: Where | None = None) -> None:
        """Store points; of those that exist, only those that match `only` are replaced."""
        ...

    def set_payload(self, where: Where, payload: Mapping[str, Any]) -> None:
        """Set payload values of all matching points."""
        ...

    def set_each(self, changes: Sequence[tuple[str, Mapping[str, Any]]]) -> None:
        """Set payload values of single points: (id, values) each."""
        ...

    def set_vectors(self, points: Sequence[Point]) -> None:
        """Replace the named vectors that `points` hold; their payload is left alone."""
        ...

    def delete(self, where: Where) -> None:
        """Delete all matching points."""
        ...

    def get(self, ids: Sequence[str], keys: Sequence[str]) -> list[Found]:
        """Those of the points that exist, in no particular order. Empty where the collection is missing."""
        ...

    def scroll(self, where: Where, keys: Sequence[str], *, vectors: bool = False) -> Iterator[Found]:
        """All matching points, in no particular order. Raises IndexUnavailable where there is no collection."""
        ...

    def count(self, where: Where) -> int:
        """How many points match, exactly."""
        ...

    def ask(self, legs: Sequence[Leg], keys: Sequence[str]) -> list[list[Found]]:
        """The answers to several legs, best first, in one request."""
        ...

    def fused(self, legs: Sequence[Leg], k: int, limit: int, keys: Sequence[str]) -> list[Found]:
        """One query: each leg a prefetch, fused by reciprocal ranks with equal weights, ``1 / (k + rank + 1)``
        with rank from 0. (The engine's constant is one more: it computes ``1 / (rank + 1 + constant - 1)``.)"""
        ...

    def close(self) -> None: ...


def batches(points: Sequence[Point]) -> Iterator[Sequence[Point]]:
    """Runs of points that fit one request."""
    start, size = 0, 0
    for at, point in enumerate(points):
        weight = weight_of(point)
        if at > start and (at - start >= MAX_POINTS or size + weight > MAX_BYTES):
            yield points[start:at]
            start, size = at, 0
        size += weight
    if start < len(points):
        yield points[start:]


def weight_of(point: Point) -> int:
    """About how many bytes a point takes in a request: numbers of a vector count 12, of a payload list 8."""
    size = 200
    for value in point.payload.values():
        size += len(value) if isinstance(value, str) else 8 * len(value) if isinstance(value, (list, tuple)) else 8
    for vector in point.vectors.values():
        size += 12 * len(vector) if isinstance(vector, list) else 24 * len(vector.indices)
    return size
