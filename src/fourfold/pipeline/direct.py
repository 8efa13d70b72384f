"""Words for the direct path: what a modality that answers alone is called, and what it says where it finds nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fourfold.rank.message import filled

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fourfold.model.query import Query
    from fourfold.pipeline.ranked import Ranked

METHODS = {"structural": "definitions", "text": "exact text", "graph": "references"}
MISSED = {
    "structural": "no definition of that name fits the filters",
    "text": "the exact text does not occur",
    "graph": "nothing mentions that name outside of its definition",
}

NEAR = 32
"""Best chunks by words among which those that make a message with values in it are looked for."""
MADE = "the exact text does not occur; what makes it, with a value filled in, comes first"
"""Said where the question is a message that no text holds as it is."""
CLOSEST = "these are the closest by words and meaning"


def missed_note(modality: str) -> str:
    """What is said of the results that stand in for those of a modality that found nothing."""
    return f"{MISSED[modality]}; {CLOSEST}"


def whole_note(query: Query, items: Sequence[Ranked]) -> str:
    """What is said of places that hold one of the values of a message, not the message; "" where they hold what is
    asked for."""
    from fourfold.pipeline.phrase import asks

    if (
        not items
        or asks(query.text)
        or query.literal_is_regex
        or not filled(query.text)
        or query.literal not in query.text
    ):
        return ""
    if items[0].makes_message:
        return MADE if items[0].signals[0][1] < 1.0 else ""
    return f"the text does not occur as a whole; these hold {query.literal!r} of it"
