"""Claims put together to an answer: each citation checked on disk first, within a budget of tokens."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from fourfold.answer.check import Checker
from fourfold.answer.claim import SPARE, Claim, Evidence, Section
from fourfold.answer.prose import count
from fourfold.answer.tokens import estimate
from fourfold.model.answer import Citation

TOLD_FIRST = 2
"""The rank up to which a claim is told at length before further ones are named."""
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
    """The sections as Markdown with ``[n]`` after each claim, as many claims as `tokens` allow, those of the least rank
    first; one is always there. A claim any of whose citations fails is left out, and counted by the checker. Room that
    is left goes into saying more of each."""
    room = _Room(checker, tokens)
    numbered = sorted((claim.rank, at, n) for at, one in enumerate(sections) for n, claim in enumerate(one.claims))
    for rank, at, n in numbered:
        if rank < SPARE:
            room.take((at, n), sections[at].claims[n], sections[at].lead)
    for rank, at, n in numbered:
        if rank <= TOLD_FIRST:
            room.lengthen((at, n))
    for rank, at, n in numbered:
        if rank >= SPARE:
            room.take((at, n), sections[at].claims[n], sections[at].lead)
    for rank, at, n in numbered:
        if rank > TOLD_FIRST:
            room.lengthen((at, n))
    cited = Cited()
    blocks: list[str] = []
    for at, section in enumerate(sections):
        held = [room.held[at, n] for n in range(len(section.claims)) if (at, n) in room.held]
        texts: list[str] = []
        for one in held:
            marks = "".join(f"[{n}]" for n in dict.fromkeys(cited.number(*good) for good in one.evidence))
            texts.append(f"{one.claim.text} {marks}".rstrip())
        if texts:
            blocks.append(_block(section.lead, [one.claim for one in held], texts))
    left_out = room.left_out + sum(section.left_out for section in sections)
    if left_out and blocks:
        blocks.append(f"({count(left_out, 'further place')} left out.)")
    return Extract("\n\n".join(blocks), tuple(cited.citations), left_out)


@dataclass(frozen=True, slots=True)
class _Held:
    """A claim that stands in an answer, with its checked evidence and how far that has moved."""

    claim: Claim
    evidence: list[tuple[Evidence, int]]


@dataclass(slots=True)
class _Room:
    """What there is room for: claims by (section, place in it), and how many had none."""

    checker: Checker
    tokens: int
    held: dict[tuple[int, int], _Held] = field(default_factory=dict)
    left_out: int = 0
    _used: int = 0
    _led: set[int] = field(default_factory=set)
    _shown: Counter[tuple[str, int, int]] = field(default_factory=Counter)

    def take(self, at: tuple[int, int], claim: Claim, lead: str) -> None:
        """Take a claim if it holds and there is room; the first one that holds is always taken."""
        held = _checked(claim, self.checker.check)
        if held is None:
            return
        price = self._price(held) + (0 if at[0] in self._led else estimate(lead))
        if self._used + price > self.tokens and self.held:
            self.left_out += claim.rank < SPARE
            return
        self._led.add(at[0])
        self._put(at, held, price)

    def lengthen(self, at: tuple[int, int]) -> None:
        """Say at more length what is taken, if there is room."""
        short = self.held.get(at)
        if short is None or short.claim.longer is None:
            return
        longer = _checked(short.claim.longer, self.checker.find)
        if longer is None:
            return
        self._shown.subtract(_key(one) for one, _ in short.evidence)
        self._used -= self._price(short)
        price = self._price(longer)
        fits = self._used + price <= self.tokens
        self._put(at, longer if fits else short, price if fits else self._price(short))

    def _put(self, at: tuple[int, int], held: _Held, price: int) -> None:
        self.held[at] = held
        self._used += price
        self._shown.update(_key(one) for one, _ in held.evidence)

    def _price(self, held: _Held) -> int:
        """Tokens of a claim and of those of its citations that are not shown yet."""
        new = {_key(one): one for one, _ in held.evidence if not self._shown[_key(one)]}
        return estimate(held.claim.text) + 2 * len(held.evidence) + sum(estimate(shown(one)) for one in new.values())


def _checked(claim: Claim, check: Callable[[Evidence], tuple[Evidence, int] | None]) -> _Held | None:
    """The claim with its evidence as it stands on disk; None where any of it does not."""
    checked = [check(one) for one in claim.evidence]
    good = [one for one in checked if one is not None]
    return _Held(claim, good) if len(good) == len(checked) else None


def _key(evidence: Evidence) -> tuple[str, int, int]:
    return evidence.path, evidence.start_line, evidence.end_line


def _block(lead: str, claims: Sequence[Claim], texts: Sequence[str]) -> str:
    """One section: its lead, sentences in one paragraph, items of a list below."""
    prose = " ".join([lead, *(text for claim, text in zip(claims, texts, strict=True) if not claim.bullet)]).strip()
    items = [f"- {text}" for claim, text in zip(claims, texts, strict=True) if claim.bullet]
    return "\n".join([prose, *items] if prose else items)
