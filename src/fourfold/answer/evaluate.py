"""How good answers are, by checks that need no model: what is cited, whether it holds, and how soon the truth is shown.

A target counts as cited where the lines of a citation overlap its lines (or its file, where it has no lines).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from fourfold.answer.check import Read
from fourfold.answer.claim import Evidence
from fourfold.answer.extract import shown
from fourfold.answer.support import names
from fourfold.answer.tokens import estimate
from fourfold.model.answer import Citation

if TYPE_CHECKING:
    from fourfold.model.answer import AskResult

FIRST_TOKENS = 1_500
"""How far into an answer a person or an agent is taken to read."""
_MARKS = re.compile(r"\[(\d{1,4})\]")


@dataclass(frozen=True, slots=True)
class Truth:
    """A place that answers a question: lines from 1, both included; 0 for a whole file."""

    path: str
    start_line: int = 0
    end_line: int = 0

    def cited_by(self, one: Citation) -> bool:
        """True where the citation shows it."""
        return one.path == self.path and (
            not self.start_line or (one.start_line <= self.end_line and one.end_line >= self.start_line)
        )


@dataclass(frozen=True, slots=True)
class AnswerScores:
    """One judged answer; shares lie between 0 and 1.

    `held`: citations whose lines stand in the file as quoted (1 where there are none). `named`: sentences with
    citations whose names of code all stand in the lines, the symbols or the paths that they cite (1 where there are
    none). `precision`: citations that show a target; `recall`: targets that are cited; `files`: target files that are
    cited. `reached`: targets that are shown within the first :data:`FIRST_TOKENS` tokens; `printed`: the same where
    only the text is read, as a terminal prints it, without the quoted lines. `tokens`: how much a reader has read when
    the first target is shown, None where none is.
    """

    citations: int
    held: float
    named: float
    precision: float
    recall: float
    files: float
    reached: float
    printed: float
    tokens: int | None
    extractive: bool

    @property
    def shown(self) -> bool:
        """True where a target is shown within the first :data:`FIRST_TOKENS` tokens."""
        return self.tokens is not None and self.tokens <= FIRST_TOKENS


def score_answer(result: AskResult, targets: Sequence[Truth], read: Read) -> AnswerScores:
    """Judge one answer; `read` gives the text of a file as it is on disk."""
    cited = result.answer.citations
    right = [one for one in cited if any(target.cited_by(one) for target in targets)]
    paths = {target.path for target in targets}
    reached = [_tokens_to(result, [target]) for target in targets]
    printed = [_tokens_to(result, [target], quotes=False) for target in targets]
    return AnswerScores(
        citations=len(cited),
        held=_share([_holds(one, read) for one in cited]),
        named=_share(_sentences_named(result)),
        precision=len(right) / len(cited) if cited else 0.0,
        recall=sum(any(target.cited_by(one) for one in cited) for target in targets) / max(len(targets), 1),
        files=len(paths & {one.path for one in cited}) / max(len(paths), 1),
        reached=_early(reached),
        printed=_early(printed),
        tokens=min((one for one in reached if one is not None), default=None),
        extractive=result.answer.extractive,
    )


def evaluate_answers(
    ask: Callable[[str], AskResult],
    questions: Sequence[tuple[str, Sequence[Truth]]],
    read: Read,
    say: Callable[[int, int], None] | None = None,
) -> list[AnswerScores]:
    """Ask every (question, targets) and judge the answers; `say` is told how many of all are done."""
    found = []
    for number, (question, targets) in enumerate(questions, 1):
        found.append(score_answer(ask(question), targets, read))
        if say is not None:
            say(number, len(questions))
    return found


def summed_up(scores: Sequence[AnswerScores]) -> dict[str, float]:
    """Means over answers: ``questions``, ``answered`` (share with citations), ``shown`` (within the first 1,500
    tokens), and those of :class:`AnswerScores`; ``tokens`` is the median of answers that show a target."""
    count = len(scores)
    if not count:
        return {"questions": 0.0}
    reached = sorted(one.tokens for one in scores if one.tokens is not None)
    means = {
        name: sum(float(getattr(one, name)) for one in scores) / count
        for name in ("held", "named", "precision", "recall", "files", "shown", "reached", "printed", "extractive")
    }
    return {
        "questions": float(count),
        "answered": sum(one.citations > 0 for one in scores) / count,
        **means,
        "tokens": float(reached[len(reached) // 2]) if reached else 0.0,
    }


def _holds(one: Citation, read: Read) -> bool:
    """True where the quoted lines stand in the file at the lines cited."""
    text = read(one.path)
    if text is None or one.start_line < 1 or one.end_line < one.start_line:
        return False
    return text.split("\n")[one.start_line - 1 : one.end_line] == one.quote.split("\n")


def _sentences_named(result: AskResult) -> list[bool]:
    """For each line of the text with citations: whether its names of code stand in what it cites."""
    by_number = {one.n: one for one in result.answer.citations}
    found = []
    for part in _cited_parts(result.answer.text):
        cited = [by_number[int(n)] for n in _MARKS.findall(part) if int(n) in by_number]
        wanted = names(part)
        if cited and wanted:
            held = "\n".join(f"{one.path} {one.symbol}\n{one.quote}" for one in cited)
            found.append(all(re.search(rf"(?<!\w){re.escape(name)}(?!\w)", held) for name in wanted))
    return found


def _cited_parts(text: str) -> list[str]:
    """The text cut behind each group of citations: a sentence and its marks."""
    return re.findall(r"[^\n]*?(?:\[\d{1,4}\])+|[^\n]+", text)


def _early(tokens: Sequence[int | None]) -> float:
    """The share of targets that are shown within the first tokens; 0 without targets."""
    return sum(one is not None and one <= FIRST_TOKENS for one in tokens) / max(len(tokens), 1)


def _tokens_to(result: AskResult, targets: Sequence[Truth], *, quotes: bool = True) -> int | None:
    """Tokens read until a target is shown: the text in order, with `quotes` each citation's lines where it is first
    named."""
    by_number = {one.n: one for one in result.answer.citations}
    used, seen = 0, set()
    for part in _cited_parts(result.answer.text):
        used += estimate(part)
        for number in map(int, _MARKS.findall(part)):
            one = by_number.get(number)
            if one is None or number in seen:
                continue
            seen.add(number)
            if quotes:
                used += estimate(shown(Evidence(one.path, one.start_line, one.end_line, one.quote, one.symbol)))
            if any(target.cited_by(one) for target in targets):
                return used
    return None


def _share(found: Sequence[bool]) -> float:
    return sum(found) / len(found) if found else 1.0
