"""Definitions that a person read out of real files, for languages that ctags does not know.

Each list names a repository, a commit of it, and a hundred definitions of some of its files in order: [line of the
name, kind, name with its owners]. Left out of them: parameters of constructors that are fields as well (Scala), members
of anonymous classes, two classes of constants (Dart), a type inside of a test (Zig). None of their text is kept here.
"""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.structure.site import ToolMissing
from fourfold.model.chunk import FUNCTION_KINDS, TYPE_KINDS
from fourfold.model.symbol import Symbol
from fourfold.syntax.parse import parse_file

FOLDER = Path(__file__).parent
SORTS = {
    **dict.fromkeys(TYPE_KINDS, "type"),
    **dict.fromkeys(FUNCTION_KINDS - {"test"}, "callable"),
    **dict.fromkeys(("variable", "constant", "field"), "value"),
}
"""Kinds that lists and languages name differently (an enum's member: a constant or a field) count as one."""
LEAD = 6
"""Lines of annotations and of a head that may stand above the line of a name."""


@dataclass(frozen=True, slots=True)
class Checked:
    """How one definition of a list was met: `found` under its name with its owners, `named` under its name,
    `same_sort`: as a type, callable or value as the list has it."""

    path: str
    line: int
    kind: str
    name: str
    found: bool
    named: bool
    same_sort: bool


def languages() -> list[str]:
    """The languages that have a list."""
    return sorted(path.stem for path in FOLDER.glob("*.json"))


def check(language: str, corpus: Path) -> tuple[list[Checked], list[tuple[str, Symbol]]]:
    """(each definition of the list, definitions told in the part of each file that the list covers and not on it)
    for a copy of its repository. Raises ToolMissing where the copy is none of the commit."""
    listed: dict[str, Any] = json.loads((FOLDER / f"{language}.json").read_text("utf-8"))
    rows: list[Checked] = []
    more: list[tuple[str, Symbol]] = []
    for path, definitions in listed["files"].items():
        symbols = list(parse_file(path, _text(corpus, listed["commit"], path), language).symbols)
        left = list(symbols)
        for line, kind, name in definitions:
            near = [one for one in left if one.start_line <= line <= min(one.end_line, one.start_line + LEAD)]
            exact = [one for one in near if one.qualified_name == name]
            named = exact or [one for one in near if one.name == name.rpartition(".")[2]]
            same = bool(exact) and SORTS.get(exact[-1].kind, exact[-1].kind) == SORTS.get(kind, kind)
            rows.append(Checked(path, line, kind, name, bool(exact), bool(named), same))
            if exact:
                left.remove(exact[-1])
        more += [(path, one) for one in left if one.start_line <= definitions[-1][0]]
    return rows, more


def report(corpus: Path, show: int) -> None:
    """Print the list whose repository a folder (or a bare repository) is a copy of."""
    for language in languages():
        try:
            rows, more = check(language, corpus)
        except ToolMissing:
            continue
        for line in lines_of(language, rows, more, show):
            print(line)
        return
    raise ToolMissing(f"{corpus} holds the files of no list; there are lists for {', '.join(languages())}")


def lines_of(language: str, rows: list[Checked], more: list[tuple[str, Symbol]], show: int) -> Iterator[str]:
    """What is printed of one language."""
    found = sum(row.found for row in rows)
    named = sum(row.named for row in rows)
    sorts = sum(row.same_sort for row in rows)
    yield (
        f"{language}: {found} of {len(rows)} definitions found ({found / len(rows):.3f}), "
        f"{named} under their bare name, {sorts} of the same sort; {len(more)} told that are not on the list"
    )
    for row in [row for row in rows if not row.found][:show]:
        yield f"  missed {row.path}:{row.line} {row.kind} {row.name}"
    for row in [row for row in rows if row.found and not row.same_sort][:show]:
        yield f"  another sort {row.path}:{row.line} {row.kind} {row.name}"
    for path, one in more[:show]:
        yield f"  more {path}:{one.start_line} {one.kind} {one.qualified_name}"


def _text(corpus: Path, commit: str, path: str) -> str:
    """A file at a commit: by git, or from a folder without a repository."""
    git_dir = corpus / ".git" if (corpus / ".git").exists() else corpus
    command = ["git", "--git-dir", str(git_dir), "show", f"{commit}:{path}"]
    done = subprocess.run(command, capture_output=True, check=False)
    if done.returncode == 0:
        return done.stdout.decode("utf-8")
    file = corpus / path
    if not file.is_file():
        raise ToolMissing(f"{corpus} has no commit {commit[:12]} and no file {path}")
    return file.read_text("utf-8")
