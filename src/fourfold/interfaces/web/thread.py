"""The thread of the Ask page, kept in its addresses: the server remembers nothing."""

from __future__ import annotations

from fourfold.interfaces.web.links import address
from fourfold.model.answer import Turn


def thread_query(thread: tuple[Turn, ...]) -> dict[str, list[str]]:
    """The thread as parameters of an address; names of a turn are joined by commas."""
    return {"before": [turn.question for turn in thread], "about": [",".join(turn.about) or "-" for turn in thread]}


def earlier(thread: tuple[Turn, ...]) -> list[tuple[str, str]]:
    """(question, address that asks it again) of each question before."""
    return [
        (turn.question, address("/ask", {"q": turn.question, **thread_query(thread[:number])}))
        for number, turn in enumerate(thread)
    ]
