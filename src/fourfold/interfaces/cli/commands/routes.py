"""``fourfold routes``: the HTTP routes of a repository."""

from __future__ import annotations

from typing import Any

import click

from fourfold.interfaces.cli.options import MAX_LIMIT
from fourfold.interfaces.cli.session import Session
from fourfold.interfaces.cli.structure import ask, finish, structure_options
from fourfold.interfaces.cli.structure_overview import route_lines
from fourfold.model.structure import RouteResult


@click.command(short_help="The HTTP routes, joined over files.")
@click.argument("text", nargs=-1, metavar="[TEXT]...")
@structure_options(MAX_LIMIT, kinds=False)
@click.pass_obj
def command(session: Session, /, text: tuple[str, ...], **options: Any) -> int:
    """Show the HTTP routes: method, full path, handler and place; with TEXT only those whose method, path or handler
    holds every word of it.
    """
    asked = " ".join(text)
    result: RouteResult = ask(
        session,
        options,
        lambda index, **keywords: index.routes(asked, limit=options["limit"], **keywords),
    )
    if result.items or options["as_json"]:
        finish(session, options, result, lambda view: route_lines(result, view))
    else:
        session.warn(f"no route holds {asked[:80]!r}" if asked else "no HTTP route is known here")
        if result.meta.suggestion:
            session.note(result.meta.suggestion)
    return 0 if result.items else 1
