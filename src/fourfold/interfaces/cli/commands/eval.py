"""``fourfold eval``: how good the search is on this repository, and what would make it better."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from fourfold.interfaces.cli.eval_answers import answers
from fourfold.interfaces.cli.eval_progress import progresses
from fourfold.interfaces.cli.eval_session import GROUPS, labels_of, opened, refreshed
from fourfold.interfaces.cli.eval_tune import tune
from fourfold.interfaces.cli.options import Whole, json_option
from fourfold.interfaces.cli.output import print_json
from fourfold.interfaces.cli.session import Session
from fourfold.interfaces.cli.width import safe_name
from fourfold.model.errors import UsageError

if TYPE_CHECKING:
    from fourfold.engine import Index

MAX_COUNT = 5000
MISSED_SHOWN = 5
RUN = "run"

missed_option = click.option(
    "--missed", type=Whole(0), default=MISSED_SHOWN, help=f"Missed questions shown (default: {MISSED_SHOWN})."
)


class EvalGroup(click.Group):
    """What is no command of its own belongs to ``run``."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Put ``run`` before options that belong to it."""
        if not args or (args[0] not in self.commands and args[0] not in ctx.help_option_names):
            args = [RUN, *args]
        return super().parse_args(ctx, args)


@click.group(cls=EvalGroup, short_help="How good the search is here: measured, compared, improved.")
def command() -> None:
    """Measure how well this repository is searched, with questions whose answers are known.

    \b
      fourfold eval                                # 200 questions mined from this repository
      fourfold eval --compare preset=quick         # two ways of searching on the same questions
      fourfold eval --questions mine.jsonl --gate "hit@5>=0.8"
      fourfold eval tune                           # fit the ranking to this repository
      fourfold eval answers                        # answers in words, every citation checked

    Without a command of its own it measures: fourfold eval is fourfold eval run.
    """


@command.command(RUN, short_help="Ask questions whose answers are known, and say how good the answers are.")
@click.option("--questions", "file", type=click.Path(path_type=Path), metavar="FILE", help="Your own: JSON lines.")
@click.option("-n", "--count", type=Whole(1, MAX_COUNT), default=200, help="Questions to mine (default: 200).")
@click.option("--kind", "kinds", multiple=True, type=click.Choice(GROUPS), help="Mine only from these.")
@click.option("--seed", type=Whole(0, 2**31), default=0, help="Draws questions and samples (default: 0).")
@click.option("--set", "base", metavar="KEY=VALUE,...", help="What is measured, where it is not as configured.")
@click.option("--compare", "others", multiple=True, metavar="KEY=VALUE,...", help="Measure this change beside it.")
@click.option("--gate", "gates", multiple=True, metavar="METRIC>=VALUE", help="Exit with 1 where it is not met.")
@missed_option
@click.option("--html", "page", type=click.Path(path_type=Path), metavar="FILE", help="Write the report as a page.")
@click.option("--write-questions", "out", type=click.Path(path_type=Path), metavar="FILE", help="Write the questions.")
@json_option
@click.pass_obj
def run(session: Session, /, **options: Any) -> int:
    """Put questions to the search and print how good the answers are, with 95 % intervals, and why some were missed.

    Questions are mined from this repository unless FILE has some: the first sentence of a documentation asks for what
    it documents, a test's name for its subject, a commit's subject for its files, a name for its definition, "who
    calls" for callers. What a question was made of is hidden from the index that it is put to.

    Keys of --set and --compare are preset, k, ranking (own or bundled), chunker, model, and embedding settings.
    Reports are kept: fourfold eval show.
    """
    from fourfold.evaluate.configuration import changed, configuration_of
    from fourfold.evaluate.evaluation import evaluate
    from fourfold.evaluate.gate import parse_gate

    gates = [parse_gate(text) for text in options["gates"]]
    with opened(session) as index:
        base = configuration_of(index.settings)
        if options["base"]:
            base = changed(base, options["base"], index.settings)
        wanted = [base, *(changed(base, text, index.settings) for text in options["others"])]
        if len({one.name for one in wanted}) < len(wanted):
            raise UsageError("two of the configurations are the same", hint="change something with --compare")
        refreshed(session, index)
        if options["file"] is not None and options["kinds"]:
            raise UsageError("--kind is for questions that are mined", hint="leave it out, or leave out --questions")
        kinds = options["kinds"] or GROUPS
        labels = labels_of(session, index, options["file"], options["count"], options["seed"], kinds)
        if not labels.questions:
            session.warn("no question can be mined here: there is no documentation, test, history or name to ask for")
            return 1
        if options["out"] is not None:
            from fourfold.evaluate.questions import write_questions

            write_questions(session.directory / options["out"], labels.questions)
        told = progresses(session, index.root.name)
        try:
            report = evaluate(index, labels, wanted, seed=options["seed"], gates=gates, progress=told)
        finally:
            told.clear()
        _keep(session, index, report)
    return _show(session, report, options)


@command.command(short_help="Show a report that was made before.")
@click.argument("report", required=False, default="", metavar="[REPORT]")
@click.option("--list", "listed", is_flag=True, help="List the stored reports instead.")
@missed_option
@click.option("--html", "page", type=click.Path(path_type=Path), metavar="FILE", help="Write the report as a page.")
@json_option
@click.pass_obj
def show(session: Session, /, report: str, listed: bool, **options: Any) -> int:
    """Show a stored REPORT of this repository, the newest one where none is named."""
    from fourfold.evaluate.stored import list_reports, load_report

    with opened(session) as index:
        location = index.location
    if not listed:
        return _show(session, load_report(location, report), options)
    found = list_reports(location)
    if options["as_json"]:
        from dataclasses import asdict

        from fourfold.model.result import SCHEMA, plain

        print_json({"schema": SCHEMA, "items": [plain(asdict(one)) for one in found]}, session.out)
        return 0 if found else 1
    from fourfold.interfaces.cli.eval_lines import listed_lines

    for line in listed_lines(found):
        session.out.line(line)
    if not found:
        session.note("no evaluation of this repository is stored; run: fourfold eval")
    return 0 if found else 1


command.add_command(tune)
command.add_command(answers)


def _keep(session: Session, index: Index, report: dict[str, Any]) -> None:
    """Store the report, and say so where that fails: it is shown all the same."""
    from fourfold.evaluate.stored import save_report

    try:
        report["times"]["id"] = save_report(index.location, report)
    except OSError as error:
        session.warn(f"the report could not be stored: {error.strerror}")


def _show(session: Session, report: dict[str, Any], options: dict[str, Any]) -> int:
    """Print a report; 1 where a gate is not met."""
    from fourfold.interfaces.cli.eval_lines import gate_lines, report_lines

    if options["page"] is not None:
        from fourfold.evaluate.page import write_page

        write_page(session.directory / options["page"], report)
    if options["as_json"]:
        print_json(report, session.out)
    else:
        for line in report_lines(report, session.out, missed=options["missed"]):
            session.out.line(line)
    for line in gate_lines(report, session.err):
        session.err.line(line)
    if options["page"] is not None:
        session.note(f"wrote {safe_name(str(options['page']))}")
    return 0 if all(gate["met"] for gate in report["gates"]) else 1
