"""``fourfold search`` from the words typed to the words printed and the exit code."""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from fourfold.interfaces.cli.commands.search import _nothing_found
from fourfold.model.errors import BackendUnavailable, BadQuery, IndexDamaged, LockHeld, RootRefused
from fourfold.model.report import Progress


def test_a_question_without_a_command_is_a_search(engine: Any, fourfold: Any, made: SimpleNamespace) -> None:
    engine.search = made.result(made.item())
    ran = fourfold("where is the retry back-off computed")
    assert ran.code == 0
    assert "src/net/retry.py:41-47" in ran.out
    asked = engine.last("search")
    assert asked["query"] == "where is the retry back-off computed"
    assert (asked["limit"], asked["preset"], asked["refresh"]) == (10, "default", True)
    assert asked["filters"].empty


def test_options_and_words_in_any_order(engine: Any, fourfold: Any, made: SimpleNamespace) -> None:
    engine.search = made.result(made.item())
    assert fourfold("-n", "5", "retry", "--preset", "quick", "back-off").code == 0
    asked = engine.last("search")
    assert (asked["query"], asked["limit"], asked["preset"]) == ("retry back-off", 5, "quick")


def test_negated_filters_are_words_of_the_question(engine: Any, fourfold: Any, made: SimpleNamespace) -> None:
    engine.search = made.result(made.item())
    assert fourfold("search", "retry", "-path:tests", "lang:py", "-n", "3").code == 0
    assert sorted(engine.last("search")["query"].split()) == ["-path:tests", "lang:py", "retry"]
    assert engine.last("search")["limit"] == 3


def test_filters_are_resolved(engine: Any, fourfold: Any) -> None:
    fourfold("search", "x", "--lang", "py", "-t", "ts", "-k", "func", "--path", "src", "--not-path", "*.md")
    filters = engine.last("search")["filters"]
    assert set(filters.languages) == {"python", "typescript"}
    assert filters.kinds == ("function",)
    assert filters.paths == ("src",)
    assert filters.not_paths == ("*.md",)


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["search"], 2, "no question was given"),
        (["search", "  "], 2, "no question was given"),
        (["search", "x", "--limit", "0"], 2, "--limit must be a whole number of at least 1"),
        (["search", "x", "--limit", "-1"], 2, "not '-1'"),
        (["search", "x", "--limit", "ten"], 2, "not 'ten'"),
        (["search", "x", "--limit", "100000"], 2, "at most 1,000"),
        (["search", "x", "--lang", "klingon"], 2, "klingon"),
        (["search", "x", "--kind", "clas"], 2, "class"),
        (["search", "x", "--path", "../elsewhere"], 2, "F104"),
        (["search", "x", "--path", "nowhere"], 2, "there is no nowhere here"),
        (["search", "x", "--preset", "fast"], 2, "--preset"),
        (["search", "x", "--jsno"], 2, "--json"),
        (["search", "x", "--json", "--jsonl"], 2, "exclude each other"),
        (["search", "x", "--json", "-l"], 2, "exclude each other"),
        (["-C", "nowhere", "search", "x"], 2, "nowhere does not exist"),
        (["--root", "README.md", "search", "x"], 2, "is not a folder"),
    ],
)
def test_bad_input_is_one_sentence_with_a_hint(
    engine: Any, fourfold: Any, arguments: list[str], code: int, said: str
) -> None:
    ran = fourfold(*arguments)
    assert ran.code == code
    assert ran.out == ""
    assert said in ran.err
    assert ran.err.startswith("error F")
    assert "  hint: " in ran.err
    assert ran.err.count("\n") == 1
    assert not any(name == "search" for name, _ in engine.calls)


@pytest.mark.parametrize(
    ("error", "code", "said"),
    [
        (
            BadQuery("the query holds filters only", hint="add words"),
            2,
            "error F101: the query holds filters only  hint: add words",
        ),
        (RootRefused("too wide", hint="--wide"), 3, "error F301"),
        (IndexDamaged("a segment is missing"), 3, "error F303: a segment is missing"),
        (LockHeld("process 7 writes this index", hint="wait"), 4, "error F400"),
        (BackendUnavailable("no model", hint="install"), 5, "error F500"),
        (PermissionError(13, "Permission denied", "/cache"), 3, "error F300: permission denied: /cache"),
        (MemoryError(), 3, "not enough memory"),
        (RuntimeError("can't start new thread"), 3, "not enough memory"),
        (RuntimeError("\x1b[31mboom"), 70, "error F999: unexpected RuntimeError: \\x1b[31mboom"),
        (KeyboardInterrupt(), 130, "interrupted"),
    ],
)
def test_every_failure_has_its_exit_code_and_no_traceback(
    engine: Any, fourfold: Any, error: BaseException, code: int, said: str
) -> None:
    engine.raises = error
    ran = fourfold("search", "x")
    assert ran.code == code
    assert said in ran.err
    assert "Traceback" not in ran.err


