"""What holds of facts in every language: never an exception, lines that exist, few repetitions; components and
notebooks; the rules that a sample does not show."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fourfold.model.reference import MAX_LINES, MAX_RECEIVER_CHARS, Facts
from fourfold.syntax.languages import language_of
from fourfold.syntax.parse import parse_file

FILES = sorted(path for path in (Path(__file__).parent / "references").iterdir() if path.suffix != ".facts")


def facts_of(text: str, language: str, path: str = "x") -> Facts:
    facts = parse_file(path, text, language).facts
    assert facts is not None
    return facts


def calls(facts: Facts) -> list[tuple[str, str, int]]:
    return [(one.receiver, one.name, one.line) for one in facts.references if one.kind == "call"]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
@settings(max_examples=25, deadline=None)
@given(data=st.data())
def test_facts_survive_random_edits(path: Path, data: st.DataObject) -> None:
    content = bytearray(path.read_bytes())
    for _ in range(data.draw(st.integers(1, 6))):
        place = data.draw(st.integers(0, len(content) - 1))
        width = data.draw(st.integers(0, 12))
        content[place : place + width] = data.draw(st.binary(max_size=6))
        content = content or bytearray(b"\n")
    text = bytes(content).decode("utf-8", "replace").replace("\r\n", "\n").replace("\r", "\n")
    parsed = parse_file(path.name, text, language_of(path.name))
    assert parsed.facts is not None or parsed.fallback
    last = text.count("\n") + 1
    facts = parsed.facts or Facts()
    assert all(1 <= one.line <= last for one in (*facts.references, *facts.imports, *facts.bindings))
    assert all(one.name for one in facts.references)


def test_what_is_whole_in_broken_source_is_found() -> None:
    facts = facts_of("import a\ndef f(:\n    pass\n\ndef g():\n    a.run(1)\n", "python")
    assert ("a", "run", 6) in calls(facts)
    assert [one.module for one in facts.imports] == ["a"]


def test_of_identical_calls_the_first_lines_are_kept() -> None:
    text = "def f():\n" + "    log.info('x')\n" * 9 + "    log.warn('x')\n"
    facts = facts_of(text, "python")
    assert [line for _, name, line in calls(facts) if name == "info"] == list(range(2, 2 + MAX_LINES))
    assert ("log", "warn", 11) in calls(facts)


def test_lines_of_a_component_are_those_of_its_file() -> None:
    script = "import { a } from './a';\nexport function f() {\n  a.run();\n}\n"
    text = f"<template>\n  <p/>\n</template>\n<script lang='ts'>\n{script}</script>\n"
    facts = facts_of(text, "vue", "x.vue")
    assert calls(facts) == [("a", "run", 7)]
    assert [(one.module, one.name, one.line) for one in facts.imports] == [("./a", "a", 5)]


def test_lines_of_a_notebook_are_those_of_its_file() -> None:
    cells = [{"cell_type": "code", "source": ["import os\n", "os.getcwd()\n"], "outputs": [], "metadata": {}}]
    text = json.dumps({"cells": cells, "nbformat": 4}, indent=1)
    facts = facts_of(text, "jupyter" if language_of("x.ipynb") == "jupyter" else language_of("x.ipynb"), "x.ipynb")
    line = text.split("\n").index(next(row for row in text.split("\n") if "getcwd" in row)) + 1
    assert calls(facts) == [("os", "getcwd", line)]


def test_prose_has_no_facts() -> None:
    assert parse_file("x.md", "# T\n\nf()\n", "markdown").facts is None


def test_a_field_takes_the_type_of_the_parameter_given_to_it() -> None:
    body = "        self.b = b\n        self.c = c\n        self.d = b.make()\n"
    text = "class A:\n    def __init__(self, b: Bar, c):\n" + body
    found = {(one.scope, one.name): one.type for one in facts_of(text, "python").bindings}
    assert found == {("A.__init__", "b"): "Bar", ("A", "b"): "Bar", ("A", "d"): "Bar.make"}


def test_names_that_are_passed_count_where_the_file_knows_them() -> None:
    text = "from m import known\ndef own(): pass\ndef f(x):\n    g(known, own, x, self.own, key=m.other)\n"
    values = [(one.receiver, one.name) for one in facts_of(text, "python").references if one.kind == "value"]
    assert values == [("", "known"), ("", "own"), ("self", "own")]


def test_a_bare_name_of_ruby_is_a_call_unless_it_is_a_local() -> None:
    text = "def f(a)\n  b = 1\n  a + b + c\n  xs.each { |d| d + e }\nend\n"
    assert {name for _, name, _ in calls(facts_of(text, "ruby"))} == {"c", "xs", "each", "e"}


def test_calls_inside_a_macro_of_rust_have_receivers() -> None:
    text = 'fn f() { println!("{}", self.repo.load(1)); assert_eq!(net::get().run(2), g(3)); }\n'
    assert [(receiver, name) for receiver, name, _ in calls(facts_of(text, "rust"))] == [
        ("self.repo", "load"),
        ("net", "get"),
        ("net::get()", "run"),
        ("", "g"),
    ]


def test_exports_under_another_name() -> None:
    facts = facts_of("const a = 1;\nexport { a as b };\nexport default class Foo {}\n", "javascript")
    assert [(one.module, one.name, one.alias, one.reexport) for one in facts.imports] == [
        ("", "a", "b", True),
        ("", "Foo", "default", True),
    ]


def test_receivers_in_a_long_chain_are_cut() -> None:
    text = "x = a" + "".join(f".b{number}(c)" for number in range(150)) + "\n"
    facts = facts_of(text, "python")
    assert [one.name for one in facts.references] == [f"b{number}" for number in range(150)]
    assert max(len(one.receiver) for one in facts.references) <= MAX_RECEIVER_CHARS
