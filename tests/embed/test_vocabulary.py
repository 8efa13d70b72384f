"""The vocabulary equals the trained model's reference reader (fixtures: ``training/export_fixtures.py``)."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fourfold.embed.static import StaticEmbedder
from fourfold.embed.vocabulary import MAX_PIECES, UNKNOWN, Vocabulary

FIXTURES = Path(__file__).parent / "fixtures"
EMBEDDER = StaticEmbedder()


def table(name: str) -> list[tuple[str, tuple[int, ...]]]:
    lines = (FIXTURES / name).read_text("utf-8").split("\n")[:-1]
    rows = (line.split("\t") for line in lines)
    return [(word, tuple(map(int, ids.split()))) for word, ids in rows]


def test_pieces_equal_the_reference() -> None:
    rows = table("pieces.tsv")
    assert len(rows) == 3000
    wrong = [word for word, ids in rows if EMBEDDER.vocabulary.word_pieces(word) != ids]
    assert wrong == []


def test_tokens_of_words_equal_the_reference() -> None:
    rows = table("words.tsv")
    assert len(rows) == 1500
    assert [word for word, ids in rows if EMBEDDER.token_ids(word) != ids] == []


def test_merge_loop_alone_gives_the_same_pieces() -> None:
    """The list of one-token words is only a short cut: without it every answer stays the same."""
    full = EMBEDDER.vocabulary
    bare = Vocabulary("".join(full._initials), "".join(full._continuations), full._pairs)
    assert [w for w, ids in table("pieces.tsv") if bare.word_pieces(w) != ids] == []


def small() -> Vocabulary:
    """Tokens: 0 unknown, 1 a, 2 b, 3 -a, 4 -b, 5 = -a-b, 6 = a-b, 7 = ab-ab."""
    return Vocabulary("ab", "ab", np.array([[3, 4], [1, 4], [6, 5]], np.uint16))


@pytest.mark.parametrize(
    ("word", "pieces"),
    [
        ("", ()),
        ("a", (1,)),
        ("ab", (6,)),
        ("abab", (7,)),
        ("aab", (1, 5)),
        ("ba", (2, 3)),
        ("z", (UNKNOWN,)),
        ("azb", (1, UNKNOWN, 4)),
        ("ababab", (7, 5)),
    ],
)
def test_smaller_tokens_are_made_first(word: str, pieces: tuple[int, ...]) -> None:
    assert small().word_pieces(word) == pieces


def test_cut_after_eight_pieces_and_128_characters() -> None:
    assert small().word_pieces("b" * 20) == (2, *[4] * (MAX_PIECES - 1))
    pieces = EMBEDDER.vocabulary.word_pieces
    assert pieces("qz" * 5000) == pieces("qz" * 64)


@given(st.text(max_size=40))
def test_any_text_gives_known_tokens_and_the_same_twice(word: str) -> None:
    pieces = EMBEDDER.vocabulary.word_pieces(word)
    assert len(pieces) <= MAX_PIECES
    assert all(0 <= piece < len(EMBEDDER.vocabulary) for piece in pieces)
    assert EMBEDDER.vocabulary.word_pieces(word) == pieces


def test_memory_of_split_words_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fourfold.embed.vocabulary._CACHE_WORDS", 4)
    vocabulary = small()
    for size in range(1, 30):
        assert vocabulary.word_pieces("b" * size)[0] == 2
        assert len(vocabulary._split) <= 4
