"""``fourfold doctor``: check the installation, the configuration and the index."""

from __future__ import annotations

import os
from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from fourfold.interfaces.cli.options import json_option
from fourfold.interfaces.cli.output import print_json
from fourfold.interfaces.cli.session import Session
from fourfold.interfaces.cli.terminal import Terminal
from fourfold.interfaces.cli.width import pad, safe, width
from fourfold.interfaces.cli.words import count
from fourfold.model.errors import FourfoldError, UsageError
from fourfold.model.report import Check, Status
from fourfold.model.result import SCHEMA

if TYPE_CHECKING:
    from fourfold.engine import Index


@click.command(short_help="Check the installation, the configuration and the index.")
@click.option("--repair", is_flag=True, help="Make anew what is damaged, of an older format or not finished.")
@click.option("--report", is_flag=True, help="Print what a bug report needs, without paths, names and code.")
@json_option
@click.pass_obj
def command(session: Session, repair: bool, report: bool, as_json: bool) -> int:
    """Check the installation, the configuration and the index. Exit code 1 where a check fails.

    With --repair the checks follow the repair.
    """
    if report and as_json:
        raise UsageError("--report is text", hint="leave out --json")
    with session.open() as index:
        line = session.progress(index.root.name, quiet=as_json)
        try:
            done = index.repair(progress=line) if repair else []
            checks = [*index.doctor(progress=line), *helper_checks(index.settings.helper.enabled)]
        finally:
            line.clear()
        if report:
            session.out.line(_report(index, checks))
    failed = [check for check in checks if not check.ok]
    if as_json:
        listed = [asdict(check) for check in checks]
        print_json({"schema": SCHEMA, "ok": not failed, "checks": listed, "repaired": done}, session.out)
        return 1 if failed else 0
    for text in done:
        session.note(f"repaired: {text}")
    if not report:
        for text in check_lines(checks, session.out):
            session.out.line(text)
    verdict = f"{count(len(failed), 'check')} failed" if failed else "all checks passed"
    session.note(("nothing had to be repaired; " if repair and not done else "") + verdict)
    return 1 if failed else 0


def _report(index: Index, checks: list[Check]) -> str:
    from fourfold.index.bug_report import bug_report

    try:
        status: Status | FourfoldError = index.status()
    except FourfoldError as error:
        status = error
    return bug_report(checks, index.settings, status)


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
