"""``fourfold grep``: options to the engine, lines to the screen."""

from __future__ import annotations

import json
import re
from types import SimpleNamespace
from typing import Any

import pytest

from fourfold.interfaces.cli.commands.grep import is_lower
from fourfold.model.errors import BadPattern
from fourfold.model.result import GrepLine

ONE = GrepLine("a.py", 4, 5, "x = foo(foo)", ((4, 7), (8, 11)), ("above",), ("below",))
TWO = GrepLine("a.py", 6, 1, "foo", ((0, 3),), ("below",), ("last",))
FAR = GrepLine("a.py", 90, 1, "foo", ((0, 3),))
OTHER = GrepLine("b/c.py", 12, 1, "foo\x1b[31m", ((0, 3),))


def test_options_reach_the_engine(engine: Any, fourfold: Any) -> None:
    ran = fourfold(
        "grep",
        "a.b",
        "src",
        "-F",
        "-i",
        "-w",
        "-A",
        "2",
        "-C",
        "1",
        "-m",
        "3",
        "--limit",
        "9",
        "--no-refresh",
    )
    assert ran.code == 1
    asked = engine.last("grep")
    assert (asked["pattern"], asked["literal"], asked["ignore_case"], asked["word"]) == (
        "a.b",
        True,
        True,
        True,
    )
    assert (asked["before"], asked["after"]) == (1, 2)
    assert (asked["max_per_file"], asked["limit"], asked["refresh"]) == (3, 9, False)
    assert asked["filters"].paths == ("src",)


def test_without_options_every_line_is_asked_for(engine: Any, fourfold: Any) -> None:
    fourfold("grep", "x")
    asked = engine.last("grep")
    assert (asked["limit"], asked["max_per_file"], asked["before"], asked["after"]) == (None, None, 0, 0)
    assert asked["filters"].empty
    assert not asked["ignore_case"]


@pytest.mark.parametrize(
    ("arguments", "paths", "not_paths"),
    [
        (["-g", "*.py"], ("*.py",), ()),
        (["-g", "!*.md", "-g", "!docs/**"], (), ("*.md", "docs/**")),
        (["src", "-g", "*.py"], ("src/**/*.py",), ()),
        (["src/net", "README.md", "-g", "*.py"], ("README.md", "src/net/**/*.py"), ()),
        ([".", "-g", "*.py"], ("*.py",), ()),
        ([".", "src"], ("*",), ()),
    ],
)
def test_paths_and_globs(
    engine: Any, fourfold: Any, arguments: list[str], paths: tuple[str, ...], not_paths: tuple[str, ...]
) -> None:
    fourfold("grep", "x", *arguments)
    filters = engine.last("grep")["filters"]
    assert (filters.paths, filters.not_paths) == (paths, not_paths)


@pytest.mark.parametrize(
    ("pattern", "literal", "lower"),
    [
        ("foo", False, True),
        ("Foo", False, False),
        (r"\S+\Wfoo", False, True),
        (r"\S", True, False),
        (r"\p{Lu}x", False, True),
    ],
)
def test_smart_case(engine: Any, fourfold: Any, pattern: str, literal: bool, lower: bool) -> None:
    assert is_lower(pattern, literal) is lower
    fourfold("grep", "-S", *(["-F"] if literal else []), pattern)
    assert engine.last("grep")["ignore_case"] is lower


def test_on_a_pipe_every_line_has_its_place(engine: Any, fourfold: Any, made: SimpleNamespace) -> None:
    engine.grep = made.grep(ONE, FAR, OTHER)
    ran = fourfold("grep", "foo")
    assert ran.code == 0
    assert ran.out.splitlines()[0] == "a.py-3-above"
    assert "a.py:4:x = foo(foo)" in ran.out.splitlines()
    assert ran.out.splitlines()[-1] == "b/c.py:12:foo\\x1b[31m"
    assert ran.err == ""


def test_contexts_overlap_once_and_gaps_are_marked(engine: Any, fourfold: Any, made: SimpleNamespace) -> None:
    engine.grep = made.grep(ONE, TWO, FAR, OTHER)
    assert fourfold("grep", "foo", "-C", "1").out.splitlines() == [
        "a.py-3-above",
        "a.py:4:x = foo(foo)",
        "a.py-5-below",
        "a.py:6:foo",
        "a.py-7-last",
        "--",
        "a.py:90:foo",
        "--",
        "b/c.py:12:foo\\x1b[31m",
    ]


def test_on_a_terminal_lines_stand_below_their_file(engine: Any, fourfold: Any, made: SimpleNamespace) -> None:
    engine.grep = made.grep(TWO, FAR, OTHER, GrepLine("b/c.py", 13, 1, "y" * 200, ()))
    ran = fourfold("grep", "foo", tty=True, columns=40)
    lines = [re.sub(r"\x1b\[[0-9;]*m|\x1b\]8;;.*?\x1b\\", "", line) for line in ran.out.splitlines()]
    assert lines[:5] == ["a.py", " 5-below", " 6:foo", " 7-last", "90:foo"]
    assert lines[5:8] == ["", "b/c.py", "12:foo\\x1b[31m"]
    assert len(lines[8]) == 40
    assert "\x1b[1;31mfoo\x1b[0m" in ran.out


