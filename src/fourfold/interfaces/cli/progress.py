"""Progress of long work: one line on standard error, rewritten in place, replaced by a summary at the end."""

from __future__ import annotations

import time
from collections.abc import Callable

from fourfold.interfaces.cli.terminal import Terminal
from fourfold.interfaces.cli.width import cut, safe_name
from fourfold.interfaces.cli.words import count, seconds
from fourfold.model.report import Progress

SHOW_AFTER_S = 0.2
"""Shorter work shows no progress: a line that flashes by only disturbs."""

REDRAW_S = 0.1
_WORDS = {
    "scan": "scanning",
    "index": "indexing",
    "merge": "merging",
    "embed": "embedding",
    "copy": "copying",
    "check": "checking",
}
_COUNTED = {"embed": "chunk", "check": "check"}
"""What is counted, where it is not files."""


class ProgressLine:
    """A callback for the engine. `name` says what is worked on; on a pipe only the summary is written."""

    def __init__(
        self,
        terminal: Terminal,
        name: str,
        *,
        quiet: bool = False,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._terminal = terminal
        self._name = safe_name(name)
        self._quiet = quiet
        self._clock = clock
        self._drawn_at = float("-inf")
        self._drawn = False
        self._last: Progress | None = None
        self._work: Progress | None = None

    def __call__(self, progress: Progress) -> None:
        """Take note of a moment and redraw the line if it is time."""
        self._last = progress
        if progress.stage == "index":
            self._work = progress
        if self._quiet or not self._terminal.tty or progress.seconds < SHOW_AFTER_S:
            return
        now = self._clock()
        if now - self._drawn_at < REDRAW_S and progress.done < progress.total:
            return
        self._drawn_at = now
        self._draw(progress)

    def clear(self) -> None:
        """Remove the line."""
        if self._drawn:
            self._terminal.stream.write("\r\x1b[K")
            self._terminal.stream.flush()
            self._drawn = False

    def finish(self) -> None:
        """Remove the line and, where the work took long enough to be noticed, say what was done."""
        self.clear()
        last, work = self._last, self._work
        if self._quiet or last is None or work is None or last.seconds < 1.0 or not work.done:
            return
        done = f"indexed {self._name}: {count(work.done, 'file')} · {count(work.chunks, 'chunk')}"
        self._terminal.line(f"{done} · {count(work.lines, 'line')} in {seconds(last.seconds)}")

    def _draw(self, progress: Progress) -> None:
        text = cut(progress_text(progress, self._name), (self._terminal.columns or 80) - 1)
        self._terminal.stream.write("\r" + text + "\x1b[K")
        self._terminal.stream.flush()
        self._drawn = True


def progress_text(progress: Progress, name: str) -> str:
    """``indexing  django  1,240/2,818 files · 9,812 chunks · 31,000 lines/s · 4 s left``."""
    what = _COUNTED.get(progress.stage, "file")
    parts = [f"{progress.done:,}/{progress.total:,} {what}s" if progress.total else count(progress.done, what)]
    if progress.chunks and what == "file":
        parts.append(count(progress.chunks, "chunk"))
    if progress.seconds > 0 and progress.lines:
        parts.append(f"{_rounded(progress.lines / progress.seconds):,} lines/s")
    if 0 < progress.done < progress.total and what != "check":  # no check tells how long the next one takes
        left = progress.seconds * (progress.total - progress.done) / progress.done
        parts.append(f"{seconds(max(left, 1.0), whole=True)} left")
    return f"{_WORDS.get(progress.stage, progress.stage)}  {name}  " + " · ".join(parts)


def _rounded(number: float) -> int:
    """Two significant digits, so that the figure stays readable while it moves."""
    whole = int(number)
    unit = int(10 ** max(len(str(whole)) - 2, 0))
    return whole // unit * unit
