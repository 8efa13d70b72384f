"""Scanning vectors: against plain numpy, over dead rows, segments and both ways of scanning."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from tests.built import Built

from fourfold.embed.hash import HashEmbedder
from fourfold.retrieve.semantic import semantic_hits
from fourfold.store.local import vectors as module
from fourfold.store.local.corpus import Corpus
from fourfold.store.local.vectors import QueryCosines, Vectors

WORDS = "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu".split()


def source(number: int) -> str:
    """A module of two functions whose words depend on its number."""
    chosen = [WORDS[(number * step) % len(WORDS)] for step in (1, 2, 3, 5)]
    body = "".join(f"    {word}_{number} = {word}({number})\n" * 12 for word in chosen)
    return f"def {chosen[0]}_{number}(value):\n{body}\n\ndef {chosen[3]}_{number}(value):\n{body}"


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Corpus]:
    """Forty files in two segments, five of them replaced or removed."""
    with Built(tmp_path_factory.mktemp("vectors")) as built:
        built.write({f"pkg{number % 4}/m{number}.py": source(number) for number in range(25)})
        built.write(
            {f"pkg{number % 4}/m{number}.py": source(number) for number in (*range(25, 40), 0, 1, 2)},
            removed=("pkg0/m4.py", "pkg1/m5.py"),
        )
        made = built.corpus
        assert 0 < made.live_chunk_count < made.chunks
        yield made


def stored(corpus: Corpus) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Content vectors and content plus path of every chunk, from the columns, in double precision."""
    content = corpus.column("chunk.vector").astype(np.float64) * corpus.column("chunk.scale")[:, None]
    path = corpus.column("file.path_vector").astype(np.float64) * corpus.column("file.path_scale")[:, None]
    return content, content + path[corpus.chunk_file]


def unit(rows: NDArray[np.float64]) -> NDArray[np.float64]:
    result: NDArray[np.float64] = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    return result


def query(text: str = "alpha gamma") -> NDArray[np.float32]:
    return HashEmbedder().queries([text])[0]


def test_stored_vectors_are_the_models_within_rounding(corpus: Corpus) -> None:
    vectors = Vectors(corpus)
    assert (vectors.dimension, vectors.empty) == (64, False)
    rows = np.flatnonzero(corpus.live_chunks)
    assert np.allclose(np.linalg.norm(vectors.with_path(rows), axis=1), 1.0, atol=1e-5)
    assert np.allclose(vectors.content(rows), stored(corpus)[0][rows], atol=1e-5)


@pytest.mark.parametrize("limit", [20_000, 10])
def test_every_cosine_equals_that_of_plain_numpy(corpus: Corpus, monkeypatch: pytest.MonkeyPatch, limit: int) -> None:
    monkeypatch.setattr(module, "EXACT_LIMIT", limit)
    monkeypatch.setattr(module, "BLOCK", 7)
    content, total = stored(corpus)
    found = Vectors(corpus).cosines(query())
    assert np.allclose(found[0], unit(content) @ query(), atol=1e-4)
    assert np.allclose(found[1], unit(total) @ query(), atol=1e-4)


def test_cosines_of_some_rows_are_those_of_all(corpus: Corpus) -> None:
    vectors = Vectors(corpus)
    rows = np.array([9, 3, 3, corpus.chunks - 1])
    for some, every in zip(vectors.cosines(query(), rows), vectors.cosines(query()), strict=True):
        assert some.tolist() == every[rows].tolist()


def test_the_centred_cosine_is_the_direct_computation(corpus: Corpus) -> None:
    vectors = Vectors(corpus)
    rows = np.flatnonzero(corpus.live_chunks)
    content, total = stored(corpus)
    mean = unit(total)[rows].mean(axis=0)
    assert np.allclose(vectors.mean, mean, atol=1e-5)
    moved = unit(total)[rows] - mean
    cosines = QueryCosines(vectors, query(), corpus.chunks)
    for asked in (rows[::2], rows, rows[::-1]):  # some known, some not; in any order
        content_cosines, with_path = cosines.of(asked)
        assert np.allclose(content_cosines, unit(content)[asked] @ query(), atol=1e-4)
        assert np.allclose(with_path, unit(total)[asked] @ query(), atol=1e-4)
    assert np.allclose(cosines.centred(rows), unit(moved) @ query(), atol=3e-4)
    assert np.array_equal(cosines.centred(rows), cosines.centred(rows))