def test_verbose_shows_where_an_error_arose(engine: Any, fourfold: Any) -> None:
    engine.raises = RuntimeError("boom")
    ran = fourfold("--verbose", "search", "x")
    assert ran.code == 70
    assert "Traceback" in ran.err


def test_nothing_found_is_exit_1_and_said_beside(engine: Any, fourfold: Any) -> None:
    ran = fourfold("search", "no such thing")
    assert (ran.code, ran.out) == (1, "")
    assert "nothing found for 'no such thing'" in ran.err
    assert "fourfold status PATH" in ran.err


def test_a_mistyped_command_that_finds_nothing_is_named(engine: Any, fourfold: Any) -> None:
    ran = fourfold("stattttus")  # too far off to be named where something is found
    assert ran.code == 1
    assert "did you mean `fourfold status`?" in ran.err


def test_json_is_one_object_on_stdout(engine: Any, fourfold: Any, made: SimpleNamespace) -> None:
    engine.search = made.result(made.item(), made.item(2, "b.py"))
    data = json.loads(fourfold("search", "x", "--json").out)
    assert data["schema"] == "fourfold/1"
    assert [item["path"] for item in data["items"]] == ["src/net/retry.py", "b.py"]
    assert data["meta"]["fusion_strategy"] == "weighted_rrf"
    engine.search = made.result()
    ran = fourfold("search", "x", "--json")
    assert ran.code == 1
    assert json.loads(ran.out)["items"] == []


def test_jsonl_is_one_item_a_line_then_the_rest(engine: Any, fourfold: Any, made: SimpleNamespace) -> None:
    engine.search = made.result(made.item(), made.item(2, "b.py", snippet="a\nb\u2028c"))
    lines = [json.loads(line) for line in fourfold("search", "x", "--jsonl").out.rstrip("\n").split("\n")]
    assert [line.get("path") for line in lines] == ["src/net/retry.py", "b.py", None]
    assert lines[-1]["schema"] == "fourfold/1"
    assert lines[-1]["query"]["intent"] == "understand_code"


def test_e5_what_the_console_cannot_show_is_replaced_and_json_loses_nothing(
    engine: Any, fourfold: Any, made: SimpleNamespace
) -> None:
    engine.search = made.result(made.item(snippet="x = '👍 認'", signature="", matched_lines=()))
    ran = fourfold("search", "x", encoding="cp1252")
    assert ran.code == 0
    assert "x = '? ?'" in ran.out
    ran = fourfold("search", "x", "--json", encoding="cp1252")
    assert json.loads(ran.out)["items"][0]["snippet"] == "x = '👍 認'"


def test_paths_only(engine: Any, fourfold: Any, made: SimpleNamespace) -> None:
    engine.search = made.result(made.item(), made.item(2), made.item(3, "b.py"))
    assert fourfold("search", "x", "-l").out == "src/net/retry.py\nb.py\n"


def test_in_a_sub_folder_paths_are_shown_and_taken_from_there(
    engine: Any, fourfold: Any, made: SimpleNamespace
) -> None:
    engine.search = made.result(made.item(), made.item(2, "src/x.py"), made.item(3, "app/[slug]/page.tsx"))
    ran = fourfold("-C", "src/net", "search", "x", "-l", "--path", "retry.py")
    assert ran.out == "retry.py\n../x.py\n../../app/[slug]/page.tsx\n"
    assert engine.last("search")["filters"].paths == ("src/net/retry.py",)
    assert Path(engine.last("open")["path"]) == Path("src/net")


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("src/net", ("src/net",)),
        ("retry.py", ("src/net/retry.py",)),
        ("*.py", ("src/net/**/*.py",)),
        ("sub/*.py", ("src/net/sub/*.py",)),
        ("/docs/*.md", ("docs/*.md",)),
        ("../..", ("*",)),
        ("../../app/[slug]", ("app/[[]slug]/*",)),
    ],
)
def test_paths_and_globs_typed_in_a_sub_folder(engine: Any, fourfold: Any, typed: str, meant: tuple[str, ...]) -> None:
    fourfold("-C", "src/net", "search", "x", "--path", typed)
    assert engine.last("search")["filters"].paths == meant


