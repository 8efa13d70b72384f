"""Questions about callers: who calls a function whose name is defined once.

What is right is told by the text alone, not by the reference graph that answers such questions: a line outside of the
definition on which the name stands before an opening bracket.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterator, Sequence

from fourfold.evaluate.labels.candidates import Candidate
from fourfold.evaluate.labels.tree import Tree
from fourfold.evaluate.question import Target
from fourfold.model.chunk import FUNCTION_KINDS
from fourfold.model.symbol import Symbol
from fourfold.model.text import parts

MAX_CALLERS = 5
"""A function with more callers is no question with a short answer."""
MIN_NAME = 5
_NAME = re.compile(r"[A-Za-z][\w]*")
_CALL = re.compile(r"(?<![\w$@#])([A-Za-z_]\w*)\s*\(")
_COMMENT = re.compile(r"\s*(?:#|//|/\*|\*|--|;|%|\"\"\"|''')")
_DECLARED_AT_MARGIN = frozenset({"c", "cpp"})
"""Languages in which a name before a bracket at the left margin declares: a call is indented."""


def from_calls(tree: Tree) -> Iterator[Candidate]:
    """``who calls NAME`` for functions of several words that are defined once and called from one to five others."""
    defined = _defined_once(tree)
    callers: dict[str, dict[Target, None]] = defaultdict(dict)
    for path in tree.targets():
        definitions = tree.parsed[path]
        enclosing = Enclosing(definitions.symbols)
        for number, name in _calls(tree.texts[path], definitions.language):
            if name not in defined:
                continue
            home, symbol = defined[name]
            if home == path and symbol.start_line <= number <= symbol.end_line:
                continue
            callers[name][enclosing.target(path, number)] = None
    for name, (path, symbol) in defined.items():
        targets = [target for target in callers[name] if not _is_declaration(target, path, symbol)]
        if 1 <= len(targets) <= MAX_CALLERS:
            yield Candidate("caller", f"who calls {name}", "callers", tuple(targets), ("caller",))


def _defined_once(tree: Tree) -> dict[str, tuple[str, Symbol]]:
    """Functions by name, those whose name nothing else has."""
    found: dict[str, list[tuple[str, Symbol]]] = defaultdict(list)
    for path, definitions in tree.parsed.items():
        for symbol in definitions.symbols:
            found[symbol.name].append((path, symbol))
    answering = set(tree.targets())
    return {
        name: places[0]
        for name, places in found.items()
        if len(places) == 1 and places[0][0] in answering and places[0][1].kind in FUNCTION_KINDS and _is_asked(name)
    }


def _is_asked(name: str) -> bool:
    return len(name) >= MIN_NAME and _NAME.fullmatch(name) is not None and len(parts(name)) > 1


def _calls(text: str, language: str) -> Iterator[tuple[int, str]]:
    """(line, name) of whatever looks like a call."""
    for number, line in enumerate(text.split("\n"), 1):
        if "(" not in line or len(line) > 2000 or _COMMENT.match(line):
            continue
        if language in _DECLARED_AT_MARGIN and not line[:1].isspace():
            continue
        for match in _CALL.finditer(line):
            yield number, match[1]


def _is_declaration(target: Target, path: str, symbol: Symbol) -> bool:
    """True for the definition itself, whose head may stand above its first line (decorators)."""
    return target.path == path and (target.start_line, target.end_line) == (symbol.start_line, symbol.end_line)


class Enclosing:
    """The innermost function around a line of one file."""

    def __init__(self, symbols: Sequence[Symbol]) -> None:
        spans = {(one.start_line, -one.end_line) for one in symbols if one.kind in FUNCTION_KINDS}
        self._spans = sorted(spans)

    def target(self, path: str, line: int) -> Target:
        """The function that holds the line; the line itself where none does."""
        for start, end in reversed(self._spans[: bisect_right(self._spans, (line, 0))]):
            if -end >= line:
                return Target(path, start, -end)
        return Target(path, line, line)
