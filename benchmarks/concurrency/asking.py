"""One who asks: a process that puts random questions by one interface, checks each line it is shown, and writes down
what it saw. ``python -m benchmarks.concurrency.asking KIND ROOT REPORT SEED``, ended by closing its input.
"""

from __future__ import annotations

import json
import random
import re
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from benchmarks.concurrency.texts import MODULES, TOPICS, check_lines, text_of

Plain = dict[str, Any]
Ask = Callable[[str, str], Plain]
"""(what kind of question, its text) -> the answer as JSON, of schema fourfold/1."""


@dataclass(slots=True)
class Seen:
    """One answer: when, of which generation, whether it called itself up to date, which version of each path it showed
    (`seen`), and what was wrong with it."""

    who: str
    kind: str
    began: float
    ended: float = 0.0
    generation: int = 0
    fresh: bool = False
    seen: dict[str, int] = field(default_factory=dict)
    faults: list[str] = field(default_factory=list)


def questions(chance: random.Random) -> Iterator[tuple[str, str]]:
    """Endless questions: (search, grep or symbol; text). Every search finds something at any time."""
    while True:
        topic, module = chance.choice(TOPICS), chance.randrange(MODULES)
        yield chance.choice(
            (
                ("search", f"how long is the delay of the {topic} before it is tried again"),
                ("search", f"{topic} of module {module}"),
                ("search", f"{topic}_delay_{module}_1"),
                ("grep", f"{topic} of module {module}"),
                ("grep", f"{topic}_delay_{module}_\\d"),
                ("symbol", f"{topic}_delay_{module}_1"),
            )
        )


def judged(answer: Plain, seen: Seen, text: str) -> None:
    """Check every line of an answer, and that it speaks of one version of each file."""
    meta = answer["meta"]
    seen.generation = meta["generation"]
    seen.fresh = not meta["stale"] and not meta["degraded"]
    found: dict[str, set[int]] = {}
    for item in answer["items"]:
        path = item["path"]
        version, fault = check_lines(_shown(item))
        if fault:
            seen.faults.append(f"{path}: {fault}")
        if version is not None:
            if seen.seen.setdefault(path, version) != version:
                seen.faults.append(f"{path}: versions {seen.seen[path]} and {version} in one answer")
            found.setdefault(path, set()).add(item.get("line", 0))
    if seen.kind == "grep" and not meta["truncated"] and not meta.get("next_cursor"):
        for path, lines in found.items():
            every = [n for n, line in enumerate(text_of(seen.seen[path]).split("\n"), 1) if re.search(text, line)]
            if lines != set(every):
                seen.faults.append(f"{path}: grep told lines {sorted(lines)}, there are {every}")
    if seen.kind == "search" and not answer["items"]:
        seen.faults.append("nothing was found")


def _shown(item: Plain) -> list[tuple[int, str]]:
    """The lines of an item with their numbers."""
    if "line" in item:
        return [(item["line"], item.get("text", item.get("snippet")))]
    lines = item["snippet"].split("\n")
    numbers = item.get("snippet_lines") or range(item["start_line"], item["start_line"] + len(lines))
    return list(zip(numbers, lines, strict=True))


def run(kind: str, root: Path, report: Path, seed: int, stop: threading.Event) -> None:
    """Ask until told to stop; a line of JSON for each answer."""
    from benchmarks.concurrency.ways import WAYS

    chance = random.Random(seed)
    with ExitStack() as stack, report.open("w") as file:
        ask: Ask = stack.enter_context(WAYS[kind](root))
        for what, text in questions(chance):
            if stop.is_set():
                return
            seen = Seen(f"{kind}-{seed}", what, time.monotonic())
            try:
                answer = ask(what, text)
                seen.ended = time.monotonic()
                judged(answer, seen, text)
            except Exception as error:
                seen.ended = time.monotonic()
                seen.faults.append(f"{what} {text!r}: {type(error).__name__}: {str(error)[:300]}")
            file.write(json.dumps(asdict(seen)) + "\n")
            file.flush()


def main() -> None:
    """Run until standard input ends."""
    kind, root, report, seed = sys.argv[1:]
    stop = threading.Event()

    def wait() -> None:
        sys.stdin.read()
        stop.set()

    threading.Thread(target=wait, daemon=True).start()
    run(kind, Path(root), Path(report), int(seed), stop)


if __name__ == "__main__":
    main()
