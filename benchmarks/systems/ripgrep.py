"""ripgrep as a search engine: files ranked by how many different words of the question they hold."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections import Counter, defaultdict
from pathlib import Path

from benchmarks.systems.protocol import Found

MIN_WORD = 3
_STOP_WORDS = """
the and for how what where when why which with from into that this does are has have can its all not use used
"""
_STOP = frozenset(_STOP_WORDS.split())
_WORD = re.compile(r"\w+")


def available() -> bool:
    """True where ripgrep is installed."""
    return shutil.which("rg") is not None


def query_words(query: str) -> list[str]:
    """The words a person would search for: no stop words, at least three characters, each once."""
    found = (match.group() for match in _WORD.finditer(query))
    return list(dict.fromkeys(w for w in found if len(w) >= MIN_WORD and w.lower() not in _STOP))


class Ripgrep:
    """One ``rg --count-matches --ignore-case`` a word; ties by the number of matches, then by path."""

    name = "ripgrep"

    def prepare(self, root: Path) -> None:
        """Nothing: ripgrep has no index."""

    def answer(self, root: Path, query: str) -> Found:
        """The ten files with the most words of the question."""
        different: Counter[str] = Counter()
        total: dict[str, int] = defaultdict(int)
        for word in query_words(query):
            for path, count in _matches(word, root):
                different[path] += 1
                total[path] += count
        ranked = sorted(different, key=lambda path: (-different[path], -total[path], path))
        return [(path, None, None) for path in ranked[:10]]

    def close(self) -> None:
        """Nothing to let go of."""


def _matches(word: str, root: Path) -> list[tuple[str, int]]:
    """(path, count) of every file that holds the word; a corpus may lie where a tree above ignores it."""
    options = ["--count-matches", "--ignore-case", "--fixed-strings", "--no-messages", "--no-ignore-parent"]
    output = subprocess.run(
        ["rg", *options, "--", word, "."], cwd=root, capture_output=True, text=True, check=False
    ).stdout
    pairs = (line.rpartition(":") for line in output.splitlines())
    return [(path.removeprefix("./"), int(count)) for path, _, count in pairs]
