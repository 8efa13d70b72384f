"""How good an embedding is on held-out packages: ``python -m benchmarks.embedding [BUNDLE ...]``.

For each package of the mined set a pool of chunks is made of the answers and of other chunks, and every documented
function is asked for: by the first sentence of its documentation (``named``), without the words of its name
(``unnamed``), and without any word that occurs in the answer (``unshared``). Printed are MRR@10 and recall@10 of plain
BM25 over Fourfold's own terms, of each model alone and of both fused by reciprocal rank. Without arguments the bundled
model is measured; a BUNDLE is a folder of the same form. ``--teacher DIR`` adds all-MiniLM-L6-v2 (needs torch).
"""

from __future__ import annotations

import argparse
import json
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benchmarks.dataset import corpora_dir
from benchmarks.embedding_pool import POOL, Pool, pools
from benchmarks.embedding_rank import bm25_scores, fused, outcome, symbol_of, vector_scores
from fourfold.embed.static import BUNDLE, StaticEmbedder

CATEGORIES: tuple[str, ...] = ("named", "unnamed", "unshared")

Scorer = Callable[[Pool, list[str]], NDArray[np.float64]]


def measure(found: list[Pool], systems: dict[str, Scorer]) -> dict[str, dict[str, dict[str, list[float]]]]:
    """[MRR@10, recall@10] by system, category and package; each system but BM25 also fused with it."""
    table: dict[str, dict[str, dict[str, list[float]]]] = defaultdict(lambda: defaultdict(dict))
    for pool in found:
        texts = [text for _, text, _ in pool.questions]
        words = bm25_scores(pool, texts)
        scores = {"bm25": words}
        for name, system in systems.items():
            scores[name] = system(pool, texts)
            scores[f"{name} + bm25"] = fused(scores[name], words)
        for name, matrix in scores.items():
            reached = outcome(matrix, [rows for _, _, rows in pool.questions])
            for category in CATEGORIES:
                rows = [row for row, (kind, _, _) in enumerate(pool.questions) if kind == category]
                if rows:
                    table[name][category][pool.package] = [float(value) for value in reached[rows].mean(axis=0)]
    return table


def teacher_scores(folder: Path) -> Scorer:
    """Scores of the sentence encoder: a chunk is read as its path, symbol and text."""
    from training.embedding.teacher import Teacher

    teacher = Teacher(folder)

    def scores(pool: Pool, texts: list[str]) -> NDArray[np.float64]:
        chunks = [
            f"{pool.paths[row]} {symbol_of(pool, row)}\n{chunk.text[:1000]}" for row, chunk in enumerate(pool.chunks)
        ]
        return np.asarray(teacher.embed(texts) @ teacher.embed(chunks).T, np.float64)

    return scores


def report(table: dict[str, dict[str, dict[str, list[float]]]]) -> str:
    """The means over packages, then each package's MRR on questions without the name."""
    lines = [f"{'':34}" + "".join(f"{category:>16}" for category in CATEGORIES)]
    for name, rows in table.items():
        means = (np.mean(list(rows[category].values()), axis=0) for category in CATEGORIES)
        lines.append(f"{name:34}" + "".join(f"{mrr:>8.3f} {recall:>7.3f}" for mrr, recall in means))
    packages = list(next(iter(table.values()))["unnamed"])
    lines += ["", f"{'MRR@10, unnamed':34}" + "".join(f"{package[:9]:>10}" for package in packages)]
    for name, rows in table.items():
        lines.append(f"{name:34}" + "".join(f"{rows['unnamed'][package][0]:>10.3f}" for package in packages))
    return "\n".join(lines)


def main(arguments: list[str] | None = None) -> None:
    """The command."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.embedding", description=__doc__)
    parser.add_argument("bundles", nargs="*", type=Path, metavar="BUNDLE")
    parser.add_argument("--teacher", type=Path, metavar="DIR", help="folder of all-MiniLM-L6-v2")
    parser.add_argument("--pool", type=int, default=POOL, help="chunks of a package")
    parser.add_argument("--corpora", type=Path)
    parser.add_argument("--json", type=Path, help="write the figures here as well")
    options = parser.parse_args(arguments)
    systems: dict[str, Scorer] = {}
    for folder in options.bundles or [BUNDLE]:
        embedder = StaticEmbedder(folder)
        name = embedder.identity.key().partition("/")[0] if folder == BUNDLE else folder.name
        systems[name] = lambda pool, texts, embedder=embedder: vector_scores(pool, texts, embedder)  # type: ignore[misc]
    if options.teacher:
        systems["all-MiniLM-L6-v2"] = teacher_scores(options.teacher)
    table = measure(pools(corpora_dir(options.corpora), options.pool), systems)
    print(report(table))
    if options.json:
        options.json.write_text(json.dumps(table, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