def test_a_stale_answer_says_so_or_fails_where_told_to(
    engine: Any, fourfold: Any, made: SimpleNamespace, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine.search = made.result(made.item(), stale=True)
    ran = fourfold("search", "x", "--no-refresh")
    assert ran.code == 0
    assert engine.last("search")["refresh"] is False
    assert "warning: the index is stale" in ran.err
    monkeypatch.setenv("FOURFOLD_SEARCH_FAIL_STALE", "1")
    ran = fourfold("search", "x", "--no-refresh")
    assert (ran.code, ran.out) == (3, "")


def test_what_was_cut_is_said(engine: Any, fourfold: Any, made: SimpleNamespace) -> None:
    engine.search = made.result(made.item(), dropped=3, truncated=True, fusion_strategy="direct", degraded="no vectors")
    ran = fourfold("search", "x")
    assert "3 more: --limit 4" in ran.err
    engine.search = made.result(made.item(), dropped=1490, truncated=True, fusion_strategy="direct")
    assert "1,490 more; the first 1,000 with --limit 1000" in fourfold("search", "x").err
    engine.search = made.result(*[made.item()] * 1000, dropped=490, truncated=True, fusion_strategy="direct")
    assert "490 more; narrow it with path: or lang:" in fourfold("search", "x").err
    engine.search = made.result(made.item(), dropped=3, truncated=True, degraded="no vectors")
    assert "warning: no vectors" in ran.err
    assert "--open" not in ran.err
    assert "why: --explain · open: --open 1" in fourfold("search", "x", tty=True).err


def test_a_ranked_list_says_how_to_see_more_of_it_but_not_how_long_it_is(
    engine: Any, fourfold: Any, made: SimpleNamespace
) -> None:
    for results, dropped, said in (
        (3, 77, "more with --limit 6"),
        (3, 1, "more with --limit 4"),
        (1000, 9, "narrow it with path: or lang:"),
    ):
        items = [made.item()] * results
        engine.search = made.result(*items, dropped=dropped, truncated=True, fusion_strategy="weighted_rrf")
        err = fourfold("search", "x").err
        assert said in err
        assert "77" not in err


def test_open_starts_the_editor_at_the_line(
    engine: Any, fourfold: Any, made: SimpleNamespace, monkeypatch: pytest.MonkeyPatch, repo: Path
) -> None:
    opened: list[tuple[Path, int]] = []
    monkeypatch.setattr("fourfold.interfaces.cli.editor.open_in_editor", lambda path, line: opened.append((path, line)))
    engine.search = made.result(made.item(), made.item(2, "README.md", start_line=7, end_line=8))
    assert fourfold("search", "x", "--open", "2").code == 0
    assert opened == [(repo.resolve() / "README.md", 7)]
    ran = fourfold("search", "x", "--open", "3")
    assert ran.code == 2
    assert "there is no result 3  hint: 2 results found" in ran.err


def test_j4_open_never_leaves_the_root(
    engine: Any, fourfold: Any, made: SimpleNamespace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("VISUAL", "true")
    engine.search = made.result(made.item(path="../../etc/passwd"))
    ran = fourfold("search", "x", "--open", "1")
    assert ran.code == 2
    assert "F104" in ran.err


def test_f10_progress_on_a_terminal_and_one_line_on_a_pipe(engine: Any, fourfold: Any, made: SimpleNamespace) -> None:
    engine.progress = [Progress("index", 5, 10, 20, 300, 2.0), Progress("index", 10, 10, 40, 600, 4.0)]
    engine.search = made.result(made.item())
    ran = fourfold("search", "x")
    assert ran.err.splitlines()[0] == "indexed repo: 10 files · 40 chunks · 600 lines in 4.0 s"
    ran = fourfold("search", "x", tty=True)
    assert "indexing  repo  5/10 files" in ran.err
    assert "indexing" not in ran.out


def test_f1_stdout_holds_results_only(engine: Any, fourfold: Any, made: SimpleNamespace, repo: Path) -> None:
    (repo / "fourfold.toml").write_text("[embedding]\nmodel = 'none'\n")
    engine.search = made.result(made.item(), dropped=2, degraded="x")
    engine.progress = [Progress("index", 10, 10, 40, 600, 4.0)]
    ran = fourfold("search", "x", "--json")
    json.loads(ran.out)
    assert "embedding.model" in ran.err


def test_settings_reach_the_engine(engine: Any, fourfold: Any, repo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (repo / "fourfold.toml").write_text("[search]\nlimit = 4\n")
    fourfold("search", "x")
    assert engine.last("search")["limit"] == 4
    monkeypatch.setenv("FOURFOLD_SEARCH_LIMIT", "6")
    fourfold("search", "x")
    assert engine.last("search")["limit"] == 6
    fourfold("search", "x", "--limit", "8")
    assert engine.last("search")["limit"] == 8
    assert engine.last("open")["settings"].search.limit == 8


def test_the_index_is_closed_even_after_a_failure(engine: Any, fourfold: Any) -> None:
    fourfold("search", "x")
    assert engine.calls[-1] == ("close", {})


def test_no_color_on_a_terminal(engine: Any, fourfold: Any, made: SimpleNamespace) -> None:
    engine.search = made.result(made.item())
    assert "\x1b[" in fourfold("search", "x", tty=True).out
    assert "\x1b[" not in fourfold("--no-color", "search", "x", tty=True).out


def test_nothing_found_for_the_filters_says_so() -> None:
    class Said:
        def __init__(self) -> None:
            self.lines: list[str] = []

        def note(self, text: str) -> None:
            self.lines.append(text)

        warn = note

    said: Any = Said()
    _nothing_found(said, "lang:cobol foo", "", "nothing fits these filters; search again without them")
    assert said.lines[:2] == [
        "nothing found for 'lang:cobol foo'",
        "nothing fits these filters; search again without them",
    ]
