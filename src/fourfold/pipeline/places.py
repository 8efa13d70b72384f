"""The places of a ranked answer, made results as they are asked for."""

from __future__ import annotations

from collections.abc import Callable, Container, Sequence
from functools import partial
from typing import TYPE_CHECKING, overload

from fourfold.pipeline.ranked import Ranked
from fourfold.retrieve.evidence import UNRANKED

if TYPE_CHECKING:
    from fourfold.rank.chunks import ChunkOrder
    from fourfold.rank.listing import Listed
    from fourfold.retrieve.evidence import Evidence
    from fourfold.store.local.corpus import Corpus

Shares = Callable[[int], list[tuple[str, float]]]
"""What each feature adds to the score of a file, by its position among the candidates."""


class Places(Sequence[Ranked]):
    """Places of an answer, best first. Of a hundred few are shown: each is made a result when it is first asked for."""

    def __init__(
        self, corpus: Corpus, evidence: Evidence, order: ChunkOrder, listed: Sequence[Listed], shares: Shares
    ) -> None:
        self._corpus = corpus
        self._evidence = evidence
        self._order = order
        self._listed = listed
        self._shares = shares
        self._first: list[Ranked] = []
        self._made: dict[int, Ranked] = {}

    @property
    def chunks(self) -> list[int]:
        """The chunk of each place."""
        found: list[int] = self._evidence.chunks[[place.chunk for place in self._listed]].tolist()
        return found

    @property
    def files(self) -> list[int]:
        """The file of each place."""
        found: list[int] = self._evidence.files[[place.file for place in self._listed]].tolist()
        return found

    def showing(self, chunk: int) -> int | None:
        """The position of the place that shows a chunk, None where none does."""
        numbers = self._evidence.chunks
        for at, place in enumerate(self._listed):
            if numbers[place.first] <= chunk <= numbers[place.last]:
                return at
        return None

    def put_first(self, first: list[Ranked], dropped: Container[int]) -> None:
        """Put results before all others, and leave out those at some positions. Done once."""
        self._listed = [place for at, place in enumerate(self._listed) if at not in dropped]
        self._first, self._made = first, {}

    def __len__(self) -> int:
        return len(self._first) + len(self._listed)

    @overload
    def __getitem__(self, index: int) -> Ranked: ...

    @overload
    def __getitem__(self, index: slice) -> list[Ranked]: ...

    def __getitem__(self, index: int | slice) -> Ranked | list[Ranked]:
        if isinstance(index, slice):
            return [self[number] for number in range(*index.indices(len(self)))]
        number = range(len(self))[index] - len(self._first)
        if number < 0:
            return self._first[number]
        if number not in self._made:
            self._made[number] = self._make(number)
        return self._made[number]

    def _make(self, number: int) -> Ranked:
        """A result, with its rank (from 1) in the modalities that found it; one that joins chunks spans their lines."""
        place, evidence = self._listed[number], self._evidence
        ranks = {name: int(evidence.ranks[name][place.chunk]) for name in ("with_path", "raw", "stems")}
        found = {}
        if ranks["with_path"] < UNRANKED:
            found["semantic"] = ranks["with_path"] + 1
        if (text := min(ranks["raw"], ranks["stems"])) < UNRANKED:
            found["text"] = text + 1
        if evidence.definition_bonus[place.chunk] > 0:
            found["structural"] = 1
        made = Ranked(int(evidence.chunks[place.chunk]), place.worth, found, detail=partial(self._detail, place))
        if place.first != place.last:
            first, last = int(evidence.chunks[place.first]), int(evidence.chunks[place.last])
            made.span = int(self._corpus.start_lines[first]), int(self._corpus.end_lines[last])
        return made

    def _detail(self, place: Listed) -> tuple[list[tuple[str, float]], tuple[int, ...]]:
        """What each feature adds to the score of a place's file, and its further good chunks beside its best place."""
        more: list[int] = []
        if place.is_best:
            more = [at for at in self._order.more(place.file) if not place.first <= at <= place.last]
        return self._shares(place.file), tuple(self._evidence.chunks[more].tolist())
