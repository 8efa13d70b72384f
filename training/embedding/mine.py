"""Mine the pairs of packages."""

from __future__ import annotations

import hashlib
import random
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

from training.embedding.archives import text_of
from training.embedding.choose import choose, wanted
from training.embedding.copyright import Copyright, parse_copyright
from training.embedding.from_code import definitions, pairs_of
from training.embedding.from_tests import Outlined, pairs_of_tests
from training.embedding.headings import pairs_of_headings
from training.embedding.packages import Package, excluded_folders, files_of
from training.embedding.pair import Pair, save_pairs

BUDGET = {"python": 700_000, "csharp": 2_500_000, "kotlin": 2_000_000, "swift": 2_000_000, "scala": 2_000_000}
DEFAULT_BUDGET = 1_500_000
"""Characters of a package that are parsed: more where few packages speak a language."""
PER_FILE = 120
"""Pairs of one file, so that none outweighs a package."""
PER_PACKAGE_TESTS = 400
"""Pairs of tests with what they test: a package of many tests would outweigh its documentation."""


def mine_all(corpora: Path, packages: Iterable[Package], target: Path) -> None:
    """Mine every package that is there and not mined yet; one file of pairs each."""
    for package in packages:
        place = target / f"{package.key}.jsonl"
        if not place.is_file():
            found = Counter[str]()
            save_pairs(place, _counted(mine(package, corpora), found))
            print(package.key, sum(found.values()), dict(found.most_common(4)), file=sys.stderr, flush=True)


def mine(package: Package, corpora: Path) -> Iterator[Pair]:
    """The pairs of one package, without repetitions."""
    rng = random.Random(package.key)
    files = list(_texts(package, corpora))
    budget = BUDGET.get(package.language, DEFAULT_BUDGET)
    chosen = choose(files, budget, rng)
    seen: set[bytes] = set()
    outlined = []
    for path, language, text in chosen:
        if language == "markdown":
            found = list(pairs_of_headings(package.key, path, text))
        else:
            outlined.append(Outlined(path, language, text, definitions(text, language)))
            found = list(pairs_of(package.key, path, language, text, outlined[-1].found, rng))
        yield from _new(rng.sample(found, min(len(found), PER_FILE)), seen)
    tests = list(pairs_of_tests(package.key, outlined))
    yield from _new(rng.sample(tests, min(len(tests), PER_PACKAGE_TESTS)), seen)


def _texts(package: Package, corpora: Path) -> Iterator[tuple[str, str]]:
    excluded = excluded_folders()
    rules: Copyright | None = None
    for path, content in files_of(package, corpora):
        if path == "debian/copyright":
            rules = parse_copyright(content.decode("utf-8", "replace"))
        elif wanted(path, excluded) and (rules is None or rules.permits(path)):
            text = text_of(content)
            if text is not None:
                yield path, text


def _new(pairs: Iterable[Pair], seen: set[bytes]) -> Iterator[Pair]:
    for pair in pairs:
        key = hashlib.blake2b(f"{pair.question.lower()}|{pair.body[:300]}".encode(), digest_size=12).digest()
        if key not in seen:
            seen.add(key)
            yield pair


def _counted(pairs: Iterable[Pair], found: Counter[str]) -> Iterator[Pair]:
    for pair in pairs:
        found[pair.language] += 1
        yield pair
