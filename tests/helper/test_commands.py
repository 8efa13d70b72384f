"""Which command lines go to the helper: by the words alone, and as the program itself would read them."""

from __future__ import annotations

import pytest

from fourfold.interfaces.cli.names import COMMANDS
from fourfold.interfaces.cli.program import cli
from fourfold.interfaces.helper.commands import ANSWERED, is_handed_over, is_wanted

HANDED_OVER = [
    ["search", "x"],
    ["where is x"],
    ["grep", "-C", "2", "x"],
    ["-C", "src", "search", "x"],
    ["-Csrc", "x"],
    ["--root", "index", "search", "x"],
    ["--root=src", "--no-color", "symbol", "x"],
    ["--", "-Wall"],
    ["-n", "2", "how is it done"],
    ["search", "index"],
]
KEPT = [
    [],
    ["index"],
    ["-C", "src", "index"],
    ["-C", "search", "index"],
    ["--root", "search", "clear"],
    ["--no-color", "watch"],
    ["--help"],
    ["search", "--help"],
    ["-h"],
    ["--version"],
    ["-V"],
    ["-v", "search", "x"],
    ["-vC", "src", "search", "x"],
    ["search", "--open", "1", "x"],
    ["search", "--open=1", "x"],
    ["--no-helper", "search", "x"],
    ["mcp"],
    ["serve"],
    ["helper", "stop"],
]


@pytest.mark.parametrize("arguments", HANDED_OVER, ids=" ".join)
def test_a_question_is_handed_over(arguments: list[str]) -> None:
    assert is_handed_over(arguments)


@pytest.mark.parametrize("arguments", KEPT, ids=" ".join)
def test_all_else_is_done_by_the_process_itself(arguments: list[str]) -> None:
    assert not is_handed_over(arguments)


@pytest.mark.parametrize("arguments", [*HANDED_OVER, *KEPT], ids=" ".join)
def test_what_is_handed_over_is_a_command_that_only_asks(arguments: list[str]) -> None:
    if is_handed_over(arguments):
        with cli.make_context("fourfold", list(arguments), resilient_parsing=True) as context:
            name, _, _ = cli.resolve_command(context, [*context._protected_args, *context.args])
        assert name in ANSWERED


def test_the_commands_that_ask_are_commands() -> None:
    assert set(COMMANDS) >= ANSWERED


@pytest.mark.parametrize(
    ("environ", "wanted"),
    [
        ({}, True),
        ({"CI": "true"}, False),
        ({"CI": "false"}, True),
        ({"CI": "1", "FOURFOLD_HELPER_ENABLED": "yes"}, True),
        ({"FOURFOLD_HELPER_ENABLED": "0"}, False),
        ({"FOURFOLD_HELPER_ENABLED": "Off"}, False),
        ({"FOURFOLD_HELPER_ENABLED": ""}, True),
    ],
    ids=str,
)
def test_the_environment_turns_it_off(environ: dict[str, str], wanted: bool) -> None:
    assert is_wanted(environ) is wanted
