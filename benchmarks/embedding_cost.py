"""What the static model costs, in processor time: ``python -m benchmarks.embedding_cost [BUNDLE ...] [--json FILE]``.

Loading a bundle, one question, and chunks a second with nothing remembered and with the words met before: of a seeded
sample of the mined packages' chunks. Processor time of this process, best of some rounds: another load on the machine
inflates it less than the clock on the wall, and still inflates it.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable
from pathlib import Path

from benchmarks.dataset import corpora_dir
from benchmarks.embedding_pool import Pool, pools
from benchmarks.embedding_rank import symbol_of
from fourfold.embed.protocol import EmbedInput
from fourfold.embed.static import BUNDLE, StaticEmbedder

ROUNDS = 5


def best(work: Callable[[], object], rounds: int = ROUNDS) -> float:
    """Seconds of processor time of the cheapest of some rounds."""
    spent = []
    for _ in range(rounds):
        began = time.process_time()
        work()
        spent.append(time.process_time() - began)
    return min(spent)


def cost(folder: Path, found: list[Pool]) -> dict[str, float]:
    """Milliseconds to load and to read a question, chunks a second, characters of a chunk, bytes of the bundle."""
    inputs = [
        EmbedInput(chunk.text, pool.paths[row], symbol_of(pool, row))
        for pool in found
        for row, chunk in enumerate(pool.chunks)
    ]
    questions = [text for pool in found for _, text, _ in pool.questions]
    embedder = StaticEmbedder(folder)
    embedder.queries(questions[:20])
    asked = best(lambda: [embedder.queries([text]) for text in questions[20:220]])
    return {
        "load ms": 1000 * best(lambda: StaticEmbedder(folder)),
        "question ms": 1000 * asked / 200,
        "chunks/s cold": len(inputs) / best(lambda: StaticEmbedder(folder).documents(inputs), 2),
        "chunks/s warm": len(inputs) / best(lambda: embedder.documents(inputs), 3),
        "characters a chunk": sum(len(one.text) for one in inputs) / len(inputs),
        "bytes": sum(path.stat().st_size for path in folder.iterdir()),
    }


def main(arguments: list[str] | None = None) -> None:
    """The command."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.embedding_cost", description=__doc__)
    parser.add_argument("bundles", nargs="*", type=Path, metavar="BUNDLE")
    parser.add_argument("--corpora", type=Path)
    parser.add_argument("--json", type=Path, help="write the figures here as well")
    options = parser.parse_args(arguments)
    found = pools(corpora_dir(options.corpora))
    figures = {str(folder.name): cost(folder, found) for folder in options.bundles or [BUNDLE]}
    for name, row in figures.items():
        print(name, ", ".join(f"{key} {value:,.2f}" for key, value in row.items()))
    if options.json:
        options.json.write_text(json.dumps(figures, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
