"""What a text must contain for a pattern to match it: the plan that narrows a search to a few files.

A plan is an *or* of *ands* of literals. It is sound, not complete: where it says that a text needs
``getattr``, no text without it (in any case) can match; where nothing certain can be said, it says nothing.
The pattern is read by the parser of the standard library, the matching is done by other engines: constructs
that they read differently get no plan.

After Russ Cox, "Regular Expression Matching with a Trigram Index" (2012), without his prefix and suffix sets:
a group is read as part of the sequence around it, which finds the same literals in nearly every pattern that
people write.
"""

from __future__ import annotations

import importlib
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

Plan = list[list[str]]
"""Alternatives; each lists the literals (three characters or longer) that are all needed for it."""

MIN_LITERAL = 3
"""The index knows trigrams: a shorter literal narrows nothing."""

MAX_STRINGS = 16
"""Strings that a part of a pattern may stand for before it is cut there (``[abcd][abcd]`` stands for 16)."""

MAX_ALTERNATIVES = 64
"""Alternatives of a plan; more are weakened to fewer, or to none: the index asks for no more in one
question."""

MAX_COPIES = 8
"""Copies of a repeated part that are written out."""

_LATIN_END = 0x250
"""Below this, the index folds every letter as the matchers do, for each of the 2,927 cased characters
compared. Above, they differ for some (Cyrillic, Georgian, Cherokee), so cased letters there are unknown where
case is ignored."""

_TURKIC = frozenset("iI")
"""The fallback matcher takes these for the dotted and dotless letters of Turkish too where case is
ignored."""

_ESCAPED = re.compile(r"\\.", re.DOTALL)
_AMBIGUOUS = re.compile(r"\[\^?\]?[^\]]*?(?:\[|--|&&|~~|\|\|)|\{,")
"""In a pattern without escapes: sets in sets and set operations, and ``{,n}``. The engines disagree about
them."""
_FUZZY = re.compile(r"\{[^}]*[a-z]")
"""Approximate matching (``{e<=1}``), which only the fallback matcher knows."""

_EMPTY = frozenset({""})
_ASCII_LOWER = {code: code + 32 for code in range(ord("A"), ord("Z") + 1)}


class _UnplannableError(Exception):
    """A construct that the planner does not know."""


def required_literals(
    pattern: str, *, literal: bool = False, ignore_case: bool = False, fallback: bool = False
) -> Plan | None:
    """The plan of a pattern, None where it cannot narrow.

    For every text that the pattern matches, at least one inner list is wholly contained in the text, in any
    case. `literal` takes the pattern as plain text; `fallback` says that the back-tracking matcher will run
    it.
    """
    analysis = _Analysis(fallback)
    run = _Run()
    if literal:
        for char in pattern:
            analysis.character(run, char, ignore_case)
        return _tidy(run.close())
    if is_ambiguous(pattern) or (fallback and _FUZZY.search(pattern)):
        return None
    try:
        tree = importlib.import_module("re._parser").parse(pattern)
        analysis.sequence(run, tree, ignore_case or bool(tree.state.flags & re.IGNORECASE))
    except (_UnplannableError, ImportError, re.error, OverflowError, RecursionError):
        return None
    return _tidy(run.close())


def is_ambiguous(pattern: str) -> bool:
    """True where the engines (or a future version of one) read a part of the pattern differently."""
    return _AMBIGUOUS.search(_ESCAPED.sub("..", pattern)) is not None


class _Run:
    """What a sequence needs, while it is read from left to right.

    `tails` are the strings that the text since the last cut can be; `required` is the plan of what lies
    before it (None: nothing certain); `whole` stays True while nothing was cut, so that `tails` are all that
    is matched.
    """

    def __init__(self) -> None:
        self.tails: frozenset[str] = _EMPTY
        self.required: Plan | None = None
        self.whole = True

    def append(self, strings: frozenset[str]) -> None:
        """One of `strings` follows."""
        if len(self.tails) * len(strings) > MAX_STRINGS:
            self.cut(strings)
        else:
            self.tails = frozenset(tail + string for tail in self.tails for string in strings)

    def cut(self, tails: frozenset[str] = _EMPTY) -> None:
        """Something unknown follows, and after it one of `tails`."""
        self.require(_plan_of(self.tails))
        self.tails = tails
        self.whole = False

    def require(self, plan: Plan | None) -> None:
        """The text needs `plan` too, wherever in it."""
        self.required = _both(self.required, plan)

    def close(self) -> Plan | None:
        """The plan of the whole sequence."""
        return _both(self.required, _plan_of(self.tails))


