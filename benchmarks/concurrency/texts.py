"""Texts that tell of each line which version it is of: what is shown can be checked without asking anybody.

A version has a number. Its text follows from that alone, every line that is not blank ends in a stamp of the number,
and its lines move from version to version: a line of another version, or at another place, is seen at once.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterable
from functools import lru_cache

MODULES = 300
"""Names of functions go round after so many versions, so that a question has places in several files."""
STAMP = re.compile(r"# t(\d+)$")
TOPICS = "retry session cache parser ledger window socket quota planner digest".split()
LONGEST = 3_500
"""Bytes of a text: below one page, so that a write in place is never seen by half."""


@lru_cache(maxsize=20_000)
def text_of(version: int) -> str:
    """The text of a version, as it is written to a file."""
    chance = random.Random(version)
    topic = chance.choice(TOPICS)
    lines = [f'"""The {topic} of module {version % MODULES}."""', ""]
    for part in range(chance.randrange(3, 10)):
        name = f"{chance.choice(TOPICS)}_delay_{version % MODULES}_{part}"
        lines += [""] * chance.randrange(1, 4)
        lines += [f"def {name}(attempt):", f'    """Delay {part} of the {topic} before it is tried again."""']
        lines += [f"    attempt += {chance.randrange(1000)}" for _ in range(chance.randrange(1, 5))]
        lines += [f"    return attempt * {version}"]
    text = "\n".join(f"{line}  # t{version}" if line else "" for line in lines) + "\n"
    assert len(text) < LONGEST
    return text


def version_of(text: str) -> int | None:
    """The version that the first stamped line of a text is of; None where there is none."""
    for line in text.split("\n"):
        if found := STAMP.search(line):
            return int(found[1])
    return None


def check_lines(shown: Iterable[tuple[int, str]]) -> tuple[int | None, str]:
    """(version, what is wrong or "") of lines of one file, each with its number: all of one version, each at its place
    and letter for letter as that version has it."""
    given = list(shown)
    version = version_of("\n".join(line for _, line in given))
    if version is None:
        return None, "no line has a stamp" if any(line.strip() for _, line in given) else ""
    lines = text_of(version).split("\n")
    for number, line in given:
        if not 1 <= number <= len(lines) or lines[number - 1] != line:
            return version, f"line {number} is not that of version {version}: {line!r}"
    return version, ""
