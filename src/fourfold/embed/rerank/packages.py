"""Cross-encoders through the packages fastembed and sentence-transformers, which fetch a model when first used."""

from __future__ import annotations

import importlib
import math
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from fourfold.model.errors import BackendUnavailable

FASTEMBED_MODEL = "Xenova/ms-marco-MiniLM-L-6-v2"
"""22 million parameters, Apache-2.0; ``jinaai/jina-reranker-v1-tiny-en`` is lighter."""
SENTENCE_TRANSFORMERS_MODEL = "cross-encoder/ms-marco-MiniLM-L-6-v2"
"""The same weights; ``cross-encoder/ms-marco-TinyBERT-L-2-v2`` (4 million parameters) is lighter."""


class PackageReranker:
    """A model that a package runs: `score` takes (question, texts)."""

    def __init__(self, identity: str, score: Callable[[str, Sequence[str]], Iterable[Any]]) -> None:
        self.identity = identity
        self._score = score

    def scores(self, question: str, texts: Sequence[str]) -> list[float]:
        """The package's scores."""
        try:
            found = [float(value) for value in self._score(question, list(texts))]
        except Exception as error:  # whatever a package and its own packages may raise
            raise _unusable(self.identity, error) from None
        if len(found) != len(texts) or not all(map(math.isfinite, found)):
            raise BackendUnavailable(f"the re-ranking model {self.identity} gave no number for each text")
        return found


def fastembed_reranker(model: str, *, offline: bool) -> PackageReranker:
    """A model of fastembed's list. `offline`: only one that is on this machine already."""
    name = model or FASTEMBED_MODEL
    module = _module("fastembed.rerank.cross_encoder", "fastembed")
    encoder = _made(name, lambda: module.TextCrossEncoder(model_name=name, local_files_only=offline))
    return PackageReranker(f"fastembed/{name}", lambda question, texts: encoder.rerank(question, texts))


def sentence_transformers_reranker(model: str, *, offline: bool) -> PackageReranker:
    """A model by name or folder. `offline`: only one that is on this machine already."""
    name = model or SENTENCE_TRANSFORMERS_MODEL
    module = _module("sentence_transformers", "sentence-transformers")
    encoder = _made(name, lambda: module.CrossEncoder(name, local_files_only=offline, trust_remote_code=False))
    return PackageReranker(
        f"sentence-transformers/{name}",
        lambda question, texts: encoder.predict([(question, text) for text in texts], show_progress_bar=False),
    )


def _module(name: str, package: str) -> Any:
    try:
        return importlib.import_module(name)
    except ImportError:
        raise BackendUnavailable(
            f"rerank.provider = {package!r} needs the Python package {package}, which is not installed",
            hint=f"pip install {package}",
        ) from None


def _made(name: str, make: Callable[[], Any]) -> Any:
    try:
        return make()
    except Exception as error:  # whatever a package and its own packages may raise
        raise _unusable(name, error) from None


def _unusable(name: str, error: Exception) -> BackendUnavailable:
    return BackendUnavailable(
        f"the re-ranking model {name} cannot be used ({type(error).__name__})",
        hint="it is fetched when first used: that needs the network once, or rerank.model as a local folder",
    )
