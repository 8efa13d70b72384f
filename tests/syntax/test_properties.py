"""What holds of every text in every language: nothing lost, nothing doubled, nothing raised."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fourfold.model.chunk import KIND_CODES
from fourfold.model.parsed import ParsedFile
from fourfold.syntax.languages import LANGUAGES, language_of
from fourfold.syntax.parse import parse_file

SAMPLES = sorted(path for path in (Path(__file__).parent / "samples").iterdir() if path.is_file())
NAMES = sorted(LANGUAGES)
TOKENS = [
    "{",
    "}",
    "(",
    ")",
    "[",
    "]",
    "\n",
    "\n\n",
    "    ",
    "\t",
    "def f(x):",
    "class A",
    "function g() {",
    "end",
    "if x",
    '"',
    "'",
    '"""',
    "`",
    "//",
    "/*",
    "*/",
    "#",
    "--",
    "<script>",
    "</script>",
    "<!--",
    "-->",
    "@a",
    "=",
    ":",
    ";",
    "```",
    "# T",
    "===",
    "---",
    "[t]",
    "k: v",
    "fn",
    "pub",
    "struct S",
    "\\",
    "\x00",
    "\r",
    "é",
    "漢字",
    "\U0001f600",
    "\u2028",
    "\x0c",
    "import a",
    "CREATE TABLE t (",
    "do",
    "module M",
    "=>",
    "$$",
    '{"cells": [',
    "<?php",
    "\ud800",
]


TEXTS = st.one_of(st.text(max_size=300), st.lists(st.sampled_from(TOKENS), max_size=80).map("".join))


def sample_language(sample: Path) -> str:
    return language_of(sample.name.removesuffix(".txt"))


def assert_faithful(text: str, parsed: ParsedFile) -> None:
    """Chunks are whole lines of the text, in order, without overlap, and hold every line that is not blank."""
    lines = text.split("\n")
    position = 0
    for chunk in parsed.chunks:
        assert position < chunk.start_line <= chunk.end_line <= len(lines)
        assert "\n".join(lines[chunk.start_line - 1 : chunk.end_line]) == chunk.text
        assert chunk.text.strip()
        assert chunk.kind in KIND_CODES
        assert all(not line.strip() for line in lines[position : chunk.start_line - 1])
        position = chunk.end_line
    assert all(not line.strip() for line in lines[position:])
    for symbol in parsed.symbols:
        assert symbol.name and symbol.qualified_name.endswith(symbol.name)
        assert 1 <= symbol.start_line <= symbol.end_line <= len(lines)
        assert symbol.kind in KIND_CODES
        assert "\n" not in symbol.signature and len(symbol.signature) <= 300


@pytest.mark.parametrize("language", ["", "no such language", *NAMES])
@settings(max_examples=12, deadline=None)
@given(text=TEXTS)
def test_any_text_is_covered(language: str, text: str) -> None:
    for chunker in ("ast", "lines"):
        assert_faithful(text, parse_file("x", text, language, chunker=chunker))


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda path: path.name)
@settings(max_examples=15, deadline=None)
@given(data=st.data())
def test_damaged_code_is_covered(sample: Path, data: st.DataObject) -> None:
    """Real code with a stretch cut out and another put in somewhere."""
    text = sample.read_text("utf-8")
    start = data.draw(st.integers(0, len(text)))
    length = data.draw(st.integers(0, 200))
    junk = data.draw(st.lists(st.sampled_from(TOKENS), max_size=6).map("".join))
    damaged = text[:start] + junk + text[start + length :]
    assert_faithful(damaged, parse_file(sample.name, damaged, sample_language(sample)))


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda path: path.name)
@pytest.mark.parametrize("times", [1, 7, 60])
def test_samples_are_covered_at_any_length(sample: Path, times: int) -> None:
    text = "\n\n".join([sample.read_text("utf-8")] * times)
    assert_faithful(text, parse_file(sample.name, text, sample_language(sample)))
