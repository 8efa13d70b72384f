"""What training is taught beside the pairs: sentences, words, and the means of several runs."""

from __future__ import annotations

import json
import tarfile
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from training.embedding import lessons as lessons_module
from training.embedding.drawn import Drawn
from training.embedding.english import common_words
from training.embedding.glosses import examples_of, glosses_of, wordnet_files
from training.embedding.lessons import LONGEST, choose_sentences, lessons_of_words, load_lessons, save_lessons
from training.embedding.neighbours import near_blocks
from training.embedding.pair import Pair
from training.embedding.train import Trained, mean_of
from training.embedding.words import GLOVE, GLOVE_DIMENSION, beginning, load_words, read_glove, save_words, teach


class Constant:
    """A teacher that knows the length of a text and its place."""

    def embed(self, texts: list[str]) -> np.ndarray:
        rows = [np.full(4, len(text)) + np.arange(4.0) * number for number, text in enumerate(texts)]
        return np.stack(rows).astype(np.float32)


TEACHER: Any = Constant()


class Letters:
    """Reads a word as its letters."""

    def __len__(self) -> int:
        return 128

    def word_ids(self, word: str) -> tuple[int, ...]:
        return tuple(sorted(set(word.encode())))


def _pairs(count: int = 40) -> list[Pair]:
    return [
        Pair(f"opens door number {n}", f"gate{n}()", f"a{n % 3}.py", f"gate{n}", "doc", "p", "c") for n in range(count)
    ]


def test_the_result_is_the_mean_of_the_runs() -> None:
    first = Trained(np.ones((3, 2), np.float32), (0.5, 1.0, 2.0))
    mean = mean_of([first, Trained(first.vectors + 2, (2.0, 1.0, 2.0))])
    np.testing.assert_allclose(mean.vectors, first.vectors + 1, atol=1e-6)
    assert mean.fields == pytest.approx((1.0, 1.0, 2.0))


def test_sentences_are_drawn_with_a_seed(monkeypatch: pytest.MonkeyPatch) -> None:
    named = Pair("open the door", "gate()", "a.py", "gate", "name", "p", "c")
    long = Pair("x" * LONGEST, "gate()", "a.py", "gate", "doc", "p", "c")
    listed = choose_sentences([*_pairs(), *_pairs(), named, long], ["door: a way in", "opens door number 3"])
    assert sorted(listed) == sorted({"door: a way in", *(pair.question for pair in _pairs())})
    assert listed != sorted(listed)
    used = choose_sentences(_pairs(), ["door: a way in"], ["she knocked at the door", "door: a way in"])
    assert sorted(used) == sorted([*listed, "she knocked at the door"])
    monkeypatch.setattr(lessons_module, "SENTENCES", 7)
    assert listed[:7] == choose_sentences([*reversed(_pairs())])


def test_glosses_of_common_words_are_read() -> None:
    noun = '  1 the licence\n04 06 n 02 file 0 data_file 1 001 @ 05 n 0000 | a set of records; "open the file"\n'
    noun += "05 06 n 01 rare_beetle 0 000 | a beetle\n"
    files = {"data.noun": noun, "data.verb": "06 30 v 01 elide 0 000 | leave out  \n", "data.adj": "", "data.adv": ""}
    assert wordnet_files([("wordnet/data.noun", b"one"), ("copyright", b"two")]) == {"data.noun": "one"}
    files["cntlist.rev"] = "file%1:06:00:: 1 3\nelide%2:30:00:: 1 2\n"
    assert list(glosses_of(files)) == ["file: a set of records", "elide: leave out"]
    assert list(examples_of(files)) == ["open the file"]


def test_lessons_are_read_with_the_tokens_of_the_model(tmp_path: Path) -> None:
    save_lessons(tmp_path / "sentences.npz", ["open the file", "a longer sentence", "and one more"], TEACHER)
    lessons = load_lessons(tmp_path / "sentences.npz", Letters)
    assert len(lessons) == 3
    np.testing.assert_allclose(np.linalg.norm(lessons.units, axis=1), 1, atol=1e-5)
    assert set(lessons.texts.ids[: lessons.texts.offsets[1]]) == set(b"openthefile")


def test_common_words_and_their_forms_are_english() -> None:
    times = {"visitor": 9, "hammer": 8, "beetle": 3, "rare": 2, "data_file": 50, "of": 900}
    dictionary = ["visitors", "hammered", "beetles", "Visitors", "visitor's", "plumbing"]
    assert common_words(times, dictionary) == ["beetle", "hammer", "hammered", "visitor", "visitors"]


def test_words_are_what_both_sources_say_of_them(tmp_path: Path) -> None:
    archive = tmp_path / "glove.tgz"
    vectors = {"gate": [1.0] * GLOVE_DIMENSION + [10.0, 0], "door": [-1.0] * GLOVE_DIMENSION + [10.0, 1]}
    content = json.dumps({"vectors": vectors}).encode()
    with tarfile.open(archive, "w:gz") as packed:
        entry = tarfile.TarInfo(f"package/{GLOVE}.json")
        entry.size = len(content)
        packed.addfile(entry, BytesIO(content))
    tokens, units = teach(["", "gate", "x", "door", "a1", "opening"], TEACHER, read_glove(archive))
    assert tokens.tolist() == [1, 3, 5]
    np.testing.assert_allclose(np.linalg.norm(units, axis=1), 1, atol=1e-5)
    assert (units[0, 4:] > 0).all()
    assert (units[1, 4:] < 0).all()
    save_words(tmp_path / "words.npz", tokens, units)
    again = load_words(tmp_path / "words.npz")
    assert np.array_equal(again[0], tokens)
    start = beginning(6, 3, *again)
    np.testing.assert_allclose(np.linalg.norm(start[tokens], axis=1), 1, atol=1e-3)
    assert np.array_equal(start, beginning(6, 3, *again))
    with tarfile.open(tmp_path / "empty.tgz", "w:gz"):
        pass
    with pytest.raises(FileNotFoundError, match=GLOVE):
        read_glove(tmp_path / "empty.tgz")


def test_neighbours_are_drawn_together() -> None:
    rng = np.random.default_rng(3)
    centres = np.eye(16, dtype=np.float32)
    units = np.repeat(centres, 8, axis=0) + rng.normal(size=(128, 16)).astype(np.float32) * 0.01
    blocks = near_blocks(units, 8, rng)
    assert sorted(blocks.reshape(-1)) == list(range(128))
    together = [len(set(rows // 8)) for rows in blocks]
    assert np.mean(together) < 5  # by chance 6.4
    lessons = lessons_of_words(np.arange(128), units)
    drawn = Drawn(lessons, 1.0, 8, 32, rng)
    rows = [drawn.draw() for _ in range(8)]
    assert {len(one) for one in rows} == {32}
    assert sorted(np.concatenate(rows[:4])) == list(range(128))
    single = Drawn(lessons, 1.0, 1, 500, rng).draw()
    assert sorted(single) == list(range(128))
