"""Words for the direct path: what a modality that answers alone is called, and what it says where it finds nothing."""

from __future__ import annotations

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
