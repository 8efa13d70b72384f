"""``fourfold watch``: keep the index fresh until Ctrl-C."""

from __future__ import annotations

import json
from dataclasses import asdict
from datetime import datetime
from typing import TYPE_CHECKING

import click

from fourfold.interfaces.cli.failure import INTERRUPTED
from fourfold.interfaces.cli.options import Whole, gpu_option, gpu_override
from fourfold.interfaces.cli.session import Session
from fourfold.interfaces.cli.width import safe, safe_name
from fourfold.interfaces.cli.words import count, seconds
from fourfold.model.report import Progress, RefreshReport
from fourfold.model.result import SCHEMA

if TYPE_CHECKING:
    from fourfold.index.watch import WatchEvent


REST_S = 60.0
"""An embedding model that failed is left alone for so long."""


@click.command(short_help="Keep the index fresh until Ctrl-C.")
@click.option("--parent-pid", type=Whole(1), metavar="PID", help="End when this process does (for editors and agents).")
@gpu_option
@click.option("--jsonl", "as_jsonl", is_flag=True, help="Print one JSON object an event.")
@click.pass_obj
def command(session: Session, parent_pid: int | None, gpu: bool, as_jsonl: bool) -> int:
    """Look at the repository you are in again and again, and bring its index up to date when something has changed.

    Searches do this by themselves; watching makes them find it done. A look is as cheap as the one before a search; the
    next one comes after 0.5 to 5 seconds, the longer a look takes. While the folder is gone, or another process writes
    the index, watch waits and says so. Settings are those at the start.
    """
    from fourfold.index.watch import STOPPED, watch

    with session.open(gpu_override(gpu)) as index:
        line = session.progress(index.root.name, quiet=as_jsonl)

        def refresh(check: object) -> RefreshReport:
            def step(progress: Progress) -> None:
                assert callable(check)
                check(progress)
                line(progress)

            try:
                report = index.refresh(progress=step)
            finally:
                line.clear()
            if report.fault:
                index.rest_vectors(REST_S)
            return report

        try:
            for event in watch(index.root, refresh, parent=parent_pid):
                session.out.line(_json(event) if as_jsonl else _text(event, index.root.name))
                session.out.stream.flush()
                for warning in (*event.report.warnings, event.report.fault) if event.report else ():
                    if warning:
                        session.warn(warning)
                if event.kind == STOPPED:
                    return 0
        except KeyboardInterrupt:
            session.note("stopped; what is indexed is kept")
            return INTERRUPTED
    return 0


def _json(event: WatchEvent) -> str:
    return json.dumps({"schema": SCHEMA, "time": _now().isoformat(timespec="seconds"), **asdict(event)})


def _text(event: WatchEvent, name: str) -> str:
    """``12:30:01  2 changed, 1 removed · 14 chunks in 0.12 s``."""
    from fourfold.index.watch import RESUMED, STARTED, STOPPED

    clock = f"{_now():%H:%M:%S}"
    if event.report is None:
        said = {RESUMED: "going on", STOPPED: f"stopped: {event.reason}"}.get(event.kind, event.reason)
        return f"{clock}  {safe(said)}"
    done = _done(event.report)
    if event.kind == STARTED:
        report = event.report
        files = count(report.files, "file")
        return f"{clock}  watching {safe_name(name)}  {files}: {done or 'up to date'} (Ctrl-C ends it)"
    return f"{clock}  {done}"


def _done(report: RefreshReport) -> str:
    moved = {"added": report.added, "changed": report.changed, "removed": report.removed}
    files = ", ".join(f"{number:,} {word}" for word, number in moved.items() if number)
    parts = [files] if files else []
    if report.chunks:
        parts.append(count(report.chunks, "chunk"))
    return f"{' · '.join(parts)} in {seconds(report.seconds)}" if parts else ""


def _now() -> datetime:
    return datetime.now().astimezone()
