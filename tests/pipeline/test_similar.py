"""Questions for code like a symbol, and code like the code at a line."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.built import Built

from fourfold.engine.index import Index
from fourfold.model.errors import BadQuery
from fourfold.model.query import Filters
from fourfold.model.result import SearchResult
from fourfold.pipeline.structure.similar import CODE, is_named_alone

FILES = {
    "src/validators.py": "def validate_ipv4_address(value):\n    if not is_ipv4(value):\n"
    "        raise ValueError(value)\n\n\n"
    "def validate_ipv6_address(value):\n    if not is_ipv6(value):\n        raise ValueError(value)\n\n\n"
    "class MaxValueValidator:\n    def compare(self, a, b):\n        return a > b\n\n\n"
    "class MinValueValidator:\n    def compare(self, a, b):\n        return a < b\n",
    "src/net.py": "def open_socket(host, port):\n    return connect(host, port)\n",
    "src/backends/console.py": "class EmailBackend:\n    def write(self, text):\n        print(text)\n",
    "src/backends/filebased.py": "class EmailBackend:\n    def write(self, text):\n        self.file.write(text)\n",
    "tests/test_validators.py": "def validate_ipv5_address(value):\n    if not is_ipv5(value):\n"
    "        raise ValueError(value)\n",
    "data/notes.md": "# Limits\n\nNothing of code.\n",
}


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Index]:
    with Built(tmp_path_factory.mktemp("similar")) as built:
        yield built.write(FILES).index


def named(found: SearchResult) -> list[tuple[str, str]]:
    return [(item.path, item.symbol) for item in found.items]


def test_a_question_for_code_like_a_function_finds_its_siblings_and_not_itself(index: Index) -> None:
    found = index.search("functions similar to validate_ipv4_address")
    assert found.query.intent == "find_similar"
    assert named(found)[0] == ("src/validators.py", "validate_ipv6_address")
    assert found.items[0].why.method == "similar"
    assert (found.items[0].start_line, found.items[0].end_line) == (6, 8)
    assert ("src/validators.py", "validate_ipv4_address") not in named(found)


def test_tests_come_after_ordinary_source_unless_asked_for(index: Index) -> None:
    order = [path for path, _ in named(index.search("code like validate_ipv6_address"))]
    assert order.index("tests/test_validators.py") > 0
    asked = [path for path, _ in named(index.search("tests similar to validate_ipv6_address"))]
    assert asked.index("tests/test_validators.py") < order.index("tests/test_validators.py")


def test_types_are_compared_with_types(index: Index) -> None:
    found = named(index.search("validators built like MaxValueValidator"))
    assert found[0] == ("src/validators.py", "MinValueValidator")
    assert not any(symbol.startswith("validate_") for _, symbol in found)


def test_of_several_definitions_the_one_whose_path_the_question_gives_is_meant(index: Index) -> None:
    found = named(index.search("similar to the console EmailBackend"))
    assert found[0] == ("src/backends/filebased.py", "EmailBackend")
    assert ("src/backends/console.py", "EmailBackend") not in found
    found = named(index.search("similar to the filebased EmailBackend"))
    assert found[0] == ("src/backends/console.py", "EmailBackend")


def test_the_filters_hold(index: Index) -> None:
    found = index.search("similar to validate_ipv4_address", filters=Filters(paths=("tests/**",)))
    assert {path for path, _ in named(found)} == {"tests/test_validators.py"}


@pytest.mark.parametrize(
    "question",
    ["code like open_socket(host, port); close = 1", "similar to no_such_name_here", "similar to the socket"],
)
def test_code_itself_and_what_names_nothing_go_the_full_way(index: Index, question: str) -> None:
    assert all(item.why.method != "similar" for item in index.search(question).items)


def test_empty_brackets_behind_a_name_are_no_code() -> None:
    assert not CODE & set("functions similar to open_socket()")


def test_code_like_a_line_is_like_the_innermost_definition(index: Index) -> None:
    found = index.similar("src/validators.py", 2)
    assert named(found)[0] == ("src/validators.py", "validate_ipv6_address")
    assert named(index.similar("src/validators.py", 12))[0][1] == "MinValueValidator.compare"


def test_a_line_outside_of_definitions_is_compared_chunk_by_chunk(index: Index) -> None:
    found = index.similar("data/notes.md", 3)
    assert "data/notes.md" not in [path for path, _ in named(found)]
    with pytest.raises(BadQuery):
        index.similar("data/notes.md", 4000)


def test_the_pipeline_of_the_preset_gives_the_same_answer(index: Index) -> None:
    question = "functions similar to validate_ipv4_address"
    assert named(index.search(question, preset="thorough"))[:3] == named(index.search(question))[:3]


@pytest.mark.parametrize(
    ("question", "alone"),
    [
        ("functions similar to slugify", True),
        ("code like `slugify`?", True),
        ("methods similar to the function slugify in other modules", True),
        ("code like slugify titles", False),
        ("slugify something similar to that", False),
    ],
)
def test_a_plain_word_is_a_sample_where_it_stands_alone_behind_the_phrase(question: str, alone: bool) -> None:
    assert is_named_alone(question, "slugify") is alone


def test_a_plain_known_name_is_compared_without_itself(tmp_path: Path) -> None:
    files = {
        "src/text.py": "def slugify(text):\n    return text.lower().replace(' ', '-')\n",
        "src/names.py": "def dashify(text):\n    return text.lower().replace('_', '-')\n",
        "tests/test_text.py": "from src.text import slugify\n\n\ndef test_slugify():\n"
        "    assert slugify('A b') == 'a-b'\n",
    }
    with Built(tmp_path) as built:
        found = built.write(files).index.search("functions similar to slugify")
    assert found.items[0].symbol == "dashify"
    assert "slugify" not in [item.symbol for item in found.items]
