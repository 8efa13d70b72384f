"""What is done to a ranked list at the end: one row per file, communities mixed, parents for many siblings,
cuts.

All functions keep the order best first and never drop anything silently: what leaves a list is counted or
kept in a group.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

from fourfold.model.errors import UsageError

COMMUNITY_LAMBDA = 0.5
"""Weight of relevance against novelty in maximal marginal relevance (Carbonell and Goldstein, SIGIR 1998)."""

MIN_SIBLINGS = 2
MIN_COVERAGE = 0.5
MIN_COVERAGE_BY_KIND: dict[str, float] = {"class": 0.3, "module": 0.6, "markdown_heading": 0.5}
"""Share of a parent's children that must be among the results before the parent stands for them (contract).
"""

CHARS_PER_TOKEN = 4
"""Rule of thumb for code in the vocabularies of current language models; rounded up, so that a budget
holds.
"""

DEFAULT_TOKEN_BUDGET = 2000


class Located(Protocol):
    """A result with a place and a score; lines from 1, both included."""

    @property
    def path(self) -> str: ...
    @property
    def start_line(self) -> int: ...
    @property
    def end_line(self) -> int: ...
    @property
    def score(self) -> float: ...


T = TypeVar("T", bound=Located)
U = TypeVar("U")


@dataclass(frozen=True, slots=True)
class Group(Generic[T]):
    """The best result of a place and what it stands for.

    `start_line` to `end_line` is the union of `best` and of all that overlaps it; `more` holds the others,
    best first.
    """

    best: T
    start_line: int
    end_line: int
    more: tuple[T, ...] = ()


def merge_overlaps(items: Sequence[T]) -> list[Group[T]]:
    """Results of one file that share a line become one group, at the place of the best of them."""
    by_path: dict[str, list[T]] = {}
    for item in items:
        by_path.setdefault(item.path, []).append(item)
    groups = {id(group.best): group for found in by_path.values() for group in _merged_in_file(found)}
    return [groups.pop(id(item)) for item in items if id(item) in groups]


def _merged_in_file(items: Sequence[T]) -> list[Group[T]]:
    clusters: list[list[T]] = []
    spans: list[tuple[str, int, int]] = []
    for item in items:
        span = (item.path, item.start_line, item.end_line)
        touching = [index for index, other in enumerate(spans) if _share_a_line(span, other)]
        if not touching:
            clusters.append([item])
            spans.append(span)
            continue
        first = touching[0]
        clusters[first].append(item)
        spans[first] = _union(spans[first], span)
        # The new span may bridge groups that were apart.
        for index in reversed(touching[1:]):
            clusters[first].extend(clusters.pop(index))
            spans[first] = _union(spans[first], spans.pop(index))
    return [
        Group(cluster[0], span[1], span[2], tuple(cluster[1:])) for cluster, span in zip(clusters, spans, strict=True)
    ]


def best_per_file(items: Sequence[T]) -> list[Group[T]]:
    """One group per file: its best result, overlapping spans merged into it, the file's other places under
    `more`.
    """
    by_path: dict[str, list[Group[T]]] = {}
    for group in merge_overlaps(items):
        by_path.setdefault(group.best.path, []).append(group)
    merged = []
    for groups in by_path.values():
        head = groups[0]
        others = tuple(group.best for group in groups[1:])
        merged.append(Group(head.best, head.start_line, head.end_line, others))
    return merged


def _share_a_line(first: tuple[str, int, int], second: tuple[str, int, int]) -> bool:
    return first[0] == second[0] and first[1] <= second[2] and second[1] <= first[2]


def _union(first: tuple[str, int, int], second: tuple[str, int, int]) -> tuple[str, int, int]:
    return (first[0], min(first[1], second[1]), max(first[2], second[2]))


def community_diversity(
    items: Sequence[T], community_of: Callable[[T], Hashable | None], lambda_: float = COMMUNITY_LAMBDA
) -> list[T]:
    """Maximal marginal relevance over communities: ``lambda * relevance - (1 - lambda) * similarity``.

    Relevance is the score scaled to 0..1 over the list; similarity is 1 where a result of the same
    community was taken already, else 0 (also for None, a result without a community). Only re-ranks. Raises
    :class:`UsageError` for a lambda outside 0..1.
    """
    if not 0 <= lambda_ <= 1:
        raise UsageError(f"The diversity lambda must lie between 0 and 1, not {lambda_}.")
    relevance = _scaled([item.score for item in items])
    communities = [community_of(item) for item in items]
    left = list(range(len(items)))
    taken: list[int] = []
    seen: set[Hashable] = set()
    while left:
        marginal = [lambda_ * relevance[index] - (1 - lambda_) * float(communities[index] in seen) for index in left]
        best = left[marginal.index(max(marginal))]
        left.remove(best)
        taken.append(best)
        if communities[best] is not None:
            seen.add(communities[best])
    return [items[index] for index in taken]


def _scaled(scores: Sequence[float]) -> list[float]:
    if not scores:
        return []
    low, high = min(scores), max(scores)
    # Scores above 0 are the rule: divided by the best, near ties stay near.
    if low >= 0:
        return [score / high if high > 0 else 0.0 for score in scores]
    return [(score - low) / (high - low) if high > low else 0.0 for score in scores]


@dataclass(frozen=True, slots=True)
class Parent(Generic[U]):
    """What may stand for several results: `item` is the result to show, `children` how many children it has
    in all.
    """

    key: Hashable
    kind: str
    children: int
    item: U


def parent_rollup(
    items: Sequence[U],
    parent_of: Callable[[U], Parent[U] | None],
    *,
    min_siblings: int = MIN_SIBLINGS,
    min_coverage: float = MIN_COVERAGE,
    min_coverage_by_kind: Mapping[str, float] | None = None,
) -> list[U]:
    """Replace siblings by their parent where at least `min_siblings` and the kind's share of all children are there.

    The parent takes the best rank of its children and of itself, and stands once; the siblings leave. A
    supplied mapping replaces the defaults whole; kinds that it does not name need `min_coverage`. Raises
    :class:`UsageError` for a share outside 0..1 or fewer than one sibling.
    """
    shares = MIN_COVERAGE_BY_KIND if min_coverage_by_kind is None else min_coverage_by_kind
    _check_rollup(min_siblings, min_coverage, shares)
    parents = [parent_of(item) for item in items]
    siblings: dict[Hashable, int] = {}
    for parent in parents:
        if parent is not None:
            siblings[parent.key] = siblings.get(parent.key, 0) + 1
    raised: dict[Hashable, U] = {}
    for parent in parents:
        if parent is not None and siblings[parent.key] >= min_siblings:
            needed = shares.get(parent.kind, min_coverage)
            if parent.children > 0 and siblings[parent.key] / parent.children >= needed:
                raised.setdefault(parent.key, parent.item)
    return _with_parents(items, parents, raised)


def _with_parents(items: Sequence[U], parents: Sequence[Parent[U] | None], raised: Mapping[Hashable, U]) -> list[U]:
    standing = list(raised.values())
    shown: list[U] = []
    result: list[U] = []
    for item, parent in zip(items, parents, strict=True):
        stand_in = raised[parent.key] if parent is not None and parent.key in raised else item
        if stand_in in standing:
            if stand_in in shown:
                continue
            shown.append(stand_in)
        result.append(stand_in)
    return result


def _check_rollup(min_siblings: int, min_coverage: float, shares: Mapping[str, float]) -> None:
    if min_siblings < 1:
        raise UsageError(f"A parent needs at least one sibling, not {min_siblings}.")
    for name, share in (("other kinds", min_coverage), *shares.items()):
        if not 0 <= share <= 1:
            raise UsageError(f"The coverage for {name} must lie between 0 and 1, not {share}.")


def cut(items: Sequence[U], count: int) -> tuple[list[U], int]:
    """The first `count` results and how many were dropped. Raises :class:`UsageError` for a count below 1."""
    if count < 1:
        raise UsageError(f"The limit must be 1 or more, not {count}.")
    return list(items[:count]), max(0, len(items) - count)


def approx_tokens(text: str) -> int:
    """About how many tokens a language model reads: a quarter of the characters, rounded up."""
    return math.ceil(len(text) / CHARS_PER_TOKEN)


def fit_tokens(
    items: Sequence[U], text_of: Callable[[U], str], budget: int = DEFAULT_TOKEN_BUDGET
) -> tuple[list[U], int]:
    """The leading results whose texts fit the budget together, and how many were dropped.

    The order is kept: the first that does not fit ends the list. The very first is always kept, as an empty
    answer would say that nothing was found. Raises :class:`UsageError` for a budget below 1.
    """
    if budget < 1:
        raise UsageError(f"The token budget must be 1 or more, not {budget}.")
    spent = 0
    for index, item in enumerate(items):
        spent += approx_tokens(text_of(item))
        if spent > budget and index > 0:
            return list(items[:index]), len(items) - index
    return list(items), 0
