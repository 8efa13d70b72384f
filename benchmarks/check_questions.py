"""Check the hand-written questions against the code: ``python -m benchmarks.check_questions [SET ...]``.

Every target must exist: the file, the lines within it, the named symbol or text within those lines. Ids and texts must
be unique, the sealed flag must follow from the question. Questions of ``unshared`` must share no word with the path,
the name and the signature of what answers them; how much they share with its body is printed. Exit code 1 for faults.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from benchmarks.dataset import corpora_dir
from benchmarks.overlap import covered, shared
from benchmarks.written import SETS, Expected, Written, file_of, is_sealed, load, root_of
from fourfold.model.query import INTENTS
from fourfold.model.symbol import Symbol

NATURAL = ("en", "zh", "id", "es", "de", "fr", "ja")


class Sources:
    """The text of the corpora and the signatures of their symbols, read once a file."""

    def __init__(self, corpora: Path) -> None:
        self._corpora = corpora
        self._texts: dict[tuple[str, str], str | None] = {}
        self._symbols: dict[tuple[str, str], Sequence[Symbol]] = {}

    def text(self, repo: str, path: str) -> str | None:
        """The text of a file with ``\\n`` line ends, None where there is no such file."""
        key = (repo, path)
        if key not in self._texts:
            file = root_of(repo, self._corpora) / path
            text = file.read_bytes().decode("utf-8", "replace") if file.is_file() else None
            self._texts[key] = text and text.replace("\r\n", "\n").replace("\r", "\n")
        return self._texts[key]

    def lines(self, repo: str, place: Expected) -> str:
        """The code of a place; "" where it is outside of its file."""
        text = self.text(repo, place.path) or ""
        first, last = place.start_line or 1, place.end_line
        return "\n".join(text.split("\n")[first - 1 : last])

    def signature(self, repo: str, place: Expected) -> str:
        """The head of the symbol at a place, "" for none."""
        key = (repo, place.path)
        if key not in self._symbols:
            from fourfold.syntax.languages import language_of
            from fourfold.syntax.parse import parse_file

            text = self.text(repo, place.path) or ""
            parsed = parse_file(place.path, text, language_of(Path(place.path).name, text[:500]))
            self._symbols[key] = parsed.symbols
        found = (one for one in self._symbols[key] if one.qualified_name == place.symbol)
        return next((one.signature for one in found if one.start_line == place.start_line), "")


def faults(name: str, questions: Sequence[Written], sources: Sources) -> Iterator[str]:
    """What is wrong with a set, one sentence each."""
    for field, values in (("id", [one.id for one in questions]), ("text", [f"{q.repo}: {q.text}" for q in questions])):
        yield from (f"the {field} {value!r} occurs {n} times" for value, n in Counter(values).items() if n > 1)
    for one in questions:
        if one.intent not in INTENTS:
            yield f"{one.id}: unknown intent {one.intent!r}"
        if one.natural not in NATURAL:
            yield f"{one.id}: unknown natural language {one.natural!r}"
        if name == "large" and one.sealed != is_sealed(one.repo, one.text):
            yield f"{one.id}: sealed should be {not one.sealed}"
        if not one.primary:
            yield f"{one.id}: no target"
        for place in one.expected:
            yield from (f"{one.id}: {fault}" for fault in _place_faults(one.repo, place, sources))
        if name == "unshared":
            yield from _shared_words(one, sources)


def _place_faults(repo: str, place: Expected, sources: Sources) -> Iterator[str]:
    text = sources.text(repo, place.path)
    if text is None:
        yield f"no file {place.path}"
        return
    if place.start_line is None and place.end_line is None:
        return
    count = text.count("\n") + (not text.endswith("\n"))
    if not 1 <= (place.start_line or 0) <= (place.end_line or 0) <= count:
        yield f"{place.path} has {count} lines, not {place.start_line}-{place.end_line}"
        return
    code = sources.lines(repo, place)
    for wanted in filter(None, (place.symbol.rpartition(".")[2], place.text)):
        if wanted not in code:
            yield f"{wanted!r} is not in {place.path}:{place.start_line}-{place.end_line}"


def _shared_words(one: Written, sources: Sources) -> Iterator[str]:
    for place in one.primary:
        head = " ".join((place.path, place.symbol, sources.signature(one.repo, place)))
        if both := shared(one.text, head):
            yield f"{one.id}: shares {', '.join(sorted(both))} with {place.path} {place.symbol}"


def report(name: str, questions: Sequence[Written], sources: Sources) -> list[str]:
    """Print the size of a set and its faults; returns the faults."""
    found = list(faults(name, questions, sources))
    counts = [Counter(getattr(one, field) for one in questions) for field in ("intent", "kind", "natural", "repo")]
    sealed = sum(one.sealed for one in questions)
    print(f"{name}: {len(questions)} questions, {sealed} sealed, {sum(len(q.expected) for q in questions)} targets")
    for count in counts:
        print("  " + ", ".join(f"{key} {n}" for key, n in count.most_common()))
    if name == "unshared":
        shares = [max(covered(q.text, sources.lines(q.repo, place)) for place in q.primary) for q in questions]
        mean = sum(shares) / len(shares)
        print(f"  words of the question in the body of its target: {mean:.2f} on average, none in {shares.count(0.0)}")
    for fault in found:
        print(f"  {fault}")
    return found


def main(arguments: list[str] | None = None) -> None:
    """The command."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.check_questions", description=__doc__.split("\n")[0])
    parser.add_argument("sets", nargs="*", help=f"of {', '.join(SETS)} (default: all)")
    parser.add_argument("--corpora", type=Path, help="folder of the corpora")
    options = parser.parse_args(arguments)
    try:
        sources = Sources(corpora_dir(options.corpora))
        found = [fault for name in options.sets or SETS for fault in report(name, load(file_of(name)), sources)]
    except (OSError, ValueError) as error:
        print(error, file=sys.stderr)
        sys.exit(2)
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
