"""Where the time of a warm question goes, by function: an index is asked, and the stack is looked at every 0.7 ms.

    python -m benchmarks.stages --root django

Questions are those of :mod:`benchmarks.speed`; the index is refreshed first. Printed are processor milliseconds a
question, the share of each function with all that it calls, and that of each line without. Looking costs little, but
other work on the machine does not stay out: read shares, and compare within one run only. Needs ``SIGPROF`` (no
Windows).
"""

from __future__ import annotations

import argparse
import linecache
import signal
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType

import fourfold
from benchmarks.speed import queries
from fourfold import Index

LOOK_S = 0.0007
SHOWN = 40
PACKAGE = str(Path(fourfold.__file__).parent)


@dataclass
class Looks:
    """What stood on the stack when it was looked at: functions (file, name) and innermost lines (file, number)."""

    functions: Counter[tuple[str, str]] = field(default_factory=Counter)
    lines: Counter[tuple[str, int]] = field(default_factory=Counter)
    count: int = 0

    def __call__(self, _number: int, frame: FrameType | None) -> None:
        """Look once."""
        self.count += 1
        seen: set[tuple[str, str]] = set()
        innermost = True
        while frame is not None:
            file = frame.f_code.co_filename
            if file.startswith(PACKAGE):
                name = file[len(PACKAGE) + 1 :]
                seen.add((name, frame.f_code.co_qualname))
                if innermost:
                    self.lines[name, frame.f_lineno] += 1
                    innermost = False
            frame = frame.f_back
        self.functions.update(seen)


def ask(index: Index, questions: list[str], looks: Looks) -> float:
    """Ask each question once, looking meanwhile; processor seconds."""
    signal.signal(signal.SIGPROF, looks)
    begun = time.process_time()
    signal.setitimer(signal.ITIMER_PROF, LOOK_S, LOOK_S)
    try:
        for question in questions:
            index.search(question, limit=10, refresh=False)
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
    return time.process_time() - begun


def main() -> None:
    """Measure and print both tables."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.stages", description=__doc__)
    parser.add_argument("--root", type=Path, required=True, help="the repository to ask")
    parser.add_argument("--corpus", default="django", help="the corpus it is, for its questions")
    parser.add_argument("--rounds", type=int, default=20, help="how often each question is asked")
    chosen = parser.parse_args()
    questions = queries(chosen.corpus, chosen.root)
    looks, seconds = Looks(), 0.0
    with Index.open(chosen.root, root=chosen.root) as index:
        index.refresh()
        for question in questions:
            index.search(question, limit=10, refresh=False)
        for _ in range(chosen.rounds):  # more questions than answers are kept: each is answered anew
            seconds += ask(index, questions, looks)
    print(f"{1000 * seconds / (chosen.rounds * len(questions)):.2f} ms a question, {looks.count} looks")
    for (file, name), count in looks.functions.most_common(SHOWN):
        print(f"{100 * count / looks.count:6.1f} %  {file}  {name}")
    print()
    for (file, number), count in looks.lines.most_common(SHOWN):
        line = linecache.getline(f"{PACKAGE}/{file}", number).strip()
        print(f"{100 * count / looks.count:6.1f} %  {file}:{number}  {line[:90]}")


if __name__ == "__main__":
    main()
