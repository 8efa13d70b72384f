"""``fourfold impact``: what a change of a symbol reaches."""

from __future__ import annotations

from typing import Any

import click

from fourfold.interfaces.cli.not_found import not_found
from fourfold.interfaces.cli.options import Whole
from fourfold.interfaces.cli.session import Session
from fourfold.interfaces.cli.structure import ask, file_or_name, finish, structure_options
from fourfold.interfaces.cli.structure_usages import NOTHING, impact_lines
from fourfold.model.structure import ImpactResult


@click.command(short_help="What a change of a symbol reaches.")
@click.argument("name")
@click.option("--depth", type=Whole(1, 10), default=3, help="Steps to follow (default: 3).")
@click.option(
    "-d",
    "--direction",
    type=click.Choice(["callers", "callees"]),
    default="callers",
    help="callers: what may notice a change (the default); callees: what it rests on.",
)
@structure_options(200)
@click.pass_obj
def command(session: Session, /, name: str, depth: int, direction: str, **options: Any) -> int:
    """Show what a change of NAME reaches: who calls, inherits, overrides or imports it, who refers to these, and so on.

    Nearest first; the confidence is that of the weakest link on the way.
    """
    result: ImpactResult = ask(
        session,
        options,
        lambda index, **keywords: index.impact(
            file_or_name(session, name), direction=direction, depth=depth, limit=options["limit"], **keywords
        ),
    )
    found = bool(result.items or result.possible)
    if options["as_json"] or found:
        finish(session, options, result, lambda view: impact_lines(result, view))
        return 0 if found else 1
    if result.near or not result.symbols:
        return not_found(session, name, result.near, options, result.meta.suggestion or "")
    session.warn(NOTHING["callees" if direction == "callees" else "uses"].format(name))
    if result.meta.suggestion:
        session.note(result.meta.suggestion)
    return 1
