"""Field reports on file content, as far as the syntax layer answers for them."""

from __future__ import annotations

import sys
import types

import pytest

from fourfold.syntax import grammars
from fourfold.syntax.languages import LANGUAGES
from fourfold.syntax.parse import parse_file
from fourfold.syntax.windows import MAX_CHARS, MAX_LINES


@pytest.fixture
def fresh_grammars():
    grammars.forget_grammars()
    yield
    grammars.forget_grammars()


@pytest.mark.parametrize("chunker", ["ast", "lines"])
def test_b6_lines_of_a_chunk_are_the_lines_of_the_file(chunker):
    body = "\n".join(f"    step({n})" if n % 17 else "" for n in range(1, 700))
    text = f"def long():\n{body}\n"
    lines = text.split("\n")
    parsed = parse_file("a.py", text, "python", chunker=chunker)
    assert len(parsed.chunks) > 5
    for chunk in parsed.chunks:
        assert "\n".join(lines[chunk.start_line - 1 : chunk.end_line]) == chunk.text
    assert parsed.chunks[-1].end_line == 700


@pytest.mark.parametrize("chunker", ["ast", "lines"])
def test_b6_empty_file_has_no_chunks(chunker):
    assert parse_file("a.py", "", "python", chunker=chunker).chunks == ()


def test_b7_a_function_of_5000_lines_is_cut_to_size():
    text = "def huge():\n" + "\n".join(f"    call_number({n}, 'argument')" for n in range(5000))
    found = parse_file("a.py", text, "python").chunks
    assert all(len(c.text) <= MAX_CHARS and c.end_line - c.start_line < MAX_LINES for c in found)
    assert all(c.symbol == "huge" for c in found)


def test_b7_a_minified_line_is_one_chunk_and_does_not_swallow_its_neighbours():
    text = "const a = 1;\n" + "x(1);" * 40_000 + "\nconst b = 2;\n"
    found = parse_file("a.js", text, "javascript").chunks
    assert max(len(c.text) for c in found) == 200_000
    assert len(found) == 3


def test_b9_vue_scripts_are_code_with_true_lines():
    text = (
        "<template>\n  <p>{{ x }}</p>\n</template>\n\n<script setup lang=\"ts\">\nimport { ref } from 'vue'\n"
        "function add(n: number): number {\n  return n + 1\n}\n</script>\n\n<style>\np { color: red }\n</style>\n"
    )
    parsed = parse_file("a.vue", text, "vue")
    assert [(s.name, s.kind, s.start_line, s.end_line) for s in parsed.symbols] == [("add", "function", 7, 9)]
    assert parsed.imports == {"ref", "vue"}
    assert not parsed.has_errors
    assert [(c.start_line, c.end_line) for c in parsed.chunks] == [(1, 3), (5, 10), (12, 14)]


def test_b9_both_svelte_scripts_are_read():
    text = (
        '<script context="module">\nexport function load() {}\n</script>\n<script>\nlet n = 0;\n'
        "function add() { n += 1; }\n</script>\n<button on:click={add}>{n}</button>\n"
    )
    parsed = parse_file("a.svelte", text, "svelte")
    assert [(s.name, s.start_line) for s in parsed.symbols] == [("load", 2), ("n", 5), ("add", 6)]


def test_b12_a_missing_grammar_costs_only_its_language(monkeypatch, fresh_grammars):
    monkeypatch.setitem(sys.modules, "tree_sitter_python", None)
    text = "import os\n\ndef f():\n    return os\n"
    parsed = parse_file("a.py", text, "python")
    assert "tree_sitter_python unavailable" in parsed.fallback
    assert parsed.symbols == ()
    assert "\n".join(c.text for c in parsed.chunks) == text.rstrip("\n")
    assert parse_file("a.js", "function f() {}", "javascript").symbols[0].name == "f"


def test_b12_an_abi_that_the_core_does_not_read_is_a_reason_not_a_crash(monkeypatch, fresh_grammars):
    def language():
        raise ValueError("Incompatible Language version 99. Must be between 13 and 15")

    module = types.ModuleType("tree_sitter_go")
    module.language = language
    monkeypatch.setitem(sys.modules, "tree_sitter_go", module)
    parsed = parse_file("a.go", "package a\n\nfunc F() {}\n", "go")
    assert "Incompatible Language version 99" in parsed.fallback
    assert parsed.chunks[0].kind == "window"


@pytest.mark.parametrize("name", [name for name, one in LANGUAGES.items() if one.grammar])
def test_b12_every_grammar_loads_and_fits_its_query(name):
    language = LANGUAGES[name]
    for grammar in (language.grammar, *(variant for _, variant in language.variants)):
        assert grammars.load_grammar(grammar).query.pattern_count > 0
