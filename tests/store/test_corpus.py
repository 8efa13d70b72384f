"""The arrays of a generation: live rows only, and the same however the index came about."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from tests.built import Built

from fourfold.store.local import tiers
from fourfold.store.local.schema import FILE_FIELDS
from fourfold.store.question import Question
from fourfold.store.terms import stem, term_hash

ONE = "def alpha_one(value):\n    # beta gamma\n    return value\n"
TWO = "class Delta:\n    def alpha_two(self):\n        return gamma\n"
THREE = "import alpha\n\n\ndef epsilon():\n    return 3\n"


@pytest.fixture
def grown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Built]:
    """Three segments that are never merged, with a replaced and a removed file."""
    monkeypatch.setattr(tiers, "due", lambda segments: [])
    with Built(tmp_path / "grown") as built:
        built.write({"b.py": "def old_alpha(): pass\n", "gone.py": "def alpha_gone():\n    return beta\n"})
        built.write({"b.py": TWO, "c.py": THREE})
        yield built.write({"a.py": ONE}, removed=("gone.py",))


@pytest.fixture
def fresh(tmp_path: Path) -> Iterator[Built]:
    """The same files in one go."""
    with Built(tmp_path / "fresh") as built:
        yield built.write({"a.py": ONE, "b.py": TWO, "c.py": THREE})


def test_dead_rows_are_there_but_not_alive(grown: Built) -> None:
    corpus = grown.corpus
    assert corpus.files > corpus.live_file_count == 3
    assert corpus.live_chunk_count == int(corpus.live_files[corpus.chunk_file].sum())
    assert sorted(path for path in corpus.paths if path) == ["a.py", "b.py", "c.py"]
    assert [bool(path) for path in corpus.paths] == corpus.live_files.tolist()


def test_chunks_of_a_file_are_a_run(grown: Built) -> None:
    corpus = grown.corpus
    assert corpus.first_chunk[-1] == corpus.chunks
    for number in range(corpus.files):
        first, last = corpus.first_chunk[number], corpus.first_chunk[number + 1]
        assert (corpus.chunk_file[first:last] == number).all()
        assert (np.diff(corpus.start_lines[first:last]) > 0).all()


def test_statistics_count_live_rows_only(grown: Built, fresh: Built) -> None:
    one, other = grown.corpus, fresh.corpus
    assert one.mean_field_lengths.tolist() == pytest.approx(other.mean_field_lengths.tolist())
    for question in (Question("alpha beta"), Question("gamma delta"), Question("old gone")):
        by_path = [
            {
                corpus.paths[int(corpus.chunk_file[row])] + f":{corpus.start_lines[row]}": float(scores.bm25[row])
                for row in np.flatnonzero(scores.bm25)
            }
            for corpus, scores in ((one, one.words("raw", question.raw)), (other, other.words("raw", question.raw)))
        ]
        assert by_path[0] == pytest.approx(by_path[1])
    assert not one.words("raw", Question("gone").raw).bm25.any()


def test_order_follows_paths_and_lines_and_not_history(grown: Built, fresh: Built) -> None:
    def ordered(built: Built) -> list[tuple[str, int]]:
        corpus = built.corpus
        rows = np.flatnonzero(corpus.live_chunks)
        rows = rows[np.argsort(corpus.chunk_order(rows))]
        return [(corpus.paths[int(corpus.chunk_file[row])], int(corpus.start_lines[row])) for row in rows]

    assert ordered(grown) == ordered(fresh)
    assert ordered(grown) == sorted(ordered(grown))


def test_definitions_are_found_by_name_in_any_case_while_they_live(grown: Built) -> None:
    corpus = grown.corpus
    (number,) = corpus.definitions_named(term_hash("delta"))
    assert corpus.paths[int(corpus.definition_file[number])] == "b.py"
    chunk = int(corpus.definition_chunk[number])
    assert corpus.paths[int(corpus.chunk_file[chunk])] == "b.py"
    assert corpus.start_lines[chunk] == 1
    assert int(corpus.column("definition.name")[number]) == term_hash("Delta")
    for gone in ("alpha_gone", "old_alpha", "nothing"):
        assert not len(corpus.definitions_named(term_hash(gone)))


def test_imports_and_fields_by_file(grown: Built) -> None:
    corpus = grown.corpus
    assert [corpus.paths[row] for row in corpus.imports.find(term_hash("alpha")).rows] == ["c.py"]
    found = corpus.fields.find(term_hash(stem("delta")))
    assert [corpus.paths[row] for row in found.rows] == ["b.py"]
    assert found.counts is not None
    held = dict(zip(FILE_FIELDS, found.counts[0].tolist(), strict=True))
    assert held["definitions"] == 1
    assert held["body"] == 1
    assert held["path"] == 0


def test_name_tokens_are_those_of_each_chunks_names(grown: Built) -> None:
    corpus = grown.corpus
    rows = np.flatnonzero(corpus.live_chunks)
    values, counts = corpus.name_tokens(rows)
    assert len(counts) == corpus.live_chunk_count
    assert counts.sum() == len(values) > 0
    each = [corpus.name_tokens(rows[at : at + 1]) for at in range(len(rows))]
    assert np.concatenate([tokens for tokens, _ in each]).tolist() == values.tolist()
    assert [int(count[0]) for _, count in each] == counts.tolist()
    assert corpus.name_tokens(np.zeros(0, np.int64))[0].tolist() == []


def test_an_index_of_nothing_is_empty_arrays(tmp_path: Path) -> None:
    with Built(tmp_path) as built:
        corpus = built.write({}).corpus
        assert (corpus.files, corpus.chunks, corpus.live_file_count) == (0, 0, 0)
        assert corpus.paths == []
        assert corpus.words("raw", Question("alpha").raw).bm25.tolist() == []
        assert corpus.definitions_named(term_hash("alpha")).tolist() == []
        assert corpus.mean_field_lengths.tolist() == [1.0] * len(FILE_FIELDS)


def test_the_mean_vector_is_stored_with_the_generation(grown: Built) -> None:
    stored = grown.corpus.statistic("mean_vector")
    assert stored is not None
    assert stored.shape == (64,)
    assert grown.corpus.statistic("nothing") is None
