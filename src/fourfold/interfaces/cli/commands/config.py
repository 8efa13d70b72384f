"""``fourfold config``: the settings in force and where each came from."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import click

from fourfold.interfaces.cli.options import json_option
from fourfold.interfaces.cli.output import print_json
from fourfold.interfaces.cli.session import Session
from fourfold.interfaces.cli.table import aligned
from fourfold.interfaces.cli.width import safe_name
from fourfold.model.result import SCHEMA

if TYPE_CHECKING:
    from fourfold.config.load import Loaded
    from fourfold.config.option import Value


@click.group(invoke_without_command=True, short_help="Show the settings in force and where each came from.")
@click.pass_context
def command(ctx: click.Context) -> int:
    """Settings come from defaults, the user file, the project's file, FOURFOLD_* variables and flags.

    Without a command of its own it shows them: fourfold config is fourfold config show.
    """
    return 0 if ctx.invoked_subcommand else ctx.invoke(show, as_json=False)


@command.command(short_help="Print every setting, its value and its origin.")
@json_option
@click.pass_obj
def show(session: Session, as_json: bool) -> int:
    """Print every setting, its value and where it came from. The user file is named on standard error."""
    from fourfold.config.load import user_file

    loaded = session.load()
    if as_json:
        print_json(_plain(loaded), session.out)
        return 0
    for line in setting_lines(loaded):
        session.out.line(line)
    path = user_file()
    session.note(f"user file: {path}" + ("" if path.exists() else " (not there)"))
    return 0


def setting_lines(loaded: Loaded) -> list[str]:
    """``key  = value  origin``, aligned."""
    from fourfold.config.settings import flatten

    values = flatten(loaded.settings)
    rows = [(key, f"= {written(value)}", safe_name(loaded.origins[key])) for key, value in values.items()]
    return aligned(rows)


def written(value: Value) -> str:
    """A value as TOML writes it, safe to print."""
    if isinstance(value, dict):
        inner = ", ".join(f"{json.dumps(key)} = {json.dumps(item)}" for key, item in value.items())
        return f"{{ {inner} }}" if inner else "{}"
    return safe_name(json.dumps(value, ensure_ascii=False))


def _plain(loaded: Loaded) -> dict[str, object]:
    from fourfold.config.settings import flatten

    settings = {key: {"value": value, "origin": loaded.origins[key]} for key, value in flatten(loaded.settings).items()}
    return {"schema": SCHEMA, "settings": settings, "warnings": list(loaded.warnings)}
