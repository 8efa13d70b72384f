"""Field reports of group B (encodings, sizes, formats), acted out on an index."""

from __future__ import annotations

import os
import random

import pytest
from tests.reports.project import Project, paths

from fourfold.index import pool
from fourfold.syntax import parse
from fourfold.syntax.grammars import GrammarError

FUNCTION = "def {0}_needle(value):\n    return value + {1}\n"


def test_b1_no_encoding_stops_the_index(project: Project) -> None:
    noise = random.Random(1)
    project.write({f"noise{number}.py": noise.randbytes(3_000) for number in range(5)})
    project.write(
        {
            "latin.py": "# café naïve\ndef latin_needle(): pass\n".encode("latin-1"),
            "half.py": b"def half_needle(): pass  # caf\xc3\n",
            "utf16.py": "def wide_needle(): pass\n".encode("utf-16"),
            "declared.py": "# -*- coding: koi8-r -*-\ndef koi_needle(): return 'привет'\n".encode("koi8-r"),
        }
    )
    index = project.index()
    report = index.refresh()
    assert (report.added, report.skipped) == (4, {"binary": 5})
    for name, path in (("latin", "latin.py"), ("half", "half.py"), ("wide", "utf16.py"), ("koi", "declared.py")):
        assert index.search(f"where is {name}_needle defined").items[0].path == path
    assert index.grep("привет").items[0].path == "declared.py"
    assert index.grep("café").items[0].path == "latin.py"


def test_b2_a_file_of_another_encoding_is_not_read_again_at_each_run(project: Project) -> None:
    project.write({"gbk.py": "# 认证\ndef needle(): pass\n".encode("gbk"), "blob.py": b"\0\x01\x02" * 900})
    for path in ("gbk.py", "blob.py"):
        os.utime(project.root / path, (1_700_000_000, 1_700_000_000))  # long before the index reads them
    index = project.index()
    before = index.refresh()
    report = index.refresh()
    assert (report.added, report.changed, report.chunks) == (0, 0, 0)
    assert report.skipped == {"binary": 1}
    assert report.generation == before.generation
    plan = index.plan()
    assert (plan.added, plan.changed, plan.removed, plan.bytes) == ((), (), (), 0)
    assert index.grep("needle").items[0].path == "gbk.py"


def test_b4_a_byte_order_mark_does_not_hide_the_first_line(project: Project) -> None:
    project.write({"a.py": b"\xef\xbb\xbfdef needle():\n    return 1\n\n\ndef other():\n    return needle()\n"})
    index = project.index()
    first = index.search("where is needle defined").items[0]
    assert (first.start_line, first.symbol, first.snippet[:10]) == (1, "needle", "def needle")
    line = index.grep("^def needle").items[0]
    assert (line.line, line.column) == (1, 1)


def test_b5_mixed_line_ends_move_no_line(project: Project) -> None:
    project.write({"a.py": b"import os\r\n\r\ndef first():\r    return 1\n\r\ndef needle():\r\n    return os\r\n"})
    index = project.index()
    first = index.search("where is needle defined").items[0]
    assert first.start_line == 6
    assert first.snippet == "def needle():\n    return os"
    assert [line.line for line in index.grep("return").items] == [4, 7]


def test_b6_every_result_is_exactly_its_lines(project: Project) -> None:
    body = "".join(f"    total = total * {number} + offset_{number % 7}\n" for number in range(900))
    project.write({"long.py": f"def endless(total):\n{body}", "empty.py": "", "blank.py": "\n\n\n", "one.py": "x = 1"})
    index = project.index()
    assert index.refresh().added == 4
    lines = (project.root / "long.py").read_text().split("\n")
    items = index.search("total offset_3 endless", limit=100).items
    assert items[0].path == "long.py"
    for start, end in [(items[0].start_line, items[0].end_line), *((s, e) for s, e, _ in items[0].more)]:
        assert 1 <= start <= end <= len(lines)
    assert items[0].snippet == "\n".join(lines[items[0].start_line - 1 : items[0].end_line])
    rows = index._store.snapshot().chunks_of("long.py")
    covered = [line for row in rows for line in range(row.start_line, row.end_line + 1)]
    assert covered == sorted(set(covered))
    assert set(covered) >= {number for number, line in enumerate(lines, 1) if line.strip()}


