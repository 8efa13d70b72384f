"""Cutting what is too long at the boundaries of its syntax tree."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fourfold.syntax.pages import Page
from fourfold.syntax.windows import MAX_CHARS, MAX_LINES, window_runs

if TYPE_CHECKING:
    from tree_sitter import Node

Run = tuple[int, int]

SPLIT_TARGET_CHARS = 1_600
"""Size that the parts of a long definition aim at: two parts where the limit is 3,000."""

TINY_CHARS = 120
"""A last part smaller than this (closing brackets, a return) stays with the part before it."""

_MAX_DEPTH = 40
_MAX_CHILDREN = 5_000


def too_long(page: Page, first: int, last: int) -> bool:
    """True where rows `first` to `last` are more than one chunk may hold."""
    return last - first + 1 > MAX_LINES or page.chars(first, last) > MAX_CHARS


def split_rows(page: Page, nodes: list[Node], first: int, last: int) -> list[Run]:
    """Cut rows `first` to `last`, which `nodes` (siblings in order) fill, between inner statements.

    The runs are disjoint and in order and cover all the rows. Where no boundary helps, cuts fall between
    lines.
    """
    runs = _split(page, nodes, first, last, 0)
    return _join_tiny(page, runs)


def _split(page: Page, nodes: list[Node], first: int, last: int, depth: int) -> list[Run]:
    if not too_long(page, first, last):
        return [(first, last)]
    groups = _groups(nodes, first, last)
    if depth > _MAX_DEPTH or not groups:
        return window_runs(page, first, last, SPLIT_TARGET_CHARS)
    if len(groups) == 1:
        return _split(page, _children(groups[0][2]), first, last, depth + 1)
    runs: list[Run] = []
    start = first
    packed = first - 1
    for end, inner in _regions(groups, last):
        if packed >= start and _over_target(page, start, end):
            runs.append((start, packed))
            start = packed + 1
        if too_long(page, start, end):
            runs += _split(page, _children(inner), start, end, depth + 1)
            start = end + 1
        packed = end
    if packed >= start:
        runs.append((start, packed))
    return runs


def _over_target(page: Page, first: int, last: int) -> bool:
    return page.chars(first, last) > SPLIT_TARGET_CHARS or last - first + 1 > MAX_LINES


def _groups(nodes: list[Node], first: int, last: int) -> list[tuple[int, int, list[Node]]]:
    """Nodes as (first row, last row, nodes), those that share a row in one group."""
    groups: list[tuple[int, int, list[Node]]] = []
    for node in nodes:
        start, stop = node.start_point.row, node.end_point.row
        if stop < first or start > last:
            continue
        if groups and start <= groups[-1][1]:
            old = groups[-1]
            groups[-1] = (old[0], max(old[1], stop), [*old[2], node])
        else:
            groups.append((max(start, first), stop, [node]))
    return groups


def _regions(groups: list[tuple[int, int, list[Node]]], last: int) -> list[tuple[int, list[Node]]]:
    """Where each group's rows end: what stands between two groups belongs to the later one."""
    ends = [min(group[1], last) for group in groups]
    ends[-1] = last
    return list(zip(ends, (group[2] for group in groups), strict=True))


def _children(nodes: list[Node]) -> list[Node]:
    """The named children of all `nodes`; none where there are too many to look at."""
    if sum(node.named_child_count for node in nodes) > _MAX_CHILDREN:
        return []
    return [child for node in nodes for child in node.named_children]


def _join_tiny(page: Page, runs: list[Run]) -> list[Run]:
    joined: list[Run] = []
    for run in runs:
        if joined and page.chars(*run) < TINY_CHARS and page.chars(joined[-1][0], run[1]) <= MAX_CHARS:
            joined[-1] = (joined[-1][0], run[1])
        else:
            joined.append(run)
    return joined
