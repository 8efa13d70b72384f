"""Vectors of a model that is not built in: made beside the finished index, from the texts that it stores.

The index itself is complete before (words, structure, the built-in model's vectors), so whatever happens here costs
meaning by *this* model and nothing else. What a model made once is not asked for again: a file that has not changed
takes its vectors along, everything else is looked up by content in the cache of vectors. So a run that was interrupted
or failed goes on where it stopped.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from fourfold.embed.providers.spec import ModelSpec, spec_of
from fourfold.model.errors import BackendUnavailable, LockHeld
from fourfold.model.report import Progress, VectorStatus
from fourfold.store.local.overlay import MADE, Overlay, OverlayModel, overlays

if TYPE_CHECKING:
    from fourfold.config.settings import EmbeddingSettings, Settings
    from fourfold.embed.providers.text import TextEmbedder
    from fourfold.index.overlay_work import SegmentWork
    from fourfold.model.report import RefreshReport
    from fourfold.store.local.snapshot import LocalSnapshot
    from fourfold.store.local.store import LocalStore

ENOUGH = 0.9
"""Share of chunks that must have a vector before a model's vectors are used. Below it the built-in model's serve."""
KEPT_OVERLAYS = 2
"""Models whose vectors are kept beside an index: the one in use and the one before, to go back to."""
CACHE_FILE = "vectors.sqlite"
CACHE_BYTES = 4 * 2**30
"""Size limit of the cache of these vectors: they cost money or minutes to make."""
TOLD = 3
"""Warnings of the model about single pieces that are told one by one; the rest is counted."""

ProgressCallback = Callable[[Progress], None]


@dataclass(slots=True)
class VectorReport:
    """What was done. `made` counts vectors that are new in the index, `missing` chunks without one, `cut` texts longer
    than the model reads; `fault` says in a sentence why some are missing, `hint` what to do."""

    model: str
    made: int = 0
    missing: int = 0
    cut: int = 0
    fault: str = ""
    hint: str = ""
    warnings: list[str] = field(default_factory=list)
    interrupted: bool = False

    def added_to(self, report: RefreshReport) -> RefreshReport:
        """The report of a whole refresh, with what was done here."""
        told = f"{self.fault}; {self.hint}" if self.hint else self.fault
        if self.missing and self.made:
            told = f"{told}; {self.made:,} vectors were made and are kept, {self.missing:,} are missing" if told else ""
        return replace(
            report,
            vectors=self.made,
            fault=told,
            warnings=(*report.warnings, *self.warnings),
            interrupted=report.interrupted or self.interrupted,
        )


def overlay_of(store: LocalStore, settings: Settings) -> tuple[ModelSpec, Overlay]:
    """The configured model and where its vectors lie. Raises BadConfig."""
    spec = spec_of(settings.embedding)
    return spec, Overlay(store.directory, spec.digest())


def missing_vectors(snapshot: LocalSnapshot, overlay: Overlay) -> int:
    """How many live chunks of a snapshot have no vector in an overlay."""
    from fourfold.store.local.overlaid import overlaid_vectors

    found = overlaid_vectors(snapshot, overlay)
    return found[1].missing if found is not None else sum(int((~view.dead_chunks).sum()) for view in snapshot.segments)


def vector_status(store: LocalStore, settings: Settings) -> VectorStatus | None:
    """The state of the configured model's vectors; None where that is a built-in one. Loads nothing, asks nobody."""
    if not settings.embedding.external:
        return None
    spec, overlay = overlay_of(store, settings)
    model = overlay.model
    snapshot = store.snapshot()
    live = sum(int((~view.dead_chunks).sum()) for view in snapshot.segments)
    missing = missing_vectors(snapshot, overlay)
    return VectorStatus(
        provider=spec.provider,
        model=spec.model,
        dimension=model.dimension if model is not None else spec.dimension,
        licence=model.licence if model is not None else spec.licence,
        server=spec.endpoint,
        made=live - missing,
        missing=missing,
    )


def update_vectors(
    store: LocalStore,
    settings: Settings,
    *,
    most: int | None = None,
    check: bool = False,
    progress: ProgressCallback | None = None,
) -> VectorReport:
    """Give every chunk of the newest generation a vector of the configured model.

    With `most`, nothing is made where more are missing. With `check`, a local model is loaded even where nothing is
    missing, to see whether its files are those that made the vectors. Faults of the model are reported, not raised;
    BadConfig is raised. On Ctrl-C what was made stays, and the report says `interrupted`.
    """
    spec, overlay = overlay_of(store, settings)
    snapshot = store.snapshot()
    report = VectorReport(spec.model, missing=missing_vectors(snapshot, overlay))
    if not report.missing and (spec.remote or not check):
        return report
    try:
        with overlay.writing():
            _Run(store, settings, overlay, snapshot, report, progress).run(most, check)
    except LockHeld:
        report.fault = f"another process makes the vectors of the embedding model {spec.model}"
        report.hint = "wait for it to finish"
    except BackendUnavailable as error:
        report.fault, report.hint = error.message, error.hint
    except OSError as error:
        report.fault = f"vectors cannot be kept: {error.strerror or error}"
    except KeyboardInterrupt:
        report.interrupted = True
    report.missing = missing_vectors(snapshot, overlay)
    return report


