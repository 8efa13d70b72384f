"""Places of one file that cover the same code are one result: a line hit, a symbol and a chunk meet here.

Retrievers speak of code in different grains. Before fusion every place is replaced by its *representative*,
so that a function found as text on line 30, as the symbol on lines 28-60 and as the chunk on lines 26-60
gathers three contributions instead of filling three rows.
"""

from __future__ import annotations

from collections.abc import Iterable

Place = tuple[str, int, int]
"""``(path, start_line, end_line)``, lines from 1, both included."""

UNIT_LINES = 80
"""A place up to this long is a unit that swallows what lies inside it; a longer one (a class, a module) only
names its head. About the longest chunk that the chunker makes."""

SAME_SHARE = 0.5
"""Two ranges that share at least this part of their union are the same code."""


def representatives(places: Iterable[Place]) -> dict[Place, Place]:
    """The representative of each place, itself one of the places given. The answer depends on the set of places, not on
    their order.

    Two places of one file are the same where they share half of their union, where the shorter one holds the first line
    of the longer (the head of a class or of a split function), and where one lies inside a unit of at most
    :data:`UNIT_LINES` lines.
    """
    by_path: dict[str, set[Place]] = {}
    for place in places:
        by_path.setdefault(place[0], set()).add(place)
    chosen: dict[Place, Place] = {}
    for group in by_path.values():
        chosen.update(_choose(group))
    return chosen


def _choose(group: set[Place]) -> dict[Place, Place]:
    chosen: dict[Place, Place] = {}
    units: list[Place] = []
    for place in sorted(group, key=_turn):
        same = [unit for unit in units if _is_same(place, unit)]
        if same:
            # The unit that fits best: most overlap, then the shortest, then the first.
            chosen[place] = min(same, key=lambda unit: (-_overlap(place, unit), _length(unit), unit))
        else:
            chosen[place] = place
            units.append(place)
    return chosen


def _turn(place: Place) -> tuple[int, int, Place]:
    """Units first, longest first; then long places, shortest first; lines last, when all that may hold them
    is known."""
    length = _length(place)
    if length == 1:
        return (2, 0, place)
    return (0, -length, place) if length <= UNIT_LINES else (1, length, place)


def _is_same(place: Place, unit: Place) -> bool:
    shared = _overlap(place, unit)
    if not shared:
        return False
    if shared >= SAME_SHARE * (_length(place) + _length(unit) - shared):
        return True
    shorter, longer = sorted((place, unit), key=_length)
    if shorter[1] <= longer[1] <= shorter[2]:
        return True
    inside = shared == _length(shorter)
    return inside and (_length(longer) <= UNIT_LINES or _length(shorter) == 1)


def _length(place: Place) -> int:
    return place[2] - place[1] + 1


def _overlap(first: Place, second: Place) -> int:
    return max(0, min(first[2], second[2]) - max(first[1], second[1]) + 1)
