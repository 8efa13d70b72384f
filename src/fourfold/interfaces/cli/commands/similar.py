"""``fourfold similar``: code like the code at a line, or like a definition."""

from __future__ import annotations

import re
from typing import Any, cast

import click

from fourfold.interfaces.cli.filters import root_path
from fourfold.interfaces.cli.render import render_search
from fourfold.interfaces.cli.session import Session
from fourfold.interfaces.cli.structure import ask, finish, structure_options
from fourfold.model.chunk import FUNCTION_KINDS, TYPE_KINDS
from fourfold.model.errors import BadQuery, UsageError
from fourfold.model.result import SearchResult
from fourfold.model.structure import SymbolItem

MOST_NAMED = 20
"""Definitions of one name that are looked at."""
SAID = 4
"""So many of them are named."""
_PLACE = re.compile(r":\d+(?:[-:]\d+)?$")
_NAME = re.compile(r"[^\W\d][\w$]*(?:(?:\.|::|#)[^\W\d][\w$]*)*(?:\(\))?")


@click.command(short_help="Code like the code at a line, or like a definition.")
@click.argument("place", metavar="FILE:LINE|NAME")
@structure_options(10)
@click.pass_obj
def command(session: Session, /, place: str, **options: Any) -> int:
    """Show code like the code at a line of a file, or like the function or type NAME: near in meaning, or in its words.

    Of several definitions of a name the first is taken that `fourfold symbol NAME` shows; the others are named.
    """
    others: list[SymbolItem] = []

    def question(index: Any, **keywords: Any) -> SearchResult:
        if not _is_name(place):
            path, line = place_of(place)
            inside = root_path(session, session.found_root(), path, as_pattern=False)
            return cast("SearchResult", index.similar(inside, line, limit=options["limit"], **keywords))
        named = index.symbol(place, exact=True, limit=MOST_NAMED, refresh=keywords["refresh"])
        fitting = [item for item in named.items if item.kind in FUNCTION_KINDS or item.kind in TYPE_KINDS]
        if not fitting:
            raise BadQuery(
                f"no function or type is called {place[:80]!r}",
                hint="give a place instead, for instance: fourfold similar src/config.py:42",
            )
        first, *rest = fitting
        others.extend([first, *rest] if rest else [])
        path = f"{first.service}/{first.path}" if first.service else first.path
        return cast("SearchResult", index.similar(path, first.start_line, limit=options["limit"], **keywords))

    result = ask(session, options, question)
    if result.items or options["as_json"]:
        finish(session, options, result, lambda view: render_search(result, view))
    else:
        session.warn(f"nothing is like {place}")
    if others:
        places = [f"{item.path}:{item.start_line}" for item in others]
        more = f" and {len(places) - SAID} more" if len(places) > SAID else ""
        session.note(f"like {places[0]}; {place[:80]} is also at {', '.join(places[1:SAID])}{more}")
    return 0 if result.items else 1


def _is_name(text: str) -> bool:
    """True for what is no ``FILE:LINE``: a name, bare or with its owner."""
    return not _PLACE.search(text) and "/" not in text and _NAME.fullmatch(text) is not None


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