def recorded_settings(embedding: EmbeddingSettings) -> dict[str, object]:
    """What of the settings loads a local model again, for the record beside its vectors."""
    names = ("provider", "model", "dimension", "output", "max_tokens", "query_prompt", "document_prompt", "backend")
    return {name: getattr(embedding, name) for name in names}


def _pieces(count: int) -> str:
    return "1 piece of code has" if count == 1 else f"{count:,} pieces of code have"


class _Run:
    """One run under the lock."""

    def __init__(
        self,
        store: LocalStore,
        settings: Settings,
        overlay: Overlay,
        snapshot: LocalSnapshot,
        report: VectorReport,
        progress: ProgressCallback | None,
    ) -> None:
        self._store = store
        self._settings = settings
        self._overlay = overlay
        self._snapshot = snapshot
        self._report = report
        self._progress = progress
        self._complaints: list[str] = []
        self._started = time.monotonic()
        self._total = 0

    def run(self, most: int | None, check: bool) -> None:
        """Take over what is made already; then load the model and make the rest, where that is not too much."""
        model = self._overlay.model
        works = self._works(model.dimension) if model is not None else []
        for work in works:
            if work.made.any() or not work.wanted:
                self._overlay.write(work.name, work.arrays())
        missing = sum(work.wanted for work in works) if model is not None else self._report.missing
        if most is not None and missing > most:
            self._report.fault = f"{_pieces(missing)} no vector of the embedding model {self._report.model} yet"
            self._report.hint = "run: fourfold index"
        elif missing or check:
            self._embed()
        self._overlay.sweep({view.name for view in self._snapshot.segments})

    def _works(self, dimension: int) -> list[SegmentWork]:
        """The segments that lack vectors, with those that other segments had of the same files."""
        from fourfold.index.overlay_work import Known, SegmentWork

        known = Known(self._overlay, self._snapshot.key[0], dimension)
        works = []
        for number, view in enumerate(self._snapshot.segments):
            part = self._overlay.read(view.name)
            fits = part is not None and part["chunk.vector"].shape[1] == dimension
            if part is not None and fits and (part[MADE][~view.dead_chunks] > 0).all():
                continue
            work = SegmentWork(self._snapshot, number, dimension)
            work.take_over(known)
            works.append(work)
        return works

    def _embed(self) -> None:
        embedder = self._embedder()
        self._overlay.begin(self._model(embedder))
        works = self._works(embedder.identity.dimension)
        self._total = sum(work.wanted for work in works)
        for work in works:
            try:
                self._make(work, embedder)
            finally:
                if work.made.any() or not work.wanted:
                    self._overlay.write(work.name, work.arrays())
        self._report.cut = embedder.cut
        self._tell_complaints()
        for old in overlays(self._store.directory)[KEPT_OVERLAYS:]:
            old.delete()

    def _embedder(self) -> TextEmbedder:
        from fourfold.embed.providers.load import load_provider

        known = self._overlay.model
        return load_provider(self._settings, dimension=known.dimension if known is not None else 0)

    def _model(self, embedder: TextEmbedder) -> OverlayModel:
        identity, facts = embedder.identity, embedder.facts
        settings: Mapping[str, object] = recorded_settings(self._settings.embedding)
        return OverlayModel(identity.key(), facts.name, facts.provider, facts.dimension, facts.licence, dict(settings))

    def _make(self, work: SegmentWork, embedder: TextEmbedder) -> None:
        """Embed what a segment lacks, several batches at a time where a server does it."""
        from fourfold.config.places import cache_dir
        from fourfold.embed.cache import VectorCache
        from fourfold.embed.cached import BATCH, CachedEmbedder
        from fourfold.index.side_by_side import side_by_side

        embedding = self._settings.embedding
        threads = embedding.parallel if embedder.facts.remote else 1
        size = embedding.batch or BATCH
        path = cache_dir(self._settings) / CACHE_FILE
        with VectorCache(path, notify=self._report.warnings.append, max_bytes=CACHE_BYTES) as cache:
            cached = CachedEmbedder(embedder, cache, notify=self._complaints.append, batch=size)
            for pieces in work.pieces():
                starts = range(0, len(pieces.rows), size)
                for start, vectors in side_by_side(
                    lambda at, held=pieces: cached.documents(held.inputs[at : at + size]),  # type: ignore[misc]
                    starts,
                    threads,
                ):
                    rows = pieces.rows[start : start + size]
                    work.put(rows, vectors)
                    self._report.made += len(rows)
                    self._tell()
        work.put_paths(embedder.paths(work.file_paths))

    def _tell(self) -> None:
        if self._progress is not None:
            seconds = time.monotonic() - self._started
            made = self._report.made
            self._progress(Progress("embed", made, self._total, chunks=made, seconds=seconds))

    def _tell_complaints(self) -> None:
        self._report.warnings += self._complaints[:TOLD]
        if len(self._complaints) > TOLD:
            self._report.warnings.append(f"and {len(self._complaints) - TOLD:,} more without a vector")
        if self._report.cut:
            known = self._overlay.model
            name = known.name if known is not None else self._report.model
            self._report.warnings.append(
                f"{self._report.cut:,} pieces of code are longer than the embedding model {name} reads: "
                "it has seen their beginnings only"
            )
