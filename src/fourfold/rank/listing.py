"""Which places an answer lists, and in which order: files and their chunks weighed together. Pure.

The learned scores are logits: the softmax of the files' scores says how likely each file is the one that is meant, that
of the chunks' scores within a file how likely each chunk is the one that answers. A file's best chunk is worth
``P(file)``, since naming the right file answers most questions; any other chunk ``LINES_SHARE * P(file) * P(chunk |
file)``, since only its lines can answer. Where one file is clearly meant its second-best chunk so comes before the
files that are not; where none is, every file has its say first. Neighbours in a file become one place. Measured on
stored questions (``docs/ranking.md``, *Places*).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from fourfold.model.record import record
from fourfold.rank.chunks import ChunkOrder

if TYPE_CHECKING:
    from numpy.typing import NDArray

LINES_SHARE = 0.3
"""What a further chunk is worth beside the first of its file. Less suits questions about whole files (.2: +.002 NDCG@10
on the tuning set), more those about lines (.2: -.010 hit@5 on mined functions, .4: +.007)."""
PLACES_OF_A_FILE = 5
"""Chunks of one file that may be listed: a long file never fills the page."""
JOINED = 3
"""Neighbouring chunks that are listed as one place, at most."""
JOINED_FROM = 0.03
"""How likely a chunk must be, within its file, to be shown along with its neighbour."""


@record(frozen=False, slots=True)
class Listed:
    """One place: the position of its file, of its best chunk, and of the first and the last chunk it shows; its worth;
    whether it is the best place of its file."""

    file: int
    chunk: int
    first: int
    last: int
    worth: float
    is_best: bool = True


def listing(file_scores: NDArray[np.floating], chunks: ChunkOrder, order: Sequence[int], depth: int) -> list[Listed]:
    """Places of all files, best first. `order` are file positions by falling score; files beyond the first `depth` show
    their best chunk alone."""
    if not len(order):
        return []
    odds = chunks.odds()
    owners, ranks, positions = chunks.top(PLACES_OF_A_FILE)
    place = np.empty(len(order), dtype=np.int64)
    place[np.asarray(order)] = np.arange(len(order))
    worths = _softmax(file_scores)[owners] * np.where(ranks == 0, 1.0, LINES_SHARE * odds[positions])
    kept = ((ranks == 0) | (place[owners] < depth)).nonzero()[0]
    kept = kept[np.lexsort((ranks[kept], place[owners[kept]], -worths[kept]))]
    listed: list[Listed] = []
    by_file: dict[int, list[Listed]] = {}
    columns = (owners[kept], ranks[kept], positions[kept], worths[kept], odds[positions[kept]])
    for owner, rank, at, worth, likely in zip(*(column.tolist() for column in columns), strict=True):
        others = by_file.get(owner)
        if rank and likely >= JOINED_FROM and others and _joined(others, at):
            continue
        made = Listed(owner, at, at, at, worth, not rank)
        if others is None:
            by_file[owner] = [made]
        else:
            others.append(made)
        listed.append(made)
    return listed


def best_places(file_scores: NDArray[np.floating], chunks: ChunkOrder, order: Sequence[int]) -> list[Listed]:
    """The best chunk of each file alone, in the order of the files, by the score of its file."""
    best = chunks.best()
    return [Listed(file, int(best[file]), int(best[file]), int(best[file]), float(file_scores[file])) for file in order]


def _joined(places: list[Listed], at: int) -> bool:
    """True where a chunk became part of a place beside it."""
    for one in places:
        if one.last - one.first + 1 < JOINED and at in (one.first - 1, one.last + 1):
            one.first, one.last = min(one.first, at), max(one.last, at)
            return True
    return False


def _softmax(scores: NDArray[np.floating]) -> NDArray[np.float64]:
    raised = np.exp(scores.astype(np.float64) - float(scores.max()))
    result: NDArray[np.float64] = raised / raised.sum()
    return result
