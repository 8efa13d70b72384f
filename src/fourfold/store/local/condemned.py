"""The note that an index was found damaged while it was read, kept until the index is made anew.

SQLite's page check cannot see every damage: a text that does not unpack, a word index that contradicts itself, a row
that is gone are met by the question that needs them. The note makes the next refresh of any process rebuild the index,
although that process may never read the damaged place.
"""

from __future__ import annotations

import contextlib
import json
from pathlib import Path

FILE_NAME = "damaged.json"


class Condemned:
    """Speaks of one incarnation of the database in `directory`: a rebuilt one is not meant."""

    def __init__(self, directory: Path) -> None:
        self._path = directory / FILE_NAME
        self._known: tuple[int, str] = (0, "")

    def note(self, incarnation: int, what: str) -> None:
        """Condemn an incarnation; `what` is the sentence to say. Where the note cannot be written, this process alone
        knows."""
        self._known = (incarnation, what)
        with contextlib.suppress(OSError):
            self._path.write_text(json.dumps([incarnation, what]), encoding="utf-8")

    def load(self) -> None:
        """Read what other processes noted."""
        try:
            incarnation, what = json.loads(self._path.read_bytes())
            self._known = (int(incarnation), str(what))
        except (OSError, ValueError, TypeError):
            return

    def why(self, incarnation: int) -> str:
        """Why this incarnation is condemned, empty where it is not."""
        return self._known[1] if self._known[0] == incarnation else ""

    def forget(self) -> None:
        """Delete the note."""
        self._known = (0, "")
        with contextlib.suppress(OSError):
            self._path.unlink(missing_ok=True)
