"""A name with a typing error is read as the name that is meant, and the answer says so."""

from __future__ import annotations

import pytest
from tests.built import indexed

from fourfold import Index

FILES = {
    "pool.py": "def new_pool_entry(size):\n    return [None] * size\n\n\ndef other():\n    return new_pool_entry(3)\n",
    "house.py": "class HouseKeeper:\n    def sweep(self):\n        return new_pool_entry\n",
    "tests/test_pool.py": "from pool import new_pool_entry\n\n\ndef test_size():\n    assert new_pool_entry(0) == []\n",
}


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Index:
    """A function, what calls it, its test; a class."""
    return indexed(tmp_path_factory.mktemp("spelt"), FILES)


@pytest.mark.parametrize(
    ("question", "path", "line"),
    [
        ("HouseKepeer", "house.py", 1),
        ("where is nwe_pool_entry defined", "pool.py", 1),
        ("how does HouseKeper work", "house.py", 1),
        ("who calls new_pol_entry", "pool.py", 6),
        ("wo wird new_pool_entyr definiert", "pool.py", 1),
    ],
)
def test_the_name_that_is_meant_is_answered(index: Index, question: str, path: str, line: int) -> None:
    result = index.search(question)
    first = result.items[0]
    assert first.path == path
    assert first.start_line <= line <= first.end_line
    assert result.meta.suggestion is not None
    assert "occurs in nothing that is indexed; read as " in result.meta.suggestion


@pytest.mark.parametrize(
    "question", ["new_pool_entry", "how are houses kept", '"HouseKepeer"', "where is poool defined"]
)
def test_what_is_there_or_quoted_or_short_is_read_as_it_is(index: Index, question: str) -> None:
    assert "read as" not in (index.search(question).meta.suggestion or "")


def test_tests_come_first_where_tests_are_asked_for(index: Index) -> None:
    for question in ("which tests cover new_pool_entry", "is there a test for new_pool_entry"):
        assert index.search(question).items[0].path == "tests/test_pool.py"
