"""Write the tables of docs/benchmarks.md from the results: ``python -m benchmarks.report``.

Only what stands between the two markers is replaced. With ``--check`` nothing is written and the exit code is 1
where the page is not what the results give.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from benchmarks import large, quality, speed
from benchmarks.dataset import HERE, SETS

PAGE = HERE.parent / "docs" / "benchmarks.md"
BEGIN, END = "<!-- tables: begin -->", "<!-- tables: end -->"
TITLES = {
    "tuning": "Tuning set: short questions, file targets",
    "mined": "Mined set: a documentation sentence, its function with the documentation removed",
    "long": "Long questions over whole repositories, weak labels",
    "large": "Large set: hand-written questions over django and prisma, all intents, function and line targets",
    "unshared": "Hand-written questions that share no word with their target",
    "languages": "Hand-written questions in six languages",
    "structural": "Callers, subclasses and impact, with the truth of a precise tool",
}
GROUPS_SHOWN = {
    "large": ("half", "intent", "kind", "repository"),
    "unshared": ("language",),
    "languages": ("natural language", "kind"),
    "structural": ("kind", "repository"),
}
"""By what the tables of each hand-written set are split."""


def tables(results: Path) -> str:
    """The generated part, from whatever result files there are."""
    parts = [*_quality_parts(results), *_written_parts(results)]
    speed_file = results / "speed.json"
    if speed_file.exists():
        content = _read(speed_file)
        parts.append(f"### Speed and size\n\n{_circumstances(content)}\n\n{speed.as_table(content['records'])}")
    return "\n\n".join(parts) or "No results yet."


def _quality_parts(results: Path) -> Iterator[str]:
    for name in SETS:
        path = results / f"quality-{name}.json"
        if path.exists():
            content = _read(path)
            records = content["records"]
            yield "\n\n".join(
                (f"### {TITLES[name]}", _size(records[0]), _circumstances(content), quality.as_table(records),
                 _legend(records), "NDCG@10 by category:", quality.by_category(records))
            )  # fmt: skip


def _written_parts(results: Path) -> Iterator[str]:
    for name, groups in GROUPS_SHOWN.items():
        path = results / f"written-{name}-all.json"
        if path.exists():
            content = _read(path)
            records = content["records"]
            tables = [large.whole_table(records), *(large.group_table(records, group) for group in groups)]
            yield "\n\n".join((f"### {TITLES[name]}", _circumstances(content), *filter(None, tables)))


def _size(record: dict[str, Any]) -> str:
    return (
        f"{record['questions']} questions over {record['repositories']} repositories; means over repositories, "
        "95 % bootstrap interval of NDCG@10 over questions within them; times are medians in process, warm."
    )


def _circumstances(content: dict[str, Any]) -> str:
    return (
        f"`{content['command']}` at commit `{content['commit']}` on {content['date']}, {content['machine']}, "
        f"Python {content['python']}."
    )


def _legend(records: list[dict[str, Any]]) -> str:
    named = dict.fromkeys((record["system"], record["what"]) for record in records)
    return "\n".join(f"- **{system}**: {what}" for system, what in named)


def replaced(page: str, content: str) -> str:
    """The page with the part between the markers replaced. Raises ValueError where a marker is missing."""
    before, begin, rest = page.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise ValueError(f"the page has no {BEGIN} and {END}")
    return f"{before}{BEGIN}\n\n{content}\n\n{END}{after}"


def _read(path: Path) -> dict[str, Any]:
    content: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return content


def main(arguments: list[str] | None = None) -> None:
    """The command."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.report", description=__doc__)
    parser.add_argument("--results", type=Path, default=HERE / "results")
    parser.add_argument("--page", type=Path, default=PAGE)
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args(arguments)
    page = options.page.read_text(encoding="utf-8")
    new = replaced(page, tables(options.results))
    if options.check and new != page:
        raise SystemExit(f"{options.page.name} is out of date: run python -m benchmarks.report")
    if not options.check:
        options.page.write_text(new, encoding="utf-8")


if __name__ == "__main__":
    main()
