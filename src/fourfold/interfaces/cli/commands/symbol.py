"""``fourfold symbol``: where a name is defined."""

from __future__ import annotations

from typing import Any

import click

from fourfold.interfaces.cli.render import View
from fourfold.interfaces.cli.session import Session
from fourfold.interfaces.cli.structure import ask, finish, head_lines, no_symbol, structure_options
from fourfold.interfaces.cli.structure_rows import definitions
from fourfold.interfaces.cli.words import count
from fourfold.model.structure import SymbolResult


@click.command(short_help="Where a name is defined.")
@click.argument("name")
@click.option("-e", "--exact", is_flag=True, help="Only this very name, nothing like it.")
@structure_options(20)
@click.pass_obj
def command(session: Session, /, name: str, exact: bool, **options: Any) -> int:
    """Show where NAME is defined.

    The name as written comes first, then in another case, by its beginning, by part, by its words, misspelt; a
    qualified name (Parser.parse, net::Client, Repo#save) narrows it.
    """
    result: SymbolResult = ask(
        session,
        options,
        lambda index, **keywords: index.symbol(name, exact=exact, limit=options["limit"], **keywords),
    )
    if not result.items and not options["as_json"]:
        return no_symbol(session, name, result.near, options, result.meta.suggestion or "")
    finish(session, options, result, lambda view: symbol_lines(result, view))
    return 0 if result.items else 1


def symbol_lines(result: SymbolResult, view: View) -> list[str]:
    """The lines of an answer: each definition with the head of its code."""
    total = len(result.items) + result.meta.dropped
    lines = head_lines([f"symbol {result.query['text']}", count(total, "definition")], result.meta, view)
    return [*lines, *definitions(result.items, view)]
