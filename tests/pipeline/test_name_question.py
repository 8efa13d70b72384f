"""Questions about one name: what defines it comes first, however often others mention it."""

from __future__ import annotations

import pytest
from tests.built import indexed

from fourfold import Index

STEP = """def step_{number}(request):
    # how PrepareRequest works: PrepareRequest, then work
    return PrepareRequest(request)
"""
MENTIONS = "\n\n".join(STEP.format(number=number) for number in range(6))
FILES = {
    "steps/prepare_request.py": f'"""How PrepareRequest works, explained: PrepareRequest work."""\n\n{MENTIONS}\n',
    "core/plain.py": "def other():\n    return 1\n\n\nclass PrepareRequest:\n    value = 1\n",
    "tests/test_it.py": "class PrepareRequest:\n    pass\n",
}


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Index:
    """A class that a file of its name mentions again and again, and a stand-in for it in a test."""
    return indexed(tmp_path_factory.mktemp("named"), FILES)


@pytest.mark.parametrize("question", ["how does PrepareRequest work", "PrepareRequest implementation"])
def test_the_definition_comes_first_and_once(index: Index, question: str) -> None:
    items = index.search(question).items
    assert (items[0].path, items[0].symbol) == ("core/plain.py", "PrepareRequest")
    assert items[1].path == "tests/test_it.py", "another definition of that name, in a test"
    shown = [(item.path, item.start_line) for item in items]
    assert len(set(shown)) == len(shown)
    assert "steps/prepare_request.py" in {item.path for item in items}


def test_a_question_that_asks_for_more_is_answered_as_ever(index: Index) -> None:
    first = index.search("how PrepareRequest works in each step of a request").items[0]
    assert first.path == "steps/prepare_request.py"
