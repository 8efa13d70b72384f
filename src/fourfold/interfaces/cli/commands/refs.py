"""``fourfold refs``: who refers to a symbol, or to whom it refers."""

from __future__ import annotations

from typing import Any

import click

from fourfold.interfaces.cli.not_found import not_found
from fourfold.interfaces.cli.session import Session
from fourfold.interfaces.cli.structure import ask, file_or_name, finish, structure_options
from fourfold.interfaces.cli.structure_usages import NOTHING, usage_lines
from fourfold.model.query import DIRECTIONS
from fourfold.model.structure import UsageResult


@click.command(short_help="Who calls, inherits, imports or tests a symbol.")
@click.argument("name")
@click.option(
    "-d", "--direction", type=click.Choice(DIRECTIONS), default="callers", help="Which references (default: callers)."
)
@structure_options(100)
@click.pass_obj
def command(session: Session, /, name: str, direction: str, **options: Any) -> int:
    """Show who refers to NAME, or with callees, inherits and imports to whom it refers.

    What scope, import or receiver prove is shown without a word; "unique" was found by the name alone, which only
    one definition has; what may be meant but cannot be told apart stands below, as possible. The filters narrow
    the references; --kind says which definition of the name is meant.
    """
    result: UsageResult = ask(
        session,
        options,
        lambda index, **keywords: index.usages(
            file_or_name(session, name), direction=direction, limit=options["limit"], **keywords
        ),
    )
    found = bool(result.items or result.possible)
    if options["as_json"] or found:
        finish(session, options, result, lambda view: usage_lines(result, view))
        return 0 if found else 1
    if result.near or not result.symbols:
        return not_found(session, name, result.near, options, result.meta.suggestion or "")
    session.warn(NOTHING[direction].format(name))
    if result.meta.suggestion:
        session.note(result.meta.suggestion)
    return 1
