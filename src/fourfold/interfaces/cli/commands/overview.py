"""``fourfold overview``: a repository at a glance."""

from __future__ import annotations

from typing import Any

import click

from fourfold.interfaces.cli.options import json_option, no_refresh_option, scope_option, service_option
from fourfold.interfaces.cli.session import Session
from fourfold.interfaces.cli.structure import ask, finish
from fourfold.interfaces.cli.structure_overview import overview_lines
from fourfold.model.structure import OverviewResult


@click.command(short_help="The repository at a glance.")
@service_option
@scope_option
@no_refresh_option
@json_option
@click.pass_obj
def command(session: Session, /, **options: Any) -> int:
    """Show the repository at a glance: languages, folders, entry points, the symbols that most lean on, what belongs
    together, tests and routes.
    """
    result: OverviewResult = ask(session, options, lambda index, **keywords: index.overview(**keywords))
    if result.languages or options["as_json"]:
        finish(session, options, result, lambda view: overview_lines(result, view))
    else:
        session.warn("nothing is indexed here")
    return 0 if result.languages else 1
