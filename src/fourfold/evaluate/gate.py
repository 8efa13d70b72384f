"""Conditions that a report must meet: ``hit@5>=0.8``."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import Any

from fourfold.config.option import nearest, shown
from fourfold.model.errors import UsageError

METRICS: tuple[str, ...] = (
    "hit@1", "hit@5", "hit@10", "recall@5", "recall@10", "mrr@10", "ndcg@10", "map@10", "tokens", "p50_ms", "p95_ms",
)  # fmt: skip
"""What a gate may speak of."""
SHORT = {"mrr": "mrr@10", "ndcg": "ndcg@10", "map": "map@10"}
_GATE = re.compile(r"\s*([A-Za-z0-9@_]+)\s*(>=|<=)\s*([0-9.eE+-]+)\s*")


@dataclass(frozen=True, slots=True)
class Gate:
    """One condition; `at_least` is False for ``<=``."""

    metric: str
    at_least: bool
    bound: float

    def check(self, value: float) -> dict[str, Any]:
        """Whether a value meets it, as plain values."""
        met = value >= self.bound if self.at_least else value <= self.bound
        return {"gate": str(self), "value": value, "met": met}

    def __str__(self) -> str:
        return f"{self.metric}{'>=' if self.at_least else '<='}{self.bound:g}"


def parse_gate(text: str) -> Gate:
    """A gate from ``METRIC>=VALUE`` or ``METRIC<=VALUE``. Raises UsageError."""
    match = _GATE.fullmatch(text)
    if match is None:
        raise UsageError(f"the gate {shown(text)} is no METRIC>=VALUE", hint='quote it: --gate "hit@5>=0.8"')
    metric = SHORT.get(match[1].lower(), match[1].lower())
    if metric not in METRICS:
        near = nearest(metric, METRICS)
        hint = f'did you mean "{near}"? ' if near else ""
        raise UsageError(f"there is no metric {shown(match[1])}", hint=f"{hint}choose from: {', '.join(METRICS)}")
    try:
        bound = float(match[3])
    except ValueError:
        bound = math.nan
    if not math.isfinite(bound):
        raise UsageError(f"the bound of the gate {shown(text)} is no number", hint='for instance: --gate "hit@5>=0.8"')
    return Gate(metric, match[2] == ">=", bound)
