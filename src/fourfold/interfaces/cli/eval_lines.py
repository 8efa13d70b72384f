"""An evaluation's report as text."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from fourfold.interfaces.cli.structure_rows import wrapped
from fourfold.interfaces.cli.table import aligned
from fourfold.interfaces.cli.terminal import Terminal
from fourfold.interfaces.cli.width import cut, safe, safe_name, width
from fourfold.interfaces.cli.words import count, milliseconds, seconds

if TYPE_CHECKING:
    from fourfold.evaluate.stored import Listed

METRICS = ("ndcg@10", "mrr@10", "hit@1", "hit@5", "recall@10")
KIND_METRICS = ("ndcg@10", "hit@1", "hit@5", "recall@10")
SURE_P = 0.05
"""A gain with a larger p may be chance."""


def report_lines(report: Mapping[str, Any], terminal: Terminal, *, missed: int) -> Iterator[str]:
    """The report: how good each configuration is, what the others gain, by kind, and why questions were missed."""
    yield from (terminal.style("dim", line) for line in wrapped(_head(report), terminal.columns))
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


def _head(report: Mapping[str, Any]) -> list[str]:
    questions, times = report["questions"], report["times"]
    source = "mined" if questions["source"] == "mined" else f"from {safe_name(questions['source'])}"
    parts = [f"{safe_name(report['name'])}: {count(questions['count'], 'question')} {source}"]
    parts += [f"seed {report['seed']}"] if questions["source"] == "mined" else []
    parts += [f"commit {report['commit'][:9]}"] if report["commit"] else []
    return [*parts, seconds(times["seconds"])]


def _overall(report: Mapping[str, Any], terminal: Terminal) -> Iterator[str]:
    every = [_overall_rows(report, shown) for shown in (METRICS, METRICS[:1], ())]
    fitting = [rows for rows in every if _widest(rows) <= (terminal.columns or 10_000)]
    yield from titled(fitting[0] if fitting else every[-1], terminal)
    legend = ["95 % intervals", "tokens: code read until the first hit", "p50: time of an answer"]
    yield from (terminal.style("dim", line) for line in wrapped(legend, terminal.columns))


def _overall_rows(report: Mapping[str, Any], with_interval: Sequence[str]) -> list[list[str]]:
    rows = [["", *METRICS, "tokens", "p50"]]
    for one in report["configurations"]:
        found, latency = one["metrics"], report["times"]["latency_ms"][one["name"]]
        cells = [_value(found[name], name in with_interval) for name in METRICS]
        rows.append([safe(one["name"]), *cells, f"{found['tokens']['value']:,.0f}", milliseconds(latency["p50"])])
    return rows


def _value(found: Mapping[str, float], with_interval: bool) -> str:
    interval = f" ({found['low']:.2f}-{found['high']:.2f})" if with_interval else ""
    return f"{found['value']:.3f}{interval}"


def _comparison(one: Mapping[str, Any], terminal: Terminal) -> Iterator[str]:
    yield from wrapped([f"{safe(one['from'])} -> {safe(one['to'])}"], terminal.columns)
    rows = []
    for name, gain in one["gains"].items():
        places = 0 if name == "tokens" else 3
        low, high = f"{gain['low']:+,.{places}f}", f"{gain['high']:+,.{places}f}"
        sure = "" if gain["p"] <= SURE_P else "may be chance"
        rows.append([f"  {name}", f"{gain['value']:+,.{places}f}", f"({low} to {high})", f"p {gain['p']:.4f}", sure])
    yield from fitted(rows, terminal)
    yield terminal.style("dim", f"  {one['better']:,} better, {one['worse']:,} worse")


def _by_kind(first: Mapping[str, Any], terminal: Terminal) -> Iterator[str]:
    rows = [["by kind", "n", *KIND_METRICS]]
    rows += [[safe(kind), f"{one['n']:,}", *(f"{one[name]:.3f}" for name in KIND_METRICS)]
             for kind, one in first["by_kind"].items()]  # fmt: skip
    yield from titled(rows, terminal)
    if len(rows) > 2:
        yield terminal.style("dim", f"mean of the kinds: ndcg@10 {first['mean_of_kinds']:.3f}")
    meant = first["intent_as_meant"]
    if meant["of"]:
        yield terminal.style("dim", f"understood as meant: {meant['right']:,} of {meant['of']:,}")


def _missed(first: Mapping[str, Any], terminal: Terminal, most: int) -> Iterator[str]:
    missed = [answer for answer in first["answers"] if answer["miss"]]
    reasons = [f"{number:,} {reason}" for reason, number in first["misses"].items()]
    yield from wrapped([f"missed {len(missed):,} of {len(first['answers']):,}", *reasons], terminal.columns)
    for answer in missed[:most]:
        room = terminal.columns
        yield cut(f"  {safe(answer['question'])}", room)
        yield terminal.style("path", cut(f"    {safe_name(', '.join(answer['targets']))}", room))
        yield cut(f"    {safe(answer['miss']['why'])}", room)
    if len(missed) > most:
        yield terminal.style("dim", f"{len(missed) - most:,} more: --missed {len(missed)}, or --html FILE")


def titled(rows: Sequence[Sequence[str]], terminal: Terminal) -> Iterator[str]:
    """A table whose first row names the columns."""
    head, *lines = fitted(rows, terminal)
    yield terminal.style("dim", head)
    yield from lines


def fitted(rows: Sequence[Sequence[str]], terminal: Terminal) -> list[str]:
    """A table in the width of the terminal: columns on the right go first, then the ends of lines."""
    room = terminal.columns
    kept = [list(row) for row in rows]
    while room is not None and kept and len(kept[0]) > 2 and _widest(kept) > room:
        kept = [row[:-1] for row in kept]
    return [cut(line, room) for line in aligned(kept)]


def _widest(rows: Sequence[Sequence[str]]) -> int:
    return max((width(line) for line in aligned(rows)), default=0)


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
