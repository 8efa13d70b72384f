"""Questions about uses of something that is described, not named."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.built import Built

from fourfold.engine.index import Index
from fourfold.model.query import Filters
from fourfold.rank.weights import NAMED_WORDS, is_described

FILES = {
    "src/queue.py": 'def drain_all(queue):\n    """Empties a mutable queue into an array."""\n'
    "    array = []\n    while queue:\n        array.append(queue.pop())\n    return array\n",
    "src/report.py": "from src.queue import drain_all\n\n\ndef report(jobs):\n    return len(drain_all(jobs))\n",
    "src/other.py": "def unrelated(text):\n    return text.upper()\n",
    "tests/test_queue.py": "from src.queue import drain_all\n\n\ndef test_drain():\n    assert drain_all([1]) == [1]\n",
}
QUESTION = "what calls the function that empties a mutable queue into an array"


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Index]:
    with Built(tmp_path_factory.mktemp("described")) as built:
        yield built.write(FILES).index


def test_what_is_described_comes_first_and_its_uses_behind_it(index: Index) -> None:
    found = index.search(QUESTION)
    assert found.query.intent == "find_references"
    assert [item.path for item in found.items[:3]] == ["src/queue.py", "src/report.py", "tests/test_queue.py"]
    assert found.items[1].why.modalities["graph"] == 1
    scores = [item.score for item in found.items]
    assert scores == sorted(scores, reverse=True)
    assert len({item.location for item in found.items}) == len(found.items)


def test_the_filters_hold_for_the_uses_too(index: Index) -> None:
    found = index.search(QUESTION, filters=Filters(paths=("src/**",)))
    assert {item.path for item in found.items} <= {"src/queue.py", "src/report.py", "src/other.py"}
    assert "src/report.py" in [item.path for item in found.items[:2]]


def test_a_name_is_answered_by_its_uses_alone(index: Index) -> None:
    assert index.search("what calls drain_all").items[0].path == "src/report.py"


def test_a_name_by_its_form_or_few_words_are_no_description() -> None:
    assert is_described("what calls the function that empties a mutable queue", ["queue"])
    assert not is_described("what calls the function drain_all that empties a mutable queue", ["drain_all"])
    assert not is_described("what breaks if I change session", ["session"])
    assert not is_described("who calls slugify", ["slugify"])
    assert not is_described(" ".join(f"word{number}" for number in range(NAMED_WORDS)), [])
    assert is_described(" ".join(f"word{number}" for number in range(NAMED_WORDS + 1)), [])
