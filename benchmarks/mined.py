"""Mine questions from documentation: ``python -m benchmarks.mined``.

For each package of the group ``mined`` in corpora.toml about a hundred documented functions are drawn
(seeded), the first sentence of each one's documentation becomes a question, and a copy of the package is
written in which that documentation is blank lines. Every function is asked for twice: with the sentence as
it is (``named``) and without the words of the function's name (``unnamed``). A sentence that occurs twice
in a package makes no question. Tests, examples, documentation and generated code hold no targets but stay
in the copy.
"""

from __future__ import annotations

import argparse
import random
import re
import shutil
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.dataset import Question, Target, corpora_dir, save_questions
from benchmarks.manifest import Corpus, corpora_for
from benchmarks.mining.comments import commented_functions
from benchmarks.systems.tree import files_of
from fourfold.evaluate.labels.documented import Documented, blanked, python_functions
from fourfold.evaluate.labels.sentences import first_sentence, without_name

SEED = 4
FUNCTIONS_PER_PACKAGE = 100
PER_FILE = 5
"""So that one large file does not make half of a package's questions."""
_NO_TARGETS = re.compile(
    r"(^|/)(__tests__|tests?|testing|testdata|spec|specs|examples?|docs?|benchmarks?|dist|vendor|third_party|"
    r"node_modules|generated|fixtures?|test_[^/]*|[^/]*[._-](test|spec|bench)\.\w+|conftest\.py|[^/]*\.d\.ts)(/|$)",
    re.I,
)


@dataclass(frozen=True, slots=True)
class Candidate:
    """A function that can be asked for: its sentence, and the sentence without the words of its name."""

    function: Documented
    sentence: str
    unnamed: str


def mine_all(corpora: Path, names: Sequence[str] = (), seed: int = SEED) -> list[Question]:
    """Make the pruned copies and the questions of every package, or of `names`; returns the questions.

    The questions file is written only when all packages are mined. Raises FileNotFoundError where a package's
    source is missing.
    """
    questions: list[Question] = []
    for corpus in corpora_for("mined"):
        if names and corpus.name not in names:
            continue
        made = mine(corpus, corpora / corpus.place, corpora / "mined" / corpus.name, seed)
        print(f"{corpus.name}: {len(made)} questions", file=sys.stderr)
        questions += made
    if not names:
        save_questions(corpora / "mined" / "queries.jsonl", questions)
    return questions


def mine(corpus: Corpus, source: Path, copy: Path, seed: int = SEED) -> list[Question]:
    """The questions of one package, and its copy without the documentation that they were made of."""
    if not source.is_dir():
        raise FileNotFoundError(f"{source} is missing: run python -m benchmarks.prepare mined")
    texts = dict(files_of(source))
    chosen = draw(candidates(corpus, texts), random.Random(f"{seed}:{corpus.name}"))
    _write_copy(copy, texts, chosen)
    return [question for candidate in chosen for question in _questions(corpus, candidate)]


def candidates(corpus: Corpus, texts: dict[str, str]) -> list[Candidate]:
    """Every function that makes a question, in path and line order."""
    found = []
    for function in _functions(corpus, texts):
        sentence = first_sentence(function.doc)
        if sentence:
            found.append((function, sentence, without_name(sentence, function.name)))
    seen = Counter(sentence.lower() for _, sentence, _ in found)
    return [Candidate(f, s, unnamed) for f, s, unnamed in found if unnamed and seen[s.lower()] == 1]


def draw(found: list[Candidate], rng: random.Random, count: int = FUNCTIONS_PER_PACKAGE) -> list[Candidate]:
    """At most `count` of them, at most :data:`PER_FILE` a file, in path and line order."""
    shuffled = rng.sample(found, len(found))
    used: Counter[str] = Counter()
    kept = []
    for candidate in shuffled:
        if used[candidate.function.path] < PER_FILE and len(kept) < count:
            used[candidate.function.path] += 1
            kept.append(candidate)
    return sorted(kept, key=lambda candidate: (candidate.function.path, candidate.function.start_line))


def _functions(corpus: Corpus, texts: dict[str, str]) -> Iterator[Documented]:
    for path, text in texts.items():
        if not path.endswith(corpus.suffix) or _NO_TARGETS.search(path):
            continue
        if corpus.language == "python":
            yield from python_functions(path, text)
        else:
            yield from commented_functions(path, text, corpus.language)


def _write_copy(copy: Path, texts: dict[str, str], chosen: list[Candidate]) -> None:
    """Write the text files of the package anew."""
    shutil.rmtree(copy, ignore_errors=True)
    pruned: dict[str, list[Documented]] = defaultdict(list)
    for candidate in chosen:
        pruned[candidate.function.path].append(candidate.function)
    for path, text in texts.items():
        target = copy / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(blanked(text, pruned[path]), encoding="utf-8", newline="\n")


def _questions(corpus: Corpus, candidate: Candidate) -> Iterator[Question]:
    function = candidate.function
    target = Target(function.path, function.start_line, function.end_line)
    for category, text in (("named", candidate.sentence), ("unnamed", candidate.unnamed)):
        name = f"{corpus.name}/{function.path}:{function.start_line}/{category}"
        yield Question(corpus.name, name, corpus.language, category, text, (target,))


def main(arguments: list[str] | None = None) -> None:
    """The command."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.mined", description=__doc__)
    parser.add_argument("--corpora", type=Path)
    options = parser.parse_args(arguments)
    mine_all(corpora_dir(options.corpora))


if __name__ == "__main__":
    main()
