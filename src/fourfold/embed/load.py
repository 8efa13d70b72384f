"""Get an embedder by name, and check that an index was made with it. Never uses the network."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from fourfold.model.errors import BackendUnavailable, ModelMismatch

if TYPE_CHECKING:
    from fourfold.embed.protocol import Embedder

EMBEDDERS: tuple[str, ...] = ("static", "hash", "none")
"""Names that :func:`load_embedder` knows: the bundled model, the hash embedder for tests, no vectors at
all."""


def load_embedder(name: str = "static") -> Embedder | None:
    """The embedder of that name, None for "none"; raises :class:`BackendUnavailable` for an unknown name."""
    if name == "static":
        return _bundled()
    if name == "hash":
        from fourfold.embed.hash import HashEmbedder

        return HashEmbedder()
    if name == "none":
        return None
    raise BackendUnavailable(f"There is no embedder named {name!r}.", hint=f"Choose one of: {', '.join(EMBEDDERS)}.")


@cache
def _bundled() -> Embedder:
    """One a process: its files are the program's own, and reading them takes 8 ms."""
    from fourfold.embed.static import StaticEmbedder

    return StaticEmbedder()


def identity_key(embedder: Embedder | None) -> str:
    """What an index stores about its vectors: the model's identity key, empty where it has none."""
    return "" if embedder is None else embedder.identity.key()


def check_identity(stored: str, embedder: Embedder | None) -> None:
    """Raise :class:`ModelMismatch` unless `stored` is exactly this embedder's identity key.

    The whole identity is compared (name, revision, dimension, tokenizer): two models of one dimension are not
    one model.
    """
    wanted = identity_key(embedder)
    if stored != wanted:
        raise ModelMismatch(
            f"The index was made with the embedding model {stored or 'none'}, but {wanted or 'none'} is configured.",
            hint="Run `fourfold index` to rebuild it, or configure the model that made the index.",
        )
