"""The embedder of the model that the settings name. Refuses before any socket is opened and any file is read."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from fourfold.embed.providers.licence import check_licence
from fourfold.embed.providers.spec import ModelSpec, spec_of
from fourfold.model.errors import BackendUnavailable
from fourfold.net.offline import is_offline

if TYPE_CHECKING:
    from fourfold.config.settings import Settings
    from fourfold.embed.providers.encoder import Encoder
    from fourfold.embed.providers.text import TextEmbedder


def load_provider(
    settings: Settings,
    *,
    dimension: int = 0,
    environ: Mapping[str, str] | None = None,
    sleep: Callable[[float], None] | None = None,
) -> TextEmbedder:
    """The embedder of ``embedding.provider``, which is none of the built-in ones.

    `dimension` is what an earlier run learned of a server's model, so that it need not be asked for. Raises BadConfig
    where settings do not fit together, BackendUnavailable for a model that is not to be had: offline, no key, no
    package, no such model, a licence that is not accepted.
    """
    from fourfold.embed.providers.text import TextEmbedder

    environ = os.environ if environ is None else environ
    spec = spec_of(settings.embedding)
    offline = is_offline(settings, environ)
    if offline and spec.remote:
        raise BackendUnavailable(
            f"offline: the embedding model {spec.model} is not asked",
            hint="unset FOURFOLD_OFFLINE (setting offline), or choose a local embedding.provider",
        )
    check_licence(spec.model, spec.licence, settings.embedding.accept_licence)
    if spec.remote:
        encoder: Encoder = _remote(settings, replace(spec, dimension=spec.dimension or dimension), environ, sleep)
    else:
        encoder = _local(settings, spec, offline)
        check_licence(spec.model, encoder.facts.licence, settings.embedding.accept_licence)
    return TextEmbedder(encoder, document_prompt=spec.document_prompt, query_prompt=spec.query_prompt)


def _remote(
    settings: Settings, spec: ModelSpec, environ: Mapping[str, str], sleep: Callable[[float], None] | None
) -> Encoder:
    from fourfold.embed.providers.client import Client
    from fourfold.embed.providers.remote import RemoteEncoder
    from fourfold.net.keys import is_loopback, key_from

    key = key_from(
        spec.key_env, spec.endpoint, environ, what=f"the embedding model {spec.model}", setting="embedding.key_env"
    )
    client = Client(
        spec.model,
        {"Authorization": f"Bearer {key}"} if key else {},
        direct=is_loopback(spec.endpoint),
        timeout_s=settings.embedding.timeout_s,
        per_minute=settings.embedding.requests_per_minute,
        **({} if sleep is None else {"sleep": sleep}),
    )
    return RemoteEncoder(spec, client, batch=settings.embedding.batch)


def _local(settings: Settings, spec: ModelSpec, offline: bool) -> Encoder:
    from fourfold.embed.providers import local

    embedding = settings.embedding
    if spec.provider == "model2vec":
        return local.Model2VecEncoder(spec, offline=offline)
    if spec.provider == "fastembed":
        from fourfold.config.places import cache_dir

        return local.FastEmbedEncoder(
            spec, offline=offline, device=embedding.device, cache=cache_dir(settings) / "models"
        )
    if spec.provider == "minilm":
        from fourfold.embed.providers.minilm import OnnxEncoder

        return OnnxEncoder(spec, device=embedding.device)
    return local.SentenceTransformersEncoder(spec, offline=offline, device=embedding.device, backend=embedding.backend)
