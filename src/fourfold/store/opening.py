"""The store that the settings name."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, cast

from fourfold.config.places import index_dir

if TYPE_CHECKING:
    from fourfold.config.settings import Settings
    from fourfold.store.local.store import LocalStore


def open_store(root: Path, settings: Settings) -> LocalStore:
    """The index of the tree at `root`, wherever it lives; nothing is read or connected yet.

    Both stores have the same surface (the contract, and columns as the local store has them); the type is named after
    the first. Raises what
    :func:`fourfold.store.qdrant.opening.open_qdrant` raises.
    """
    if settings.store == "qdrant":
        from fourfold.store.qdrant.opening import open_qdrant

        return cast("LocalStore", open_qdrant(root, settings))
    from fourfold.store.local.store import LocalStore

    return LocalStore(index_dir(root, settings))
