"""A cross-encoder from a local folder: ``model.onnx`` (or ``onnx/model.onnx``) and ``tokenizer.json``."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from fourfold.model.errors import BackendUnavailable

MAX_TOKENS = 512
"""What the cross-encoders of MS MARCO read."""
BATCH = 16
MODEL_FILES = ("model.onnx", "onnx/model.onnx", "model_quantized.onnx", "onnx/model_quantized.onnx")


class OnnxReranker:
    """One folder. Raises BackendUnavailable where a file or a package is missing."""

    def __init__(self, folder: Path) -> None:
        try:
            import onnxruntime
            from tokenizers import Tokenizer
        except ImportError as error:
            raise BackendUnavailable(
                f"rerank.provider = 'onnx' needs the Python package {error.name}, which is not installed",
                hint="pip install 'fourfold[rerank]'",
            ) from None
        model = next((folder / name for name in MODEL_FILES if (folder / name).is_file()), None)
        if model is None or not (folder / "tokenizer.json").is_file():
            raise BackendUnavailable(
                f"{folder} holds no re-ranking model",
                hint=f"it must hold tokenizer.json and one of {', '.join(MODEL_FILES)}",
            )
        try:
            self._tokenizer: Any = Tokenizer.from_file(str(folder / "tokenizer.json"))
            options = onnxruntime.SessionOptions()
            options.log_severity_level = 3
            self._session: Any = onnxruntime.InferenceSession(
                str(model), options, providers=onnxruntime.get_available_providers()
            )
        except Exception as error:  # both packages raise exceptions of their own that share no base
            first = str(error).split("\n", 1)[0][:200]
            raise BackendUnavailable(f"the re-ranking model in {folder} cannot be read: {first}") from None
        self._tokenizer.enable_truncation(MAX_TOKENS, strategy="only_second")
        self._tokenizer.enable_padding()
        with model.open("rb") as file:
            digest = hashlib.file_digest(file, "blake2b").hexdigest()[:16]
        self.identity = f"onnx/{folder.name}@{digest}"

    def scores(self, question: str, texts: Sequence[str]) -> list[float]:
        """Logits (of the last class, where there are several)."""
        found: list[float] = []
        for start in range(0, len(texts), BATCH):
            found += self._batch(question, texts[start : start + BATCH])
        return found

    def _batch(self, question: str, texts: Sequence[str]) -> list[float]:
        import numpy as np

        encoded = self._tokenizer.encode_batch([(question, text) for text in texts])
        columns = {
            "input_ids": [one.ids for one in encoded],
            "attention_mask": [one.attention_mask for one in encoded],
            "token_type_ids": [one.type_ids for one in encoded],
        }
        wanted = {item.name for item in self._session.get_inputs()}
        feed = {name: np.array(rows, dtype=np.int64) for name, rows in columns.items() if name in wanted}
        logits = np.asarray(self._session.run(None, feed)[0], dtype=np.float64).reshape(len(texts), -1)[:, -1]
        if not np.isfinite(logits).all():
            raise BackendUnavailable(f"the re-ranking model {self.identity} gave numbers that are not finite")
        scores: list[float] = logits.tolist()
        return scores
