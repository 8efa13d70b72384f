"""Pairs of a test's words and the one function of the package that the test is named after."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping

from fourfold.model.parsed import ParsedFile
from fourfold.model.text import parts
from fourfold.rank.paths import categories
from training.embedding.from_code import MAX_BODY
from training.embedding.pair import Pair

MIN_SUBJECT, MIN_EXTRA = 2, 1
"""Words of the subject's name, and words that the test's name adds."""


def pairs_of_tests(package: str, texts: Mapping[str, str], parsed: Mapping[str, ParsedFile]) -> Iterator[Pair]:
    """One pair for each test whose name holds the whole name of exactly one function outside the tests."""
    subjects = _subjects(parsed)
    for path, file in parsed.items():
        if "test" not in categories(path):
            continue
        for symbol in file.symbols:
            words = parts(symbol.name)
            if symbol.kind in ("function", "method") and words[:1] == ("test",):
                yield from _pair(package, words[1:], subjects, texts, parsed)


def _pair(
    package: str,
    words: tuple[str, ...],
    subjects: Mapping[tuple[str, ...], list[tuple[str, int]]],
    texts: Mapping[str, str],
    parsed: Mapping[str, ParsedFile],
) -> Iterator[Pair]:
    for length in range(len(words) - MIN_EXTRA, MIN_SUBJECT - 1, -1):
        places = _places(words, length, subjects)
        if len(places) == 1:
            path, number = places[0]
            symbol = parsed[path].symbols[number]
            body = "\n".join(texts[path].split("\n")[symbol.start_line - 1 : symbol.end_line])[:MAX_BODY]
            language = parsed[path].language
            yield Pair(" ".join(words), body, path, symbol.qualified_name, "test", package, language)
        if places:
            return


def _places(
    words: tuple[str, ...], length: int, subjects: Mapping[tuple[str, ...], list[tuple[str, int]]]
) -> list[tuple[str, int]]:
    runs: Iterable[tuple[str, ...]] = (words[at : at + length] for at in range(len(words) - length + 1))
    return [place for run in runs for place in subjects.get(run, ())]


def _subjects(parsed: Mapping[str, ParsedFile]) -> dict[tuple[str, ...], list[tuple[str, int]]]:
    found: defaultdict[tuple[str, ...], list[tuple[str, int]]] = defaultdict(list)
    for path, file in parsed.items():
        if not categories(path) & {"test", "example", "docs"}:
            for number, symbol in enumerate(file.symbols):
                if symbol.kind in ("function", "method"):
                    found[parts(symbol.name)].append((path, number))
    return found
