"""Questions from tests: what a test's name says of the file that it is about.

A test is taken out of the copy when its name becomes a question; what is asked for is the code, not the test.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from fourfold.evaluate.labels.candidates import Candidate
from fourfold.evaluate.labels.phrasing import content
from fourfold.evaluate.labels.rarity import Rarity
from fourfold.evaluate.labels.tree import Tree
from fourfold.evaluate.question import Target
from fourfold.model.symbol import Symbol
from fourfold.model.text import STOP_WORDS, parts

WORDS = (4, 14)
MIN_CONTENT = 4
MIN_IN_SUBJECT = 0.6
"""Share of the content words that the subject's file must hold: otherwise the name is about something else."""
MAX_LINES = 80
"""A longer test is a whole suite."""

_AFFIX = re.compile(r"^tests?[_-]|[._-](?:tests?|spec)$|(?<=[a-z0-9])(?:Tests?|Spec|IT|TestCase)$|^Test(?=[A-Z])")
_OPENING = re.compile(r"^(?:tests?|it|should|shall|property|prop|case|given)\s+", re.I)
_PROSE = re.compile(r"[A-Za-z][\w ,.'/()+-]*")
_IN_FILE = frozenset({"rust", "zig"})
"""Languages whose tests stand in the file that they are about."""


def from_tests(tree: Tree, rarity: Rarity) -> Iterator[Candidate]:
    """A question for each test whose file name says unambiguously which file it is about."""
    subjects = _subjects(tree)
    for path, parsed in tree.parsed.items():
        subject = path if parsed.language in _IN_FILE else subjects.get(path)
        if subject is None or (subject == path and path not in tree.targets()):
            continue
        for test in _tests(parsed.symbols):
            text = question_of(test.name)
            if text and rarity.telling(text) and rarity.share_in(text, subject) >= MIN_IN_SUBJECT:
                blank = ((path, test.start_line, test.end_line),)
                yield Candidate("test", text, "semantic", (Target(subject),), ("test",), blank, text)


def question_of(name: str) -> str | None:
    """``test_retries_on_timeout`` -> ``retries on timeout``; None where too few words stay."""
    if " " in name.strip():
        text = " ".join(name.split())
    else:
        text = " ".join(parts(name))
        if not any(word in STOP_WORDS for word in text.split()):
            return None  # a list of words, not a sentence
    for _ in range(2):
        text = _OPENING.sub("", text)
    text = text.strip(" .")
    plausible = WORDS[0] <= len(text.split()) <= WORDS[1] and _PROSE.fullmatch(text)
    return text if plausible and len(content(text)) >= MIN_CONTENT and not re.search(r"\d{3}", text) else None


def _tests(symbols: tuple[Symbol, ...]) -> list[Symbol]:
    """Tests that hold no other test."""
    found = [one for one in symbols if one.kind == "test" or re.match(r"test_|test[A-Z]|should[A-Z]", one.name)]
    short = [one for one in found if one.end_line - one.start_line < MAX_LINES and one.kind in _CALLABLE]
    return [one for one in short if not any(_holds(one, other) for other in found)]


_CALLABLE = frozenset({"test", "function", "method"})


def _holds(outer: Symbol, inner: Symbol) -> bool:
    same = (outer.start_line, outer.end_line) == (inner.start_line, inner.end_line)
    return not same and outer.start_line <= inner.start_line and inner.end_line <= outer.end_line


def _subjects(tree: Tree) -> dict[str, str]:
    """Test file to the one file whose stem is the test's without its affix."""
    named: dict[str, list[str]] = {}
    for path in tree.targets():
        named.setdefault(_plain(_stem(path)), []).append(path)
    found = {}
    for path in tree.tests():
        stem = _AFFIX.sub("", _stem(path))
        candidates = named.get(_plain(stem), [])
        if stem != _stem(path) and len(candidates) == 1:
            found[path] = candidates[0]
    return found


def _stem(path: str) -> str:
    return path.rsplit("/", 1)[-1].rsplit(".", 1)[0]


def _plain(stem: str) -> str:
    return re.sub(r"[_.-]", "", stem).lower()
