"""A second reader of the model, for the tests: the `tokenizers` library in place of our merge loop, plain sums."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

PART = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|[0-9]{1,4}")
_CJK = re.compile("[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uac00-\ud7af\uff66-\uff9f]+")
_MARKED = re.compile(r"[^\W\d]\w*")
_LETTERS = {"ß": "ss", "æ": "ae", "œ": "oe", "ø": "o", "ł": "l", "đ": "d", "ð": "d", "ı": "i"}
_CAPITALS = {"Æ": "Ae", "Œ": "Oe", "Ø": "O", "Ł": "L", "Đ": "D"}


class Reference:
    """Reads texts word by word with the trained tokenizer and a bundle's vectors."""

    def __init__(self, tokenizer: Path, bundle: Path) -> None:
        """Raises OSError where a file is missing."""
        from tokenizers import Tokenizer

        self._tokenizer = Tokenizer.from_file(str(tokenizer))
        rows = np.load(bundle / "vectors.npy").astype(np.float64)
        self._vectors = rows * np.load(bundle / "scales.npy")[:, None]
        lists = [path for path in (bundle / "foreign.txt", bundle / "grams.txt") if path.is_file()]
        added = [token for path in lists for token in path.read_text("utf-8").split("\n")]
        self._added = {token: len(rows) - len(added) + number for number, token in enumerate(added)}
        self._weights = json.loads((bundle / "model.json").read_text("utf-8"))["field_weights"]

    def pieces(self, part: str) -> list[int]:
        """Token numbers of a lower-case part, in order, at most eight."""
        return list(self._tokenizer.encode(part, add_special_tokens=False).ids)[:8]

    def ids(self, text: str) -> set[int]:
        """The set of token numbers of a text."""
        found: set[int] = set()
        for run in _CJK.findall(text):
            plain = unicodedata.normalize("NFKC", run)
            pairs = {plain[at : at + 2] for at in range(len(plain) - 1)} | set(plain)
            found |= {self._added[gram] for gram in pairs if gram in self._added}
        plain = _MARKED.sub(lambda word: self._known(word[0], found), _CJK.sub(" ", text))
        for part in PART.findall(self._latin(plain)):
            number = self._added.get(part.lower())
            found.update(self.pieces(part.lower()) if number is None else [number])
        return found

    def _known(self, word: str, found: set[int]) -> str:
        """What is left to read of a word: nothing where the whole of it is a token because of its marks."""
        if word.isascii() or word.lower() not in self._added:
            return word
        found.add(self._added[word.lower()])
        return " "

    def _latin(self, text: str) -> str:
        if not self._added:
            return text
        for letter, plain in (_LETTERS | _CAPITALS).items():
            text = text.replace(letter, plain)
        apart = unicodedata.normalize("NFKD", text)
        return "".join(char for char in apart if not unicodedata.combining(char))

    def documents(
        self, texts: Sequence[str], paths: Sequence[str] = (), symbols: Sequence[str] = ()
    ) -> NDArray[np.float64]:
        """Unit vectors of documents of up to three fields."""
        fields = (("body", texts), ("path", paths), ("symbol", symbols))
        total = sum(self._weights[name] * self._sums(column) for name, column in fields if column)
        return _unit(np.asarray(total))

    def queries(self, texts: Sequence[str]) -> NDArray[np.float64]:
        """Unit vectors of questions."""
        return _unit(self._sums(texts))

    def _sums(self, texts: Sequence[str]) -> NDArray[np.float64]:
        return np.array([self._vectors[sorted(self.ids(text))].sum(axis=0) for text in texts])


def _unit(rows: NDArray[np.float64]) -> NDArray[np.float64]:
    unit: NDArray[np.float64] = rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-9)
    return unit
