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
from typing import TYPE_CHECKING, Any

import numpy as np
from benchmarks.dataset import SETS, Question, corpora_dir, load_questions, questions_file, repository_dir
from benchmarks.metrics import TOP_K, Place, hits, same_path
from numpy.typing import NDArray
from training.ranker.collected import MAX_TARGETS, Asked, Collected, save
from training.ranker.packages import PLACE

from fourfold import Index
from fourfold.pipeline.searcher import is_name
from fourfold.rank.chunks import CHUNK_FEATURES, chunk_features
from fourfold.rank.features import FEATURES
from fourfold.rank.intent import classify
from fourfold.retrieve.structural import bare
from fourfold.store.question import Question as StoredQuestion

if TYPE_CHECKING:
    from fourfold.model.query import Query
    from fourfold.pipeline.searcher import Searcher
    from fourfold.retrieve.evidence import Evidence

FILE_NAMES = tuple(sorted(FEATURES))
CHUNK_NAMES = tuple(sorted(CHUNK_FEATURES))


def collect(root: Path, questions: Sequence[Question], tags: dict[str, list[str]] | None = None) -> Collected:
    """Index `root` (the folder that the questions are about) and keep what the ranking sees; `tags` by question id."""
    with Index.open(root, root=root) as index:
        index.refresh()
        asker = _Asker(index)
        asked = [asker.ask(question, (tags or {}).get(question.id, [])) for question in questions]
    return Collected(FILE_NAMES, CHUNK_NAMES, tuple(asked))


class _Asker:
    """Asks one index, and looks at what lies behind its answers."""

    def __init__(self, index: Index) -> None:
        self._index = index
        self._searcher: Searcher = index._open_searcher()

    def ask(self, question: Question, tags: list[str]) -> Asked:
        query = classify(question.text, self._searcher.knows)
        targets = question.targets[:MAX_TARGETS]
        record: dict[str, Any] = {
            "repo": question.repo,
            "id": question.id,
            "language": question.language,
            "category": question.category,
            "query": question.text,
            "tags": tags,
            "targets": len(targets),
            "lined": sum(1 << bit for bit, target in enumerate(targets) if target.start_line is not None),
            "is_name": is_name(query),
        }
        if self._searcher.answer(query).method != "feature_rerank":
            record["fixed"] = self._fixed(question)
        evidence, files = self._look(query)
        chunks = chunk_features(evidence)
        file_hits, chunk_hits = self._hits(question, evidence)
        return Asked(
            record,
            list(evidence.paths),
            np.stack([files[name] for name in FILE_NAMES], axis=1).astype(np.float32),
            evidence.offsets,
            np.stack([chunks[name] for name in CHUNK_NAMES], axis=1).astype(np.float32),
            file_hits,
            chunk_hits,
        )

    def _look(self, query: Query) -> tuple[Evidence, dict[str, NDArray[np.float64]]]:
        question = StoredQuestion(query.text, tuple(bare(name) for name in query.identifiers))
        evidence = self._searcher.gather(question, query.text, None)
        return evidence, self._searcher.file_features(question, query, evidence)

    def _fixed(self, question: Question) -> list[int]:
        found = self._index.search(question.text, limit=TOP_K, refresh=False).items
        places = [Place(_whole(item.path, question), item.start_line, item.end_line) for item in found]
        return [
            sum(1 << bit for bit, target in enumerate(question.targets[:MAX_TARGETS]) if hits(place, target))
            for place in places
        ]

    def _hits(self, question: Question, evidence: Evidence) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Masks of the targets that each file, and each chunk, would show."""
        corpus = self._searcher.corpus
        first, last = corpus.start_lines[evidence.chunks], corpus.column("chunk.end")[evidence.chunks]
        owner = np.repeat(np.arange(len(evidence.files)), np.diff(evidence.offsets))
        files, chunks = np.zeros(len(evidence.files), np.int64), np.zeros(len(evidence.chunks), np.int64)
        for bit, target in enumerate(question.targets[:MAX_TARGETS]):
            here = np.array([same_path(_whole(path, question), target.path) for path in evidence.paths], np.bool_)
            shown = here[owner] if len(here) else np.zeros(0, np.bool_)
            if target.start_line is not None and target.end_line is not None:
                shown = shown & (first <= target.end_line) & (last >= target.start_line)
            files[here] |= 1 << bit
            chunks[shown] |= 1 << bit
        return files, chunks


def _whole(path: str, question: Question) -> str:
    """A path below the indexed folder as seen from the repository."""
    return f"{question.root}/{path}" if question.root else path


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
