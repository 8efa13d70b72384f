"""Places become results when they are looked at."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from tests.rank.made import evidence

from fourfold.pipeline.places import Places
from fourfold.pipeline.ranked import Ranked
from fourfold.rank.chunks import ChunkOrder
from fourfold.rank.listing import Listed
from fourfold.retrieve.evidence import UNRANKED

LISTED = [Listed(0, 0, 0, 1, 0.9), Listed(1, 2, 2, 2, 0.5), Listed(2, 3, 3, 3, 0.1)]
NEVER = UNRANKED


class Lines:
    """The lines of chunks 100 to 103."""

    start_lines = np.arange(104) * 10
    end_lines = start_lines + 9


@pytest.fixture
def places() -> Places:
    found = evidence(
        ["a.py", "b.py", "c.py"],
        [2, 1, 1],
        ranks={"with_path": [4, 9, NEVER, 0], "raw": [NEVER, 1, 7, NEVER], "stems": [2, 0, 8, NEVER]},
        definition_bonus=[0.0, 0.0, 1.0, 0.0],
    )
    corpus: Any = Lines()
    return Places(corpus, found, ChunkOrder(found, np.zeros(4)), LISTED, lambda file: [("raw", float(file))])


def test_a_place_tells_its_ranks_its_lines_and_when_asked_its_shares(places: Places) -> None:
    first, second, third = places
    assert (first.chunk, first.score, first.ranks, first.span) == (100, 0.9, {"semantic": 5, "text": 3}, (1000, 1019))
    assert (second.ranks, second.span) == ({"text": 8, "structural": 1}, (0, 0))
    assert third.ranks == {"semantic": 1}
    second.complete()
    assert second.signals == [("raw", 1.0)]
    assert places[1] is second
    assert places[-2:] == [second, third]
    with pytest.raises(IndexError):
        places[3]


def test_what_is_put_first_takes_the_places_that_are_left_out(places: Places) -> None:
    assert (places.chunks, places.files) == ([100, 102, 103], [0, 1, 2])
    last = places[2].score
    places.put_first([Ranked(102, 2.0), Ranked(77, 1.0)], {1})
    assert [item.chunk for item in places] == [102, 77, 100, 103]
    assert len(places) == 4
    assert [item.chunk for item in places[1:3]] == [77, 100]
    assert places[-1].score == last
    with pytest.raises(IndexError):
        places[4]
