"""Claims put together to an answer: each citation checked on disk first, within a budget of tokens."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from fourfold.answer.check import Checker
from fourfold.answer.claim import Claim, Evidence, Section
from fourfold.answer.prose import count
from fourfold.answer.tokens import estimate
from fourfold.model.answer import Citation

QUOTED_LINES = 3
"""Lines of a quotation that count as shown."""


@dataclass(slots=True)
class Cited:
    """Citations in the order in which the text names them; the same lines have one number."""

    citations: list[Citation] = field(default_factory=list)
    _numbers: dict[tuple[str, int, int], int] = field(default_factory=dict)

    def number(self, evidence: Evidence, moved: int = 0) -> int:
        """The number of lines that were checked."""
        key = (evidence.path, evidence.start_line, evidence.end_line)
        if key not in self._numbers:
            n = self._numbers[key] = len(self.citations) + 1
            self.citations.append(Citation(n, *key, evidence.quote, True, evidence.symbol, moved))
        return self._numbers[key]

    def cost(self, evidence: Iterable[Evidence]) -> int:
        """Tokens that showing citations of these lines would add."""
        new = {(one.path, one.start_line, one.end_line): one for one in evidence}
        return sum(estimate(shown(one)) for key, one in new.items() if key not in self._numbers)


@dataclass(frozen=True, slots=True)
class Extract:
    """An assembled answer. `left_out` counts claims that were found but do not stand in it."""

    text: str
    citations: tuple[Citation, ...]
    left_out: int


def shown(evidence: Evidence) -> str:
    """Lines as they are listed below an answer, about."""
    quote = "\n".join(evidence.quote.split("\n")[:QUOTED_LINES])
    return f"[1] {evidence.path}:{evidence.start_line}-{evidence.end_line} {evidence.symbol}\n{quote}\n"


def assemble(sections: Sequence[Section], checker: Checker, tokens: int) -> Extract:
    """The sections as Markdown with ``[n]`` after each claim, as many claims as `tokens` allow; the first is always
    there. A claim any of whose citations fails is left out, and counted by the checker."""
    cited, left_out, used = Cited(), 0, 0
    blocks: list[str] = []
    for section in sections:
        lines: list[Claim] = []
        texts: list[str] = []
        left_out += section.left_out
        for claim in section.claims:
            checked = [checker.check(one) for one in claim.evidence]
            good = [one for one in checked if one is not None]
            if len(good) != len(checked):
                continue
            lead = estimate(section.lead) if not texts else 0
            price = lead + estimate(claim.text) + 2 * len(good) + cited.cost(one for one, _ in good)
            if used + price > tokens and cited.citations:
                left_out += 1
                continue
            used += price
            marks = "".join(f"[{n}]" for n in dict.fromkeys(cited.number(one, moved) for one, moved in good))
            texts.append(f"{claim.text} {marks}".rstrip())
            lines.append(claim)
        if texts:
            blocks.append(_block(section.lead, lines, texts))
    if left_out and blocks:
        blocks.append(f"({count(left_out, 'further place')} left out.)")
    return Extract("\n\n".join(blocks), tuple(cited.citations), left_out)


def _block(lead: str, claims: Sequence[Claim], texts: Sequence[str]) -> str:
    """One section: its lead, sentences in one paragraph, items of a list below."""
    prose = " ".join([lead, *(text for claim, text in zip(claims, texts, strict=True) if not claim.bullet)]).strip()
    items = [f"- {text}" for claim, text in zip(claims, texts, strict=True) if claim.bullet]
    return "\n".join([prose, *items] if prose else items)
