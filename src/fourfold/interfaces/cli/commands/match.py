"""``fourfold match``: places that have the shape of a pattern of code."""

from __future__ import annotations

from typing import Any

import click

from fourfold.interfaces.cli.options import (
    MAX_LIMIT,
    Whole,
    json_option,
    no_refresh_option,
    scope_option,
    service_option,
)
from fourfold.interfaces.cli.session import Session
from fourfold.interfaces.cli.structure import ask, finish
from fourfold.interfaces.cli.structure_overview import match_lines
from fourfold.model.structure import MatchResult


@click.command(short_help="Places that have the shape of a pattern of code.")
@click.argument("pattern")
@click.option(
    "-t",
    "--lang",
    "language",
    default="",
    metavar="LANG",
    help="The language of the pattern (default: each of the repository that it is code of).",
)
@click.option("-n", "--limit", type=Whole(1, MAX_LIMIT), default=100, help="Results at most (default: 100).")
@click.option("--path", "paths", multiple=True, metavar="PATH", help="Only below this path, or a glob.")
@click.option("--not-path", "not_paths", multiple=True, metavar="PATH", help="Nothing below this path or glob.")
@click.option("--changed", is_flag=True, help="Only files with changes that are not committed.")
@click.option("--since", metavar="REF", help="Only files changed since a commit, branch or tag.")
@service_option
@scope_option
@no_refresh_option
@json_option
@click.pass_obj
def command(session: Session, /, pattern: str, language: str, **options: Any) -> int:
    """Show every place that has the shape of PATTERN, which is code of the language itself.

    $NAME stands for one node, $$$NAME for any number of them, the same name twice for the same code:

    \b
      fourfold match 'open($PATH, $$$REST)' --lang py
      fourfold match '$A == $A' --lang ts
      fourfold match 'except $E:' --lang py

    A part of something (a clause, a member, a case) is read within what may stand around it; a head of Python that
    ends with a colon stands for itself with any body.
    """
    result: MatchResult = ask(
        session,
        {**options, "languages": ()},
        lambda index, **keywords: index.match(pattern, language, limit=options["limit"], **keywords),
    )
    if result.items or options["as_json"]:
        finish(session, options, result, lambda view: match_lines(result, view))
    else:
        if result.meta.suggestion:
            session.warn(result.meta.suggestion)
        where = "" if language else f" in {result.query['language']}"
        session.warn(f"nothing has the shape of {pattern[:80]!r}{where}")
    return 0 if result.items else 1
