"""One ranking over many repositories: ``python -m benchmarks.across --corpora DIR``.

All repositories of the tuning set are services of one workspace. Each question is asked within its own repository (as
it always is) and across all of them, where the right repository has to be found too. Beside the one ranking of a
:class:`~fourfold.engine.joined.JoinedIndex` stand the two ways of merging the repositories' own answers: by the scores
that each gave, and by rank (the first of each, then the second of each). Questions that name no project are asked as
they are; nothing is tuned here.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterable, Sequence
from itertools import zip_longest
from pathlib import Path

from benchmarks.dataset import Question, repository_dir
from benchmarks.harness import chosen
from benchmarks.metrics import Judged, Place, by_repository, first_per_file, judge
from benchmarks.tables import table
from fourfold.config.services import ServiceConfig
from fourfold.engine.joined import JoinedIndex
from fourfold.engine.workspace import Workspace
from fourfold.model.result import ResultItem

SET = "tuning"
DEPTH = 10
WAYS = ("within", "across, one ranking", "across, by score", "across, by rank")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the comparison and print one table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--corpora", type=Path, required=True, help="where the corpora lie")
    parser.add_argument("--first", type=int, help="only so many questions of each repository")
    options = parser.parse_args(arguments)
    groups = chosen(SET, options.corpora, (), options.first)
    questions = [question for group in groups.values() for question in group]
    places = {question.repo_name: question for question in questions}
    configs = [
        ServiceConfig(name, path=str(repository_dir(SET, question.repo, options.corpora)), root=question.root)
        for name, question in sorted(places.items())
    ]
    with Workspace(configs) as workspace:
        _, failed = workspace.sync()
        if failed:
            print(failed, file=sys.stderr)
            return 1
        joined = workspace.index()
        rows: dict[str, list[Judged]] = {way: [] for way in WAYS}
        right = dict.fromkeys(WAYS, 0)
        spent = dict.fromkeys(WAYS[:2], 0.0)
        for question in questions:
            name = question.repo_name
            began = time.process_time()
            own = joined.only([name]).search(question.text, limit=DEPTH, refresh=False).items
            spent["within"] += time.process_time() - began
            began = time.process_time()
            one = joined.search(question.text, limit=DEPTH, refresh=False).items
            spent["across, one ranking"] += time.process_time() - began
            alone = _alone(joined, question)
            by_score = sorted((item for items in alone for item in items), key=lambda item: -item.score)
            by_rank = [item for row in zip_longest(*alone) for item in row if item is not None]
            for way, items in zip(WAYS, (own, one, by_score[:DEPTH], by_rank[:DEPTH]), strict=True):
                rows[way].append(Judged(question, judge(question.whole_files(), _places(question, name, items))))
                right[way] += bool(items) and items[0].service == name
        print(f"{len(questions)} questions, {len(configs)} services")
        body = []
        for way in WAYS:
            found = by_repository(rows[way])
            cpu = f"{1000 * spent[way] / len(questions):.1f}" if way in spent else ""
            share = f"{right[way] / len(questions):.3f}"
            body.append((way, f"{found.ndcg:.4f}", f"{found.recall:.4f}", f"{found.hit1:.4f}", share, cpu))
        print(table(("way", "NDCG@10", "recall@10", "hit@1", "first is of the right service", "cpu ms"), body))
    return 0


def _alone(joined: JoinedIndex, question: Question) -> list[Sequence[ResultItem]]:
    """The answer of each service by itself, under its own statistics."""
    return [joined.only([name]).search(question.text, limit=DEPTH, refresh=False).items for name in joined.indexes]


def _places(question: Question, name: str, items: Iterable[ResultItem]) -> list[Place]:
    """Results as places of the question's repository; those of another one are nowhere in it."""
    found = []
    for item in items:
        inside = f"{question.root}/{item.path}" if question.root else item.path
        path = inside if item.service == name else f"{item.service}\0{item.path}".replace("/", "\0")
        found.append(Place(path, item.start_line, item.end_line))
    return first_per_file(found)


if __name__ == "__main__":
    sys.exit(main())
