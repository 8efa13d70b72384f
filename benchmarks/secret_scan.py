"""How well secrets are told from what looks like them: ``python -m benchmarks.secret_scan``.

Runs the redaction on each line of :mod:`benchmarks.secret_lines` and prints, for lines with a secret, how many were
covered whole (recall), and of the lines in which anything was covered, how many hold a secret (precision); then every
line that was judged wrong. With folders, also how many secrets are covered in the code there, of how many lines, and
each of them with ``--show``: what is covered in published packages is, as a rule, covered wrongly.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.secret_lines import Labelled, negatives, positives
from fourfold.source.secrets import redact

LEAST = 0.95
"""Least precision and recall that the tests ask for."""
MAX_BYTES = 1_000_000
SLACK = 4
"""Characters around a secret that may be covered with it: the escaped line ends of a key, the padding of base64."""


@dataclass(frozen=True, slots=True)
class Scan:
    """What the redaction made of the labelled lines."""

    found: tuple[Labelled, ...]
    missed: tuple[Labelled, ...]
    wrong: tuple[Labelled, ...]
    harmless: int

    @property
    def precision(self) -> float:
        """Share of the lines in which something was covered that hold a secret."""
        covered = len(self.found) + len(self.wrong)
        return len(self.found) / covered if covered else 1.0

    @property
    def recall(self) -> float:
        """Share of the lines with a secret in which all of it was covered."""
        return len(self.found) / (len(self.found) + len(self.missed))


def scan(secret: Sequence[Labelled], harmless: Sequence[Labelled]) -> Scan:
    """Judge every line by itself."""
    found = [item for item in secret if covers(item)]
    wrong = [item for item in harmless if redact(item.line + "\n")[1]]
    return Scan(tuple(found), tuple(item for item in secret if item not in found), tuple(wrong), len(harmless))


def covers(item: Labelled) -> bool:
    """True where every character of the secret is covered and nearly none around it."""
    covered, _ = redact(item.line + "\n")
    start = item.line.index(item.secret)
    end = start + len(item.secret)
    around = zip(item.line[:start] + item.line[end:] + "\n", covered[:start] + covered[end:], strict=True)
    changed = sum(old != new for old, new in around)
    return not covered[start:end].strip("*").replace("*", "").strip() and changed <= SLACK


def in_folder(folder: Path) -> Iterator[tuple[Path, int, str]]:
    """(file, line number, line as it was) of each line in which something is covered."""
    for path in sorted(folder.rglob("*")):
        if not path.is_file() or path.is_symlink() or path.stat().st_size > MAX_BYTES:
            continue
        text = path.read_bytes().decode("utf-8", "replace")
        covered, count = redact(text)
        if count:
            pairs = zip(text.split("\n"), covered.split("\n"), strict=True)
            yield from ((path, number, old) for number, (old, new) in enumerate(pairs, 1) if old != new)


def lines_of(result: Scan) -> Iterator[str]:
    """The report."""
    secret = len(result.found) + len(result.missed)
    yield f"lines with a secret {secret}, harmless lines {result.harmless}"
    yield f"recall    {result.recall:.3f}  ({len(result.found)} of {secret})"
    yield f"precision {result.precision:.3f}  ({len(result.wrong)} harmless lines covered)"
    yield from (f"missed  {item.kind}: {item.line[:120]!r}" for item in result.missed)
    yield from (f"wrong   {item.kind}: {item.line[:120]!r}" for item in result.wrong)


def main(arguments: Iterable[str] | None = None) -> int:
    """Print the report; exit code 1 where precision or recall is below what the tests ask for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", nargs="*", type=Path, help="code in which covered lines are counted")
    parser.add_argument("--show", action="store_true", help="print each covered line of the folders")
    options = parser.parse_args(None if arguments is None else list(arguments))
    result = scan(positives(), negatives())
    print("\n".join(lines_of(result)))
    for folder in options.folders:
        hits = list(in_folder(folder))
        print(f"{folder}: {len(hits)} lines covered")
        for path, number, line in hits if options.show else ():
            print(f"  {path}:{number}: {line.strip()[:160]}")
    return 0 if min(result.precision, result.recall) >= LEAST else 1


if __name__ == "__main__":
    sys.exit(main())
