"""The texts of a snapshot, read in bulk and kept for a while: unpacking them is most of the time of a
search."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from threading import Lock
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

from fourfold.store.contract import Snapshot

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

BUDGET_BYTES = 32 << 20
"""Memory for the texts of one snapshot: the whole of a code base of 800,000 lines."""
AT_ONCE = 64
"""Texts asked for in one read."""
LINED_TEXTS = 2_048
"""Texts of which the ends of the lines are kept: some 3 MB."""
SCAN = 512
"""Reading more texts than this at once is a scan."""


class Texts:
    """Texts by path, the most recently used ones in memory. Safe to share between threads."""

    def __init__(self, budget_bytes: int = BUDGET_BYTES) -> None:
        self._budget = budget_bytes
        self._used = 0
        self._kept: dict[str, str] = {}
        self._line_ends: dict[str, NDArray[np.int64]] = {}
        self._guard = Lock()

    def read(self, snapshot: Snapshot, paths: Sequence[str]) -> Iterator[tuple[str, str]]:
        """(path, text) in the order of `paths`, without those that are not indexed.

        Where memory is full, new texts push old ones out, unless more than :data:`SCAN` are read: of a scan
        that memory cannot hold, each text would be pushed out just before its next use.
        """
        displace = len(paths) <= SCAN
        for start in range(0, len(paths), AT_ONCE):
            part = paths[start : start + AT_ONCE]
            found = self._look_up(part)
            missing = [path for path in part if path not in found]
            if missing:
                fetched = dict(_fetch(snapshot, missing))
                self._keep(fetched, displace)
                found.update(fetched)
            for path in part:
                if path in found:
                    yield path, found[path]

    def part(self, path: str, text: str, first: int, last: int) -> str:
        """Lines of a text of this snapshot, from 1, both included; fewer where it has no more."""
        ends = self._line_ends.get(path)
        if ends is None:
            ends = _line_ends(text)
            with self._guard:
                if len(self._line_ends) >= LINED_TEXTS:
                    self._line_ends.clear()
                self._line_ends[path] = ends
        if last < first or first > len(ends) + 1:
            return ""
        start = int(ends[first - 2]) + 1 if first > 1 else 0
        return text[start : int(ends[last - 1])] if last <= len(ends) else text[start:]

    def _look_up(self, paths: Iterable[str]) -> dict[str, str]:
        found = {}
        with self._guard:
            for path in paths:
                text = self._kept.pop(path, None)
                if text is not None:
                    # Put back at the end: the order of the dict is the order of use.
                    self._kept[path] = found[path] = text
        return found

    def _keep(self, fetched: dict[str, str], displace: bool) -> None:
        with self._guard:
            for path, text in fetched.items():
                size = sys.getsizeof(text)
                if path in self._kept or size > self._budget:
                    continue
                while displace and self._used + size > self._budget:
                    oldest = next(iter(self._kept))
                    self._used -= sys.getsizeof(self._kept.pop(oldest))
                if self._used + size <= self._budget:
                    self._kept[path] = text
                    self._used += size


def _line_ends(text: str) -> NDArray[np.int64]:
    """Where the line feeds of a text are."""
    import numpy as np

    if text.isascii():
        characters: NDArray[Any] = np.frombuffer(text.encode("ascii"), dtype=np.uint8)
    else:
        characters = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype="<u4")
    ends: NDArray[np.int64] = (characters == ord("\n")).nonzero()[0]
    return ends


_TEXTS: WeakKeyDictionary[Any, Texts] = WeakKeyDictionary()
_TEXTS_GUARD = Lock()


def texts_of(snapshot: Snapshot) -> Texts:
    """The texts kept for a snapshot; they go when it goes. A snapshot never changes, so they are never
    stale."""
    with _TEXTS_GUARD:
        texts = _TEXTS.get(snapshot)
        if texts is None:
            texts = _TEXTS[snapshot] = Texts()
        return texts


def _fetch(snapshot: Snapshot, paths: Sequence[str]) -> Iterable[tuple[str, str]]:
    """Through ``snapshot.texts(paths)``, pairs of path and text, where the store offers it: one read for
    all."""
    bulk = getattr(snapshot, "texts", None)
    if bulk is not None:
        yield from bulk(paths)
        return
    for path in paths:
        text = snapshot.text(path)
        if text is not None:
            yield path, text
