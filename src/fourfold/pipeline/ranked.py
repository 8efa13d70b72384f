"""What a search path gives back before it is shown."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import field

from fourfold.model.record import record

MESSAGE = "message"
"""Signal of a place whose text makes the message that the question is: the share of it that stands there."""


@record(frozen=False, slots=True)
class Ranked:
    """One ranked chunk. `ranks` are from 1 by modality; `more` are further good chunks of the same file; `line` is the
    line that answers, 0 where none stands out. `detail` gives signals and further chunks: they are worked out only for
    what is shown (:meth:`complete`). `span` are the lines shown where those are more than the chunk's own."""

    chunk: int
    score: float
    ranks: dict[str, int] = field(default_factory=dict)
    signals: list[tuple[str, float]] = field(default_factory=list)
    more: tuple[int, ...] = ()
    line: int = 0
    detail: Callable[[], tuple[list[tuple[str, float]], tuple[int, ...]]] | None = None
    span: tuple[int, int] = (0, 0)

    @property
    def makes_message(self) -> bool:
        """True where the text of the chunk makes the message that the question is."""
        return bool(self.signals) and self.signals[0][0] == MESSAGE

    def complete(self) -> None:
        """Fill in `signals` and `more`."""
        if self.detail is not None:
            self.signals, self.more = self.detail()
            self.detail = None


def put_before(first: Sequence[Ranked], items: Sequence[Ranked]) -> list[Ranked]:
    """`first`, scored above all of `items`, and behind them what of those shows another chunk."""
    taken = {item.chunk for item in first}
    top = max((item.score for item in items), default=0.0)
    for item in first:
        item.score += top
    return [*first, *(item for item in items if item.chunk not in taken)]


@record(frozen=False, slots=True)
class Answer:
    """Ranked chunks, best first, how they were found, and the modalities' weights that applied. `note` says what a
    person should know of the path that was taken (a direct path that found nothing)."""

    items: Sequence[Ranked]
    strategy: str
    weights: dict[str, float] = field(default_factory=dict)
    method: str = ""
    note: str = ""
