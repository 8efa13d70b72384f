"""What the tree held when: for each path the versions it had, with the time before and after each change."""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Change:
    """A path got a version (None: it is gone) at some moment from `began` to `ended`."""

    began: float
    ended: float
    version: int | None


class Chronicle:
    """Changes by path, in order. Times are those of ``time.monotonic``, one clock for all processes."""

    def __init__(self) -> None:
        self._changes: dict[str, list[Change]] = {}
        self._lock = threading.Lock()
        self.count = 0

    @contextmanager
    def changing(self) -> Iterator[dict[str, int | None]]:
        """Fill in what each path becomes; the change lies between the begin and the end of the block."""
        began = time.monotonic()
        made: dict[str, int | None] = {}
        yield made
        self.note(began, time.monotonic(), made)

    def note(self, began: float, ended: float, made: Mapping[str, int | None]) -> None:
        """Write down one change of some paths."""
        with self._lock:
            self.count += 1
            for path, version in made.items():
                self._changes.setdefault(path, []).append(Change(began, ended, version))

    def had(self, path: str, version: int | None, since: float, until: float) -> bool:
        """True where a path may have had this version at a moment from `since` to `until`."""
        changes = self._changes.get(path, [])
        if version is None and (not changes or since <= changes[0].ended):
            return True
        for change, after in zip(changes, [*changes[1:], None], strict=True):
            end = math.inf if after is None else after.ended
            if change.version == version and change.began <= until and since <= end:
                return True
        return False

    def existed(self, path: str, since: float, until: float) -> bool:
        """True where there may have been a file at a moment from `since` to `until`."""
        changes = self._changes.get(path, [])
        ends = [*(change.ended for change in changes[1:]), math.inf]
        return any(
            change.version is not None and change.began <= until and since <= end
            for change, end in zip(changes, ends, strict=False)
        )
