"""``fourfold similar``: code like the code at a line."""

from __future__ import annotations

from typing import Any

import click

from fourfold.interfaces.cli.filters import root_path
from fourfold.interfaces.cli.render import render_search
from fourfold.interfaces.cli.session import Session
from fourfold.interfaces.cli.structure import ask, finish, structure_options
from fourfold.model.errors import UsageError
from fourfold.model.result import SearchResult


@click.command(short_help="Code like the code at a line.")
@click.argument("place", metavar="FILE:LINE")
@structure_options(10)
@click.pass_obj
def command(session: Session, /, place: str, **options: Any) -> int:
    """Show code like the code at a line of a file: near in meaning, or in its words."""
    path, line = place_of(place)
    inside = root_path(session, session.found_root(), path)
    result: SearchResult = ask(
        session,
        options,
        lambda index, **keywords: index.similar(inside, line, limit=options["limit"], **keywords),
    )
    if result.items or options["as_json"]:
        finish(session, options, result, lambda view: render_search(result, view))
    else:
        session.warn(f"nothing is like {place}")
    return 0 if result.items else 1


def place_of(text: str) -> tuple[str, int]:
    """(path, line) of ``FILE:LINE``; of ``FILE:FIRST-LAST`` and ``FILE:LINE:COLUMN`` the line. Raises UsageError."""
    parts = text.split(":")
    numbers: list[int] = []
    while len(parts) > 1 and len(numbers) < 2 and parts[-1].partition("-")[0].isdecimal():
        numbers.insert(0, int(parts.pop().partition("-")[0]))
    path = ":".join(parts)
    if not numbers or not path or not numbers[0]:
        raise UsageError(f"no file and line in {text[:80]!r}", hint="for instance: fourfold similar src/config.py:42")
    return path, numbers[0]
