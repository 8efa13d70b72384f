"""What is a command, what is a question: dashes, slips of the pen, the two meanings of -C."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from fourfold.interfaces.cli.group import mistyped, slips


@pytest.mark.parametrize(
    ("arguments", "query"),
    [
        (["-path:tests retry"], "-path:tests retry"),
        (["-path:tests", "retry"], "retry -path:tests"),
        (["--no-color", "-path:tests retry"], "-path:tests retry"),
        (["search", "-path:tests retry"], "-path:tests retry"),
        (["-Wall and -Wextra in flags"], "-Wall and -Wextra in flags"),
        (["-verbose logging"], "-verbose logging"),
        (["--", "-Wall"], "-Wall"),
        (["-C", "src", "--", "--force"], "--force"),
        (["search", "--", "-path:tests"], "-path:tests"),
        (["--json", "retry"], "retry"),
        (["-n", "3", "retry"], "retry"),
        (["-"], "-"),
    ],
)
def test_a_question_may_begin_with_a_dash(
    engine: Any, fourfold: Any, made: SimpleNamespace, arguments: list[str], query: str
) -> None:
    engine.search = made.result(made.item())
    assert fourfold(*arguments).code == 0
    assert engine.last("search")["query"] == query


@pytest.mark.parametrize(
    ("arguments", "hint"),
    [
        (["-Wall"], "to look for it put -- before it: fourfold search -- -W"),
        (["grep", "--bogus"], "to look for it put -- before it: fourfold grep -- --bogus"),
        (["statsu", "--orphans"], "did you mean `fourfold status`?"),
        (["--limti", "3", "x"], "did you mean --limit?"),
    ],
)
def test_an_option_that_is_none_names_the_way_out(engine: Any, fourfold: Any, arguments: list[str], hint: str) -> None:
    ran = fourfold(*arguments)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.endswith(f"  hint: {hint}\n")


@pytest.mark.parametrize(
    ("arguments", "near"),
    [
        (["statsu"], "status"),
        (["indx", "src"], "index"),
        (["serach"], "search"),
        (["Status"], "status"),
        (["dcotor", "--json"], "doctor"),
        (["confg"], "config"),
        (["serach", "for", "it"], "search"),
        (["serach", "foo"], "search"),
        (["indx", "of", "retry"], "index"),
        (["retyr", "foo"], ""),
        (["state"], "status"),
        (["step"], ""),
        (["--", "statsu"], ""),
        (["search", "statsu"], ""),
    ],
)
def test_a_slip_in_a_command_is_searched_for_and_hinted_at(
    engine: Any, fourfold: Any, made: SimpleNamespace, arguments: list[str], near: str
) -> None:
    engine.search = made.result(made.item())
    ran = fourfold(*arguments)
    assert ran.code == 0
    assert "retry.py" in ran.out
    assert ran.err == (f"did you mean `fourfold {near}`?\n" if near else "")


def test_a_word_that_stands_in_what_is_found_is_no_slip(engine: Any, fourfold: Any, made: SimpleNamespace) -> None:
    engine.search = made.result(replace(made.item(), snippet="the State of a machine"))
    assert fourfold("state", "machine").err == ""
    assert fourfold("stauts", "machine").err == "did you mean `fourfold status`?\n"


def test_a_word_that_is_a_name_of_the_index_is_no_slip(engine: Any, fourfold: Any, made: SimpleNamespace) -> None:
    found = made.result(made.item())
    engine.search = replace(found, query=replace(found.query, intent="find_definition"))
    assert fourfold("state").err == ""


def test_a_slip_that_finds_nothing_is_hinted_at_once(engine: Any, fourfold: Any) -> None:
    ran = fourfold("statsu")
    assert ran.code == 1
    assert ran.err.count("did you mean `fourfold status`?") == 1


@pytest.mark.parametrize(
    ("word", "name", "number"),
    [("statsu", "status", 1), ("stats", "status", 1), ("grep", "grep", 0), ("x", "status", 3), ("idnxe", "index", 2)],
)
def test_slips(word: str, name: str, number: int) -> None:
    assert slips(word, name) == number
    assert slips(name, word) == number


def test_no_command_is_a_slip_of_itself() -> None:
    assert mistyped("grep") == mistyped("search") == ""


def test_c_before_the_command_is_a_folder_and_behind_it_lines(
    engine: Any, fourfold: Any, made: SimpleNamespace, repo: Path
) -> None:
    engine.search = made.result(made.item())
    short = fourfold("-C", "src", "search", "-C", "0", "retry")
    long = fourfold("-C", "src", "retry", "-C", "3")
    assert engine.last("open")["path"] == Path("src")
    assert len(long.out.splitlines()) > len(short.out.splitlines())
    fourfold("-C", "src", "grep", "-C", "2", "x")
    assert (engine.last("grep")["before"], engine.last("grep")["after"]) == (2, 2)


def test_c_with_a_number_before_the_command_says_where_it_belongs(engine: Any, fourfold: Any) -> None:
    ran = fourfold("-C", "3", "retry")
    assert ran.code == 2
    assert ran.err.endswith("for lines of context put it behind the command: fourfold search -C 3\n")
