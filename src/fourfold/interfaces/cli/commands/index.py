"""``fourfold index``: build the index, or bring it up to date."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from fourfold.interfaces.cli.failure import INTERRUPTED
from fourfold.interfaces.cli.options import Seconds, gpu_option, gpu_override, json_option
from fourfold.interfaces.cli.output import print_report
from fourfold.interfaces.cli.packages import index_packages
from fourfold.interfaces.cli.session import Session, existing_folder
from fourfold.interfaces.cli.width import safe_name
from fourfold.interfaces.cli.words import count, seconds, size, skipped_words
from fourfold.model.errors import BackendUnavailable, UsageError
from fourfold.model.report import RefreshPlan, RefreshReport

if TYPE_CHECKING:
    from fourfold.engine import Index

LISTED = 20
"""Paths of each sort that a dry run lists; --json has all of them."""


@click.command(short_help="Build the index, or bring it up to date.")
@click.argument("path", required=False, type=click.Path(path_type=Path))
@click.option("--dry-run", is_flag=True, help="Only say what would be indexed.")
@click.option("--force", is_flag=True, help="Read every file anew, changed or not.")
@click.option("--no-progress", is_flag=True, help="No progress line.")
@click.option("--wide", is_flag=True, help="Allow a home folder or the root of a file system.")
@click.option("--deps", is_flag=True, help="Index the packages installed in the project's .venv, at their versions.")
@click.option("--python", metavar="PATH", default="", help="With --deps: another environment, or its interpreter.")
@click.option("--node", is_flag=True, help="Index the packages of package.json, as they lie in node_modules.")
@click.option("--wait", type=Seconds(), help="Wait for another writer this long.")
@gpu_option
@json_option
@click.pass_obj
def command(
    session: Session,
    path: Path | None,
    dry_run: bool,
    force: bool,
    no_progress: bool,
    wide: bool,
    deps: bool,
    python: str,
    node: bool,
    wait: float | None,
    gpu: bool,
    as_json: bool,
) -> int:
    """Index the repository around PATH (default: the folder you are in).

    Searching does this by itself; index does it beforehand, for instance in a hook. Interrupted, it keeps
    what it has indexed so far and goes on from there the next time.
    """
    if path is not None:
        session = replace(session, directory=existing_folder(session.directory / path, "PATH"))
    with session.open({"index.lock_wait_s": wait, **gpu_override(gpu)}, allow_wide=wide) as index:
        if deps or node or python:
            if dry_run or force:
                raise UsageError("--deps and --node index what is not indexed yet", hint="leave out --dry-run, --force")
            return index_packages(session, index, python=python, node=node and not deps and not python, as_json=as_json)
        if dry_run:
            return _plan(session, index, as_json)
        progress = session.progress(index.root.name, quiet=no_progress)
        try:
            report = index.refresh(force=force, progress=progress, wait_s=index.settings.index.lock_wait_s)
        finally:
            progress.clear()
        if as_json:
            print_report(report, session.out)
        for warning in (*report.warnings, *([report.fault] if report.fault else [])):
            session.warn(warning)
        session.err.line("\n".join(summary(report, index.root.name)))
        if report.interrupted:
            return INTERRUPTED
        return BackendUnavailable.exit_code if report.fault else 0


def _plan(session: Session, index: Index, as_json: bool) -> int:
    """Print what a refresh would do."""
    plan = index.plan()
    if as_json:
        print_report(plan, session.out)
    else:
        session.out.line("\n".join(plan_lines(plan, str(index.root))))
    return 0


def summary(report: RefreshReport, name: str) -> list[str]:
    """What a refresh did, in one line or two."""
    moved = {"added": report.added, "changed": report.changed, "removed": report.removed}
    done = ", ".join(f"{number:,} {word}" for word, number in moved.items() if number)
    head = "interrupted, what is indexed is kept" if report.interrupted else "indexed"
    parts = [f"{head}  {safe_name(name)}  {count(report.files, 'file')}: {done or 'nothing changed'}"]
    if report.chunks:
        parts += [count(report.chunks, "chunk"), count(report.lines, "line")]
    lines = [" · ".join(parts) + f" in {seconds(report.seconds)}"]
    if report.vectors:
        lines.append(f"embedded {count(report.vectors, 'chunk')}")
    if report.skipped:
        lines.append(f"skipped  {skipped_words(report.skipped)}")
    return lines


def plan_lines(plan: RefreshPlan, root: str) -> list[str]:
    """What a refresh would do: counts, the first paths of each sort, the reasons of what is skipped."""
    total = len(plan.added) + len(plan.changed)
    lines = [f"{safe_name(root)}: {count(total, 'file')} to read, {size(plan.bytes)}; {plan.unchanged:,} unchanged"]
    for word, paths in (("add", plan.added), ("change", plan.changed), ("remove", plan.removed)):
        lines += _listed(word, paths)
    if plan.skipped:
        lines.append(f"skip {skipped_words(plan.skipped)}")
    return lines


def _listed(word: str, paths: Sequence[str]) -> list[str]:
    if not paths:
        return []
    lines = [f"{word} {count(len(paths), 'file')}", *(f"  {safe_name(path)}" for path in paths[:LISTED])]
    left = len(paths) - LISTED
    return [*lines, f"  and {left:,} more (--json has all)"] if left > 0 else lines
