"""Calls and what a precise tool says of them."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

SEED = 7
"""Which calls are drawn."""


class ToolMissing(Exception):
    """The tool that would tell the truth is not on this machine; the text says what to install."""


@dataclass(frozen=True, slots=True)
class Place:
    """A definition: `line` counts from 1 and is one that the definition holds; `name` is its bare name."""

    path: str
    line: int
    name: str


@dataclass(frozen=True, slots=True)
class Site:
    """One call of `name` on `line` of `path` (relative to the corpus).

    `targets` are the functions and types of the corpus that it may mean: any of them is right. A call with no target is
    known to lead out of the corpus. What the tool cannot tell, or what leads to a variable, is no site.
    """

    path: str
    line: int
    name: str
    targets: tuple[Place, ...]


def draw(sites: Sequence[Site], count: int) -> list[Site]:
    """So many of `sites` at random, the same ones for the same sites; all where `count` is 0."""
    ordered = sorted(sites, key=lambda one: (one.path, one.line, one.name))
    if not count or len(ordered) <= count:
        return ordered
    return random.Random(SEED).sample(ordered, count)
