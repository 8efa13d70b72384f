"""An evaluation's report as text."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from fourfold.interfaces.cli.table import aligned
from fourfold.interfaces.cli.terminal import Terminal
from fourfold.interfaces.cli.width import cut, safe, safe_name
from fourfold.interfaces.cli.words import count, counted, milliseconds, seconds

if TYPE_CHECKING:
    from fourfold.evaluate.stored import Listed

METRICS = ("ndcg@10", "mrr@10", "hit@1", "hit@5", "recall@10")
KIND_METRICS = ("ndcg@10", "hit@1", "hit@5", "recall@10")
SURE_P = 0.05
"""A gain with a larger p may be chance."""


def report_lines(report: Mapping[str, Any], terminal: Terminal, *, missed: int) -> Iterator[str]:
    """The report: how good each configuration is, what the others gain, by kind, and why questions were missed."""
    yield terminal.style("dim", _head(report))
    yield ""
    yield from _overall(report, terminal)
    for comparison in report["comparisons"]:
        yield ""
        yield from _comparison(comparison, terminal)
    first = report["configurations"][0]
    yield ""
    yield from _by_kind(first, terminal)
    if first["misses"]:
        yield ""
        yield from _missed(first, terminal, missed)


def _head(report: Mapping[str, Any]) -> str:
    questions, times = report["questions"], report["times"]
    source = "mined" if questions["source"] == "mined" else f"from {safe_name(questions['source'])}"
    parts = [f"{safe_name(report['name'])}: {count(questions['count'], 'question')} {source}"]
    if questions["source"] == "mined":
        parts[0] += f" ({counted(questions['by_kind'])}), seed {report['seed']}"
    parts += [f"commit {report['commit'][:9]}"] if report["commit"] else []
    return " · ".join([*parts, seconds(times["seconds"])])


def _overall(report: Mapping[str, Any], terminal: Terminal) -> Iterator[str]:
    rows = [["", *METRICS, "tokens", "p50"]]
    for one in report["configurations"]:
        found, latency = one["metrics"], report["times"]["latency_ms"][one["name"]]
        cells = [_value(found[name]) for name in METRICS]
        rows.append([safe(one["name"]), *cells, f"{found['tokens']['value']:,.0f}", milliseconds(latency["p50"])])
    head, *lines = aligned(rows)
    yield terminal.style("dim", head)
    yield from lines
    yield terminal.style("dim", "95 % intervals; tokens: code read until the first hit; p50: time of an answer")


def _value(found: Mapping[str, float]) -> str:
    return f"{found['value']:.3f} ({found['low']:.2f}-{found['high']:.2f})"


def _comparison(one: Mapping[str, Any], terminal: Terminal) -> Iterator[str]:
    yield f"{safe(one['from'])} -> {safe(one['to'])}"
    rows = []
    for name, gain in one["gains"].items():
        places = 0 if name == "tokens" else 3
        low, high = f"{gain['low']:+,.{places}f}", f"{gain['high']:+,.{places}f}"
        sure = "" if gain["p"] <= SURE_P else "may be chance"
        rows.append([f"  {name}", f"{gain['value']:+,.{places}f}", f"({low} to {high})", f"p {gain['p']:.4f}", sure])
    yield from aligned(rows)
    yield terminal.style("dim", f"  {one['better']:,} better, {one['worse']:,} worse")


def _by_kind(first: Mapping[str, Any], terminal: Terminal) -> Iterator[str]:
    rows = [["by kind", "n", *KIND_METRICS]]
    rows += [[safe(kind), f"{one['n']:,}", *(f"{one[name]:.3f}" for name in KIND_METRICS)]
             for kind, one in first["by_kind"].items()]  # fmt: skip
    head, *lines = aligned(rows)
    yield terminal.style("dim", head)
    yield from lines
    if len(lines) > 1:
        yield terminal.style("dim", f"mean of the kinds: ndcg@10 {first['mean_of_kinds']:.3f}")
    meant = first["intent_as_meant"]
    if meant["of"]:
        yield terminal.style("dim", f"understood as meant: {meant['right']:,} of {meant['of']:,}")


def _missed(first: Mapping[str, Any], terminal: Terminal, most: int) -> Iterator[str]:
    missed = [answer for answer in first["answers"] if answer["miss"]]
    yield f"missed {len(missed):,} of {len(first['answers']):,}: {counted(first['misses'])}"
    for answer in missed[:most]:
        room = terminal.columns
        yield cut(f"  {safe(answer['question'])}", room)
        yield cut(terminal.style("path", f"    {safe_name(', '.join(answer['targets']))}"), room)
        yield cut(f"    {safe(answer['miss']['why'])}", room)
    if len(missed) > most:
        yield terminal.style("dim", f"{len(missed) - most:,} more: --missed {len(missed)}, or --html FILE")


def gate_lines(report: Mapping[str, Any], terminal: Terminal) -> Iterator[str]:
    """Whether each gate is met."""
    for gate in report["gates"]:
        word = terminal.style("good", "met") if gate["met"] else terminal.style("error", "not met")
        yield f"gate {gate['gate']}: {gate['value']:g}, {word}"


def listed_lines(found: Sequence[Listed]) -> list[str]:
    """Stored reports, one a line."""
    rows = [
        [
            one.id,
            one.created[:16].replace("T", " "),
            f"{count(one.questions, 'question')} ({safe_name(one.source)})",
            f"ndcg@10 {one.ndcg[0]:.3f} ({one.ndcg[1]:.2f}-{one.ndcg[2]:.2f})",
            safe(" | ".join(one.configurations)),
        ]
        for one in found
    ]
    return aligned(rows)
