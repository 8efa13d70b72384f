"""Why a result stands where it stands: as data (:class:`Why`) and as lines for ``--explain``."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from fourfold.model.query import MODALITIES
from fourfold.model.result import QueryInfo, ResultItem, Why

Signals = Iterable[tuple[str, float]]

ADDED = frozenset({"feature_rerank", "dense_scorer", "bm25_scorer"})
"""Methods whose signals are summands of the score; everywhere else a signal is a factor of it."""

_DIGITS = 4
"""Significant digits of a number shown to people."""


def make_why(ranks: Mapping[str, int], weights: Mapping[str, float], signals: Signals = (), method: str = "") -> Why:
    """Put the facts together: ranks from 0 become places from 1; weights of 0 are left out (those were not
    run).
    """
    return Why(
        modalities={name: ranks[name] + 1 for name in _ordered(ranks)},
        weights={name: weights[name] for name in _ordered(weights) if weights[name] > 0},
        signals=tuple(signals),
        method=method,
    )


def explain_query(query: QueryInfo) -> list[str]:
    """What was understood of the question."""
    lines = [f"intent {query.intent} ({query.confidence:.2f}, {query.rule or 'no rule'})"]
    if query.identifiers:
        lines.append(f"names: {', '.join(query.identifiers)}")
    return lines


def explain_item(item: ResultItem) -> list[str]:
    """The ranks, weights, signals and final score of one result; the weight of a modality that has no hit
    shows too.
    """
    why = item.why
    lines = [f"score {_number(item.score)}" + (f" by {why.method}" if why.method else "")]
    for name in _ordered({**why.weights, **why.modalities}):
        place = f"rank {why.modalities[name]}" if name in why.modalities else "not found"
        weight = f", weight {_number(why.weights[name])}" if name in why.weights else ""
        lines.append(f"{name}: {place}{weight}")
    lines.extend(f"{name}: {signal_text(why.method, value)}" for name, value in why.signals)
    return lines


def signal_text(method: str, value: float) -> str:
    """A signal as people read it: ``+0.5`` where it is added to the score, ``× 0.5`` where it multiplies it."""
    return f"{value:+.3g}" if method in ADDED else f"× {value:.3g}"


def _ordered(names: Iterable[str]) -> list[str]:
    """The four modalities in their order, then any other list (a pipeline's own) by name."""
    given = set(names)
    return [name for name in MODALITIES if name in given] + sorted(given.difference(MODALITIES))


def _number(value: float) -> str:
    return f"{value:.{_DIGITS}g}"