def test_b7_a_huge_function_and_a_minified_line_are_cut_or_left_out(project: Project) -> None:
    body = "".join(f"    step_{number}(value)\n" for number in range(5_000))
    project.write({"huge.py": f"def needle(value):\n{body}", "app.js": "var a=1;" * 20_000})
    index = project.index()
    assert index.refresh().skipped == {"minified": 1}
    rows = index._store.snapshot().chunks_of("huge.py")
    assert len(rows) > 20
    assert max(row.end_line - row.start_line for row in rows) < 400
    assert index.search("step_4321").items[0].path == "huge.py"
    assert index.search("where is needle defined").items[0].start_line == 1


def test_b9_the_script_of_a_component_is_code_with_true_lines(project: Project) -> None:
    project.write(
        {
            "A.vue": "<template>\n  <p/>\n</template>\n\n<script setup lang='ts'>\n"
            "const limit: number = 3\n\nfunction needleOfVue(count: number) {\n  return count > limit\n}\n</script>\n",
            "B.svelte": "<script context='module'>\n  export function loadNeedle() { return 1 }\n</script>\n\n"
            "<script>\n  function renderNeedle() { return 2 }\n</script>\n<p>hi</p>\n",
        }
    )
    index = project.index()
    for name, path, line in (
        ("needleOfVue", "A.vue", 8),
        ("loadNeedle", "B.svelte", 2),
        ("renderNeedle", "B.svelte", 6),
    ):
        first = index.search(f"where is {name} defined").items[0]
        assert (first.path, first.symbol) == (path, name)
        assert first.start_line <= line <= first.end_line
        assert name in (project.root / path).read_text().split("\n")[first.matched_lines[0] - 1]


def test_b10_files_of_unusual_size_are_left_out_with_the_reason(project: Project) -> None:
    project.write({"big.mk": "A = 1\n" * 400_000, "wide.css": "a{color:red}" * 60_000, "a.py": "needle = 1\n"})
    index = project.index()
    assert index.refresh().skipped == {"too-large": 1, "minified": 1}
    found = index.status_of("big.mk")
    assert (found.status, found.reason) == ("skipped", "too-large")
    assert "2,400,000" in found.detail
    assert paths(index.grep(".")) == ["a.py"]


def test_b11_a_file_without_a_known_word_costs_nothing_else(project: Project) -> None:
    project.write({"a.txt": "认证\n", "b.txt": "!!! ???\n", "c.py": "needle = 1\n"})
    index = project.index()
    assert index.refresh().added == 3
    assert index.search("needle").items[0].path == "c.py"
    assert index.search("认证").items[0].path == "a.txt"


def test_b12_a_grammar_that_does_not_load_costs_its_language_the_cuts_only(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = parse.load_grammar

    def load(grammar: object) -> object:
        if "python" in repr(grammar):
            raise GrammarError("tree-sitter-python has an ABI this core does not read")
        return real(grammar)  # type: ignore[arg-type]

    monkeypatch.setattr(parse, "load_grammar", load)
    monkeypatch.setattr(pool, "_little", pool._in_process)  # a worker would not see the patch
    project.write({"a.py": FUNCTION.format("py", 1), "b.js": "function js_needle() { return 1 }\n"})
    index = project.index()
    assert index.search("where is js_needle defined").items[0].symbol == "js_needle"
    assert index.grep("py_needle").items[0].path == "a.py"
    assert index.search("py_needle").items[0].path == "a.py"
    assert "cut by lines" in index.status_of("a.py").note
