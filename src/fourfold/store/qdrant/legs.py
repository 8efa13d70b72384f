"""What the server itself looks for: nearest chunks by meaning, best chunks and files by words, one fused list.

A leg is one search under one filter (service, generation, what the question narrows to). All legs of a question
travel in one request. Sparse vectors are weighed by the statistics of the service's own live points, so that scores
agree with those of the local store.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from fourfold.store.qdrant import words
from fourfold.store.qdrant.asked import Asked, Ranking
from fourfold.store.qdrant.encode import DECIMALS
from fourfold.store.qdrant.layout import CODE, CONTENT, WORDS
from fourfold.store.qdrant.points import Found, In, Is, Leg
from fourfold.store.qdrant.table import visible

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from fourfold.store.qdrant.manifest import Manifest
    from fourfold.store.qdrant.place import Place

_KEYS = ("file", "ordinal")


class Legs:
    """Asks the server about one generation. `first_chunks` and `file_numbers` translate file versions."""

    def __init__(
        self, place: Place, manifest: Manifest, first_chunks: Mapping[int, int], file_numbers: Mapping[int, int]
    ) -> None:
        self._place = place
        self._manifest = manifest
        self._first_chunks = first_chunks
        self._file_numbers = file_numbers

    def ask(self, asked: Sequence[Asked], files: Sequence[int] | None = None) -> list[Ranking]:
        """The answers to several legs in one request; `files` narrows to some file versions."""
        made = [self._leg(one, files) for one in asked]
        answered = iter(self._place.gateway.ask([leg for leg in made if leg is not None], _KEYS))
        return [
            self._ranking(next(answered), by_file=bool(one.field)) if leg is not None else Ranking([], [])
            for one, leg in zip(asked, made, strict=True)
        ]

    def versions(self, files: NDArray[np.int64]) -> list[int]:
        """The file versions of snapshot-wide file numbers."""
        numbers = list(self._file_numbers)
        return [numbers[file] for file in files.tolist()]

    def fused(self, asked: Sequence[Asked], k: int, limit: int, files: Sequence[int] | None = None) -> Ranking:
        """One query: a prefetch for each leg, fused on the server with equal weights (constant `k`)."""
        legs = [leg for one in asked if (leg := self._leg(one, files)) is not None]
        if not legs:
            return Ranking([], [])
        return self._ranking(self._place.gateway.fused(legs, k, limit, _KEYS), by_file=False)

    def _leg(self, one: Asked, files: Sequence[int] | None) -> Leg | None:
        kind = Is("point", "file" if one.field else "chunk")
        everything = visible(self._place.service, self._manifest, kind)
        where = everything
        if files is not None:
            where = everything.plus(In("file", tuple(int(number) for number in files)))
        if one.vector is not None:
            using = CONTENT if one.name == CONTENT else CODE
            return Leg(using, one.vector.astype(np.float64).round(DECIMALS).tolist(), where, one.limit)
        sparse = words.query(*_terms(one))
        return Leg(WORDS, sparse, where, one.limit, corpus=everything) if sparse.indices else None

    def _ranking(self, found: Sequence[Found], *, by_file: bool) -> Ranking:
        numbers, scores = [], []
        for point in found:
            payload = point.payload
            file = int(payload["file"])
            known = self._file_numbers.get(file) if by_file else self._first_chunks.get(file)
            if known is not None:
                numbers.append(known if by_file else known + int(payload["ordinal"]))
                scores.append(float(point.score))
        return Ranking(numbers, scores)


def _terms(one: Asked) -> list[tuple[NDArray[np.uint64], list[float]]]:
    made = []
    for terms, index in ((one.raw, words.raw_index), (one.stems, words.stem_index)):
        if terms:
            hashes = np.array(list(terms), dtype=np.uint64)
            indices = words.field_index(hashes, one.field) if one.field else index(hashes)
            made.append((indices, list(terms.values())))
    return made
