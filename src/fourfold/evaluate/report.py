"""The report of an evaluation: plain values that text, JSON and the page are made from.

The same questions, index, configurations and seed give the same report, but for what stands under ``times``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from fourfold.evaluate.compare import compare
from fourfold.evaluate.gate import Gate
from fourfold.evaluate.metrics import METRIC_NAMES, Place, mean
from fourfold.evaluate.question import Target
from fourfold.evaluate.run import Answer, Run, intent_agreement
from fourfold.evaluate.statistics import interval, percentile
from fourfold.model.result import SCHEMA

VERSION = 1
LABELS: dict[str, str] = {name: name.replace("_at_", "@") for name in METRIC_NAMES} | {
    "mrr": "mrr@10",
    "ndcg": "ndcg@10",
    "map": "map@10",
}
"""What the metrics are called outside of the program."""
DIGITS = 4
SHOWN_RESULTS = 3
"""Results of each answer that the report keeps."""


def build_report(
    *,
    name: str,
    source: str,
    seed: int,
    commit: str | None,
    runs: Sequence[Run],
    hidden: int,
    times: Mapping[str, Any],
    gates: Sequence[Gate] = (),
) -> dict[str, Any]:
    """The report of runs that answered the same questions; the first is the one that the others are compared with."""
    first = runs[0]
    questions = [answer.question for answer in first.answers]
    latency = {one.configuration.name: _latency(one) for one in runs}
    report: dict[str, Any] = {
        "schema": SCHEMA,
        "report": "evaluation",
        "version": VERSION,
        "name": name,
        "commit": commit,
        "seed": seed,
        "questions": {
            "source": source,
            "count": len(questions),
            "by_kind": _counts(one.kind or "untagged" for one in questions),
            "files_with_hidden_lines": hidden,
        },
        "configurations": [_configuration(one, seed) for one in runs],
        "comparisons": [compare(first, other, seed) for other in runs[1:]],
        "gates": [],
        "times": {**times, "latency_ms": latency},
    }
    report["gates"] = [gate.check(value_of(report, gate.metric)) for gate in gates]
    return report


def value_of(report: Mapping[str, Any], metric: str) -> float:
    """A metric of the first configuration, by the name that people know it by; ``p50_ms`` and ``p95_ms`` too."""
    first = report["configurations"][0]
    if metric.endswith("_ms"):
        return float(report["times"]["latency_ms"][first["name"]][metric.removesuffix("_ms")])
    return float(first["metrics"][metric]["value"])


def _configuration(run: Run, seed: int) -> dict[str, Any]:
    agreed, told = intent_agreement(run.answers)
    kinds = _grouped(run.answers, lambda answer: answer.question.kind or "untagged")
    return {
        "name": run.configuration.name,
        "preset": run.configuration.preset,
        "indexed": dict(run.configuration.indexed),
        "metrics": {LABELS[metric]: _with_interval(run.values(metric), seed) for metric in METRIC_NAMES},
        "by_kind": {kind: _means(answers) for kind, answers in kinds.items()},
        "mean_of_kinds": _rounded(_mean([mean([a.metrics for a in found]).ndcg for found in kinds.values()])),
        "by_intent": {key: _means(found) for key, found in _grouped(run.answers, lambda one: one.intent).items()},
        "intent_as_meant": {"right": agreed, "of": told},
        "misses": run.misses,
        "answers": [_answer(answer) for answer in run.answers],
    }


def _answer(answer: Answer) -> dict[str, Any]:
    miss = answer.miss
    return {
        "id": answer.question.id,
        "question": answer.question.text,
        "kind": answer.question.kind,
        "intent": answer.intent,
        "method": answer.method,
        "rank": answer.first,
        "ndcg@10": _rounded(answer.metrics.ndcg),
        "tokens": int(answer.metrics.tokens),
        "targets": [place_text(target) for target in answer.question.targets],
        "results": [place_text(place) for place in answer.results[:SHOWN_RESULTS]],
        "miss": None if miss is None else {"reason": miss.reason, "rank": miss.rank, "why": miss.sentence},
    }


def place_text(place: Place | Target) -> str:
    """``path:start-end``."""
    return place.path if place.start_line is None else f"{place.path}:{place.start_line}-{place.end_line}"


def _with_interval(values: Sequence[float], seed: int) -> dict[str, float]:
    low, high = interval([values], seed=seed)
    return {"value": _rounded(_mean(values)), "low": _rounded(low), "high": _rounded(high)}


def _means(answers: Sequence[Answer]) -> dict[str, Any]:
    means = mean([answer.metrics for answer in answers])
    return {"n": len(answers), **{LABELS[name]: _rounded(getattr(means, name)) for name in METRIC_NAMES}}


def _grouped(answers: Sequence[Answer], key: Callable[[Answer], str]) -> dict[str, list[Answer]]:
    found: dict[str, list[Answer]] = {}
    for answer in answers:
        found.setdefault(key(answer), []).append(answer)
    return dict(sorted(found.items(), key=lambda item: (-len(item[1]), item[0])))


def _counts(values: Any) -> dict[str, int]:
    found: dict[str, int] = {}
    for value in values:
        found[value] = found.get(value, 0) + 1
    return dict(sorted(found.items(), key=lambda item: (-item[1], item[0])))


def _latency(run: Run) -> dict[str, float]:
    return {"p50": round(percentile(run.times_ms, 0.5), 2), "p95": round(percentile(run.times_ms, 0.95), 2)}


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values) if values else 0.0


def _rounded(value: float) -> float:
    return round(value, DIGITS) + 0.0