@dataclass(frozen=True, slots=True)
class _Analysis:
    """Reads the nodes of a parsed pattern. `fallback`: as in :func:`required_literals`."""

    fallback: bool

    def sequence(self, run: _Run, nodes: Iterable[Any], ignore_case: bool) -> None:
        """Read nodes that follow each other."""
        for operation, argument in nodes:
            self._node(run, str(operation), argument, ignore_case)

    def character(self, run: _Run, char: str, ignore_case: bool) -> None:
        """Read one character."""
        if self._unknown(char, ignore_case):
            run.cut()
        else:
            run.append(frozenset({char.translate(_ASCII_LOWER)}))

    def _node(self, run: _Run, operation: str, argument: Any, ignore_case: bool) -> None:
        match operation:
            case "LITERAL":
                self.character(run, chr(argument), ignore_case)
            case "AT" | "ASSERT_NOT":
                pass
            case "ANY" | "NOT_LITERAL" | "GROUPREF" | "GROUPREF_EXISTS" | "FAILURE":
                run.cut()
            case "IN":
                self._either(run, self._members(argument, ignore_case))
            case "SUBPATTERN":
                _, added, removed, nodes = argument
                folds = (ignore_case or bool(added & re.IGNORECASE)) and not removed & re.IGNORECASE
                self.sequence(run, nodes, folds)
            case "ATOMIC_GROUP":
                self.sequence(run, argument, ignore_case)
            case "ASSERT":
                run.require(self._alone(argument[1], ignore_case).close())
            case "BRANCH":
                self._branch(run, argument[1], ignore_case)
            case "MAX_REPEAT" | "MIN_REPEAT" | "POSSESSIVE_REPEAT":
                self._repeat(run, argument, ignore_case)
            case _:
                raise _UnplannableError(operation)

    def _alone(self, nodes: Iterable[Any], ignore_case: bool) -> _Run:
        inner = _Run()
        self.sequence(inner, nodes, ignore_case)
        return inner

    def _branch(self, run: _Run, branches: Sequence[Any], ignore_case: bool) -> None:
        inner = [self._alone(nodes, ignore_case) for nodes in branches]
        if all(one.whole and one.required is None for one in inner):
            strings = frozenset().union(*(one.tails for one in inner))
            if len(strings) <= MAX_STRINGS:
                run.append(strings)
                return
        run.cut()
        run.require(_any([one.close() for one in inner]))

    def _repeat(self, run: _Run, argument: Any, ignore_case: bool) -> None:
        least, most, nodes = argument
        inner = self._alone(nodes, ignore_case)
        known = inner.whole and inner.required is None
        if least == 0:
            self._either(run, inner.tails | _EMPTY if known and most == 1 else None)
            return
        if not known:
            run.cut()
            run.require(inner.close())
            return
        for _ in range(min(least, MAX_COPIES)):
            run.append(inner.tails)
        if most != least or least > MAX_COPIES:
            run.cut(inner.tails)

    def _either(self, run: _Run, strings: frozenset[str] | None) -> None:
        if strings is None or len(strings) > MAX_STRINGS:
            run.cut()
        else:
            run.append(strings)

    def _members(self, items: Sequence[tuple[Any, Any]], ignore_case: bool) -> frozenset[str] | None:
        """The characters of a small class, None for a large, negated or named one."""
        members: set[str] = set()
        for operation, argument in items:
            match str(operation):
                case "LITERAL":
                    members.add(chr(argument))
                case "RANGE" if argument[1] - argument[0] < 2 * MAX_STRINGS:
                    members.update(map(chr, range(argument[0], argument[1] + 1)))
                case "RANGE" | "NEGATE" | "CATEGORY":
                    return None
                case other:
                    raise _UnplannableError(other)
        if any(self._unknown(char, ignore_case) for char in members):
            return None
        return frozenset(char.translate(_ASCII_LOWER) for char in members)

    def _unknown(self, char: str, ignore_case: bool) -> bool:
        """True where the matcher may take `char` for a character that the index does not fold onto it."""
        if not ignore_case:
            return False
        if ord(char) < _LATIN_END:
            return self.fallback and char in _TURKIC
        cased = not char.lower() == char == char.upper() == char.casefold()
        # What is not assigned yet may be a letter with a case in a newer Unicode.
        return cased or not char.isprintable()


def _plan_of(strings: frozenset[str]) -> Plan | None:
    """One of `strings` is there: a plan, unless one of them is too short to narrow."""
    if any(len(string) < MIN_LITERAL for string in strings):
        return None
    return [[string] for string in sorted(strings)]


def _both(one: Plan | None, other: Plan | None) -> Plan | None:
    """Both plans hold. Where their product is too large, the more selective one stands for both."""
    if one is None or other is None:
        return other if one is None else one
    if len(one) * len(other) > MAX_ALTERNATIVES:
        return max(one, other, key=_selectivity)
    return [[*left, *right] for left in one for right in other]


def _any(plans: Sequence[Plan | None]) -> Plan | None:
    """One of the plans holds."""
    alternatives: Plan = []
    for plan in plans:
        if plan is None:
            return None
        alternatives.extend(plan)
    return alternatives if len(alternatives) <= MAX_ALTERNATIVES else None


def _selectivity(plan: Plan) -> tuple[int, int]:
    return min(max(map(len, literals)) for literals in plan), -len(plan)


def _tidy(plan: Plan | None) -> Plan | None:
    """Without what adds nothing: literals inside another of the same list, lists that another one implies.
    Sorted."""
    if plan is None:
        return None
    distinct = {tuple(sorted(_longest(literals))) for literals in plan}
    kept: list[tuple[str, ...]] = []
    for literals in sorted(distinct, key=lambda one: (sum(map(len, one)), one)):
        if not any(_implies(literals, other) for other in kept):
            kept.append(literals)
    return [list(literals) for literals in sorted(kept)]


def _implies(literals: Sequence[str], other: Sequence[str]) -> bool:
    """True where a text with all of `literals` has all of `other`."""
    return all(any(one in literal for literal in literals) for one in other)


def _longest(literals: Sequence[str]) -> list[str]:
    kept: list[str] = []
    for literal in sorted(set(literals), key=len, reverse=True):
        if not any(literal in longer for longer in kept):
            kept.append(literal)
    return kept
