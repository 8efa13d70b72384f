"""New scores that join the old ones and never replace them, and the texts that models are given to judge."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from typing import TYPE_CHECKING

from fourfold.pipeline.steps.fusion import scaled
from fourfold.retrieve.literal_texts import texts_of

if TYPE_CHECKING:
    from fourfold.pipeline.state import Candidate, RetrieverState

MAX_TEXT_LINES = 60
MAX_TEXT_CHARS = 3_000
"""About 800 tokens: more than a cross-encoder reads (512)."""


def blend_in(state: RetrieverState, values: Sequence[float], share: float, name: str) -> None:
    """The first ``len(values)`` candidates get ``(1 - share) * old + share * new`` and are sorted; the rest stays
    behind them.

    Both are scaled so that the worst is 0 and the best 1. A list may have an order of its own that its scores do not
    show (further places of a file stand under the file's score): an old score counts as at most that of the place
    before it, so that without new evidence the order stays.
    """
    items = state.items
    old = list(accumulate(scaled(items, "range"), min))
    new = [*_scaled(values), *[0.0] * (len(items) - len(values))]
    for item, before, value in zip(items, old, new, strict=True):
        item.score = (1.0 - share) * before + share * value
        item.contributions = {}
        item.signals = [*item.signals, (name, share * value)]
        item.detail = None
    head = sorted(items[: len(values)], key=lambda item: -item.score)
    state.items = [*head, *items[len(values) :]]
    state.method = name


def judged_texts(state: RetrieverState, items: Sequence[Candidate]) -> list[str]:
    """The code of each candidate under its path, as a model reads it: at most :data:`MAX_TEXT_LINES` lines."""
    snapshot = state.index.snapshot
    texts = dict(texts_of(snapshot).read(snapshot, list(dict.fromkeys(item.path for item in items))))
    found = []
    for item in items:
        end = min(item.end_line, item.start_line + MAX_TEXT_LINES - 1)
        lines = texts.get(item.path, "").split("\n", end)[item.start_line - 1 : end]
        found.append("\n".join([item.path, *lines])[:MAX_TEXT_CHARS])
    return found


def _scaled(values: Sequence[float]) -> list[float]:
    """From 0 to 1; all 0 where they are equal: they say nothing."""
    low, high = min(values, default=0.0), max(values, default=0.0)
    return [(value - low) / (high - low) if high > low else 0.0 for value in values]
