"""Indexes that stay open between the questions of one process after another's (the command line's helper)."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, cast

from fourfold.config.settings import SearchSettings
from fourfold.engine.index import Index

if TYPE_CHECKING:
    from fourfold.config.settings import Settings

MOST = 4
"""Indexes kept open; the one that was asked longest ago is closed first."""


class _Lent(Index):
    """An index whose ``with`` does not close it."""

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        pass


class KeptIndexes:
    """Opens an index as :meth:`Index.open` does, or gives the one that is open. For one question at a time.

    What counts is the settings and the place of each opening; what is kept is the store and what was read of it.
    """

    def __init__(self) -> None:
        self._kept: dict[tuple[Path, Path, str], _Lent] = {}

    def open(self, path: Path, *, root: Path | None, settings: Settings, allow_wide: bool = False) -> Index:
        """As :meth:`Index.open`."""
        opened = cast("_Lent", _Lent.open(path, root=root, settings=settings, allow_wide=allow_wide))
        key = (opened.root, opened.location, repr(replace(settings, search=SearchSettings())))
        kept = self._kept.pop(key, None)
        if kept is None:
            kept = opened
        else:
            opened.close()
            kept.adopt(opened)
        self._kept[key] = kept
        while len(self._kept) > MOST:
            self._kept.pop(next(iter(self._kept))).close()
        return kept

    def roots(self) -> list[str]:
        """The roots of the indexes that are open, the one asked last at the end."""
        return [str(index.root) for index in self._kept.values()]

    def clear(self) -> None:
        """Close all."""
        for index in self._kept.values():
            index.close()
        self._kept.clear()
