"""The documentation says what the program does: every command, option and setting is in it."""

from __future__ import annotations

import re
from pathlib import Path

import click
import pytest

from fourfold.config.settings import options
from fourfold.interfaces.cli import commands
from fourfold.interfaces.cli.names import COMMANDS
from fourfold.interfaces.cli.program import cli
from fourfold.interfaces.cli.reference import cli_reference, configuration_reference

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
TEST_COMMAND = "python -m venv .venv && .venv/bin/pip install -e '.[dev]' && .venv/bin/pytest"


def every_command() -> list[tuple[str, click.Command]]:
    """(path, command) of the program and all commands below it."""
    found: list[tuple[str, click.Command]] = []

    def walk(path: str, command: click.Command, context: click.Context) -> None:
        found.append((path, command))
        if isinstance(command, click.Group):
            for name in command.list_commands(context):
                inner = command.get_command(context, name)
                assert inner is not None, name
                walk(f"{path} {name}", inner, context)

    walk("fourfold", cli, click.Context(cli, **cli.context_settings))
    return found


@pytest.mark.parametrize(
    ("name", "expected"), [("cli.md", cli_reference), ("configuration.md", configuration_reference)]
)
def test_the_page_is_what_the_program_says(name: str, expected: object) -> None:
    assert callable(expected)
    assert (DOCS / name).read_text(encoding="utf-8") == expected(), "run: make docs"


def test_every_command_and_option_is_documented() -> None:
    page = (DOCS / "cli.md").read_text(encoding="utf-8")
    for path, command in every_command():
        assert f"## {path}\n" in page
        section = page.split(f"## {path}\n")[1].split("\n## ")[0]
        for parameter in command.params:
            if isinstance(parameter, click.Option):
                assert parameter.help, f"{path} {parameter.opts}"
                assert all(f"`{name}`" in section for name in (*parameter.opts, *parameter.secondary_opts))


def test_every_command_says_what_it_does() -> None:
    for path, command in every_command():
        assert command.help, path
        assert path == "fourfold" or command.short_help, path


def test_every_command_module_is_reachable() -> None:
    found = {path.stem for folder in commands.__path__ for path in Path(folder).glob("*.py")} - {"__init__"}
    assert found == set(COMMANDS)


def test_every_setting_is_documented() -> None:
    page = (DOCS / "configuration.md").read_text(encoding="utf-8")
    for key, option in options().items():
        assert f"| `{key}` |" in page
        assert option.help in page


def test_the_readme_names_only_commands_that_exist() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    named = set(re.findall(r"^(?:\$ )?fourfold ([a-z]+)", text, re.MULTILINE))
    assert named <= set(COMMANDS)


def test_the_ci_runs_the_test_command_of_the_readme() -> None:
    assert TEST_COMMAND in (ROOT / "README.md").read_text(encoding="utf-8")
    assert TEST_COMMAND in (ROOT / ".ci" / "run").read_text(encoding="utf-8")
