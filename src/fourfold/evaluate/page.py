"""A report as one page that needs nothing else: no script, no font, no address; its style is allowed by its hash."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Callable, Mapping
from importlib.resources import files
from pathlib import Path
from typing import Any

from fourfold.evaluate.gate import METRICS
from fourfold.evaluate.plots import Spread, bars, forest, lines, scatter
from fourfold.model.errors import UsageError

RANKS = 10
SHOWN = ("ndcg@10", "hit@5", "recall@10")
MAX_MISSED = 500
"""Missed questions that a page holds."""


def write_page(path: Path, report: Mapping[str, Any]) -> None:
    """Write the page. Raises UsageError where the file cannot be written."""
    try:
        path.write_text(page(report), encoding="utf-8", newline="\n")
    except OSError as error:
        raise UsageError(f"{path} cannot be written: {error.strerror}", hint="choose another place") from None


def page(report: Mapping[str, Any]) -> str:
    """The page as HTML."""
    style = read("report.css") + read("plots.css")
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    policy = f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
    return _filled("report.html", report=report, style=style, policy=policy, body=body(report))


def body(report: Mapping[str, Any], link: Callable[[str], str] = lambda place: "") -> str:
    """The inner part of the page, escaped; `link` gives the address of a place (``path:1-9``), "" for none."""
    first = report["configurations"][0]
    missed = [answer for answer in first["answers"] if answer["miss"]]
    return _filled(
        "body.html",
        report=report,
        metrics=[name for name in METRICS if not name.endswith("_ms")],
        plots=plots(report),
        missed=missed[:MAX_MISSED],
        missed_count=len(missed),
        ids={answer["id"]: answer["question"] for answer in first["answers"]},
        link=link,
    )


def read(name: str) -> str:
    """A template or style of the page as it is stored."""
    return files("fourfold.evaluate").joinpath("templates", name).read_text("utf-8")


def _filled(template: str, **values: Any) -> str:
    from jinja2 import Environment, StrictUndefined

    environment = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    return environment.from_string(read(template)).render(**values)


def plots(report: Mapping[str, Any]) -> list[tuple[str, str]]:
    """(title, SVG) of every plot that the report has values for."""
    configurations = report["configurations"]
    found = [
        (f"{metric} with 95 % intervals", forest(spreads(configurations, metric), title=metric, low=0.0, high=1.0))
        for metric in SHOWN
    ]
    found.append(
        (
            "Share of questions answered by rank",
            lines([(one["name"], by_rank(one)) for one in configurations], title="first hit by rank", x_name="rank"),
        )
    )
    latency = report["times"]["latency_ms"]
    points = [(one["name"], latency[one["name"]]["p50"], one["metrics"]["ndcg@10"]["value"]) for one in configurations]
    title = "Quality against time"
    found.append((title, scatter(points, title=title, x_name="milliseconds an answer, median")))
    kinds = configurations[0]["by_kind"]
    rows = [
        (f"{kind} ({values['n']})", [one["by_kind"][kind]["ndcg@10"] for one in configurations])
        for kind, values in kinds.items()
    ]
    found.append(("ndcg@10 by kind", bars(rows, [one["name"] for one in configurations], title="ndcg@10 by kind")))
    for one in report["comparisons"]:
        gains = [
            Spread(name, gain["value"], gain["low"], gain["high"])
            for name, gain in one["gains"].items()
            if name != "tokens"
        ]
        most = max(0.05, *(abs(end) for gain in gains for end in (gain.low, gain.high)))
        title = f"Gain of {one['to']} over {one['from']}"
        found.append((title, forest(gains, title=title, low=-most, high=most, zero=True)))
    return found


def spreads(configurations: list[Mapping[str, Any]], metric: str) -> list[Spread]:
    """A metric of each configuration with its interval."""
    values = [(one["name"], one["metrics"][metric]) for one in configurations]
    return [Spread(name, found["value"], found["low"], found["high"]) for name, found in values]


def by_rank(configuration: Mapping[str, Any]) -> list[float]:
    """The share of the questions whose first hit is at rank 1, at 2 or before, and so on."""
    ranks = [answer["rank"] for answer in configuration["answers"]]
    return [sum(0 < rank <= most for rank in ranks) / max(len(ranks), 1) for most in range(1, RANKS + 1)]
