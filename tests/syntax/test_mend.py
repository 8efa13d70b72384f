"""Damaged source: what is whole is still found, under its owners where the damage leaves them standing."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from benchmarks.structure.broken import DAMAGES, measure
from hypothesis import given, settings
from hypothesis import strategies as st

from fourfold.model.parsed import ParsedFile
from fourfold.syntax.languages import language_of
from fourfold.syntax.mend import search
from fourfold.syntax.mend.brackets import applied, repair
from fourfold.syntax.mend.preprocessor import first_branches, without_macros
from fourfold.syntax.parse import parse_file

SAMPLES = Path(__file__).parent / "samples"
NAMES = "sample.py.txt sample.go sample.rs Sample.java sample.ts sample.js sample.kt Sample.cs sample.php sample.rb"
KEPT = 0.97
"""Of the definitions outside of the damage."""


def texts() -> list[tuple[str, str, str]]:
    """Samples of ten languages as (path, text, language)."""
    found = []
    for name in NAMES.split():
        language = language_of(name.removesuffix(".txt"))
        text = (SAMPLES / name).read_text("utf-8")
        found.append((name.removesuffix(".txt"), text, language))
    return found


def names(parsed: ParsedFile) -> set[str]:
    return {one.qualified_name for one in parsed.symbols}


def test_of_many_damages_nearly_all_definitions_are_kept() -> None:
    count = kept = 0
    for seed in range(6):
        for row in measure(texts(), seed).values():
            count += row.count
            kept += row.kept
    assert count > 1000
    assert kept / count >= KEPT


@pytest.mark.parametrize(
    ("path", "before", "broken", "after"),
    [
        (
            "a.py",
            "def a():\n    pass\n\n",
            "def b():\n    f(1, [2\n    g()\n\n",
            "class C:\n    def c(self):\n        pass\n",
        ),
        ("a.go", "package p\n\nfunc a() {\n}\n\n", "func b() {\n\tf(1, 2\n\tg()\n}\n\n", "func c() {\n}\n"),
        ("a.rs", "fn a() {}\n\n", "fn b() {\n    if x {\n        f();\n}\n\n", "fn c() {}\n"),
        (
            "a.ts",
            "export function a() {}\n\n",
            "export function b() {\n  f({ x: 1\n}\n\n",
            "export class C { c() {} }\n",
        ),
        ("A.java", "class A {\n  void a() {}\n", "  void b() {\n    if (x) {\n      f();\n  }\n", "  void c() {}\n}\n"),
    ],
)
def test_an_unclosed_bracket_costs_only_what_holds_it(path: str, before: str, broken: str, after: str) -> None:
    language = language_of(path)
    whole = names(parse_file(path, before + after, language))
    damaged = parse_file(path, before + broken + after, language)
    assert whole <= names(damaged)
    assert damaged.has_errors


def test_lines_stay_where_they_are() -> None:
    text = "def a():\n    f(1, [2\n\n\ndef b():\n    return 1\n"
    parsed = parse_file("a.py", text, "python")
    assert [(one.name, one.start_line, one.end_line) for one in parsed.symbols] == [("a", 1, 2), ("b", 5, 6)]
    assert "\n".join(chunk.text for chunk in parsed.chunks).replace("\n", "") == text.replace("\n", "")


def test_the_head_of_a_type_may_be_broken() -> None:
    text = "class Box : Base<(Int> {\n    val width = 1\n    fun area() = width\n}\n\nfun after() {}\n"
    assert {"Box.area", "after"} <= names(parse_file("a.kt", text, "kotlin"))


def test_calls_behind_the_damage_belong_to_their_functions() -> None:
    text = "package p\n\nfunc a() {\n\tf(1, 2\n}\n\nfunc c() {\n\tg()\n}\n"
    facts = parse_file("a.go", text, "go").facts
    assert facts is not None
    assert [one.scope for one in facts.references if one.name == "g"] == ["c"]


def test_what_a_preprocessor_would_do() -> None:
    text = "LIB_BEGIN\nLIB_EXPORT(1) class A {};\n#define LIB_X 1\nint x = LIB_X;\n"
    plain = without_macros(text, "cpp")
    assert plain.split("\n") == [" " * 9, " " * 14 + "class A {};", "#define LIB_X 1", "int x = LIB_X;", ""]
    kept, others = first_branches("#if A\nint f() {\n#else\nint f(int x) {\n#endif\n}\n")
    assert kept == ["", "int f() {", "", "", "", "}", ""]
    assert others == [(3, 3)]
    assert {"A"} <= names(parse_file("a.hpp", text, "cpp"))


@pytest.mark.parametrize(
    ("language", "text", "mended"),
    [
        ("python", "def f(a, b:\n    pass\n", "def f(a, b):\n    pass\n"),
        ("python", "x = [1,\n     2\ny = 3\n", "x = [1,\n     2]\ny = 3\n"),
        ("go", "func f() {\n\tif x {\n\t\tg()\n}\n", "func f() {\n\tif x {\n\t\tg()}\n}\n"),
        ("typescript", "f(a]\n", "f(a )\n"),
        ("ruby", "def f(a\n  b\nend\n", "def f(a)\n  b\nend\n"),
        ("java", "void f() {\n  g(h(1);\n}\n", "void f() {\n  g(h(1);)\n}\n"),
    ],
)
def test_repairs(language: str, text: str, mended: str) -> None:
    assert applied(text, repair(text, language, strict=False).edits).rstrip() == mended.rstrip()


@pytest.mark.parametrize("name", NAMES.split())
def test_whole_source_needs_no_repair(name: str) -> None:
    language = language_of(name.removesuffix(".txt"))
    assert repair((SAMPLES / name).read_text("utf-8"), language, strict=False).edits == []


HALVES = "#if A\nint g(int a) {\n#else\nint g(int b) {\n#endif\n  return 1;\n}\n\n"
C = "".join(f"int f{n}(int a) {{\n  return a + {n};\n}}\n\n" for n in range(600))
PYTHON = "".join(f"def f{n}(a):\n    return a + {n}\n\n\n" for n in range(600))
KOTLIN = "".join(f"    fun f{n}(a: Int): Int {{\n        return a + {n}\n    }}\n\n" for n in range(600))


@pytest.mark.parametrize(
    ("path", "text", "times"),
    [
        ("a.c", HALVES + C, 1),
        ("a.py", "def lost(a):\n    g(1, [2\n\n\n" + PYTHON, 8),
        ("a.kt", "class Box {\n    fun lost(a: Int {\n        g(\n" + KOTLIN + "}\n", 8),
    ],
)
def test_what_is_read_again_is_bounded_by_the_text(
    monkeypatch: pytest.MonkeyPatch, path: str, text: str, times: int
) -> None:
    read = 0
    parse_tree = search.parse_tree

    def counting(loaded, source, deadline, only=()):  # type: ignore[no-untyped-def]
        nonlocal read
        read += sum(one.end_byte - one.start_byte for one in only) or len(source)
        return parse_tree(loaded, source, deadline, only)

    monkeypatch.setattr(search, "parse_tree", counting)
    parse_file(path, text, language_of(path), deadline_s=60)
    assert len(text) < read <= (2 + times) * len(text) + 2 * search.ALLOWED_CHARS


@pytest.mark.parametrize("name", NAMES.split())
@settings(max_examples=8, deadline=None)
@given(seed=st.integers(0, 10_000), damage=st.sampled_from(sorted(DAMAGES)))
def test_any_damage_leaves_lines_and_covers_them(name: str, seed: int, damage: str) -> None:
    path = name.removesuffix(".txt")
    text, _ = DAMAGES[damage]((SAMPLES / name).read_text("utf-8"), random.Random(seed))
    parsed = parse_file(path, text, language_of(path))
    last = text.count("\n") + 1
    assert all(1 <= one.start_line <= one.end_line <= last for one in parsed.symbols)
    covered = {row for chunk in parsed.chunks for row in range(chunk.start_line, chunk.end_line + 1)}
    assert all(row in covered for row, line in enumerate(text.split("\n"), 1) if line.strip())
