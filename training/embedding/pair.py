"""A training pair: words that somebody might ask, and the code that answers."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

KINDS: tuple[str, ...] = ("doc", "more", "name", "test", "error", "file", "heading")
"""First sentence of a documentation, another sentence of it, words of a name, words of a test's name with what it
tests, an error message with the function that raises it, a file's own documentation, a heading with its code."""


@dataclass(frozen=True, slots=True)
class Pair:
    """One pair. `body` is the code without the words of the question's source; `path` and `symbol` may be empty."""

    question: str
    body: str
    path: str
    symbol: str
    kind: str
    package: str
    language: str


def save_pairs(path: Path, pairs: Iterable[Pair]) -> int:
    """Write one JSON object a line; the file comes to be only when complete. Returns how many."""
    path.parent.mkdir(parents=True, exist_ok=True)
    scratch = path.with_suffix(".part")
    count = 0
    with scratch.open("w", encoding="utf-8") as file:
        for count, pair in enumerate(pairs, start=1):  # noqa: B007
            file.write(json.dumps(asdict(pair), ensure_ascii=False) + "\n")
    scratch.rename(path)
    return count


def load_pairs(folder: Path) -> Iterator[Pair]:
    """All pairs below `folder`, by file name."""
    for path in sorted(folder.glob("*.jsonl")):
        with path.open(encoding="utf-8") as file:
            for line in file:
                yield Pair(**json.loads(line))
