"""The caching embedder: calls the model as rarely as it can and believes it as little as it must."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import numpy as np
import pytest

from fourfold.embed.cache import VectorCache
from fourfold.embed.cached import BATCH, CachedEmbedder
from fourfold.embed.hash import HashEmbedder
from fourfold.embed.protocol import Embedder, EmbedInput, ModelIdentity
from fourfold.model.errors import BackendUnavailable

Answer = Callable[[Sequence[EmbedInput], np.ndarray], object]


class FakeModel:
    """A hash embedder whose document vectors pass through `answer`; counts what it was asked."""

    def __init__(self, answer: Answer = lambda inputs, vectors: vectors) -> None:
        self._inner = HashEmbedder()
        self._answer = answer
        self.calls: list[int] = []

    @property
    def identity(self) -> ModelIdentity:
        return self._inner.identity

    def documents(self, inputs: Sequence[EmbedInput]) -> np.ndarray:
        self.calls.append(len(inputs))
        return self._answer(inputs, self._inner.documents(inputs))  # type: ignore[return-value]

    def paths(self, paths: Sequence[str]) -> np.ndarray:
        return np.zeros((len(paths), self.identity.dimension), np.float32)

    def queries(self, texts: Sequence[str]) -> np.ndarray:
        return self._inner.queries(texts)


@pytest.fixture
def notices() -> list[str]:
    return []


@pytest.fixture
def cache(tmp_path: Path, notices: list[str]) -> Iterator[VectorCache]:
    with VectorCache(tmp_path / "vectors.sqlite", notify=notices.append) as opened:
        yield opened


def inputs(count: int) -> list[EmbedInput]:
    return [EmbedInput(f"def work{number}(): pass", f"src/m{number}.py", f"work{number}") for number in range(count)]


def test_known_inputs_are_not_embedded_again(cache: VectorCache, notices: list[str]) -> None:
    model = FakeModel()
    embedder = CachedEmbedder(model, cache, notify=notices.append)
    assert isinstance(embedder, Embedder)
    first = embedder.documents(inputs(10))
    again = embedder.documents([*inputs(12), *inputs(2)])
    assert model.calls == [10, 2]
    assert again[:10].tobytes() == first.tobytes()
    assert again[12:].tobytes() == first[:2].tobytes()
    assert notices == []


def test_full_and_empty_cache_give_the_same_bits(cache: VectorCache, notices: list[str]) -> None:
    embedder = CachedEmbedder(FakeModel(), cache, notify=notices.append)
    made = embedder.documents(inputs(5))
    found = embedder.documents(inputs(5))
    cache.close()
    uncached = embedder.documents(inputs(5))
    assert made.tobytes() == found.tobytes() == uncached.tobytes()
    np.testing.assert_allclose(made, HashEmbedder().documents(inputs(5)), atol=0.02)


def test_batches_are_bounded_and_kept_one_by_one(cache: VectorCache, notices: list[str]) -> None:
    def fail_late(asked: Sequence[EmbedInput], made: np.ndarray) -> object:
        if len(model.calls) == 3:
            raise BackendUnavailable("The server went away.")
        return made

    model = FakeModel(fail_late)
    embedder = CachedEmbedder(model, cache, notify=notices.append)
    with pytest.raises(BackendUnavailable):
        embedder.documents(inputs(3 * BATCH))
    assert model.calls == [BATCH] * 3
    embedder.documents(inputs(3 * BATCH))
    assert model.calls == [BATCH] * 4


def test_another_model_finds_nothing(cache: VectorCache, notices: list[str]) -> None:
    CachedEmbedder(FakeModel(), cache, notify=notices.append).documents(inputs(3))
    other = FakeModel()
    other._inner = HashEmbedder(128)
    vectors = CachedEmbedder(other, cache, notify=notices.append).documents(inputs(3))
    assert other.calls == [3]
    assert vectors.shape == (3, 128)


def test_wrong_dimension_is_one_clear_error(cache: VectorCache, notices: list[str]) -> None:
    model = FakeModel(lambda asked, made: made[:, :32])
    with pytest.raises(BackendUnavailable, match=r"shape \(3, 32\), expected \(n, 64\)"):
        CachedEmbedder(model, cache, notify=notices.append).documents(inputs(3))


@pytest.mark.parametrize("count", [0, 1, 3])
def test_wrong_number_of_query_vectors_is_one_clear_error(
    cache: VectorCache, notices: list[str], count: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = FakeModel()
    monkeypatch.setattr(model, "queries", lambda texts: np.ones((count, 64), np.float32))
    with pytest.raises(BackendUnavailable, match=f"{count} vectors for 2 queries"):
        CachedEmbedder(model, cache, notify=notices.append).queries(["a", "b"])


def test_nothing_asked_nothing_called(cache: VectorCache, notices: list[str]) -> None:
    model = FakeModel()
    assert CachedEmbedder(model, cache, notify=notices.append).documents([]).shape == (0, 64)
    assert model.calls == []
