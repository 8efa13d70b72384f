"""The benchmark of structure: verdicts, shares, tags and damage are counted as they are described."""

from __future__ import annotations

import random
import shutil
from pathlib import Path

import pytest
from benchmarks.structure import definitions
from benchmarks.structure.__main__ import main
from benchmarks.structure.broken import DAMAGES, measure
from benchmarks.structure.calls import MISSED, OPEN, RIGHT, WRONG, graph_below, judge, precision, recall
from benchmarks.structure.definitions import Tag, bare, compare
from benchmarks.structure.site import Place, Site, ToolMissing, draw
from benchmarks.structure.truth import lines, sites

from fourfold.syntax.parse import parse_file

PYTHON = "def helper():\n    pass\n\n\ndef work(thing):\n    helper()\n    thing.lonely()\n    print()\n"
OTHER = "class Box:\n    def lonely(self):\n        pass\n"


def corpus(root: Path) -> Path:
    (root / "a.py").write_text(PYTHON)
    (root / "b.py").write_text(OTHER)
    return root


def site(line: int, name: str, *targets: Place) -> Site:
    return Site("a.py", line, name, targets)


def test_verdicts(tmp_path: Path) -> None:
    graph = graph_below(corpus(tmp_path))
    asked = {
        RIGHT: site(6, "helper", Place("a.py", 1, "helper")),
        WRONG: site(6, "helper", Place("b.py", 2, "helper")),
        OPEN: site(7, "lonely", Place("b.py", 2, "lonely")),
        MISSED: site(8, "print", Place("b.py", 2, "print")),
    }
    assert [one.verdict for one in judge(graph, asked.values())] == list(asked)
    outside = judge(graph, [site(6, "helper"), site(8, "print")])
    assert [one.verdict for one in outside] == [WRONG, MISSED]


def test_a_file_that_the_graph_does_not_know_is_not_judged(tmp_path: Path) -> None:
    assert judge(graph_below(corpus(tmp_path)), [Site("c.py", 1, "f", ())]) == []


def test_shares_and_their_intervals(tmp_path: Path) -> None:
    graph = graph_below(corpus(tmp_path))
    judged = judge(
        graph,
        [
            site(6, "helper", Place("a.py", 1, "helper")),
            site(6, "helper"),
            site(7, "lonely", Place("b.py", 2, "lonely")),
        ],
    )
    right = precision(judged)
    assert (right.count, right.value) == (2, 0.5)
    assert right.low <= right.value <= right.high
    assert recall(judged).value == 0.5
    assert recall(judged, frozenset({RIGHT, OPEN})).value == 1.0
    assert precision([]).count == 0


def test_sites_are_drawn_the_same_way() -> None:
    many = [site(line, "f") for line in range(1, 50)]
    assert draw(many, 5) == draw(list(reversed(many)), 5)
    assert len(draw(many, 5)) == 5
    assert draw(many, 0) == many


def test_calls_without_their_name_in_the_source_are_left_out(tmp_path: Path) -> None:
    (tmp_path / "A.java").write_text("class A {\n  void f() { g(); }\n}\n")
    path = tmp_path / "A.java"
    told = [
        f'{{"path": "{path}", "line": 2, "name": "{name}", "targets": [["{path}", 1, "A"], ["/else/B.java", 1, "B"]]}}'
        for name in ("g", "A")
    ]
    assert lines.read(["noise", *told], tmp_path, 0) == [Site("A.java", 2, "g", (Place("A.java", 1, "A"),))]


@pytest.mark.skipif(shutil.which("javac") is None, reason="javac is not installed")
def test_java_by_javac(tmp_path: Path) -> None:
    (tmp_path / "A.java").write_text("class A {\n  void f() { g(1); String.valueOf(1); }\n  void g(int a) {}\n}\n")
    assert set(sites("javac", tmp_path, 0)) == {
        Site("A.java", 2, "g", (Place("A.java", 3, "g"),)),
        Site("A.java", 2, "valueOf", ()),
    }


