"""What an answer costs an agent: ``python -m benchmarks.tokens``.

For each question of the tuning set the text of ``search_code``, page after page, against reading whole files in the
order in which ripgrep finds them. Counted is how many tokens an agent has read when the place of a target comes by
(tokens as :func:`fourfold.answer.tokens.estimate` counts them, on the long side), and which share of the targets has
come by within a budget: means over repositories. A file that is read whole counts when half of it is read. Writes
``benchmarks/results/tokens.json``.
"""

from __future__ import annotations

import argparse
import json
import re
import statistics
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.dataset import HERE, Question, corpora_dir, repository_dir
from benchmarks.harness import chosen
from benchmarks.machine import circumstances
from benchmarks.systems.fourfold_presets import FourfoldIndexes
from benchmarks.systems.ripgrep import Ripgrep
from benchmarks.tables import table
from fourfold.answer.tokens import estimate

RESULTS = HERE / "results"
BUDGETS = (500, 1_000, 2_000, 4_000)
"""Tokens read; the last one is the default budget of a reply."""
LOCATION = re.compile(r"^\*\*Location\*\*: `([^`\n]+):\d+-\d+`$", re.MULTILINE)
SYSTEMS = ("search_code", "ripgrep and whole files")

Read = Iterator[tuple[str, int]]
"""(path, tokens read when it comes by), in reading order."""


@dataclass(frozen=True, slots=True)
class Cost:
    """What one question cost: tokens up to the first target (None: not within the last budget), and the share of the
    targets that came by within each budget."""

    repo: str
    first: int | None
    recalls: tuple[float, ...]


def cost(question: Question, read: Read) -> Cost:
    """Read until the last budget is spent."""
    left = {target.path for target in question.targets}
    total = len(left)
    seen: list[int] = []
    for path, tokens in read:
        if tokens > BUDGETS[-1]:
            break
        found = {target for target in left if _same(path, target)}
        seen += [tokens] * len(found)
        left -= found
        if not left:
            break
    recalls = tuple(sum(tokens <= budget for tokens in seen) / max(total, 1) for budget in BUDGETS)
    return Cost(question.repo, min(seen, default=None), recalls)


def _same(path: str, target: str) -> bool:
    """One of them may be relative to the root that was asked, the other to the repository."""
    return path == target or path.endswith(f"/{target}") or target.endswith(f"/{path}")


def places(text: str, before: int) -> Read:
    """The places of a reply, each with the tokens up to the end of its block; `before` are those read earlier."""
    found = list(LOCATION.finditer(text))
    ends = [match.start() for match in found[1:]] + [len(text)]
    for match, end in zip(found, ends, strict=True):
        yield match[1], before + estimate(text[:end])


def replies(root: Path) -> Callable[[str], Read]:
    """Questions to ``search_code`` of a server for one root."""
    from fourfold.interfaces.mcp.arguments import checked
    from fourfold.interfaces.mcp.call import Call
    from fourfold.interfaces.mcp.schemas import INPUT
    from fourfold.interfaces.mcp.tools.search import search_code
    from fourfold.interfaces.mcp.workspace import Workspace

    workspace = Workspace([root])

    def pages(text: str) -> Read:
        given: dict[str, Any] = {"query": text}
        spent = 0
        while spent < BUDGETS[-1]:
            found = search_code(Call(workspace, checked("search_code", INPUT["search_code"], given)))
            yield from places(found.text, spent)
            spent += estimate(found.text)
            cursor = found.data["meta"]["next_cursor"]
            if not cursor:
                return
            given = {"query": text, "cursor": cursor}

    return pages


def whole_files(root: Path) -> Callable[[str], Read]:
    """Files in the order of ripgrep, read from their first line to their last."""
    engine = Ripgrep()

    def read(text: str) -> Read:
        spent = 0
        for path, _, _ in engine.answer(root, text):
            tokens = estimate((root / path).read_text("utf-8", errors="replace"))
            yield path, spent + tokens // 2
            spent += tokens

    return read


def summary(costs: Sequence[Cost]) -> dict[str, Any]:
    """Means over repositories; the median of the tokens up to the first target, where there was one."""
    repos = sorted({one.repo for one in costs})

    def mean(of: Callable[[Cost], float]) -> float:
        return statistics.fmean(statistics.fmean(of(one) for one in costs if one.repo == repo) for repo in repos)

    firsts = [one.first for one in costs if one.first is not None]
    return {
        "questions": len(costs),
        "repositories": len(repos),
        "tokens_to_first_median": round(statistics.median(firsts)) if firsts else None,
        "found": round(mean(lambda one: float(one.first is not None)), 4),
        **{
            f"recall_at_{budget}": round(mean(lambda one, at=at: one.recalls[at]), 4)  # type: ignore[misc]
            for at, budget in enumerate(BUDGETS)
        },
    }


def run(corpora: Path, repos: Sequence[str], first: int | None) -> dict[str, dict[str, Any]]:
    """Both ways, repository by repository."""
    costs: dict[str, list[Cost]] = {name: [] for name in SYSTEMS}
    indexes = FourfoldIndexes()
    for repo, questions in chosen("tuning", corpora, repos, first).items():
        folder = repository_dir("tuning", repo, corpora)
        for root in dict.fromkeys(folder / one.root if one.root else folder for one in questions):
            indexes.get(root)
            for name, make in zip(SYSTEMS, (replies, whole_files), strict=True):
                read = make(root)
                costs[name] += [cost(one, read(one.text)) for one in questions if (folder / (one.root or ".")) == root]
        print(f"  {repo}: {len(questions)} questions", file=sys.stderr)
    indexes.close()
    return {name: summary(found) for name, found in costs.items()}


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--corpora", type=Path)
    parser.add_argument("--repos", default="", help="only these, separated by commas")
    parser.add_argument("--first", type=int, help="only so many questions of each repository")
    asked = parser.parse_args()
    found = run(corpora_dir(asked.corpora), [name for name in asked.repos.split(",") if name], asked.first)
    heads = ("way", "questions", "tokens to first", "found", *(f"recall@{budget:,}" for budget in BUDGETS))
    rows = [[name, *list(one.values())[:1], *list(one.values())[2:]] for name, one in found.items()]
    print(table(heads, [[str(value) for value in row] for row in rows]))
    if not asked.repos and asked.first is None:
        RESULTS.mkdir(exist_ok=True)
        record = {**circumstances("python -m benchmarks.tokens"), "ways": found}
        (RESULTS / "tokens.json").write_text(json.dumps(record, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
