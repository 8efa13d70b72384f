"""Is a name found that a question names in passing? ``python -m benchmarks.rare_names TREE... [--holding 1-2]``.

Sampled (seeded) are words of a tree whose form says that they are names of code (``max_age_conn``, ``ERR676X27``), that
nothing defines, and that few chunks hold. Each is asked for in a sentence that says nothing else of it. Right is a
result that shows a chunk with the word.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Sequence
from pathlib import Path

from benchmarks.tables import table
from fourfold import Index
from fourfold.rank.identifiers import telling_names
from fourfold.store.terms import term_hash

SEED = 20_261_201
FILES = 150
"""Files of a tree from which words are taken."""
SENTENCES = (
    "why does the parser raise {} when it reads a value",
    "what does {} do here with the things that it gets",
    "where do we deal with {} for requests",
    "explain the role of {} in this project",
)
RANKS = (1, 5, 10)


def first_ranks(root: Path, count: int, least: int, most: int) -> list[int | None]:
    """The rank (from 1) of the first right result of up to `count` questions about a tree, None beyond ten."""
    with Index.open(root, root=root) as index:
        index.refresh()
        names = sorted(names_held(index, least, most))
        chosen = random.Random(SEED).sample(names, min(count, len(names)))
        return [rank_of(index, name, SENTENCES[at % len(SENTENCES)].format(name)) for at, name in enumerate(chosen)]


def names_held(index: Index, least: int, most: int) -> set[str]:
    """Names by their form in a sample of files that so many chunks hold and nothing defines."""
    searcher = index._open_searcher()
    paths = sorted(path for path in searcher.corpus.paths if path)
    found: set[str] = set()
    for path in random.Random(SEED).sample(paths, min(FILES, len(paths))):
        words = (searcher.snapshot.text(path) or "").replace("`", " ").split()
        found |= {word for word in words if word.isidentifier() and word.isascii() and 5 < len(word) <= 30}
    telling = [name for name in found if telling_names(name, [name]) and not searcher.knows(name)]
    return {name for name in telling if least <= searcher.corpus.holding("raw", name.lower()) <= most}


def rank_of(index: Index, name: str, question: str) -> int | None:
    """The rank of the first result that shows a chunk which holds the name."""
    corpus = index._open_searcher().corpus
    rows = corpus.rows_holding("raw", term_hash(name.lower())).tolist()
    held = [(corpus.path_of(row), int(corpus.start_lines[row]), int(corpus.end_lines[row])) for row in rows]
    for item in index.search(question, limit=RANKS[-1], refresh=False).items:
        if any(item.path == path and first <= item.end_line and item.start_line <= last for path, first, last in held):
            return item.rank
    return None


def shares(ranks: Sequence[int | None]) -> list[str]:
    """The share of questions whose first right result is within each rank."""
    return [f"{sum(rank is not None and rank <= limit for rank in ranks) / len(ranks):.3f}" for limit in RANKS]


def main(arguments: list[str] | None = None) -> None:
    """The command."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.rare_names", description=__doc__)
    parser.add_argument("trees", nargs="+", type=Path)
    parser.add_argument("--names", type=int, default=25, help="of each tree")
    parser.add_argument("--holding", default="1-2", metavar="LEAST-MOST", help="chunks that hold a name (1-2)")
    chosen = parser.parse_args(arguments)
    least, most = map(int, chosen.holding.split("-"))
    ranks = {tree: first_ranks(tree, chosen.names, least, most) for tree in chosen.trees}
    rows = [[str(tree), str(len(found)), *shares(found)] for tree, found in ranks.items() if found]
    everything = [rank for found in ranks.values() for rank in found]
    if everything:
        rows.append(["all", str(len(everything)), *shares(everything)])
    print(table(("tree", "names", "first", "in 5", "in 10"), rows))


if __name__ == "__main__":
    main()
