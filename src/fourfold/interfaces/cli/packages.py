"""Indexing the installed packages of a project, and saying what was done."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fourfold.interfaces.cli.failure import INTERRUPTED
from fourfold.interfaces.cli.output import print_report
from fourfold.interfaces.cli.session import Session
from fourfold.interfaces.cli.width import safe_name
from fourfold.interfaces.cli.words import count
from fourfold.model.errors import IndexUnavailable

if TYPE_CHECKING:
    from fourfold.engine import Index

LISTED = 10
"""Packages left out that are named; --json has all of them."""


def index_packages(session: Session, index: Index, *, python: str, node: bool, as_json: bool) -> int:
    """Index the packages; returns the exit code."""
    from fourfold.engine.dependencies import Dependencies

    packages = Dependencies(index)
    lines: list[Any] = []

    def progress(name: str) -> Any:
        for line in lines:
            line.clear()
        lines.append(session.progress(name))
        return lines[-1]

    named = str(session.directory / python) if python else ""
    try:
        report = packages.refresh(python=named, node=node, progress=progress)
    finally:
        for line in lines:
            line.clear()
        packages.close()
    if as_json:
        print_report(report, session.out)
    done = f"{count(len(report.indexed), 'package')} indexed, {len(report.known):,} known already"
    session.err.line(f"{done}, {count(report.files, 'file')}; ask them with --scope deps or --scope all")
    for text in [*report.failed, *report.left[:LISTED]]:
        session.warn(safe_name(text))
    if len(report.left) > LISTED:
        session.note(f"{len(report.left) - LISTED:,} more are left out (--json has all)")
    if report.interrupted:
        return INTERRUPTED
    return IndexUnavailable.exit_code if report.failed and not (report.known or report.indexed) else 0