@pytest.mark.skipif(shutil.which("gcc") is None, reason="gcc is not installed")
def test_c_by_gcc(tmp_path: Path) -> None:
    (tmp_path / "a.c").write_text("int tidy(void);\nint run(void) {\n  return tidy();\n}\n")
    (tmp_path / "b.c").write_text("int tidy(void) { return 1; }\n")
    assert sites("gcc", tmp_path, 0) == [Site("a.c", 3, "tidy", (Place("b.c", 1, "tidy"),))]


def test_python_by_jedi(tmp_path: Path) -> None:
    pytest.importorskip("jedi")
    found = sites("jedi", corpus(tmp_path), 0)
    assert Site("a.py", 6, "helper", (Place("a.py", 1, "helper"),)) in found


def test_a_missing_tool_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(shutil, "which", lambda name: None)
    with pytest.raises(ToolMissing, match="npm install typescript"):
        sites("typescript", tmp_path, 0)
    with pytest.raises(SystemExit) as stopped:
        main(["--truth", "javac", "--corpus", str(tmp_path)])
    assert stopped.value.code == 2
    assert "install a JDK" in capsys.readouterr().err


def test_names_of_tags() -> None:
    assert bare(Tag("a.lua", 1, "M.util:run", "function", "Lua")) == "run"
    assert bare(Tag("a.ex", 1, "run/2", "function", "Elixir")) == "run"


def test_definitions_beside_ctags(tmp_path: Path) -> None:
    try:
        definitions.tags(tmp_path, {}).__next__()
    except ToolMissing:
        pytest.skip("ctags is not installed")
    except StopIteration:
        pass
    (tmp_path / "a.py").write_text(PYTHON)
    (tmp_path / "a.rs").write_text("mod other;\nfn run() {}\n")
    told = compare(tmp_path)
    assert told.unknown == []
    assert {key: (row.known, row.count) for key, row in told.found.items()} == {
        ("Python", "function"): (2, 2),
        ("Rust", "function"): (1, 1),
    }
    assert told.left_out == 1


@pytest.mark.parametrize("damage", DAMAGES)
def test_damage_is_in_one_place(damage: str) -> None:
    text = "def a(x):\n    return [x]\n\n\ndef b():\n    return {}\n"
    damaged, place = DAMAGES[damage](text, random.Random(1))
    assert damaged != text
    assert damaged[:place] == text[:place]
    assert damaged.count("\n") == text.count("\n")


WHOLE = {
    "python": "def f{}(a):\n    return [a, {{}}]\n\n\n",
    "javascript": "function f{}(a) {{\n  return [a, {{}}];\n}}\n\n",
    "java": "class C{} {{\n  int m() {{ return run(1); }}\n}}\n",
    "go": "func f{}(a int) []int {{\n\treturn []int{{a}}\n}}\n\n",
    "c": "int f{}(int a) {{\n  return (a);\n}}\n\n",
}


@pytest.mark.parametrize("language", WHOLE)
@pytest.mark.parametrize("end", ["(", "[1, ", "{", '"half', "def name(first, ", "class ", "\x00\x7f", "\ufffd"])
def test_what_stands_before_an_unfinished_end_is_found(language: str, end: str) -> None:
    text = "".join(WHOLE[language].format(number) for number in range(12))
    whole = [one.qualified_name for one in parse_file("a", text, language).symbols]
    found = [one.qualified_name for one in parse_file("a", text + end, language).symbols]
    assert len(whole) >= 12
    assert len(set(whole) - set(found)) <= 1  # the last one may grow into the damage


def test_kept_definitions_are_counted() -> None:
    functions = "".join(WHOLE["python"].format(number) for number in range(40))
    found = measure([("a.py", functions, "python")])
    assert len(found) == len(DAMAGES)
    for row in found.values():
        assert row.files == 1
        assert row.count in (39, 40)  # between two functions no one holds the damage
        assert 0 < row.placed <= row.kept <= row.count
