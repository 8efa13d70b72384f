"""One text of several places of code, within a budget of tokens."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from fourfold.rank.diversify import CHARS_PER_TOKEN, approx_tokens, fit_tokens
from fourfold.retrieve.literal_texts import texts_of

if TYPE_CHECKING:
    from fourfold.pipeline.state import Candidate
    from fourfold.store.local.snapshot import LocalSnapshot

FOOTER_TOKENS = 60
"""Kept for the line that names what is left out."""
NAMED = 5
"""Places left out that the text names."""


@dataclass(frozen=True, slots=True)
class Composed:
    """A text, how many of the places are in it, and how many are not."""

    text: str
    shown: int
    dropped: int


def compose(snapshot: LocalSnapshot, items: Sequence[Candidate], budget: int) -> Composed:
    """The code of the first places, each under its path and lines; a first place that alone is too long is cut at a
    line end, which the text says. What is left out is named."""
    texts = dict(texts_of(snapshot).read(snapshot, list({item.path for item in items})))
    room = max(budget - FOOTER_TOKENS, 1)
    blocks = [_block(item, texts.get(item.path, ""), room) for item in items]
    kept, dropped = fit_tokens(blocks, lambda block: block + "\n", room)
    left = items[len(kept) :]
    if left:
        named = ", ".join(f"{item.path}:{item.start_line}-{item.end_line}" for item in left[:NAMED])
        more = f" and {len(left) - NAMED} more" if len(left) > NAMED else ""
        kept.append(f"[left out, the budget is {budget} tokens: {named}{more}]")
    return Composed("\n".join(kept), len(items) - len(left), dropped)


def _block(item: Candidate, text: str, budget: int) -> str:
    """The head and the code of one place, as many whole lines as the budget allows."""
    lines = text.split("\n", item.end_line)[item.start_line - 1 : item.end_line]
    head = f"## {item.path}:{item.start_line}-{item.end_line}"
    whole = "\n".join([head, *lines, ""])
    if approx_tokens(whole) <= budget:
        return whole
    kept: list[str] = []
    room = budget * CHARS_PER_TOKEN - len(head) - 60
    for line in lines:
        room -= len(line) + 1
        if room < 0:
            break
        kept.append(line)
    note = f"[lines {item.start_line + len(kept)}-{item.end_line} do not fit]"
    return "\n".join([head, *kept, note, ""])
