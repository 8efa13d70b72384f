"""The pools that the embedding is measured on, and how their chunks are ranked."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from benchmarks.dataset import Question
from benchmarks.embedding import measure, report
from benchmarks.embedding_messages import message_pool
from benchmarks.embedding_pool import Pool, make_pool, unshared
from benchmarks.embedding_rank import bm25_scores, fused, outcome, vector_scores

from fourfold.embed.static import StaticEmbedder
from fourfold.evaluate.question import Target
from fourfold.model.chunk import Chunk

CODE = "def remove(path):\n    os.unlink(path)\n    log.info('gone')\n"
OTHER = "def paint(canvas):\n    canvas.fill(color)\n    canvas.show()\n"


@pytest.fixture
def pool(tmp_path: Path) -> Pool:
    root = tmp_path / "package"
    root.mkdir()
    (root / "files.py").write_text(CODE)
    (root / "screen.py").write_text(OTHER)
    target = (Target("files.py", 1, 3),)
    asked = [
        Question("package", "1", "python", "named", "remove the given path from storage forever", target),
        Question("package", "1", "python", "unnamed", "the given path from storage", target),
    ]
    return make_pool(root, asked, 10)


def test_a_pool_holds_answers_and_other_chunks(pool: Pool) -> None:
    assert sorted(pool.paths) == ["files.py", "screen.py"]
    assert {category for category, _, _ in pool.questions} == {"named", "unnamed", "unshared"}
    assert all([pool.paths[row] for row in rows] == ["files.py"] for _, _, rows in pool.questions)


def test_unshared_questions_have_no_word_of_the_answer() -> None:
    chunk = Chunk(1, 3, CODE, "function", "remove")
    assert unshared("Removes stale entries behind every unlinked path", [chunk]) == "stale entries behind every"
    assert unshared("remove the path", [chunk]) is None


def test_ranking_and_its_figures(pool: Pool) -> None:
    texts = [text for _, text, _ in pool.questions]
    answers = [rows for _, _, rows in pool.questions]
    words = bm25_scores(pool, texts)
    assert [category for category, _, _ in pool.questions] == ["named", "unshared", "unnamed"]
    assert outcome(words, answers).tolist() == [[1, 1], [0, 0], [1, 1]]
    vectors = vector_scores(pool, texts, StaticEmbedder())
    assert vectors.shape == words.shape == (len(texts), 2)
    assert np.abs(vectors).max() <= 1 + 1e-5
    assert fused(np.array([[2.0, 1.0, 0.0]]), np.array([[0.0, 3.0, 0.0]])).argsort()[0].tolist() == [2, 0, 1]
    assert outcome(np.zeros((1, 3)), [frozenset({0})]).tolist() == [[0, 0]]


def test_the_report_names_every_system(pool: Pool) -> None:
    table = measure([pool], {"mine": lambda pool, texts: np.ones((len(texts), len(pool.chunks)))})
    assert set(table) == {"bm25", "mine", "mine + bm25"}
    assert all(name in report(table) for name in table)


def test_translated_messages_are_answered_by_the_code_that_says_them(tmp_path: Path) -> None:
    place = tmp_path / "django" / "conf" / "locale" / "de" / "LC_MESSAGES"
    place.mkdir(parents=True)
    (place / "django.po").write_text('msgid "Enter a valid whole number."\nmsgstr "Bitte eine ganze Zahl eingeben."\n')
    (tmp_path / "django" / "fields.py").write_text(
        'def clean(value):\n    raise Invalid("Enter a valid whole number.")\n'
    )
    (tmp_path / "django" / "other.py").write_text(OTHER)
    made = message_pool(tmp_path)
    ((language, text, rows),) = made.questions
    assert (language, text) == ("de", "Bitte eine ganze Zahl eingeben.")
    assert [made.paths[row] for row in rows] == ["fields.py"]
    with pytest.raises(FileNotFoundError, match="prepare"):
        message_pool(tmp_path / "nothing")