def test_the_mean_is_the_same_stored_or_computed(corpus: Corpus, monkeypatch: pytest.MonkeyPatch) -> None:
    kept = Vectors(corpus).mean
    monkeypatch.setattr(corpus, "statistic", lambda name: None)
    assert np.allclose(Vectors(corpus).mean, kept, atol=1e-6)


def test_equal_chunks_have_equal_cosines_wherever_they_stand(tmp_path: Path) -> None:
    with Built(tmp_path) as built:
        for count in (1, 2, 4, 5, 30):
            built.write({f"d/m{number}.py": source(3) for number in range(count)} | {"other.py": source(5)})
            corpus = built.corpus
            same = np.flatnonzero([path.startswith("d/") for path in corpus.paths])
            first = np.flatnonzero(np.isin(corpus.chunk_file, same) & (corpus.start_lines == 1))
            assert len(first) == count
            assert len(set(Vectors(corpus).cosines(query())[0][first].tolist())) == 1
            assert len(set(Vectors(corpus).cosines(query(), first)[0].tolist())) == 1


def test_a_small_collection_is_scanned_whole(corpus: Corpus) -> None:
    assert Vectors(corpus).candidates(query()) is None


@pytest.fixture
def by_signs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Scan by signs although the collection is small."""
    monkeypatch.setattr(module, "EXACT_LIMIT", 10)
    monkeypatch.setattr(module, "RESCORED", 12)


def test_signs_choose_live_candidates_that_hold_the_best(corpus: Corpus, by_signs: None) -> None:
    vectors = Vectors(corpus)
    total = unit(stored(corpus)[1])
    live = np.flatnonzero(corpus.live_chunks)
    for row in live[::5]:
        asked = total[row].astype(np.float32)
        chosen = vectors.candidates(asked)
        assert chosen is not None
        assert 12 <= len(chosen) < len(live)
        assert corpus.live_chunks[chosen].all()
        best = live[np.argmax(total[live] @ asked)]
        assert best in chosen


def test_a_narrow_filter_leaves_its_few_chunks(corpus: Corpus, by_signs: None) -> None:
    asked = Vectors(corpus).with_path(np.array([int(np.flatnonzero(corpus.live_chunks)[0])]))[0]
    for size in (1, 12, 30):
        live = np.flatnonzero(corpus.live_chunks)
        allowed = np.zeros(corpus.chunks, np.bool_)
        allowed[live[-size:]] = True
        allowed[~corpus.live_chunks] = True
        chosen = Vectors(corpus).candidates(asked, allowed)
        assert chosen is not None
        assert set(chosen) <= set(live[-size:])
        assert len(chosen) >= min(size, 12)
        hits = semantic_hits(corpus, Vectors(corpus), asked, 5, allowed)
        assert {hit.chunk for hit in hits} <= set(live[-size:].tolist())


def test_both_scans_agree_about_the_first_hits(corpus: Corpus, monkeypatch: pytest.MonkeyPatch) -> None:
    exact = semantic_hits(corpus, Vectors(corpus), query("kappa lambda_3"), 3)
    monkeypatch.setattr(module, "EXACT_LIMIT", 10)
    monkeypatch.setattr(module, "RESCORED", 40)
    scanned = semantic_hits(corpus, Vectors(corpus), query("kappa lambda_3"), 3)
    assert [hit.chunk for hit in scanned] == [hit.chunk for hit in exact]
    assert [hit.score for hit in scanned] == pytest.approx([hit.score for hit in exact])


def test_an_index_without_vectors_is_empty(tmp_path: Path) -> None:
    with Built(tmp_path, model="none") as built:
        vectors = Vectors(built.write({"a.py": source(1)}).corpus)
        assert vectors.empty
        assert semantic_hits(built.corpus, vectors, query(), 5) == []
