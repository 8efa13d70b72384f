"""Columns, cuts and escapes."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fourfold.interfaces.cli.styled import LONGEST_LINE, styled_line
from fourfold.interfaces.cli.terminal import Terminal
from fourfold.interfaces.cli.width import cut, cut_left, expand_tabs, pad, safe, safe_name, width


@pytest.mark.parametrize(
    ("text", "columns"),
    [
        ("", 0),
        ("abc", 3),
        ("認証", 4),
        ("ｱｲ", 2),
        ("Ａ", 2),
        ("e\u0301", 1),
        ("한국", 4),
        ("a\u200db", 2),
        ("é", 1),
    ],
)
def test_width_counts_columns(text: str, columns: int) -> None:
    assert width(text) == columns


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("\x1b[2J", "\\x1b[2J"),
        ("\x1b]8;;http://x\x07", "\\x1b]8;;http://x\\x07"),
        ("a\rb", "a\\rb"),
        ("a\nb", "a\\nb"),
        ("\x9b31m", "\\x9b31m"),
        ("if (x \u202e} \u2066", "if (x \\u202e} \\u2066"),
        ("\u200b\ufeff", "\\u200b\\ufeff"),
        ("\udc80", "\\udc80"),
        ("\U000e0041", "\\U000e0041"),
        ("a\tb ü 認 👍", "a\tb ü 認 👍"),
    ],
)
def test_what_could_steer_a_terminal_is_escaped(text: str, shown: str) -> None:
    assert safe(text) == shown


def test_a_name_with_a_tab_is_escaped_too() -> None:
    assert safe_name("a\tb\x1b") == "a\\tb\\x1b"


@given(st.text())
def test_nothing_unsafe_ever_passes(text: str) -> None:
    for character in safe(text):
        category = unicodedata.category(character)
        assert character == "\t" or category not in ("Cc", "Cs", "Zl", "Zp")
        assert unicodedata.bidirectional(character) not in (
            "LRE",
            "RLE",
            "LRO",
            "RLO",
            "PDF",
            "LRI",
            "RLI",
            "FSI",
            "PDI",
        )


@given(st.text(), st.integers(0, 40))
def test_a_cut_text_fits_and_keeps_its_beginning_or_end(text: str, columns: int) -> None:
    text = safe_name(text)
    left, right = cut(text, columns), cut_left(text, columns)
    assert width(left) <= columns
    assert width(right) <= columns
    if width(text) <= columns:
        assert left == right == text
    else:
        assert text.startswith(left.removesuffix("…"))
    assert cut(text, None) == text


def test_a_cut_never_halves_a_wide_character() -> None:
    assert cut("認証認証", 6) == "認証…"
    assert cut("認証認証", 4) == "認…"
    assert cut_left("src/認証.py", 7) == "…証.py"


def test_padding_counts_columns() -> None:
    assert pad("認", 4) == "認  "
    assert pad("abcd", 2) == "abcd"


def test_tabs_go_to_the_next_stop_of_the_line() -> None:
    assert expand_tabs("\tx\ty") == "    x   y"
    assert expand_tabs("\tx", 3) == " x"


def plain(columns: int | None = None, color: bool = False) -> Terminal:
    import io

    return Terminal(io.StringIO(), color=color, columns=columns)


def test_spans_are_styled_and_the_cut_counts_columns_only() -> None:
    line = styled_line("\tretry(認証)", ((1, 6),), plain(color=True), 12, role="match")
    assert line == "    \x1b[1;31mretry\x1b[0m(…"
    assert styled_line("a" * 20, (), plain(), 5) == "aaaa…"


def test_overlapping_and_outlying_spans_do_no_harm() -> None:
    assert styled_line("abcdef", ((0, 3), (1, 4), (5, 99)), plain(color=True), None) == (
        "\x1b[1;31mabc\x1b[0m\x1b[1;31md\x1b[0me\x1b[1;31mf\x1b[0m"
    )


def test_a_line_of_data_is_cut_even_on_a_pipe() -> None:
    assert len(styled_line("x" * 1_000_000, (), plain(), None)) == LONGEST_LINE + 1


@given(
    st.text(max_size=60),
    st.lists(st.tuples(st.integers(0, 60), st.integers(0, 60)), max_size=4),
    st.integers(1, 30),
)
def test_a_styled_line_is_the_plain_line_with_styles(text: str, spans: list[tuple[int, int]], columns: int) -> None:
    import re

    colored = styled_line(text, spans, plain(color=True), columns)
    bare = re.sub(r"\x1b\[[0-9;]*m", "", colored)
    assert bare == styled_line(text, spans, plain(), columns)
    assert width(bare) <= columns
