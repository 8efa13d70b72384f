"""Patterns: what a user types after ``grep``, checked, planned and ready to run.

A pattern matches within a line, never across a line end: ``.``, ``\\s`` and ``[^x]`` do not match one, and a
pattern that asks for one is refused. ``^`` and ``$`` are the two ends of a line.

Regular expressions run on RE2, in time linear in the text; ``\\w``, ``\\d`` and ``\\s`` are those of all
scripts (within a class, their opposites are those of ASCII), ``\\b`` is the boundary of an ASCII word. What
RE2 does not know (look-around, back-references, atomic groups) runs on a back-tracking matcher with a time
limit; so do patterns with ``\\b`` beside letters outside of ASCII, which RE2 would not take for letters.
"""

from __future__ import annotations

import importlib
import warnings
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from fourfold.model.errors import BadPattern
from fourfold.retrieve.literal_engines import Engine, LimitedEngine, LinearEngine, PlainEngine
from fourfold.retrieve.literal_faults import HINT, bad_regex, is_tame, line_break, plain_characters, shown, widened
from fourfold.retrieve.literal_lines import Span
from fourfold.retrieve.literal_plan import is_ambiguous, required_literals

__all__ = ["MAX_PATTERN_CHARS", "Pattern", "compile_pattern", "required_literals"]

MAX_PATTERN_CHARS = 10_000
DEFAULT_TIMEOUT_S = 2.0
"""For one file, where the pattern needs the back-tracking matcher."""

_RE2_MEMORY = 8 << 20
"""Bytes for the program and its states (RE2's own default). More made bad cases slower: 200 kB of text and a
pattern of large counted repeats took 1.7 s with 8 MiB, 3.0 s with 32, 5.4 s with 64."""

_OPERATORS = frozenset("\\.^$*+?{}[]|()")
"""A regular expression without any of these is plain text, which is found in half the time."""

_NOT_A_LETTER = r"[^\pL\pN_]"


@dataclass(frozen=True, slots=True)
class Pattern:
    """A pattern ready to run. `required` is its plan (:func:`required_literals`), None where it cannot
    narrow."""

    source: str
    literal: bool
    ignore_case: bool
    word: bool
    required: tuple[tuple[str, ...], ...] | None
    engine: Engine = field(repr=False, compare=False)

    def spans(self, text: str, deadline: float = float("inf")) -> Iterator[Span]:
        """Half-open character offsets of the matches in `text`, in order; none crosses a line end.

        A match of nothing is one empty span, after which its line is left. `deadline` is a moment of
        ``time.monotonic()``. Raises :class:`fourfold.model.errors.TimedOut` on a text that takes too long.
        """
        return self.engine.spans(text, deadline)


def compile_pattern(
    pattern: str,
    *,
    literal: bool = False,
    ignore_case: bool = False,
    smart_case: bool = False,
    word: bool = False,
    timeout_s: float = DEFAULT_TIMEOUT_S,
) -> Pattern:
    """Check and compile a pattern.

    `literal` takes it as plain text. `smart_case` ignores case unless the pattern has a capital letter.
    `word` wants no letter, digit or underscore (of any script) before and behind the match. `timeout_s`
    bounds the time that one file may take where the pattern needs the back-tracking matcher. Raises
    :class:`BadPattern`.
    """
    _refuse(pattern, literal)
    if smart_case and not ignore_case:
        ignore_case = not any(char.isupper() for char in (pattern if literal else plain_characters(pattern)))
    if literal or not _OPERATORS.intersection(pattern):
        general = _LazyLinear(pattern, ignore_case, word, literal=True)
        engine: Engine = PlainEngine(pattern, ignore_case, word, general)
        plan = required_literals(pattern, literal=True, ignore_case=ignore_case)
        return Pattern(pattern, literal, ignore_case, word, _frozen(plan), engine)
    linear, said = (None, "") if _needs_unicode_boundaries(pattern) else _linear(pattern, ignore_case, word)
    if linear is not None:
        wide = widened(pattern)
        if wide != pattern:
            linear = replace(linear, wide=_LazyLinear(wide, ignore_case, word, narrow=linear))
        plan = required_literals(pattern, ignore_case=ignore_case)
        return Pattern(pattern, False, ignore_case, word, _frozen(plan), linear)
    if said.startswith("pattern too large"):
        raise BadPattern(f"regular expression is too large: {shown(pattern)}", hint=HINT)
    compiled = _limited(pattern, ignore_case, word, said)
    required = _frozen(required_literals(pattern, ignore_case=ignore_case, fallback=True))
    limited = LimitedEngine(compiled, timeout_s, _narrow(required), is_tame(pattern))
    return Pattern(pattern, False, ignore_case, word, required, limited)


