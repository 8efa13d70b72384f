"""Numbers in words."""

from __future__ import annotations

import pytest

from fourfold.interfaces.cli.words import count, counted, milliseconds, seconds, size


@pytest.mark.parametrize(
    ("number", "noun", "text"),
    [
        (1, "result", "1 result"),
        (0, "file", "0 files"),
        (2818, "file", "2,818 files"),
        (2, "match", "2 matches"),
    ],
)
def test_counts_have_separators_and_plurals(number: int, noun: str, text: str) -> None:
    assert count(number, noun) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.42, "0.42 s"),
        (11.24, "11.2 s"),
        (59.94, "59.9 s"),
        (125, "2 min 5 s"),
        (120, "2 min"),
        (3600, "60 min"),
    ],
)
def test_seconds(value: float, text: str) -> None:
    assert seconds(value) == text


def test_whole_seconds_and_milliseconds() -> None:
    assert seconds(3.7, whole=True) == "4 s"
    assert milliseconds(0.62) == "0.6 ms"
    assert milliseconds(4.2) == "4 ms"
    assert milliseconds(1200) == "1.2 s"


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (1, "1 byte"),
        (999, "999 bytes"),
        (1000, "1.0 kB"),
        (12_400_000, "12.4 MB"),
        (999_960, "1.0 MB"),
        (5e15, "5,000.0 TB"),
    ],
)
def test_sizes(number: int, text: str) -> None:
    assert size(int(number)) == text


def test_counted_puts_the_largest_first_and_says_what_is_left_out() -> None:
    numbers = {"secret": 4, "binary": 1200, "too-large": 4}
    assert counted(numbers) == "1,200 binary, 4 secret, 4 too-large"
    assert counted(numbers, most=1) == "1,200 binary, 2 more"
    assert counted({}) == ""
