"""The re-ranking model that the settings name."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from fourfold.model.errors import BackendUnavailable, BadConfig

if TYPE_CHECKING:
    from fourfold.config.settings import Settings
    from fourfold.embed.rerank.protocol import Reranker

NOT_CONFIGURED = "no re-ranking model is configured"


def load_reranker(settings: Settings) -> Reranker | None:
    """The configured model, None where none is. Raises BackendUnavailable where it cannot be used, BadConfig where the
    settings do not fit together."""
    wanted = settings.rerank
    if wanted.provider == "none":
        return None
    offline = settings.offline or os.environ.get("HF_HUB_OFFLINE", "") not in ("", "0")
    if wanted.provider == "onnx":
        from fourfold.embed.rerank.onnx import OnnxReranker

        if not wanted.model:
            raise BadConfig("rerank.provider is onnx but rerank.model names no folder", hint="the folder of model.onnx")
        return OnnxReranker(Path(wanted.model).expanduser())
    if wanted.provider == "minilm":
        from fourfold.embed.rerank.minilm import TOKENS, MiniLmReranker

        if wanted.model not in ("", TOKENS):
            raise BadConfig(
                f"rerank.provider is minilm but rerank.model is {wanted.model!r}",
                hint=f"leave it empty, or set it to {TOKENS}; another model: rerank.provider = 'onnx' and its folder",
            )
        return MiniLmReranker(by_token=wanted.model == TOKENS)
    from fourfold.embed.rerank import packages

    if wanted.provider == "fastembed":
        return packages.fastembed_reranker(wanted.model, offline=offline)
    return packages.sentence_transformers_reranker(wanted.model, offline=offline)


def required_reranker(settings: Settings) -> Reranker:
    """As :func:`load_reranker`; raises BackendUnavailable where none is configured."""
    found = load_reranker(settings)
    if found is None:
        raise BackendUnavailable(
            NOT_CONFIGURED, hint="set rerank.provider (and rerank.model) in your configuration; docs/rerank.md"
        )
    return found
