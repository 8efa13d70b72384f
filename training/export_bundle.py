"""Make the bundled embedding model from a trained one.

``python training/export_bundle.py MODEL_DIR [OUT_DIR]`` reads ``model.safetensors`` (int8 rows and float32
row scales), ``tokenizer.json`` (byte-pair encoding with ``##`` continuations) and ``config.json`` (field
weights) and writes what :class:`fourfold.embed.static.StaticEmbedder` reads: ``vectors.npy``, ``scales.npy``,
``merges.npy``, ``words.txt``, ``model.json``. The same input gives the same bytes.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fourfold.embed.vocabulary import MAX_PIECES, Vocabulary

NAME = "fourfold-static-code"
LICENCE = "Apache-2.0"
MARK = "##"
"""Prefix of a token that continues a word, in the trained tokenizer."""

_DTYPES = {"I8": np.int8, "F32": np.float32, "I64": np.int64}


def read_tensors(path: Path) -> dict[str, NDArray[Any]]:
    """Tensors of a safetensors file: 8 bytes of header length, a JSON header, then the data."""
    blob = path.read_bytes()
    start = 8 + int.from_bytes(blob[:8], "little")
    tensors: dict[str, NDArray[Any]] = {}
    for name, entry in json.loads(blob[8:start]).items():
        if name != "__metadata__":
            first, last = entry["data_offsets"]
            flat = np.frombuffer(blob[start + first : start + last], _DTYPES[entry["dtype"]])
            tensors[name] = flat.reshape(entry["shape"])
    return tensors


def read_vocabulary(path: Path) -> tuple[str, str, NDArray[np.uint16]]:
    """Initial and continuing characters, and merges; ValueError where tokens are not in their order."""
    trained = json.loads(path.read_text("utf-8"))["model"]
    numbers: dict[str, int] = trained["vocab"]
    tokens = sorted(numbers, key=numbers.__getitem__)
    count = len(tokens) - len(trained["merges"])
    initials = "".join(token for token in tokens[1:count] if not token.startswith(MARK))
    continuations = "".join(token[len(MARK) :] for token in tokens[1:count] if token.startswith(MARK))
    if tokens[:count] != [trained["unk_token"], *initials, *(MARK + char for char in continuations)]:
        raise ValueError("the alphabet must be the unknown token, then initial, then continuing characters")
    pairs = [pair if isinstance(pair, list) else pair.split(" ") for pair in trained["merges"]]
    for number, (left, right) in enumerate(pairs, start=count):
        if tokens[number] != left + right.removeprefix(MARK):
            raise ValueError(f"token {number} is not made by merge {number - count}")
    return initials, continuations, np.array([[numbers[a], numbers[b]] for a, b in pairs], np.uint16)


def whole_words(initials: str, continuations: str, merges: NDArray[np.uint16]) -> list[str]:
    """For each token the word whose whole encoding it is, "" where it continues one or is never reached."""
    vocabulary = Vocabulary(initials, continuations, merges)
    texts = ["", *initials, *continuations]
    begins = [False] + [True] * len(initials) + [False] * len(continuations)
    for left, right in merges.tolist():
        texts.append(texts[left] + texts[right])
        begins.append(begins[left])
    return [
        text if begin and vocabulary.word_pieces(text) == (token,) else ""
        for token, (text, begin) in enumerate(zip(texts, begins, strict=True))
    ]


def digest(*parts: bytes) -> str:
    """Hex BLAKE2b-64 over the parts in order."""
    return hashlib.blake2b(b"".join(parts), digest_size=8).hexdigest()


@contextmanager
def written_beside(target: Path) -> Iterator[Path]:
    """A new folder beside `target` that takes its place, whole, once everything is written.

    A process that has the old files mapped keeps them; one that starts finds either the old bundle or the new one,
    never rows of one with the scales of the other. Where writing fails, the old bundle stays.
    """
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=f".{target.name}-", dir=target.parent) as scratch:
        fresh, old = Path(scratch) / "new", Path(scratch) / "old"
        fresh.mkdir()
        yield fresh
        if target.exists():
            target.rename(old)
        fresh.rename(target)


def export(source: Path, target: Path) -> dict[str, Any]:
    """Write the bundle and return its ``model.json``."""
    tensors = read_tensors(source / "model.safetensors")
    config = json.loads((source / "config.json").read_text("utf-8"))
    if config["max_word_pieces"] != MAX_PIECES:
        raise ValueError(f"the reader takes {MAX_PIECES} pieces a word, the model {config['max_word_pieces']}")
    listed = source / "grams.json"
    grams = json.loads(listed.read_text("utf-8")) if listed.is_file() else []
    rows, scales = tensors["embeddings_int8"], tensors["row_scale"]
    return write_bundle(target, rows, scales, config["field_weights"], source / "tokenizer.json", grams)


def write_bundle(
    target: Path,
    rows: NDArray[np.int8],
    scales: NDArray[np.float32],
    field_weights: dict[str, float],
    tokenizer: Path,
    grams: list[str],
) -> dict[str, Any]:
    """Write a bundle of token rows with their scales and return its ``model.json``.

    The rows are those of the tokenizer's tokens, then one for each of `grams` (of Chinese and Japanese).
    """
    initials, continuations, merges = read_vocabulary(tokenizer)
    weights = {field: field_weights[field] for field in ("path", "symbol", "body")}
    listed = "\n".join(grams)
    model = {
        "identity": {
            "name": NAME,
            "revision": digest(rows.tobytes(), scales.tobytes(), json.dumps(weights).encode()),
            "dimension": rows.shape[1],
            "tokenizer": digest(initials.encode(), continuations.encode(), merges.tobytes(), listed.encode()),
            "licence": LICENCE,
        },
        "field_weights": weights,
        "alphabet": {"initials": initials, "continuations": continuations},
    }
    words = whole_words(initials, continuations, merges)
    with written_beside(target) as folder:
        np.save(folder / "vectors.npy", rows)
        np.save(folder / "scales.npy", scales)
        np.save(folder / "merges.npy", merges)
        (folder / "words.txt").write_text("\n".join(words), "ascii", newline="\n")
        if grams:
            (folder / "grams.txt").write_text(listed, "utf-8", newline="\n")
        (folder / "model.json").write_text(json.dumps(model, indent=1) + "\n", "utf-8")
    return model


def main() -> None:
    """Parse the command line and export."""
    parser = argparse.ArgumentParser(description="Make the bundled embedding model from a trained one.")
    parser.add_argument("source", type=Path, help="directory with model.safetensors, tokenizer.json, config.json")
    default = Path(__file__).parents[1] / "src" / "fourfold" / "embed" / "data"
    parser.add_argument("target", type=Path, nargs="?", default=default, help="where the bundle goes")
    arguments = parser.parse_args()
    model = export(arguments.source, arguments.target)
    print(json.dumps(model["identity"]))


if __name__ == "__main__":
    main()
