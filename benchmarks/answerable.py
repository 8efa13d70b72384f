"""Is a question that has an answer answered, and is one that has none told so: ``python -m benchmarks.answerable``.

A hundred questions a repository are made from its symbols, their documentation, its literals and its paths (seeded, not
stored); each has an answer, so none may come back empty. A hundred in all are hand-written and ask for what plainly is
not there (``questions/unanswerable``; ``--check`` makes sure that it is not): they should come back empty, or with a
sentence that says nothing fits. Printed are the shares; ``--list`` names the questions.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.dataset import QUESTIONS, corpora_dir
from benchmarks.systems.fourfold_presets import FourfoldIndexes
from benchmarks.systems.tree import files_of
from benchmarks.written import root_of
from fourfold.evaluate.labels.tree import NO_TARGETS
from fourfold.model.symbol import Symbol
from fourfold.model.text import parts
from fourfold.rank.paths import categories
from fourfold.syntax.languages import language_of
from fourfold.syntax.parse import parse_file

REPOS = (
    "django", "sympy", "scikit-learn", "networkx", "scrapy", "mongoose", "bleve", "zxing", "cakephp", "sequel",
)  # fmt: skip
PER_REPO = 100
SEED = 11
UNANSWERABLE = QUESTIONS / "unanswerable" / "queries.jsonl"
_KINDS = frozenset({"function", "method", "class", "struct", "interface", "trait", "module"})
_LITERAL = re.compile(r"\"([A-Z][a-z][\w ',.-]{10,60})\"")


@dataclass(frozen=True, slots=True)
class Definition:
    """A symbol and the file that holds it."""

    path: str
    symbol: Symbol


@dataclass(frozen=True, slots=True)
class Unanswerable:
    """A question about what a repository does not hold; `absent` occurs nowhere in it, in any case."""

    repo: str
    text: str
    absent: str


@dataclass(frozen=True, slots=True)
class Answer:
    """What came back: how many results, and what was said."""

    repo: str
    text: str
    results: int
    said: str

    @property
    def told(self) -> bool:
        """True where it says that nothing fits: no results, or a sentence beside them."""
        return self.results == 0 or bool(self.said)


def _by_words(one: Definition) -> str:
    return " ".join(part.lower() for part in parts(one.symbol.name))


def _by_doc(one: Definition) -> str:
    return one.symbol.doc.partition(". ")[0].rstrip(".")


TEMPLATES: tuple[tuple[str, Callable[[Definition], str]], ...] = (
    ("name", lambda one: one.symbol.name),
    ("where", lambda one: f"where is {one.symbol.name} defined"),
    ("qualified", lambda one: one.symbol.qualified_name),
    ("words", _by_words),
    ("how", lambda one: f"how does {_by_words(one)} work"),
    ("why", lambda one: f"why do we need {one.symbol.name}"),
    ("sentence", _by_doc),
    ("code that", lambda one: f"code that does this: {_by_doc(one)}"),
    ("file", lambda one: f"what is in {one.path}"),
)
"""How a definition is asked for. Those made of documentation need some."""
_NEED_DOC = frozenset({"sentence", "code that"})


def answerable(root: Path, seed: str, count: int = PER_REPO) -> list[str]:
    """`count` different questions that the tree at `root` answers; fewer where it is small."""
    rng = random.Random(seed)
    texts = {path: text for path, text in files_of(root) if not categories(path) & NO_TARGETS}
    found = list(_definitions(texts))
    literals = sorted({hit for text in texts.values() for hit in _LITERAL.findall(text)})
    rng.shuffle(found)
    questions: dict[str, None] = {}
    for number, one in enumerate(found):
        if len(questions) >= count:
            break
        if number % 10 == 9 and literals:
            questions[f'"{rng.choice(literals)}"'] = None
            continue
        name, make = rng.choice(TEMPLATES)
        if name not in _NEED_DOC or len(one.symbol.doc) > 20:
            questions[make(one)] = None
    return list(questions)[:count]


def _definitions(texts: dict[str, str]) -> Iterator[Definition]:
    for path, text in texts.items():
        language = language_of(Path(path).name, text[:500])
        for symbol in parse_file(path, text, language).symbols if language else ():
            if symbol.kind in _KINDS and len(symbol.name) > 3 and not symbol.name.startswith("_"):
                yield Definition(path, symbol)


def unanswerable() -> list[Unanswerable]:
    """The hand-written ones."""
    records = map(json.loads, UNANSWERABLE.read_text(encoding="utf-8").splitlines())
    return [Unanswerable(one["repo"], one["query"], one["absent"]) for one in records]


def present(question: Unanswerable, root: Path) -> list[str]:
    """Paths of a tree that hold the absent words after all."""
    wanted = question.absent.lower()
    return [path for path, text in files_of(root) if wanted in text.lower() or wanted in path.lower()]


def ask(index: Any, repo: str, text: str) -> Answer:
    """Put one question with the default preset."""
    result = index.search(text, limit=10, refresh=False)
    return Answer(repo, text, len(result.items), result.meta.suggestion or "")


def report(good: Sequence[Answer], bad: Sequence[Answer]) -> str:
    """The shares as text."""
    empty = sum(not one.results for one in good)
    told, nothing = sum(one.told for one in bad), sum(not one.results for one in bad)
    doubted = sum(bool(one.said) for one in good if one.results)
    advised = sum(one.told and bool(one.said) for one in bad)
    return (
        f"{len(good)} questions with an answer: {_share(empty, good)} come back empty, "
        f"{_share(doubted, good)} with a doubt beside the results\n"
        f"{len(bad)} questions without one: {_share(told, bad)} are told so ({_share(nothing, bad)} come back empty), "
        f"{_share(advised, bad)} with a suggestion"
    )


def _share(count: int, of: Sequence[object]) -> str:
    return f"{count} ({count / max(len(of), 1):.1%})"


def main(arguments: list[str] | None = None) -> None:
    """The command."""
    options = _parser().parse_args(arguments)
    corpora = corpora_dir(options.corpora)
    repos = [name for name in options.repos.split(",") if name]
    if options.check:
        sys.exit(_check(repos, corpora))
    good: list[Answer] = []
    bad: list[Answer] = []
    indexes = FourfoldIndexes()
    try:
        for repo in repos:
            index, root = indexes.get(root_of(repo, corpora)), root_of(repo, corpora)
            good += [ask(index, repo, text) for text in answerable(root, f"{SEED}:{repo}")]
            bad += [ask(index, repo, one.text) for one in unanswerable() if one.repo == repo]
            print(f"  {repo}", file=sys.stderr)
    except FileNotFoundError as error:
        sys.exit(str(error))
    finally:
        indexes.close()
    print(report(good, bad))
    for one in [*(one for one in good if not one.results), *(one for one in bad if not one.told)]:
        if options.list:
            print(f"  {one.repo}: {one.text!r}: {one.results} results {one.said}")


def _check(repos: Sequence[str], corpora: Path) -> int:
    found = [(one, present(one, root_of(one.repo, corpora))) for one in unanswerable() if one.repo in repos]
    for one, paths in found:
        if paths:
            print(f"{one.repo}: {one.absent!r} of {one.text!r} occurs in {', '.join(paths[:3])}")
    return int(any(paths for _, paths in found))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.answerable", description=__doc__.split("\n")[0])
    parser.add_argument("--repos", default=",".join(REPOS), help="comma list (default: all ten)")
    parser.add_argument("--check", action="store_true", help="only check that what has no answer has none")
    parser.add_argument("--list", action="store_true", help="name the questions that were answered wrongly")
    parser.add_argument("--corpora", type=Path, help="folder of the corpora")
    return parser


if __name__ == "__main__":
    main()
