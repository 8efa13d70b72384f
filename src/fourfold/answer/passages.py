"""The places that an answer is drawn from, as numbered code within a budget of tokens: definitions before mentions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from fourfold.answer.claim import Evidence, Section
from fourfold.answer.mentions import inmost
from fourfold.answer.tokens import estimate
from fourfold.model.answer import Passage

if TYPE_CHECKING:
    from fourfold.answer.scene import Scene

MAX_LINES = 28
"""Lines of one passage; a longer definition is given by its first ones."""
AROUND = 3
"""Lines shown on either side of a line that refers to something."""
HEAD_TOKENS = 40
"""What the head of a passage takes."""


@dataclass(frozen=True, slots=True)
class _Range:
    path: str
    start: int
    end: int
    role: str
    score: float = 0.0


def passages(scenes: Sequence[Scene], sections: Sequence[Section], tokens: int) -> tuple[Passage, ...]:
    """What the sections cite, first, then what the searches found; no line twice, at least one passage."""
    found: list[Passage] = []
    used = 0
    taken: dict[str, set[int]] = {}
    for scene, wanted in _wanted(scenes, sections):
        lines = scene.pages.lines(wanted.path)
        for start, end in _free(wanted, taken.setdefault(wanted.path, set()), len(lines)):
            snippet = "\n".join(lines[start - 1 : end])
            price = HEAD_TOKENS + estimate(snippet) + 2 * (end - start + 1)
            if not snippet.strip() or (found and used + price > tokens):
                continue
            used += price
            taken[wanted.path].update(range(start, end + 1))
            found.append(_passage(scene, wanted, len(found) + 1, start, end, snippet))
    return tuple(found)


def _wanted(scenes: Sequence[Scene], sections: Sequence[Section]) -> Iterator[tuple[Scene, _Range]]:
    """Ranges in the order of their worth."""
    if not scenes:
        return
    claims = sorted((claim for section in sections for claim in section.claims), key=lambda claim: claim.rank)
    cited = [one for claim in claims for one in claim.evidence[:1]]
    for evidence in cited:
        yield scenes[0], _around(scenes[0], evidence)
    for scene in scenes:
        for result in scene.results:
            end = min(result.end_line, result.start_line + MAX_LINES - 1)
            yield scene, _Range(result.path, result.start_line, end, "place", result.score)


def _around(scene: Scene, evidence: Evidence) -> _Range:
    """A citation as a passage: the definition whose head it is, else some lines around it."""
    symbol = inmost(scene.symbols(evidence.path), evidence.start_line)
    if symbol is not None and evidence.start_line < symbol.start_line + 3:
        end = min(symbol.end_line, symbol.start_line + MAX_LINES - 1)
        return _Range(evidence.path, symbol.start_line, max(end, evidence.end_line), "definition")
    first, last = evidence.start_line - AROUND, evidence.end_line + AROUND
    if symbol is not None:
        first, last = max(first, symbol.start_line), min(last, symbol.end_line)
    return _Range(evidence.path, max(first, 1), max(last, evidence.end_line), "use")


def _free(wanted: _Range, taken: Iterable[int], length: int) -> Iterator[tuple[int, int]]:
    """The runs of lines of a range that no earlier passage holds."""
    held = set(taken)
    start = 0
    for line in range(wanted.start, min(wanted.end, length) + 2):
        free = line <= min(wanted.end, length) and line not in held
        if free and not start:
            start = line
        elif not free and start:
            yield start, line - 1
            start = 0


def _passage(scene: Scene, wanted: _Range, rank: int, start: int, end: int, snippet: str) -> Passage:
    symbol = inmost(scene.symbols(wanted.path), start)
    return Passage(
        rank,
        wanted.path,
        start,
        end,
        scene.structure.languages.get(wanted.path, ""),
        symbol.kind if symbol else "file",
        symbol.qualified_name if symbol else "",
        symbol.signature if symbol else "",
        round(wanted.score, 6),
        snippet,
        wanted.role,
    )