@pytest.mark.parametrize(
    ("option", "lines"),
    [
        ("-l", ["a.py", "b/c.py"]),
        ("-c", ["a.py:3", "b/c.py:1"]),
        ("-o", ["a.py:4:foo", "a.py:4:foo", "a.py:6:foo", "a.py:90:foo", "b/c.py:12:foo"]),
        (
            "--vimgrep",
            [
                "a.py:4:5:x = foo(foo)",
                "a.py:4:9:x = foo(foo)",
                "a.py:6:1:foo",
                "a.py:90:1:foo",
                "b/c.py:12:1:foo\\x1b[31m",
            ],
        ),
    ],
)
def test_other_shapes(engine: Any, fourfold: Any, made: SimpleNamespace, option: str, lines: list[str]) -> None:
    engine.grep = made.grep(ONE, TWO, FAR, OTHER)
    assert fourfold("grep", "foo", option).out.splitlines() == lines
    assert (engine.last("grep")["before"], engine.last("grep")["after"]) == (0, 0)


def test_vimgrep_counts_bytes_as_vim_does(engine: Any, fourfold: Any, made: SimpleNamespace) -> None:
    engine.grep = made.grep(GrepLine("a.py", 1, 2, "認foo", ((1, 4),)))
    assert fourfold("grep", "foo", "--vimgrep").out == "a.py:1:4:認foo\n"


def test_without_numbers(engine: Any, fourfold: Any, made: SimpleNamespace) -> None:
    engine.grep = made.grep(FAR)
    assert fourfold("grep", "foo", "-N").out == "a.py:foo\n"


def test_json_and_jsonl(engine: Any, fourfold: Any, made: SimpleNamespace) -> None:
    engine.grep = made.grep(FAR, OTHER, pattern="foo")
    data = json.loads(fourfold("grep", "foo", "--json").out)
    assert data["items"][1]["text"] == "foo\x1b[31m"
    assert data["query"] == {"text": "foo", "intent": "exact_match"}
    lines = fourfold("grep", "foo", "--jsonl").out.splitlines()
    assert [json.loads(line).get("line") for line in lines] == [90, 12, None]


def test_g10_a_bad_pattern_names_position_and_way_out(engine: Any, fourfold: Any) -> None:
    engine.raises = BadPattern(
        'regular expression ends inside a group at position 4: "foo("',
        hint="search the text itself with grep -F",
        position=4,
    )
    ran = fourfold("grep", "foo(")
    assert ran.code == 2
    assert ran.err == (
        'error F203: regular expression ends inside a group at position 4: "foo("'
        "  hint: search the text itself with grep -F\n"
    )


LATE = "stopped after 5 s: the expression is too slow; narrow it by path or language"


def test_a_time_limit_is_said_with_what_was_found(engine: Any, fourfold: Any, made: SimpleNamespace) -> None:
    engine.grep = made.grep(GrepLine("a.py", 1, 1, "x"), truncated=True, suggestion=LATE)
    ran = fourfold("grep", "(x?){50}")
    assert (ran.code, ran.out) == (0, "a.py:1:x\n")
    assert ran.err == (
        "warning: stopped after 5 s: the expression is too slow; 1 line found until then, more may match; "
        "narrow it by path or language\n"
    )


def test_a_time_limit_without_a_line_is_no_answer(engine: Any, fourfold: Any, made: SimpleNamespace) -> None:
    engine.grep = made.grep(truncated=True, suggestion=LATE)
    ran = fourfold("grep", "--json", "(x?){50}")
    assert ran.code == 2
    assert json.loads(ran.out)["meta"]["suggestion"] == LATE
    assert ran.err == (
        "error F600: stopped after 5 s: the expression is too slow  hint: narrow it by path or language\n"
    )


def test_a_cut_is_said(engine: Any, fourfold: Any, made: SimpleNamespace) -> None:
    engine.grep = made.grep(FAR, truncated=True)
    assert "cut at 1 line; more match" in fourfold("grep", "foo", "--limit", "1").err


@pytest.mark.parametrize(
    "arguments", [[""], ["x", "-l", "-c"], ["x", "-m", "0"], ["x", "-A", "-1"], ["x", "nowhere"], []]
)
def test_bad_usage_is_exit_2(engine: Any, fourfold: Any, arguments: list[str]) -> None:
    ran = fourfold("grep", *arguments)
    assert ran.code == 2
    assert ran.err.startswith("error F")
    assert not any(name == "grep" for name, _ in engine.calls)
