"""Pairs of a test's words and the one function of the package that the test is named after."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from training.embedding.from_code import MAX_BODY, Found
from training.embedding.outline import Outline
from training.embedding.pair import Pair

from fourfold.model.text import parts
from fourfold.rank.paths import categories

MIN_SUBJECT, MIN_EXTRA = 2, 1
"""Words of the subject's name, and words that the test's name adds."""


@dataclass(frozen=True, slots=True)
class Outlined:
    """A file with its definitions."""

    path: str
    language: str
    text: str
    found: Found


def pairs_of_tests(package: str, files: Sequence[Outlined]) -> Iterator[Pair]:
    """One pair for each test whose name holds the whole name of exactly one function outside the tests.

    The subject's documentation stays in its body.
    """
    tests = [file for file in files if "test" in categories(file.path)]
    subjects = _subjects(files) if tests else {}
    for file in tests:
        for one, _ in file.found:
            words = parts(one.name)
            if one.is_function and words[:1] == ("test",):
                yield from _pair(package, words[1:], subjects)


def _pair(
    package: str, words: tuple[str, ...], subjects: Mapping[tuple[str, ...], list[tuple[Outlined, Outline]]]
) -> Iterator[Pair]:
    for length in range(len(words) - MIN_EXTRA, MIN_SUBJECT - 1, -1):
        runs = [words[at : at + length] for at in range(len(words) - length + 1)]
        places = [place for run in runs for place in subjects.get(run, ())]
        if len(places) == 1:
            file, one = places[0]
            body = "\n".join(file.text.split("\n")[one.start - 1 : one.end])[:MAX_BODY]
            yield Pair(" ".join(words), body, file.path, one.qualified, "test", package, file.language)
        if places:
            return


def _subjects(files: Sequence[Outlined]) -> dict[tuple[str, ...], list[tuple[Outlined, Outline]]]:
    found: defaultdict[tuple[str, ...], list[tuple[Outlined, Outline]]] = defaultdict(list)
    for file in files:
        if not categories(file.path) & {"test", "example", "docs"}:
            for one, _ in file.found:
                if one.is_function:
                    found[parts(one.name)].append((file, one))
    return found
