"""``fourfold context``: what one needs to change a symbol or a file."""

from __future__ import annotations

import os
from typing import Any

import click

from fourfold.interfaces.cli.not_found import not_found
from fourfold.interfaces.cli.session import Session
from fourfold.interfaces.cli.structure import ask, file_or_name, finish, structure_options
from fourfold.interfaces.cli.structure_context import context_lines
from fourfold.model.structure import ContextResult


@click.command(short_help="What one needs to change a symbol or a file.")
@click.argument("target", metavar="FILE|SYMBOL")
@structure_options(20)
@click.pass_obj
def command(session: Session, /, target: str, **options: Any) -> int:
    """Show what one needs to change a symbol: its code, who calls it, what it calls, its bases, the tests that reach it
    and what stands beside it. Of a file: what it defines, what it imports and who imports it.

    The limit holds for each part.
    """
    asked = file_or_name(session, target)
    result: ContextResult = ask(
        session,
        options,
        lambda index, **keywords: index.context(asked, limit=options["limit"], **keywords),
    )
    is_file = asked != target or os.path.isfile(session.found_root() / asked)  # noqa: PTH113 (raises nothing)
    found = bool(result.items or result.callers or result.callees)
    if found or options["as_json"]:
        finish(session, options, result, lambda view: context_lines(result, view, is_file=is_file))
        return 0 if found else 1
    if is_file:
        session.warn(f"{target} defines and imports nothing that is known")
        session.note(f"what is known of it: fourfold status {target}")
        return 1
    return not_found(session, target, result.near, options, result.meta.suggestion or "")
