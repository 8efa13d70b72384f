"""An embedder that remembers the questions it was asked last: one search may ask for the same vector several times."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from fourfold.embed.protocol import Embedder, EmbedInput, ModelIdentity

if TYPE_CHECKING:
    from numpy.typing import NDArray

REMEMBERED = 256


class RememberingEmbedder:
    """Questions by their text, the last :data:`REMEMBERED` of them; everything else is passed through."""

    def __init__(self, embedder: Embedder) -> None:
        self._inner = embedder
        self._lock = threading.Lock()
        self._known: OrderedDict[str, NDArray[np.float32]] = OrderedDict()

    @property
    def identity(self) -> ModelIdentity:
        """The wrapped model's identity."""
        return self._inner.identity

    def documents(self, inputs: Sequence[EmbedInput]) -> NDArray[np.float32]:
        """As the wrapped model."""
        return self._inner.documents(inputs)

    def paths(self, paths: Sequence[str]) -> NDArray[np.float32]:
        """As the wrapped model."""
        return self._inner.paths(paths)

    def queries(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """As the wrapped model, which is asked for what is not remembered."""
        with self._lock:
            known = {text: self._known[text] for text in texts if text in self._known}
        new = [text for text in dict.fromkeys(texts) if text not in known]
        if new:
            known |= zip(new, self._inner.queries(new), strict=True)
        with self._lock:
            for text in texts:
                self._known[text] = known[text]
                self._known.move_to_end(text)
            while len(self._known) > REMEMBERED:
                self._known.popitem(last=False)
        return np.stack([known[text] for text in texts]) if texts else self._inner.queries([])
