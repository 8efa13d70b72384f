"""Which lines of a chunk are shown: those that tell most, and what they stand in."""

from __future__ import annotations

from fourfold.pipeline.snippets import TellingLines, opener
from fourfold.store.terms import stem


def test_a_word_of_every_line_says_less_than_one_of_few() -> None:
    table = ["LANGUAGES = {", *(f'    "l{n}": {{"code": "l{n}", "name": "Language {n}"}},' for n in range(60))]
    table[41] = '    "hsb": {"code": "hsb", "name": "Upper Sorbian"},'
    telling = TellingLines([stem(word) for word in ("name", "code", "language", "sorbian")])(table, 100)
    assert 141 in telling
    assert TellingLines([stem("sorbian")])(["x"] * 1_500 + ["Sorbian"], 1) == (1_501,)


def test_the_line_that_opens_a_block() -> None:
    lines = ["class A:", "", "    def b(self):", "        # back", "", "        if x:", "            y()", "c = 1"]
    assert [opener(lines, index) for index in (0, 2, 3, 6, 7)] == [0, 0, 2, 5, 7]
