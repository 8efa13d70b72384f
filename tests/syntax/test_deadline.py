"""Hostile nesting: refused with a reason or parsed, never a hang, never an exception."""

from __future__ import annotations

import pytest

from fourfold.syntax.languages import LANGUAGES
from fourfold.syntax.parse import parse_file

GRAMMARS = [name for name, one in LANGUAGES.items() if one.grammar]
SHAPES = {
    "open brackets": "[" * 200_000,
    "nested brackets": "[" * 100_000 + "]" * 100_000,
    "open parentheses on lines": "(\n" * 50_000,
    "open braces": "{" * 100_000,
    "open angles": "a<" * 50_000,
    "quotes": '"' * 100_001,
}


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("language", ["python", "javascript", "c", "rust"])
def test_hostile_nesting_is_covered(language, shape):
    text = SHAPES[shape]
    parsed = parse_file("x", text, language, deadline_s=0.5)
    assert "".join(c.text for c in parsed.chunks).replace("\n", "") == text.replace("\n", "")


def test_200000_brackets_fall_back_with_a_reason():
    parsed = parse_file("a.py", "[" * 200_000, "python")
    assert "broken source" in parsed.fallback or "longer than allowed" in parsed.fallback


@pytest.mark.parametrize("language", GRAMMARS)
def test_a_spent_deadline_falls_back(language):
    text = "x = (1 + 2)\n" * 5000
    parsed = parse_file("x", text, language, deadline_s=0.0)
    assert parsed.fallback == "parsing took longer than allowed"
    assert parsed.chunks[0].start_line == 1 and parsed.chunks[-1].end_line == 5000


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("java", "a<" * 80_000),
        ("csharp", "a<" * 80_000),
        ("ruby", "a.b." * 50_000),
        ("elixir", "a.b." * 50_000),
        ("haskell", "do " * 60_000),
    ],
)
def test_shapes_that_run_away_are_bounded(language, text):
    parsed = parse_file("x", text, language, deadline_s=0.5)
    assert [c.text for c in parsed.chunks] == [text]


def test_ordinary_generics_and_comparisons_are_parsed():
    lines = "\n".join(f"  boolean f{n}(Map<String, List<Integer>> m, int a) {{ return a < {n}; }}" for n in range(1500))
    parsed = parse_file("A.java", f"class A {{\n{lines}\n}}\n", "java")
    assert parsed.fallback == ""
    assert len(parsed.symbols) == 1501


def test_definitions_deep_in_callbacks_are_found():
    depth = 30
    text = "".join(f"run{n}(function () {{\n" for n in range(depth)) + "function deep() {}\n" + "})\n" * depth
    assert [one.name for one in parse_file("a.js", text, "javascript").symbols] == ["deep"]


@pytest.mark.parametrize("error", [KeyError("name"), TypeError(), IndexError(), MemoryError()])
def test_a_mistake_in_the_reading_code_costs_structure_and_not_the_file(
    monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    def mistaken(*_: object) -> None:
        raise error

    monkeypatch.setattr("fourfold.syntax.parse.read_facts", mistaken)
    found = parse_file("a.py", "def kept():\n    return 1\n", "python")
    assert found.fallback == f"a fault in reading it as python: {type(error).__name__}"
    assert [chunk.text for chunk in found.chunks] == ["def kept():\n    return 1"]
    assert not found.symbols
