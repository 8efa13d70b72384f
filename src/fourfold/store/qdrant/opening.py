"""From settings to a store: which engine, which collection, which service."""

from __future__ import annotations

import os
import warnings
from collections.abc import Mapping
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fourfold.config.places import canonical_root, index_dir
from fourfold.model.errors import BackendUnavailable, BadConfig
from fourfold.net.keys import key_from
from fourfold.net.offline import is_offline
from fourfold.store.qdrant import retry
from fourfold.store.qdrant.gateway import Gateway
from fourfold.store.qdrant.layout import Layout
from fourfold.store.qdrant.store import QdrantStore

if TYPE_CHECKING:
    from fourfold.config.settings import Settings


def open_qdrant(root: Path, settings: Settings, environ: Mapping[str, str] | None = None) -> QdrantStore:
    """The Qdrant store of the tree at `root`. Nothing is connected yet.

    Raises BadConfig where settings do not fit together or a key would travel in the clear, BackendUnavailable where the
    client is not installed, no server may be asked, or the variable of the key is not set.
    """
    if settings.embedding.external:
        raise BadConfig(
            f"store = qdrant keeps vectors of the built-in models only, not of {settings.embedding.provider}",
            hint="set embedding.provider = static, or store = local",
        )
    directory = index_dir(root, settings)
    gateway = open_gateway(settings, environ)
    return QdrantStore(
        gateway,
        service_name(root, settings),
        directory,
        partial(layout_of, settings),
        read_only=settings.qdrant.read_only,
    )


def service_name(root: Path, settings: Settings) -> str:
    """What a tree is called in the collection: what ``qdrant.services`` says, else the name of its index folder (which
    depends on where the tree is: name it to share it between machines)."""
    spelled = canonical_root(root)
    for folder, name in settings.qdrant.services.items():
        if canonical_root(Path(folder).expanduser()) == spelled:
            return name
    return index_dir(root, settings).name


def layout_of(settings: Settings) -> Layout:
    """What a collection is made with."""
    from fourfold.embed.load import load_embedder

    embedder = load_embedder(settings.embedding.base)
    qdrant = settings.qdrant
    return Layout(
        dimension=embedder.identity.dimension if embedder is not None else 0,
        shards=qdrant.shards,
        replicas=qdrant.replicas,
        quantisation=qdrant.quantisation,
    )


def open_gateway(settings: Settings, environ: Mapping[str, str] | None = None) -> Gateway:
    """The engine that ``qdrant.url`` names."""
    environ = os.environ if environ is None else environ
    url = settings.qdrant.url
    scheme, _, place = url.partition(":")
    if scheme in ("edge", "local"):
        return _in_process(scheme, str(Path(place).expanduser().absolute()), settings.qdrant.collection)
    if is_offline(settings, environ):
        raise BackendUnavailable(
            f"offline: the Qdrant server at {url} is not asked",
            hint=f"unset FOURFOLD_OFFLINE (setting offline); or {retry.FALLBACK}",
        )
    key = key_from(settings.qdrant.key_env, url, environ, what="the Qdrant server", setting="qdrant.key_env")
    return _remote(settings, key or None)


def _remote(settings: Settings, key: str | None) -> Gateway:
    from fourfold.store.qdrant.client import ClientGateway

    client = _module("qdrant_client").QdrantClient
    qdrant = settings.qdrant
    options = {"port": None, "api_key": key, "timeout": qdrant.timeout_s, "check_compatibility": False}

    def connect() -> Any:
        with warnings.catch_warnings():  # it warns of a key that is sent to this very machine
            warnings.simplefilter("ignore")
            return client(url=qdrant.url, **options)

    return ClientGateway(connect, qdrant.collection, f"{qdrant.url}/{qdrant.collection}", exact=qdrant.exact)


@cache
def _in_process(scheme: str, folder: str, collection: str) -> Gateway:
    """One gateway a folder and process: these engines lock it."""
    if scheme == "edge":
        from fourfold.store.qdrant.edge import EdgeGateway

        _module("qdrant_edge")
        return EdgeGateway(Path(folder) / collection)
    from fourfold.store.qdrant.client import ClientGateway

    client = _module("qdrant_client").QdrantClient
    return ClientGateway(partial(client, path=folder), collection, f"local:{folder}/{collection}", local=True)


def _module(name: str) -> Any:
    from importlib import import_module

    try:
        return import_module(name)
    except ImportError as error:
        raise BackendUnavailable(
            f"the package {name.replace('_', '-')} is not installed",
            hint=f"pip install 'fourfold[qdrant]'; or {retry.FALLBACK}",
        ) from error
