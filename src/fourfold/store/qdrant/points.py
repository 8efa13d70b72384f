"""Points, conditions and questions as this store means them, whichever engine they are sent to."""

from __future__ import annotations

import hashlib
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

Scalar = str | int | bool


@dataclass(frozen=True, slots=True)
class Is:
    """The payload value at `key` (or one of its values, where it is a list) equals `value`."""

    key: str
    value: Scalar


@dataclass(frozen=True, slots=True)
class In:
    """One of the payload values at `key` is among `values`."""

    key: str
    values: tuple[str, ...] | tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Between:
    """The number at `key` lies within the bounds that are given."""

    key: str
    gt: float | None = None
    gte: float | None = None
    lt: float | None = None
    lte: float | None = None


Condition = Is | In | Between


@dataclass(frozen=True, slots=True)
class Where:
    """All of `must`, none of `must_not`, and at least one of `should` where there are any."""

    must: tuple[Condition, ...] = ()
    must_not: tuple[Condition, ...] = ()
    should: tuple[Condition, ...] = ()

    def plus(self, *must: Condition, must_not: Sequence[Condition] = ()) -> Where:
        """This and more."""
        return Where((*self.must, *must), (*self.must_not, *must_not), self.should)


@dataclass(frozen=True, slots=True)
class Sparse:
    """A sparse vector: distinct 32-bit indices and their values."""

    indices: list[int]
    values: list[float]


Vectors = Mapping[str, "list[float] | Sparse"]


@dataclass(frozen=True, slots=True)
class Point:
    """One point to store. `id` is a UUID in text form."""

    id: str
    payload: Mapping[str, Any]
    vectors: Vectors = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Found:
    """One point as the engine returns it; `score` is 0 where nothing was scored."""

    id: str
    payload: Mapping[str, Any]
    score: float = 0.0
    vectors: Vectors = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Leg:
    """One way of looking: the `limit` points under `where` nearest to `vector` in the named vector `using`.

    `corpus` names the points whose statistics weigh the indices of a sparse vector (None for a dense one).
    """

    using: str
    vector: list[float] | Sparse
    where: Where
    limit: int
    corpus: Where | None = None


def point_id(*parts: str | int) -> str:
    """A UUID that depends on `parts` alone: the same point sent twice is stored once."""
    digest = hashlib.blake2b("\0".join(map(str, parts)).encode("utf-8", "surrogatepass"), digest_size=16)
    return str(uuid.UUID(bytes=digest.digest()))
