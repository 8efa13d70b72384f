"""What every compared system offers."""

from __future__ import annotations

from pathlib import Path
from typing import Protocol

Found = list[tuple[str, int | None, int | None]]
"""Results best first: path relative to the root, first and last line (from 1), or None for a whole file."""


class System(Protocol):
    """A search system under test. :meth:`prepare` is not part of a question's time, :meth:`answer` is."""

    name: str

    def prepare(self, root: Path) -> None:
        """Index one root; called once before its questions."""

    def answer(self, root: Path, query: str) -> Found:
        """At most ten results for a question."""

    def close(self) -> None:
        """Let go of everything."""
