"""Lists of words are told from text by what a line holds, and stand behind code that has fewer words of a question."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.built import Built

from fourfold.retrieve.word_lists import word_lists

WORDS = "warte verbindung sitzung ablauf fehler versuch server antwort anfrage zeit grenze schleife".split()
FILES = {
    "data/german": "\n".join(f"{word}{end}" for word in WORDS for end in ("", "en", "er", "es", "ung", "lich")),
    "data/plain.txt": "\n".join(WORDS * 9),
    "notes.txt": "\n".join(["how long a client waits for the answer of its server before it tries again"] * 80),
    "short.txt": "\n".join(WORDS),
    "numbers.json": "[\n" + ",\n".join(f'"{word}{n}"' for n, word in enumerate(WORDS * 60)) + "\n]\n",
    "src/retry.py": "def delay(attempt):\n    # Zeit bis zum Versuch nach einem Fehler\n    return 2 ** attempt\n" * 40,
    "tests/test_retry.py": "def test_delay():\n    assert delay(1)\n",
}


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Built]:
    with Built(tmp_path_factory.mktemp("lists")) as made:
        yield made.write(FILES)


def test_lists_are_files_of_a_token_or_two_a_line(built: Built) -> None:
    corpus = built.corpus
    found = {corpus.paths[number] for number in word_lists(corpus).nonzero()[0]}
    assert found == {"data/german", "data/plain.txt", "numbers.json"}


def test_code_with_some_of_the_words_comes_before_a_list_of_all(built: Built) -> None:
    asked = "welche Zeit vergeht bis zum Versuch nach einem Fehler der Verbindung zum Server"
    items = built.index.search(asked, refresh=False).items
    assert items[0].path == "src/retry.py"


def test_a_question_for_generated_data_finds_it_undemoted(built: Built) -> None:
    items = built.index.search("generated list: antwort anfrage grenze schleife", refresh=False, explain=True).items
    assert items[0].path in {"data/german", "data/plain.txt", "numbers.json"}
    assert all(name != "is_generated" for name, _ in items[0].why.signals)
