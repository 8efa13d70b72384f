"""How results look: one glance, true line numbers, nothing that could steer the terminal."""

from __future__ import annotations

import io
import re
from pathlib import Path
from types import SimpleNamespace

import pytest

from fourfold.interfaces.cli.render import View, index_state, render_search
from fourfold.interfaces.cli.snippet import marker, telling_lines
from fourfold.interfaces.cli.terminal import Terminal, terminal_of
from fourfold.interfaces.cli.width import width
from fourfold.model.result import Meta, SearchResult

ANSI = re.compile(r"\x1b\[[0-9;]*m|\x1b\]8;;[^\x1b]*\x1b\\")


def lines_of(result: SearchResult, columns: int | None = None, **view: object) -> list[str]:
    color = bool(view.pop("color", False))
    links = bool(view.pop("links", False))
    terminal = Terminal(io.StringIO(), color=color, links=links, columns=columns, tty=columns is not None)
    return render_search(result, View(terminal, Path("/repo"), **view))  # type: ignore[arg-type]


def test_the_sketch_of_the_design(made: SimpleNamespace) -> None:
    second = made.item(
        2,
        "src/net/client.py",
        symbol="Client._request",
        kind="method",
        signature="",
        matched_lines=(),
        snippet="a\nb",
    )
    assert lines_of(made.result(made.item(), second)) == [
        "read as understand_code (0.75) · weighted_rrf · 4 ms · index 9bfd0c7 main, 2 files dirty, fresh",
        "",
        " 1  src/net/retry.py:41-47   backoff_delay()    function  semantic 1 · text 3",
        "    41  def backoff_delay(attempt: int, base: float = 0.5) -> float:",
        '    42      """Exponential back-off with full jitter."""',
        "    47      return min(60.0, random.uniform(0, spread))",
        " 2  src/net/client.py:41-47  Client._request()  method    semantic 1 · text 3",
        "    41  a",
        "    42  b",
    ]


def test_a_chunk_without_a_head_of_its_own_shows_what_matches_and_what_that_stands_in(made: SimpleNamespace) -> None:
    code = 'import os\nimport b\n\n\ndef first():\n    pass\n\n\ndef rollback(using=None):\n    """Roll back."""'
    lines = {"start_line": 1, "end_line": 10, "matched_lines": (10,)}
    item = made.item(signature="", symbol="", kind="block", snippet=code, **lines)
    shown = lines_of(made.result(item))[3:]
    assert [line.split()[0] for line in shown] == ["9", "10"]
    assert "def rollback(using=None):" in shown[0]


@pytest.mark.parametrize("columns", [24, 40, 60, 80, 100, 140])
def test_every_line_fits_the_terminal(made: SimpleNamespace, columns: int) -> None:
    items = [
        made.item(1),
        made.item(2, "a/very/long/path/" * 5 + "file.py", symbol="認証" * 30, snippet="\t証" * 90, matched_lines=()),
        made.item(12, more=((100, 140, "other_function"), (200, 300, "x" * 200))),
    ]
    for color in (False, True):
        shown = lines_of(made.result(*items), columns, color=color, links=color, explain=True)
        for line in shown:
            assert width(ANSI.sub("", line)) <= columns, line


def test_a_narrow_terminal_keeps_path_and_lines_whole_on_a_line_of_their_own(made: SimpleNamespace) -> None:
    shown = lines_of(made.result(made.item()), 60)
    assert shown[3] == " 1  src/net/retry.py:41-47"
    assert shown[4].split() == ["backoff_delay()", "function", "semantic", "1", "·", "text", "3"]


def test_a_narrow_head_line_wraps_rather_than_hide_how_fresh_the_answer_is(made: SimpleNamespace) -> None:
    shown = lines_of(made.result(made.item(), stale=True), 60)
    assert shown[:2] == [
        "read as understand_code (0.75) · weighted_rrf · 4 ms",
        "index 9bfd0c7 main, 2 files dirty, stale",
    ]


def test_columns_line_up_with_wide_characters(made: SimpleNamespace) -> None:
    shown = lines_of(made.result(made.item(1, "認.py"), made.item(2, "abcdef.py")))
    heads = [line for line in shown if line.lstrip()[:1] in "12" and "function" in line]
    assert len({width(line.split("backoff_delay")[0]) for line in heads}) == 1


def test_hostile_names_and_code_are_escaped(made: SimpleNamespace) -> None:
    evil = "\x1b]0;owned\x07\u202e"
    item = made.item(path=f"a{evil}.py", symbol=f"f{evil}", snippet=f"x = '{evil}'\r", signature="", service=evil)
    result = made.result(item, branch=evil)
    for explain in (False, True):
        text = "\n".join(lines_of(result, explain=explain))
        assert not set(text) & set("\x1b\x07\u202e\r")
    colored = "\n".join(lines_of(result, 100, color=True, links=True))
    assert "\x07" not in colored
    assert "\u202e" not in colored
    assert "\x1b]0;" not in colored


