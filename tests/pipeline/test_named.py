"""A result without a definition of its own is called after the one that is meant."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest
from tests.built import Built

from fourfold.pipeline.run import _named

SMALL = """# alpha beta

def alpha(a):
    return a.one

# between the two
LIMIT = 3
# gamma is next

def gamma(a):
    return a.two

# the end
"""


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Built]:
    with Built(tmp_path_factory.mktemp("named")) as made:
        yield made.write({"small.py": SMALL})


def name_of(built: Built, kind: str, line: int) -> str:
    row = replace(next(iter(built.snapshot.chunk_rows([0]))), start_line=1, end_line=14, kind=kind, symbol="")
    (found,) = built.snapshot.names_within([(row.path, 1, 14)])
    return _named(row, found, line, SMALL.split("\n")).symbol


@pytest.mark.parametrize(
    ("line", "name"),
    [(1, "alpha"), (3, "alpha"), (4, "alpha"), (6, "LIMIT"), (8, "LIMIT"), (11, "gamma"), (13, "gamma")],
)
def test_it_is_the_one_around_a_line_else_the_one_below_its_comment_else_the_nearest_above(
    built: Built, line: int, name: str
) -> None:
    assert name_of(built, "function", line) == name


@pytest.mark.parametrize("kind", ["module", "window", "section"])
def test_a_whole_module_or_prose_has_a_name_only_inside_of_a_definition(built: Built, kind: str) -> None:
    assert (name_of(built, kind, 8), name_of(built, kind, 11)) == ("", "gamma")
