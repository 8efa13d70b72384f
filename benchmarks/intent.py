"""How well questions are understood: ``python -m benchmarks.intent [--half check] [--wrong]``.

Accuracy of the rules alone and with the classifier, and the calibration error of both figures that a query has: the
confidence shown (fixed by contract for a rule, capped for the classifier) and the calibrated certainty.
"""

from __future__ import annotations

import argparse
import json
import time
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from fourfold.model.query import INTENTS, Query
from fourfold.pipeline.intent_model import load
from fourfold.rank.classifier import REFINED_RULES, IntentModel, certainty, refine
from fourfold.rank.intent import classify

QUESTIONS = Path(__file__).parent / "questions" / "intent"
BINS = 5
"""Bins of equal mass for the calibration error."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What was made of one question: with the rules, with the classifier, and how sure."""

    text: str
    wanted: str
    language: str
    rule: str
    ruled: str
    refined: str
    confidence: float
    certainty: float

    @property
    def right(self) -> bool:
        """Whether the refined intent is the wanted one."""
        return self.refined == self.wanted


def judge(half: str) -> list[Verdict]:
    """Every question of a half, understood without an index."""
    model = load()
    verdicts = []
    for line in (QUESTIONS / f"{half}.jsonl").read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        ruled = classify(row["text"])
        found = refine(ruled, model)
        sure = certainty(ruled, model)
        verdicts.append(
            Verdict(
                row["text"],
                row["intent"],
                row["language"],
                ruled.rule,
                ruled.intent,
                found.intent,
                found.confidence,
                sure,
            )
        )
    return verdicts


def bins(pairs: Iterable[tuple[float, bool]], count: int = BINS) -> list[tuple[float, float, int]]:
    """(mean confidence, share right, size) of bins of equal mass, in order of confidence.

    Questions of one confidence are shared out in the order of the set, so a tie may straddle two bins.
    """
    ordered = sorted(pairs, key=lambda pair: pair[0])
    edges = [round(number * len(ordered) / count) for number in range(count + 1)]
    parts = [ordered[start:end] for start, end in pairwise(edges) if end > start]
    return [
        (sum(p for p, _ in part) / len(part), sum(right for _, right in part) / len(part), len(part)) for part in parts
    ]


def calibration_error(pairs: Iterable[tuple[float, bool]], count: int = BINS) -> float:
    """Expected calibration error: the mean distance of confidence and share right, bins weighted by size."""
    found = bins(pairs, count)
    return sum(abs(sure - right) * size for sure, right, size in found) / sum(size for *_, size in found)


def share(values: Sequence[bool]) -> float:
    """Share of true values."""
    return sum(values) / len(values)


def timed(texts: Sequence[str]) -> tuple[float, float]:
    """Median and 95th percentile of the classifier's own time a question, in microseconds: warm, the best of five."""
    model = load()
    ruled = [classify(text) for text in texts]
    taken = sorted(min(_microseconds(query, model) for _ in range(5)) for query in ruled if query.rule in REFINED_RULES)
    return taken[len(taken) // 2], taken[int(len(taken) * 0.95)]


def _microseconds(query: Query, model: IntentModel) -> float:
    start = time.perf_counter()
    refine(query, model)
    return (time.perf_counter() - start) * 1e6


def table(verdicts: Sequence[Verdict]) -> str:
    """The figures as text."""
    phrased = [v for v in verdicts if v.rule not in REFINED_RULES]
    sure_bins = bins((v.certainty, v.right) for v in verdicts)
    lines = [
        f"questions {len(verdicts)}; settled by a certain rule {len(phrased)}, open {len(verdicts) - len(phrased)}",
        f"accuracy: rules alone {share([v.ruled == v.wanted for v in verdicts]):.3f}, "
        f"with the classifier {share([v.right for v in verdicts]):.3f}",
        f"calibration error, {BINS} bins of equal mass: "
        f"certainty {calibration_error((v.certainty, v.right) for v in verdicts):.3f}, "
        f"confidence as shown {calibration_error((v.confidence, v.right) for v in verdicts):.3f}",
        "bins of certainty (mean, share right, size): "
        + "  ".join(f"{sure:.2f} {right:.2f} {size}" for sure, right, size in sure_bins),
    ]
    for title, key in (("intent", lambda v: v.wanted), ("language", lambda v: v.language)):
        groups: dict[str, list[Verdict]] = defaultdict(list)
        for verdict in verdicts:
            groups[key(verdict)].append(verdict)
        lines.append(f"{title:<18} questions   rules   with the classifier")
        for name in sorted(groups, key=lambda name: (INTENTS.index(name) if name in INTENTS else 0, name)):
            group = groups[name]
            lines.append(
                f"{name:<18} {len(group):>9} {share([v.ruled == v.wanted for v in group]):>7.3f}"
                f" {share([v.right for v in group]):>8.3f}"
            )
    return "\n".join(lines)


def main() -> None:
    """Print the figures of one half."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--half", choices=("check", "build"), default="check")
    parser.add_argument("--wrong", action="store_true", help="list the questions that are misunderstood")
    arguments = parser.parse_args()
    verdicts = judge(arguments.half)
    print(f"half: {arguments.half}\n{table(verdicts)}")
    middle, high = timed([verdict.text for verdict in verdicts])
    print(f"time of the classifier: median {middle:.0f} us, 95 % under {high:.0f} us")
    if arguments.wrong:
        for verdict in verdicts:
            if not verdict.right:
                print(f"{verdict.wanted} <- {verdict.refined} {verdict.certainty:.2f} {verdict.rule}: {verdict.text!r}")


if __name__ == "__main__":
    main()
