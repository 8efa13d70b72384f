"""Collect the features of all candidates: ``python -m training.ranker.collect --set tuning --out DIR [NAME ...]``.

Each repository of the set is indexed, each of its questions is asked, and what the ranking saw goes to
``DIR/NAME.npz`` (:mod:`training.ranker.collected`). Sets are those of ``benchmarks``, and ``ranker``: the questions
mined for fitting. The index is the program's own: ``FOURFOLD_CACHE_DIR`` says where.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from benchmarks.dataset import SETS, Question, corpora_dir, load_questions, questions_file, repository_dir
from training.ranker.collected import save
from training.ranker.packages import PLACE

from fourfold import Index
from fourfold.evaluate.learn.asked import Collected
from fourfold.evaluate.learn.asking import CHUNK_NAMES, FILE_NAMES, Asker


def collect(root: Path, questions: Sequence[Question], tags: dict[str, list[str]] | None = None) -> Collected:
    """Index `root` (the folder that the questions are about) and keep what the ranking sees; `tags` by question id."""
    with Index.open(root, root=root) as index:
        index.refresh()
        asked = []
        for question in questions:
            asker = Asker(index, f"{question.root}/" if question.root else "")
            record = {
                "repo": question.repo,
                "id": question.id,
                "language": question.language,
                "category": question.category,
                "tags": (tags or {}).get(question.id, []),
            }
            asked.append(asker.ask(question.text, question.targets, record))
    return Collected(FILE_NAMES, CHUNK_NAMES, tuple(asked))


def questions_of(set_name: str, corpora: Path) -> tuple[list[Question], dict[str, list[str]]]:
    """The questions of a set, and the tags of each by id. Raises FileNotFoundError where they were not prepared."""
    path = corpora / PLACE / "questions.jsonl" if set_name == PLACE else questions_file(set_name, corpora)
    with path.open(encoding="utf-8") as lines:
        records = [json.loads(line) for line in lines if line.strip()]
    return load_questions(path), {record["query_id"]: record.get("tags", []) for record in records}


def collect_all(set_name: str, corpora: Path, out: Path, names: Sequence[str] = ()) -> None:
    """Collect every repository of a set (or those of `names`) whose file is not there yet."""
    questions, tags = questions_of(set_name, corpora)
    for repo in dict.fromkeys(question.repo for question in questions if not names or question.repo in names):
        target = out / f"{repo.rsplit('/', 1)[-1]}.npz"
        if target.exists():
            continue
        own = [question for question in questions if question.repo == repo]
        folder = repository_dir(set_name, repo, corpora)
        started = time.perf_counter()
        found = [
            collect(folder / root if root else folder, [question for question in own if question.root == root], tags)
            for root in dict.fromkeys(question.root for question in own)
        ]
        save(target, Collected(FILE_NAMES, CHUNK_NAMES, tuple(asked for one in found for asked in one.asked)))
        print(f"{repo}: {len(own)} questions, {time.perf_counter() - started:.1f} s", file=sys.stderr)


def main(arguments: list[str] | None = None) -> None:
    """The command."""
    parser = argparse.ArgumentParser(prog="python -m training.ranker.collect", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help="repositories; all where none is named")
    parser.add_argument("--set", choices=(*SETS, PLACE), required=True)
    parser.add_argument("--out", type=Path, required=True, help="folder of the .npz files; those there are kept")
    parser.add_argument("--corpora", type=Path, help="where the corpora are")
    options = parser.parse_args(arguments)
    collect_all(options.set, corpora_dir(options.corpora), options.out, options.names)


if __name__ == "__main__":
    main()
