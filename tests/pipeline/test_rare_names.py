"""A question in words about a name that stands in few places: those come first, whatever else the words meet."""

from __future__ import annotations

import pytest
from tests.built import indexed

from fourfold import Index

PARSER = '''"""The parser reads a value and raises an error."""


class Parser_{number}:
    """Parser that reads a value and raises an error of the parser."""

    def parse_value(self, value):
        raise ParserError("the parser raises while it reads a value")
'''


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Index:
    """Twelve parsers, and a table that holds a code."""
    files = {f"parser_{number}.py": PARSER.format(number=number) for number in range(12)}
    files["table.py"] = 'CODES = {"ERR676X27": 12, "max_age_conn": 3}\n'
    return indexed(tmp_path_factory.mktemp("rare"), files)


@pytest.mark.parametrize(
    "question",
    [
        "why does the parser raise ERR676X27 when it reads a value",
        "why does the parser raise err676x27 when it reads a value",
        "what does the parser do with max_age_conn when it reads a value",
    ],
)
def test_what_holds_the_name_comes_first_and_says_so(index: Index, question: str) -> None:
    first = index.search(question, explain=True).items[0]
    assert first.path == "table.py"
    assert dict(first.why.signals)["rare_name"] == 4.0


def test_a_name_that_many_hold_decides_nothing(index: Index) -> None:
    found = index.search("why does the parser call parse_value of the value", explain=True).items
    assert found[0].path.startswith("parser_")
    assert dict(found[0].why.signals).get("rare_name", 0.0) == 0.0
