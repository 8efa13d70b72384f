"""Models that compute in this process, through the libraries that come as extras."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fourfold.embed.providers.encoder import QUERY, ModelFacts
from fourfold.embed.providers.folder import is_path, missing, model_folder, not_had, revision_of
from fourfold.embed.providers.licence import UNKNOWN, licence_in
from fourfold.model.errors import BackendUnavailable

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from fourfold.embed.providers.spec import ModelSpec

_LIBRARY_BATCH = 32


class Model2VecEncoder:
    """Static models of the model2vec library, from a folder or the hub."""

    def __init__(self, spec: ModelSpec, *, offline: bool) -> None:
        try:
            from model2vec import StaticModel
        except ImportError:
            raise missing("model2vec", "model2vec") from None
        folder = model_folder(spec.model, offline=offline, extra="model2vec")
        with explained(spec.model):
            self._model = StaticModel.from_pretrained(folder, force_download=False)
        self.facts = _facts(spec, folder, int(self._model.dim))

    def encode(self, texts: Sequence[str], role: str) -> NDArray[np.float32]:
        """Vectors, float32 (n, dimension)."""
        import numpy as np

        with explained(self.facts.name):
            return np.asarray(self._model.encode(list(texts), use_multiprocessing=False), np.float32)


class FastEmbedEncoder:
    """ONNX models of the fastembed library, from its list or a folder of the same layout."""

    def __init__(self, spec: ModelSpec, *, offline: bool, device: str, cache: Path) -> None:
        """`cache` is where downloaded models are kept (the library's own place is emptied when the machine starts)."""
        try:
            from fastembed import TextEmbedding
            from loguru import logger
        except ImportError:
            raise missing("fastembed", "fastembed") from None
        logger.disable("fastembed")
        listed: dict[str, dict[str, Any]] = {m["model"].lower(): m for m in TextEmbedding.list_supported_models()}
        name, folder = spec.model, None
        if is_path(spec.model):
            folder = model_folder(spec.model, offline=True, extra="fastembed")
            name = _listed_name(folder, listed)
        if name.lower() not in listed:
            raise BackendUnavailable(
                f"fastembed has no model {name}", hint="its models are listed in docs/providers.md and its own pages"
            )
        options: dict[str, Any] = {"specific_model_path": str(folder)} if folder is not None else {}
        if folder is None:
            cache.mkdir(parents=True, exist_ok=True)
        try:
            self._model = TextEmbedding(
                name, cache_dir=str(cache), cuda=device == "cuda", local_files_only=offline, **options
            )
        except Exception as error:  # whatever the library raises
            raise not_had(spec.model, error, offline=offline and folder is None) from error
        record = listed[name.lower()]
        self.facts = ModelFacts(
            name=spec.model,
            provider=spec.provider,
            revision=revision_of(folder) if folder is not None else _where(self._model),
            dimension=int(record["dim"]),
            max_tokens=spec.max_tokens,
            licence=str(record.get("license") or UNKNOWN),
        )

    def encode(self, texts: Sequence[str], role: str) -> NDArray[np.float32]:
        """Vectors, float32 (n, dimension)."""
        import numpy as np

        with explained(self.facts.name):
            return np.array(list(self._model.embed(list(texts), batch_size=_LIBRARY_BATCH)), np.float32)


class SentenceTransformersEncoder:
    """Models of the sentence-transformers library, on torch or ONNX Runtime; code of a model's own is never run."""

    def __init__(self, spec: ModelSpec, *, offline: bool, device: str, backend: str) -> None:
        try:
            from sentence_transformers import SentenceTransformer
        except ImportError:
            raise missing("sentence-transformers", "sentence-transformers") from None
        folder = model_folder(spec.model, offline=offline, extra="sentence-transformers")
        with explained(spec.model):
            _quiet()
            self._model = SentenceTransformer(
                str(folder),
                device=None if device == "auto" else device,
                backend=backend,
                trust_remote_code=False,
                local_files_only=True,
                truncate_dim=spec.asked_dimension or None,
            )
        if spec.max_tokens and spec.max_tokens < (self._model.max_seq_length or spec.max_tokens + 1):
            self._model.max_seq_length = spec.max_tokens
        get = getattr(self._model, "get_embedding_dimension", None) or self._model.get_sentence_embedding_dimension
        self.facts = _facts(spec, folder, spec.asked_dimension or int(get() or 0), self._model.max_seq_length or 0)
        self._lock = threading.Lock()

    def encode(self, texts: Sequence[str], role: str) -> NDArray[np.float32]:
        """Vectors, float32 (n, dimension). Prompts of the model's own configuration are not added a second time."""
        import numpy as np

        with explained(self.facts.name), self._lock:
            found = self._model.encode(
                list(texts),
                prompt="",
                batch_size=1 if role == QUERY else _LIBRARY_BATCH,
                show_progress_bar=False,
                convert_to_numpy=True,
            )
        return np.asarray(found, np.float32)


def _quiet() -> None:
    """No progress bars of the library's own among ours."""
    from transformers.utils import logging

    logging.disable_progress_bar()


def _facts(spec: ModelSpec, folder: Path, dimension: int, max_tokens: int = 0) -> ModelFacts:
    licence = licence_in(folder)
    return ModelFacts(
        name=spec.model,
        provider=spec.provider,
        revision=revision_of(folder),
        dimension=dimension,
        max_tokens=spec.max_tokens or max_tokens,
        licence=licence if licence != UNKNOWN else spec.licence or UNKNOWN,
    )


def _listed_name(folder: Path, listed: dict[str, dict[str, Any]]) -> str:
    """The listed model whose name a folder bears: fastembed must know how to read it."""
    for name, record in listed.items():
        if name.rpartition("/")[2] == folder.name.lower():
            return str(record["model"])
    return folder.name


def _where(model: Any) -> str:
    """The revision of a model that fastembed found or downloaded by itself."""
    folder = getattr(getattr(model, "model", None), "_model_dir", None)
    return revision_of(Path(folder)) if folder is not None else "fastembed"


class explained:  # noqa: N801 (used like a keyword)
    """Whatever a library raises becomes one sentence of ours: it may raise anything."""

    def __init__(self, model: str) -> None:
        self._model = model

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: object) -> None:
        if error is None or not isinstance(error, Exception) or isinstance(error, BackendUnavailable):
            return
        first = next(iter(str(error).strip().splitlines()), "")
        raise BackendUnavailable(
            f"the embedding model {self._model} cannot be used ({type(error).__name__}: {first[:200]})",
            hint="check embedding.model, or reinstall the extra that docs/providers.md names for it",
        ) from error
