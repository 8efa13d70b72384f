"""``fourfold helper``: the background process that answers questions of the command line."""

from __future__ import annotations

from typing import Any

import click

from fourfold.interfaces.cli.options import json_option
from fourfold.interfaces.cli.output import print_json
from fourfold.interfaces.cli.session import Session
from fourfold.interfaces.cli.width import safe_name
from fourfold.interfaces.cli.words import count
from fourfold.model.result import SCHEMA


@click.group(short_help="Show or stop the background process that answers questions.")
def command() -> None:
    """A question that finds no helper is answered by the command itself, and starts one for those that follow: a
    process that keeps indexes open, so that a command need not load the program. It leaves after ten idle minutes
    (setting helper.idle_s); helper.enabled = false, FOURFOLD_HELPER_ENABLED=0 or --no-helper do without it.
    """


@command.command(short_help="Say whether a helper runs, and what it keeps open.")
@json_option
@click.pass_obj
def status(session: Session, as_json: bool) -> int:
    """Say whether a helper runs, and what it keeps open. Exit code 1 where none does."""
    from fourfold.interfaces.helper.control import report

    told = report()
    if as_json:
        print_json({"schema": SCHEMA, "running": told is not None, "helper": told}, session.out)
    elif told is None:
        session.note("no helper is running")
    else:
        session.out.line(in_words(told))
        for root in told["indexes"]:
            session.out.line(f"  {safe_name(root)}")
    return 0 if told is not None else 1


@command.command(short_help="Tell the helper to leave.")
@click.pass_obj
def stop(session: Session) -> int:
    """Tell the helper to leave. The next question starts another, unless the settings say otherwise."""
    from fourfold.interfaces.helper.control import stop as leave

    session.note("the helper has left" if leave() else "no helper is running")
    return 0


def in_words(told: dict[str, Any]) -> str:
    """One line about a running helper."""
    return (
        f"process {told['process']} · version {told['version']} · since {told['since']} · "
        f"{count(told['answered'], 'command')} answered · {told['memory_mb']:,} MB · "
        f"{count(len(told['indexes']), 'index')} open"
    )