def test_no_style_without_colour_and_words_of_the_question_in_bold(made: SimpleNamespace) -> None:
    assert "\x1b" not in "\n".join(lines_of(made.result(made.item())))
    colored = "\n".join(lines_of(made.result(made.item()), 120, color=True))
    assert "\x1b[1mBack\x1b[0m" not in colored
    assert "\x1b[1mback\x1b[0m" in colored


def test_a_link_leads_to_the_file_and_line(made: SimpleNamespace) -> None:
    shown = "\n".join(lines_of(made.result(made.item(path="a b.py")), 120, color=True, links=True))
    assert "\x1b]8;;file:///repo/a%20b.py#L41\x1b\\" in shown


def test_explain_shows_rule_weights_ranks_and_signals(made: SimpleNamespace) -> None:
    text = "\n".join(lines_of(made.result(made.item()), explain=True))
    assert "rule: how or why · preset: default" in text
    assert "weights: semantic 0.5 · text 0.2" in text
    assert "score 0.031 by rrf · semantic rank 1 × 0.5 · text rank 3 × 0.2 · definition × 1.5" in text


def test_full_shows_every_line_and_context_those_around(made: SimpleNamespace) -> None:
    item = made.item(matched_lines=(46,))
    numbers = [line.number for line in telling_lines(item, None, full=True)]
    assert numbers == list(range(41, 48))
    assert [line.number for line in telling_lines(item, None)] == [41, 46]
    assert [line.number for line in telling_lines(item, None, context=1)] == [41, 42, 45, 46, 47]


def test_telling_lines_are_true_to_the_file(made: SimpleNamespace) -> None:
    code = "    @wraps\n    def f(x):\n\n        return x"
    shown = telling_lines(made.item(start_line=100, snippet=code, signature="def f(x)", matched_lines=()), None)
    assert [(line.number, line.text) for line in shown] == [(101, "def f(x):"), (103, "    return x")]


def test_matched_lines_outside_the_snippet_do_no_harm(made: SimpleNamespace) -> None:
    item = made.item(matched_lines=(1, 9999), snippet="x")
    assert [line.number for line in telling_lines(item, None)] == [41]
    assert telling_lines(made.item(snippet="", matched_lines=()), None)[0].text == ""


def test_the_marker_knows_parts_and_skips_small_words() -> None:
    marks = marker("where is the HTTPServer parse_config of 認証")
    assert marks is not None
    found = [match[0] for match in marks.finditer("ParseConfig the is HTTPServer 認証 of server")]
    assert found == ["Parse", "Config", "HTTPServer", "認証", "server"]
    assert marker("the of") is None
    assert marker("") is None


@pytest.mark.parametrize(
    ("meta", "text"),
    [
        (Meta(), "index fresh"),
        (Meta(stale=True), "index stale"),
        (Meta(indexed_commit="a" * 40, branch=None), "index aaaaaaa (no branch), fresh"),
        (
            Meta(indexed_commit="a" * 40, live_commit="b" * 40, branch="main", stale=True, dirty_files=1),
            "index aaaaaaa main, 1 file dirty, stale, the tree is at bbbbbbb",
        ),
    ],
)
def test_c9_the_head_line_says_which_state_is_spoken_of(meta: Meta, text: str) -> None:
    assert index_state(meta) == text


class Tty(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("environ", "color", "links"),
    [
        ({"TERM": "xterm"}, True, False),
        ({"TERM": "xterm", "NO_COLOR": "1"}, False, False),
        ({"TERM": "xterm", "NO_COLOR": ""}, True, False),
        ({"TERM": "dumb", "TERM_PROGRAM": "vscode"}, False, False),
        ({"TERM": "xterm", "TERM_PROGRAM": "vscode"}, True, True),
        ({"TERM": "xterm", "VTE_VERSION": "6003"}, True, True),
        ({"TERM": "xterm", "VTE_VERSION": "4601"}, True, False),
        ({"TERM": "screen-256color", "VTE_VERSION": "6003"}, True, False),
    ],
)
def test_what_a_terminal_can_show(environ: dict[str, str], color: bool, links: bool) -> None:
    terminal = terminal_of(Tty(), environ=environ)
    assert (terminal.color, terminal.links) == (color, links)
    assert not terminal_of(Tty(), color=False, environ=environ).color


def test_a_pipe_has_no_colour_and_no_width() -> None:
    terminal = terminal_of(io.StringIO(), environ={"TERM": "xterm", "TERM_PROGRAM": "vscode"})
    assert (terminal.color, terminal.links, terminal.columns, terminal.tty) == (False, False, None, False)