def _refuse(pattern: str, literal: bool) -> None:
    """Raise for what no engine should see."""
    if not pattern:
        raise BadPattern("the pattern is empty", hint="give the text or regular expression to look for")
    if len(pattern) > MAX_PATTERN_CHARS:
        raise BadPattern(
            f"the pattern has {len(pattern):,} characters, at most {MAX_PATTERN_CHARS:,} are taken",
            hint="search for a shorter part of it",
        )
    if any("\ud800" <= char <= "\udfff" for char in pattern):
        raise BadPattern("the pattern is not valid Unicode", hint="type it in UTF-8")
    position = line_break(pattern, literal=literal)
    if position is not None:
        raise BadPattern(
            f"the pattern asks for a line break at position {position + 1}, but matches lie within one line",
            hint="search for one line of it",
            position=position,
        )


def _linear(pattern: str, ignore_case: bool, word: bool) -> tuple[LinearEngine | None, str]:
    """The engine, or None and what RE2 said."""
    import re2

    def compiled(source: str) -> Any:
        options = re2.Options()
        options.log_errors = False
        options.max_mem = _RE2_MEMORY
        options.never_nl = True
        options.never_capture = not word
        options.case_sensitive = not ignore_case
        return re2.compile(f"(?m){source}", options)

    try:
        plain = compiled(pattern)
        if not word:
            return LinearEngine(plain), ""
        alone = f"({pattern})(?:$|{_NOT_A_LETTER})"
        return LinearEngine(compiled(f"(?:^|{_NOT_A_LETTER}){alone}"), compiled(alone)), ""
    except re2.error as error:
        message = error.args[0] if error.args else ""
        return None, message.decode("utf-8", "replace") if isinstance(message, bytes) else str(message)


def _narrow(required: tuple[tuple[str, ...], ...] | None) -> Engine | None:
    """Finds the lines that hold the longest literal of one of the alternatives, in any case."""
    if required is None:
        return None
    import re2

    longest = {max(literals, key=len) for literals in required}
    return _linear("|".join(map(re2.escape, sorted(longest))), True, False)[0]


def _limited(pattern: str, ignore_case: bool, word: bool, said: str) -> Any:
    """The compiled pattern of the back-tracking matcher. Raises :class:`BadPattern`."""
    # Late, and by name: it has no type stubs.
    regex: Any = importlib.import_module("regex")
    flags = regex.VERSION0 | (regex.IGNORECASE if ignore_case else 0)
    messages: list[tuple[str, int | None]] = []
    try:
        with warnings.catch_warnings():
            if is_ambiguous(pattern):
                warnings.simplefilter("ignore", FutureWarning)
            compiled = regex.compile(pattern, flags)
            if not word:
                return compiled
            # A verbose pattern may end in a comment, which the line end closes.
            closing = "\n)" if compiled.flags & regex.VERBOSE else ")"
            return regex.compile(rf"(?<!\w)(?:{pattern}{closing}(?!\w)", flags)
    except regex.error as error:
        messages.append((error.msg, error.pos))
    except (OverflowError, RecursionError, ValueError):
        raise BadPattern("regular expression is too deep or too large", hint=HINT) from None
    raise bad_regex(pattern, [*messages, (said, None)] if said else messages)


@dataclass(frozen=True, slots=True)
class _LazyLinear:
    """An RE2 engine compiled where a text needs it: most do not. `narrow` stands in for one that RE2 finds
    too large."""

    source: str
    ignore_case: bool
    word: bool
    literal: bool = False
    narrow: Engine | None = None

    def spans(self, text: str, deadline: float) -> Iterator[Span]:
        """As in :class:`fourfold.retrieve.literal_engines.Engine`."""
        import re2

        # RE2 keeps the last 128 compiled patterns.
        source = re2.escape(self.source) if self.literal else self.source
        linear, said = _linear(source, self.ignore_case, self.word)
        engine = linear or self.narrow
        if engine is None:
            raise BadPattern(f"the text is too long to search in any case ({said})", hint="search for less of it")
        return engine.spans(text, deadline)


def _needs_unicode_boundaries(pattern: str) -> bool:
    return not pattern.isascii() and ("\\b" in pattern or "\\B" in pattern)


def _frozen(plan: list[list[str]] | None) -> tuple[tuple[str, ...], ...] | None:
    return None if plan is None else tuple(tuple(literals) for literals in plan)
