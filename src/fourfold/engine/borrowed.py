"""The vectors of a model that is not built in, as one open index uses them; and what happens where the model fails."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from fourfold.model.errors import BackendUnavailable

if TYPE_CHECKING:
    from collections.abc import Callable

    from fourfold.config.settings import Settings
    from fourfold.index.vectors import VectorReport
    from fourfold.model.report import Progress
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
        self._checked = False
        self.rest_until = float("-inf")
        self._why = ""

    def check(self) -> None:
        """Raise BadConfig where the settings do not fit together: before anything is done."""
        if self._wanted:
            from fourfold.embed.providers.spec import spec_of

            spec_of(self._settings.embedding)

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

    def make(self, most: int | None, progress: Callable[[Progress], None] | None) -> VectorReport | None:
        """Make what vectors are missing, at most `most` (None: all); None where none are wanted or the model rests.

        The first time all are made, the model is looked at even if none is missing: its files may have changed. Raises
        BadConfig.
        """
        if not self._wanted or time.monotonic() < self.rest_until:
            return None
        from fourfold.index.vectors import update_vectors

        check = most is None and not self._checked
        report = update_vectors(self._store, self._settings, most=most, check=check, progress=progress)
        self._checked = self._checked or check
        return report

    def failed(self, error: BackendUnavailable) -> None:
        """The model could not be asked: the built-in one answers for a while."""
        self._why = error.message
        self._down_until = time.monotonic() + AGAIN_S

    @property
    def _is_down(self) -> bool:
        return time.monotonic() < self._down_until
