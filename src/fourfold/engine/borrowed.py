"""The vectors of a model that is not built in, as one open index uses them; and what happens where the model fails."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from fourfold.model.errors import BackendUnavailable

if TYPE_CHECKING:
    from fourfold.config.settings import Settings
    from fourfold.pipeline.serving import Serving
    from fourfold.store.local.snapshot import LocalSnapshot
    from fourfold.store.local.store import LocalStore

AGAIN_S = 60.0
"""After a failure the model is left alone for so long: each question would wait for it in vain."""


class Borrowed:
    """Decides for each generation which vectors answer (see :mod:`fourfold.pipeline.serving`)."""

    def __init__(self, store: LocalStore, settings: Settings) -> None:
        self._store = store
        self._settings = settings
        self._wanted = settings.embedding.external
        self._down_until = float("-inf")
        self._why = ""

    def stamp(self) -> tuple[int, bool]:
        """Changes where another choice may be due: vectors were made since, or the model may be asked again."""
        if not self._wanted:
            return 0, False
        from fourfold.index.vectors import overlay_of

        try:
            made = overlay_of(self._store, self._settings)[1].folder.stat().st_mtime_ns
        except OSError:
            made = 0
        return made, self._is_down

    def serving(self, snapshot: LocalSnapshot) -> Serving | None:
        """What serves questions on a snapshot; None where only built-in models are wanted. Raises BadConfig."""
        if not self._wanted:
            return None
        from fourfold.pipeline.serving import Serving, serving

        if self._is_down:
            return Serving(note=f"{self._why}: the bundled model answered")
        return serving(self._store, snapshot, self._settings)

    def failed(self, error: BackendUnavailable) -> None:
        """The model could not be asked: the built-in one answers for a while."""
        self._why = error.message
        self._down_until = time.monotonic() + AGAIN_S

    @property
    def _is_down(self) -> bool:
        return time.monotonic() < self._down_until

