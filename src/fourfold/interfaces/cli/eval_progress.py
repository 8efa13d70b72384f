"""Progress of an evaluation: indexing as usual, then questions asked."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from fourfold.interfaces.cli.progress import ProgressLine
from fourfold.interfaces.cli.session import Session
from fourfold.interfaces.cli.width import cut, safe_name
from fourfold.interfaces.cli.words import seconds
from fourfold.model.report import Progress

if TYPE_CHECKING:
    from fourfold.evaluate.run import Say
    from fourfold.interfaces.cli.terminal import Terminal

BAR = 20
"""Columns of the bar."""


class WorkLine(ProgressLine):
    """A progress line for work that is counted: ``asking  preset=default  ########............ 80/200 · 3 s left``."""

    def __init__(self, terminal: Terminal, name: str, verb: str, noun: str) -> None:
        super().__init__(terminal, name)
        self._verb = verb
        self._noun = noun
        self._started = time.monotonic()

    def say(self, done: int, total: int) -> None:
        """Take note of how much is done."""
        self(Progress("eval", done, total, seconds=time.monotonic() - self._started))

    def _draw(self, progress: Progress) -> None:
        text = cut(f"{self._verb}  {self._name}  {bar_text(progress, self._noun)}", (self._terminal.columns or 80) - 1)
        self._terminal.stream.write("\r" + text + "\x1b[K")
        self._terminal.stream.flush()
        self._drawn = True


def bar_text(progress: Progress, noun: str) -> str:
    """``########............ 80/200 questions · 3 s left``."""
    share = progress.done / progress.total if progress.total else 0.0
    filled = round(BAR * share)
    parts = [f"{'#' * filled}{'.' * (BAR - filled)} {progress.done:,}/{progress.total:,} {noun}"]
    if 0 < progress.done < progress.total:
        left = progress.seconds * (progress.total - progress.done) / progress.done
        parts.append(f"{seconds(max(left, 1.0), whole=True)} left")
    return " · ".join(parts)


class EvalProgress:
    """The lines of one evaluation, one at a time (:class:`fourfold.evaluate.evaluation.Progresses`)."""

    def __init__(self, session: Session, name: str) -> None:
        self._session = session
        self._name = name
        self._current: ProgressLine | None = None

    def index(self, configuration: str) -> Callable[[Progress], None]:
        """A line for indexing what a configuration needs."""
        self.clear()
        self._current = self._session.progress(f"{self._name} for {configuration}")
        return self._current

    def asking(self, configuration: str) -> Say:
        """A line for asking under a configuration."""
        return self.work(configuration, "asking", "questions")

    def work(self, name: str, verb: str, noun: str) -> Say:
        """A line for counted work."""
        self.clear()
        line = WorkLine(self._session.err, safe_name(name), verb, noun)
        self._current = line
        return line.say

    def clear(self) -> None:
        """Remove the line."""
        if self._current is not None:
            self._current.clear()
            self._current = None


def progresses(session: Session, name: str) -> EvalProgress:
    """The progress of one evaluation on standard error."""
    return EvalProgress(session, name)
