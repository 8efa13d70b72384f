"""``fourfold eval tune``: fit the ranking to a repository."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import click

from fourfold.interfaces.cli.eval_lines import titled
from fourfold.interfaces.cli.eval_progress import progresses
from fourfold.interfaces.cli.eval_session import labels_of, opened, refreshed
from fourfold.interfaces.cli.options import Whole, json_option
from fourfold.interfaces.cli.output import print_json
from fourfold.interfaces.cli.session import Session
from fourfold.interfaces.cli.structure_rows import wrapped
from fourfold.interfaces.cli.terminal import Terminal
from fourfold.interfaces.cli.width import safe, safe_name
from fourfold.interfaces.cli.words import count, seconds
from fourfold.model.errors import UsageError
from fourfold.model.result import SCHEMA

MAX_COUNT = 5000


@click.command(short_help="Fit the ranking to this repository, where that helps.")
@click.option("--questions", "file", type=click.Path(path_type=Path), metavar="FILE", help="Your own: JSON lines.")
@click.option("-n", "--count", type=Whole(1, MAX_COUNT), default=400, help="Questions to mine (default: 400).")
@click.option("--seed", type=Whole(0, 2**31), default=0, help="Draws the questions (default: 0).")
@click.option("--dry-run", is_flag=True, help="Install nothing, only say what it would bring.")
@click.option("--undo", is_flag=True, help="Remove the weights fitted on this repository.")
@json_option
@click.pass_obj
def tune(session: Session, /, undo: bool, dry_run: bool, **options: Any) -> int:
    """Fit the weights of the ranking on questions of this repository, and use them for it from then on.

    The gain is that on questions about files that the weights have not seen (five folds by file). Weights are installed
    in your configuration folder only where its 95 % interval lies above 0; nothing is written into the repository.
    """
    with opened(session) as index:
        if undo:
            if dry_run or options["file"] is not None:
                raise UsageError("--undo goes with no other option", hint="run: fourfold eval tune --undo")
            return _undo(session, index, options["as_json"])
        refreshed(session, index)
        labels = labels_of(session, index, options["file"], options["count"], options["seed"])
        told = progresses(session, index.root.name)
        from fourfold.evaluate.tune import tune as fit

        try:
            report = fit(index, labels, seed=options["seed"], install=not dry_run, progress=told)
        finally:
            told.clear()
    if options["as_json"]:
        print_json(report, session.out)
    else:
        for line in tuning_lines(report, session.out):
            session.out.line(line)
        _say(session, report, dry_run)
    return 0


def _undo(session: Session, index: Any, as_json: bool) -> int:
    from fourfold.evaluate.tune import undo

    removed = undo(index)
    if as_json:
        print_json({"schema": SCHEMA, "removed": removed}, session.out)
    elif removed:
        session.out.line("removed the weights fitted on this repository; searches use those of the program again")
    else:
        session.note("no weights are fitted on this repository")
    return 0 if removed else 1


def _say(session: Session, report: Mapping[str, Any], dry_run: bool) -> None:
    if report["installed"]:
        session.note(f"installed {safe_name(report['file'])}; undo: fourfold eval tune --undo")
    elif dry_run and _real(report):
        session.note("nothing was installed (--dry-run)")
    else:
        session.note("nothing was installed: a gain of 0 is within the intervals")


def _real(report: Mapping[str, Any]) -> bool:
    return bool(report["ranking"]["real"] or any(one["real"] for one in report["modalities"].values()))


def tuning_lines(report: Mapping[str, Any], terminal: Terminal) -> Iterator[str]:
    """What tuning found, as text."""
    questions, ranking = report["questions"], report["ranking"]
    source = "mined" if questions["source"] == "mined" else f"from {safe_name(questions['source'])}"
    head = [f"{safe_name(report['name'])}: {count(questions['count'], 'question')} {source}, seed {report['seed']}"]
    head += [f"{questions['teaching']:,} teach the order of files", seconds(report["times"]["seconds"])]
    yield from (terminal.style("dim", line) for line in wrapped(head, terminal.columns))
    yield ""
    rows = [["ndcg@10 on files not seen", "before", "after", "gain", "95 %", "n", "better", "worse"]]
    rows.append(_row("ranking (preset default)", ranking))
    rows += [_row(f"modalities, {safe(intent)} (preset contract)", one) for intent, one in report["modalities"].items()]
    yield from titled(rows, terminal)
    yield ""
    kinds = [["by kind", "n", "before", "after"]]
    kinds += [[safe(kind), f"{one['n']:,}", f"{one['before']:.3f}", f"{one['after']:.3f}"]
              for kind, one in ranking["by_kind"].items()]  # fmt: skip
    yield from titled(kinds, terminal)


def _row(name: str, one: Mapping[str, Any]) -> list[str]:
    return [
        name,
        f"{one['before']:.4f}",
        f"{one['after']:.4f}",
        f"{one['gain']:+.4f}",
        f"({one['low']:+.4f} to {one['high']:+.4f})",
        f"{one['questions']:,}",
        f"{one['better']:,}",
        f"{one['worse']:,}",
    ]
