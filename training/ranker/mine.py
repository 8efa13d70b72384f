"""Mine questions for fitting the ranking: ``python -m training.ranker.mine [NAME ...]``.

For each package of the manifest (prepared before) some hundred questions are drawn, seeded by the package's name:
from documentation, names, tests and, where a history is at hand (``--from DIR``), commit subjects. What a question was
made of is blank lines in the copy that is to be indexed, so no line moves. Questions go to ``ranker/questions.jsonl``
below the corpora directory, copies to ``ranker/NAME``.
"""

from __future__ import annotations

import argparse
import json
import random
import shutil
import sys
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from benchmarks.dataset import corpora_dir
from training.ranker.history import changes
from training.ranker.packages import PLACE, Package, load_packages
from training.ranker.tree import Tree, read_tree

from fourfold.evaluate.labels.candidates import Candidate, draw
from fourfold.evaluate.labels.from_docs import from_docs
from fourfold.evaluate.labels.from_history import from_history
from fourfold.evaluate.labels.from_names import from_names
from fourfold.evaluate.labels.from_tests import from_tests
from fourfold.evaluate.labels.hidden import pruned
from fourfold.evaluate.labels.rarity import Rarity
from fourfold.evaluate.labels.repeats import Repeats

SEED = 11


def mine(package: Package, tree: Tree, repository: Path | None = None, seed: int = SEED) -> list[Candidate]:
    """The questions of one package; the same tree, history and seed give the same."""
    rng = random.Random(f"{seed}:{package.name}")
    rarity = Rarity(tree.texts)
    found = [
        *from_docs(tree, rarity, rng),
        *from_tests(tree, rarity),
        *from_history(changes(package, repository), tree, rarity),
        *from_names(tree, rng),
    ]
    return draw(found, rng, Repeats(tree.texts).is_repeated)


def records(package: Package, chosen: Iterable[Candidate]) -> list[dict[str, Any]]:
    """The questions as the tuning set writes them, with tags."""
    return [
        {
            "repo": package.name,
            "query_id": f"{package.name}-{number:03}",
            "language": package.language,
            "category": one.category,
            "query": one.text,
            "relevant": [{"path": t.path, "start_line": t.start_line, "end_line": t.end_line} for t in one.targets],
            "secondary": [],
            "benchmark_root": ".",
            "tags": list(one.tags),
        }
        for number, one in enumerate(chosen)
    ]


def mine_all(corpora: Path, packages: list[Package], sources: Path | None = None) -> list[dict[str, Any]]:
    """Mine every package, write the copies and (where none is left out) the questions; returns the questions."""
    made: list[dict[str, Any]] = []
    for package in packages:
        tree = read_tree(corpora / package.corpus.place, package.language)
        chosen = mine(package, tree, repository_of(package, sources))
        write_tree(corpora / PLACE / package.name, pruned(tree.texts, chosen))
        kinds = Counter(one.kind for one in chosen)
        print(f"{package.name}: {len(chosen)} questions {dict(kinds)}", file=sys.stderr)
        made += records(package, chosen)
    return made


def repository_of(package: Package, sources: Path | None) -> Path | None:
    """The local copy of a package's repository, as ``prepare`` takes it, or None."""
    if sources is None or package.corpus.kind != "git":
        return None
    owner, name = package.corpus.url.removesuffix(".git").rsplit("/", 2)[-2:]
    places = (sources / f"{name}.git", sources / f"{owner}+{name}" / "repo", sources / name / ".git")
    return next((place for place in places if place.is_dir()), None)


def write_tree(folder: Path, texts: Mapping[str, str]) -> None:
    """Write the texts anew."""
    shutil.rmtree(folder, ignore_errors=True)
    for path, text in texts.items():
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8", newline="\n")


def write_questions(path: Path, made: Iterable[dict[str, Any]]) -> None:
    """Write JSON lines."""
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = (json.dumps(record, ensure_ascii=False) + "\n" for record in made)
    path.write_text("".join(lines), encoding="utf-8")


def main(arguments: list[str] | None = None) -> None:
    """The command."""
    parser = argparse.ArgumentParser(prog="python -m training.ranker.mine", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help="packages; all where none is named")
    parser.add_argument("--from", dest="sources", type=Path, help="folder of repositories, for their histories")
    parser.add_argument("--corpora", type=Path, help="where the corpora are")
    options = parser.parse_args(arguments)
    corpora = corpora_dir(options.corpora)
    made = mine_all(corpora, load_packages(options.names), options.sources)
    if not options.names:
        write_questions(corpora / PLACE / "questions.jsonl", made)


if __name__ == "__main__":
    main()
