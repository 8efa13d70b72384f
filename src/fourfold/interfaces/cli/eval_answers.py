"""``fourfold eval answers``: how good answers in words are here."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from fourfold.interfaces.cli.eval_session import labels_of, opened, refreshed
from fourfold.interfaces.cli.options import Whole, json_option
from fourfold.interfaces.cli.output import print_json
from fourfold.interfaces.cli.session import Session
from fourfold.interfaces.cli.table import facts
from fourfold.model.errors import BackendUnavailable

if TYPE_CHECKING:
    from fourfold.answer.rubric import Marks
    from fourfold.engine import Index
    from fourfold.model.answer import AskResult

GROUPS = ("names", "callers")
"""Mined questions whose answer the index may hold as it is: nothing need be hidden from it."""
MAX_COUNT = 1000


@click.command("answers", short_help="How good answers in words are: citations checked, truth cited.")
@click.option("--questions", "file", type=click.Path(path_type=Path), metavar="FILE", help="Your own: JSON lines.")
@click.option("-n", "--count", type=Whole(1, MAX_COUNT), default=50, help="Questions to mine (default: 50).")
@click.option("--seed", type=Whole(0, 2**31), default=0, help="Draws questions (default: 0).")
@click.option("--extractive", is_flag=True, help="Ask no language model, even if one is configured.")
@click.option("--judge", is_flag=True, help="Let the configured language model mark each answer, from 1 to 5.")
@json_option
@click.pass_obj
def answers(session: Session, /, **options: Any) -> int:
    """Put questions to ask and judge the answers.

    Without a model it is checked whether every citation stands on disk, whether the cited lines hold the names of their
    sentence, which citations show a target and which targets are cited, and whether one is shown within the first 1,500
    tokens. Questions are mined from names and callers unless FILE has some. With --judge the language model of [llm]
    marks faithfulness and relevance by the rubric in docs/ask.md.
    """
    from fourfold.answer.evaluate import FIRST_TOKENS, Truth, score_answer, summed_up

    with opened(session) as index:
        refreshed(session, index)
        labels = labels_of(session, index, options["file"], options["count"], options["seed"], GROUPS)
        if not labels.questions:
            session.warn("no question can be mined here: there is no name to ask for")
            return 1
        judge = _judge(index) if options["judge"] else None
        scores, marks = [], []
        for question in labels.questions[: MAX_COUNT if options["file"] else options["count"]]:
            result = index.ask(question.text, tokens=FIRST_TOKENS, extractive=options["extractive"], refresh=False)
            truths = [Truth(one.path, one.start_line or 0, one.end_line or 0) for one in question.targets]
            scores.append(score_answer(result, truths, lambda path: index.read(path).text))
            if judge is not None:
                marks.append(judge(result))
    found = summed_up(scores)
    if marks:
        found["faithfulness"] = sum(one.faithfulness for one in marks) / len(marks)
        found["relevance"] = sum(one.relevance for one in marks) / len(marks)
    if options["as_json"]:
        print_json({"schema": _schema(), "scores": {key: round(value, 4) for key, value in found.items()}}, session.out)
        return 0
    for line in facts([(WORDS[key], _shown(key, value)) for key, value in found.items()], session.out):
        session.out.line(line)
    return 0


WORDS = {
    "questions": "questions",
    "answered": "answered with citations",
    "held": "citations that stand on disk",
    "named": "sentences whose names are in the cited lines",
    "precision": "citations that show a target",
    "recall": "targets cited",
    "files": "target files cited",
    "shown": "target shown within 1,500 tokens",
    "reached": "targets shown within 1,500 tokens",
    "printed": "the same without the quoted lines",
    "extractive": "extractive answers",
    "tokens": "tokens until the target, median",
    "faithfulness": "faithfulness, 1 to 5",
    "relevance": "relevance, 1 to 5",
}
_COUNTS = frozenset({"questions", "tokens"})


def _shown(key: str, value: float) -> str:
    return f"{value:,.0f}" if key in _COUNTS else f"{value:.3f}"


def _judge(index: Index) -> Any:
    """What marks an answer. Raises BackendUnavailable where no language model is configured."""
    from fourfold.answer.rubric import judge_answer
    from fourfold.llm.load import load_model, why_none

    model = load_model(index.settings)
    if model is None:
        raise BackendUnavailable(
            f"--judge needs a language model: {why_none(index.settings)}", hint="set [llm] in your configuration"
        )

    def judged(result: AskResult) -> Marks:
        return judge_answer(model, result)

    return judged


def _schema() -> str:
    from fourfold.model.result import SCHEMA

    return SCHEMA
