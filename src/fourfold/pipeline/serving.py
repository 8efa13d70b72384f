"""Which vectors answer: those of the configured model where they are made, else those of a model that was used before
and computes on this machine, else the built-in model's, which every index has."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from fourfold.embed.providers.spec import REMOTE
from fourfold.index.vectors import ENOUGH, overlay_of
from fourfold.model.errors import FourfoldError, ModelMismatch
from fourfold.store.local.overlaid import overlaid_vectors
from fourfold.store.local.overlay import Overlay, OverlayModel, overlays

if TYPE_CHECKING:
    from fourfold.config.settings import Settings
    from fourfold.embed.protocol import Embedder
    from fourfold.store.local.snapshot import LocalSnapshot
    from fourfold.store.local.store import LocalStore
    from fourfold.store.local.vectors import Vectors


@dataclass(frozen=True, slots=True)
class Serving:
    """The vectors of a model that is not built in, and what loads it for a question (BackendUnavailable where it is
    not to be had). `vectors` None: the built-in model serves. `note` says what a person should know of that."""

    vectors: Vectors | None = None
    embedder: Callable[[], Embedder] | None = None
    note: str = ""
    model: str = ""


def serving(store: LocalStore, snapshot: LocalSnapshot, settings: Settings) -> Serving:
    """What serves questions on a snapshot under these settings. Loads no model and asks no server."""
    if not settings.embedding.external:
        return Serving()
    spec, overlay = overlay_of(store, settings)
    model = overlay.model
    made = overlaid_vectors(snapshot, overlay)
    share = made[1].share if made is not None else 0.0
    if model is not None and made is not None and share >= ENOUGH:
        missing = made[1].missing
        lacking = f"{missing:,} pieces of code have no vector of the embedding model {spec.model} yet: fourfold index"
        return Serving(made[0], lambda: _load(settings, model), lacking if missing else "", model.identity)
    state = f"the embedding model {spec.model} has vectors of {share:.0%} of the code (`fourfold index` makes the rest)"
    for other in overlays(store.directory):
        before = None if other.digest == overlay.digest else _before(other, snapshot, settings)
        if before is not None:
            return replace(before, note=f"{state}; {before.note}")
    return Serving(note=f"{state}; the bundled model answers meanwhile")


def _before(other: Overlay, snapshot: LocalSnapshot, settings: Settings) -> Serving | None:
    """The vectors of a model used before, where they are whole. A server's is not asked any more: whoever chose another
    model may have done so to send it nothing."""
    from fourfold.config.settings import EmbeddingSettings

    model = other.model
    if model is None or model.provider in REMOTE:
        return None
    made = overlaid_vectors(snapshot, other)
    if made is None or made[1].share < ENOUGH:
        return None
    try:
        kept = {"device": settings.embedding.device, "accept_licence": settings.embedding.accept_licence}
        earlier = replace(settings, embedding=EmbeddingSettings(**{**model.settings, **kept}))
    except (FourfoldError, TypeError):
        return None
    return Serving(made[0], lambda: _load(earlier, model), f"{model.name} answers meanwhile", model.identity)


def _load(settings: Settings, model: OverlayModel) -> Embedder:
    """The model, which must be the one that made the vectors. Raises BackendUnavailable."""
    from fourfold.embed.providers.load import load_provider
    from fourfold.embed.providers.remembering import RememberingEmbedder

    embedder = load_provider(settings, dimension=model.dimension)
    if embedder.identity.key() != model.identity:
        raise ModelMismatch(
            f"the files of the embedding model {model.name} are not those that made the vectors",
            hint="run: fourfold index",
        )
    return RememberingEmbedder(embedder)
