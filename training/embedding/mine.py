"""Mine the pairs of packages."""

from __future__ import annotations

import hashlib
import random
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

from fourfold.syntax.parse import parse_file
from training.embedding.choose import choose, wanted
from training.embedding.copyright import Copyright, parse_copyright
from training.embedding.from_code import pairs_of
from training.embedding.from_tests import pairs_of_tests
from training.embedding.headings import pairs_of_headings
from training.embedding.packages import Package, excluded_folders, files_of
from training.embedding.pair import Pair, save_pairs
from training.embedding.archives import text_of

BUDGET = {"python": 350_000, "csharp": 2_000_000, "kotlin": 1_600_000, "swift": 1_600_000, "scala": 1_600_000}
DEFAULT_BUDGET = 800_000
"""Characters of a package that are parsed: more where few packages speak a language."""
PER_FILE = 120
"""Pairs of one file, so that none outweighs a package."""
SECONDS_PER_FILE = 2.0


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
    parsed, texts = {}, {}
    seen: set[bytes] = set()
    for path, language, text in chosen:
        if language == "markdown":
            found = list(pairs_of_headings(package.key, path, text))
        else:
            texts[path], parsed[path] = text, parse_file(path, text, language, deadline_s=SECONDS_PER_FILE)
            found = list(pairs_of(package.key, path, text, parsed[path], rng))
        yield from _new(rng.sample(found, min(len(found), PER_FILE)), seen)
    yield from _new(pairs_of_tests(package.key, texts, parsed), seen)


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
