"""What is claimed, and the lines each claim rests on."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Evidence:
    """Lines `start_line` to `end_line` (from 1) of `path`, which read `quote`; `symbol` is the definition around."""

    path: str
    start_line: int
    end_line: int
    quote: str
    symbol: str = ""


SPARE = 50
"""The rank from which on a claim is said only where room is left."""


@dataclass(frozen=True, slots=True)
class Claim:
    """One statement in Markdown, without marks of citations. It holds where all of its evidence does; `bullet` says
    that it is an item of a list. Where an answer has no room for all, those of the least `rank` stand in it; where room
    is left then, `longer` says the same at more length. Those from :data:`SPARE` on are said only once the first ones
    are told at length, and not missed where there is no room."""

    text: str
    evidence: tuple[Evidence, ...]
    bullet: bool = False
    rank: int = 0
    longer: Claim | None = None


@dataclass(slots=True)
class Section:
    """Claims under one line that introduces them ("" for none). `left_out` counts further ones that were found."""

    lead: str = ""
    claims: list[Claim] = field(default_factory=list)
    left_out: int = 0
