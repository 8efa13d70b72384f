"""A question whose answer is known."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Target:
    """A place that answers a question. Lines count from 1, both included; None for a whole file."""

    path: str
    start_line: int | None = None
    end_line: int | None = None


@dataclass(frozen=True, slots=True)
class Question:
    """One question; paths of `targets` are relative to the root.

    `intent` is what whoever wrote it meant it to be ("" where that was not said), `tags` group questions in a report:
    the first one says where a mined question is from.
    """

    id: str
    text: str
    targets: tuple[Target, ...]
    intent: str = ""
    tags: tuple[str, ...] = ()

    @property
    def kind(self) -> str:
        """The first tag, "" for none."""
        return self.tags[0] if self.tags else ""
