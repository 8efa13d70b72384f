"""``fourfold doctor``: check the installation, the configuration and the index."""

from __future__ import annotations

import os
from dataclasses import asdict

import click

from fourfold.interfaces.cli.options import json_option
from fourfold.interfaces.cli.output import print_json
from fourfold.interfaces.cli.session import Session
from fourfold.interfaces.cli.terminal import Terminal
from fourfold.interfaces.cli.width import pad, safe, width
from fourfold.interfaces.cli.words import count
from fourfold.model.report import Check
from fourfold.model.result import SCHEMA


@click.command(short_help="Check the installation, the configuration and the index.")
@json_option
@click.pass_obj
def command(session: Session, as_json: bool) -> int:
    """Check the installation, the configuration and the index. Exit code 1 where a check fails."""
    with session.open() as index:
        checks = [*index.doctor(), *helper_checks(index.settings.helper.enabled)]
    failed = [check for check in checks if not check.ok]
    if as_json:
        listed = [asdict(check) for check in checks]
        print_json({"schema": SCHEMA, "ok": not failed, "checks": listed}, session.out)
        return 1 if failed else 0
    for line in check_lines(checks, session.out):
        session.out.line(line)
    verdict = f"{count(len(failed), 'check')} failed" if failed else "all checks passed"
    session.note(verdict)
    return 1 if failed else 0


def helper_checks(enabled: bool) -> list[Check]:
    """The background helper; nothing where it is switched off. That none runs is no fault: none is needed."""
    from fourfold.interfaces.cli.commands.helper import in_words
    from fourfold.interfaces.helper.commands import is_wanted
    from fourfold.interfaces.helper.control import report

    if not enabled or not is_wanted(os.environ):
        return []
    told = report()
    return [Check("helper", True, in_words(told) if told is not None else "none is running; a question starts one")]


def check_lines(checks: list[Check], terminal: Terminal) -> list[str]:
    """``ok      name  detail`` or ``failed  name  detail  hint: ...``."""
    columns = max((width(safe(check.name)) for check in checks), default=0)
    lines = []
    for check in checks:
        mark = terminal.style("good", "ok    ") if check.ok else terminal.style("error", "failed")
        hint = f"  hint: {safe(check.hint)}" if check.hint and not check.ok else ""
        lines.append(f"{mark}  {pad(safe(check.name), columns)}  {safe(check.detail)}{hint}".rstrip())
    return lines
