"""The reference pages of the documentation, made from the program itself.

``python -m fourfold.interfaces.cli.reference docs`` writes ``docs/cli.md`` and ``docs/configuration.md``.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Iterator
from pathlib import Path

import click

from fourfold.config.load import CONFIG_VARIABLE
from fourfold.config.option import Option
from fourfold.config.settings import options
from fourfold.config.trust import PROJECT_MAY_SET
from fourfold.interfaces.cli.commands.config import written
from fourfold.interfaces.cli.program import cli

_CLI_HEAD = """# Command line

Made by `make docs` from the program itself.

Results go to standard output, everything else (progress, warnings, errors, hints) to standard error. Paths
are taken from the folder you are in and shown relative to it; JSON has them relative to the root. Control
characters and bidirectional marks in code and names are printed escaped; JSON has them as they are.

| exit code | meaning |
|---:|---|
| 0 | results |
| 1 | nothing found; for `status PATH`: not indexed; for `doctor`: a check failed; for `eval`: a gate is not met |
| 2 | usage error or bad query |
| 3 | no index, or it cannot be built here |
| 4 | another process holds the write lock (writing commands only) |
| 5 | a model or backend is unavailable |
| 70 | a fault in fourfold itself |
| 74 | the output cannot be written (a reader that goes away early is no fault) |
| 130 | interrupted |

`--json` prints one object, `{"schema": "fourfold/1", "query", "items", "meta"}`; `--jsonl` prints each
item on a line of its own, then one line with the rest (`schema`, `query`, `meta`).
"""

_CONFIGURATION_HEAD = f"""# Configuration

Made by `make docs` from the program itself. `fourfold config show` prints each value in force and its origin.

Later layers win:

1. the defaults below;
2. your user file, `fourfold/config.toml` in the platform's configuration folder (or what
   `{CONFIG_VARIABLE}` names);
3. the project's `fourfold.toml`, else `[tool.fourfold]` in its `pyproject.toml`;
4. environment variables: `FOURFOLD_` and the key in capitals, dots as underscores, for instance
   `FOURFOLD_INDEX_MAX_FILE_BYTES`; lists are written `a,b`, tables `kjs=javascript,rsc=rust`;
5. flags of a command.

A repository is not trusted, so a project's file may only narrow what is indexed and shown; the column
*project* says how. What it may not set, an unknown key or an unreadable file is ignored with a warning.
In your own file, a variable or a flag the same fault is an error that names the nearest key.

```toml
# fourfold.toml
[index]
exclude = ["third_party/**"]
languages = {{ kjs = "javascript" }}
```
"""


def cli_reference() -> str:
    """The page of the command line: every command, argument and option."""
    context = click.Context(cli, info_name="fourfold", **cli.context_settings)
    parts = [_CLI_HEAD, *_command_page(cli, context)]
    return "\n".join(parts).rstrip("\n") + "\n"


def configuration_reference() -> str:
    """The page of the settings: every key with its default, what it accepts, and what a project may do."""
    rows = ["| key | default | accepts | project | meaning |", "|---|---|---|---|---|"]
    rows += [_setting_row(option) for option in options().values()]
    return f"{_CONFIGURATION_HEAD}\n" + "\n".join(rows) + "\n"


def _setting_row(option: Option) -> str:
    rule = PROJECT_MAY_SET.get(option.key)
    project = rule[1] if rule else "no"
    cells = [f"`{option.key}`", f"`{written(option.default)}`", option.expects, project, option.help]
    return _row(*cells)


def _command_page(command: click.Command, context: click.Context) -> Iterator[str]:
    """One command and, below it, those that it holds."""
    yield f"## {context.command_path}\n"
    yield f"{_prose(command.help or '')}\n"
    pieces = " ".join(piece for piece in command.collect_usage_pieces(context) if piece)
    yield f"```\n{context.command_path} {pieces}\n```\n"
    rows = [_option_row(parameter) for parameter in command.params if isinstance(parameter, click.Option)]
    if rows:
        yield "| option | meaning |\n|---|---|"
        yield "\n".join(rows) + "\n"
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            inner = command.get_command(context, name)
            assert inner is not None
            yield from _command_page(inner, click.Context(inner, info_name=name, parent=context))


def _option_row(option: click.Option) -> str:
    names = ", ".join(f"`{name}`" for name in (*option.opts, *option.secondary_opts))
    if not (option.is_flag or option.count):
        kind = option.type
        value = "|".join(kind.choices) if isinstance(kind, click.Choice) else option.metavar or kind.name.upper()
        names += f" `{value}`"
    return _row(names, option.help or "")


def _row(*cells: str) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def _prose(text: str) -> str:
    """A help text as Markdown: what click keeps as it stands (``\\b``) becomes a code block."""
    paragraphs = []
    for paragraph in inspect.cleandoc(text).split("\n\n"):
        if paragraph.startswith("\b"):
            paragraphs.append("```\n" + inspect.cleandoc(paragraph.lstrip("\b\n")) + "\n```")
        else:
            paragraphs.append(" ".join(paragraph.split()))
    return "\n\n".join(paragraphs)


def main(arguments: list[str]) -> None:
    """Write both pages into the folder named, or print them."""
    pages = {"cli.md": cli_reference(), "configuration.md": configuration_reference()}
    for name, text in pages.items():
        if arguments:
            (Path(arguments[0]) / name).write_text(text, encoding="utf-8", newline="\n")
        else:
            sys.stdout.write(text)


if __name__ == "__main__":
    main(sys.argv[1:])
