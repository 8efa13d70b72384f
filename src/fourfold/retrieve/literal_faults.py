"""What can be said of a regular expression by reading it: what is wrong, and where; how it may behave."""

from __future__ import annotations

import re
from collections.abc import Iterator

from fourfold.model.errors import BadPattern
from fourfold.retrieve.literal_plan import is_ambiguous

HINT = "search the text itself with grep -F"
_SHOWN = 60
"""Characters of a long pattern that a message shows, around the fault."""

_FAULTS: tuple[tuple[str, str], ...] = (
    ("missing ), unterminated subpattern", "ends inside a group"),
    ("missing )", "ends inside a group"),
    ("unterminated character set", "ends inside a character class"),
    ("missing ]", "ends inside a character class"),
    ("bad escape (end of pattern)", "ends with a lone backslash"),
    ("trailing \\", "ends with a lone backslash"),
    ("bad escape", "has an unknown escape"),
    ("unbalanced parenthesis", "closes a group that was never opened"),
    ("nothing to repeat", "has nothing to repeat"),
    ("multiple repeat", "repeats a repetition"),
    ("bad repetition operator", "repeats a repetition"),
    ("min repeat greater than max repeat", "has a repetition whose least is more than its most"),
    ("the repetition number is too large", "has a repetition that is too large"),
    ("invalid repetition size", "has a repetition that is too large"),
    ("bad character range", "has a range that runs backwards"),
    ("invalid group reference", "refers to a group that does not exist"),
    ("unknown group name", "refers to a group that does not exist"),
    ("unknown group", "refers to a group that does not exist"),
    ("redefinition of group name", "names two groups alike"),
    ("missing >, unterminated name", "ends inside a group name"),
    ("bad character in group name", "has a wrong character in a group name"),
    ("missing group name", "has a group without its name"),
    ("unknown property", "names an unknown class of characters"),
    ("unknown extension", "has an unknown kind of group"),
    ("unexpected end of pattern", "ends too early"),
    ("pattern too large", "is too large or too deep"),
)
"""How the messages of the three parsers begin, and what we say."""

_WIDE = {"\\w": r"_\pL\pM\pN", "\\d": r"\p{Nd}", "\\s": r"\s\pZ"}
"""What the classes that RE2 takes for ASCII are in Unicode (as in ripgrep, a mark belongs to its word)."""


def bad_regex(pattern: str, messages: list[tuple[str, int | None]]) -> BadPattern:
    """The error for a pattern that no engine takes; `messages` are what the engines said, with 0-based
    positions."""
    said = [*_standard_message(pattern), *messages]
    message, position = next((one for one in said if one[1] is not None), said[0])
    words = next((ours for theirs, ours in _FAULTS if message.startswith(theirs)), f"is invalid ({message})")
    place = "" if position is None else f" at position {position + 1}"
    return BadPattern(f"regular expression {words}{place}: {shown(pattern, position)}", hint=HINT, position=position)


def shown(pattern: str, position: int | None = None) -> str:
    """The pattern between quotes on one line, cut around the position where it is long."""
    begin = max(0, min((position or 0) - _SHOWN // 2, len(pattern) - _SHOWN))
    part = pattern[begin : begin + _SHOWN]
    part = "".join(char if char.isprintable() else "\N{REPLACEMENT CHARACTER}" for char in part)
    return f'"{"..." if begin else ""}{part}{"..." if begin + _SHOWN < len(pattern) else ""}"'


def line_break(pattern: str, *, literal: bool) -> int | None:
    """The offset of the first line break that a pattern asks for (``\\n`` outside of a class, or a real
    one)."""
    if literal:
        return pattern.find("\n") if "\n" in pattern else None
    return next((at for at, token in _outside_classes(pattern) if token in ("\n", "\\n")), None)


def plain_characters(pattern: str) -> str:
    """The characters of a pattern that stand for themselves or for a class: what "smart case" looks at."""
    return re.sub(r"\\[pP]\{[^}]*\}?|\\[pP].|\\.|\(\?P?<\w*>|\(\?P[=>]\w*\)", "", pattern, flags=re.DOTALL)


def widened(pattern: str) -> str:
    """The pattern for RE2 with ``\\w``, ``\\d``, ``\\s`` (and their opposites, outside of classes) of all
    scripts."""
    if "\\Q" in pattern:
        return pattern
    parts = []
    for _, token, inside in _tokens(pattern):
        members = _WIDE.get(token.lower()) if not inside or token.islower() else None
        if members is None:
            parts.append(token)
        elif inside:
            parts.append(members)
        else:
            parts.append(f"[{members}]" if token.islower() else f"[^{members}]")
    return "".join(parts)


def is_tame(pattern: str) -> bool:
    """True where a back-tracking matcher has no more than one choice to make: a repeat or an alternation, no
    recursion and nothing out of the ordinary. Escapes and classes do not count."""
    bare = "".join(token for _, token in _outside_classes(pattern) if len(token) == 1)
    return len(re.findall(r"(?<!\()[*+?{|]", bare)) <= 1 and not re.search(r"\(\?[^=!<:ims]", bare)


def _standard_message(pattern: str) -> Iterator[tuple[str, int | None]]:
    """What the parser of the standard library says; it warns, instead, about what is ambiguous."""
    if is_ambiguous(pattern):
        return
    try:
        re.compile(pattern)
    except re.error as error:
        yield error.msg, error.pos
    except (OverflowError, RecursionError):
        yield "pattern too large", None


def _outside_classes(pattern: str) -> Iterator[tuple[int, str]]:
    """(offset, character or escape) of everything that is not inside a character class."""
    return ((at, token) for at, token, inside in _tokens(pattern) if not inside)


def _tokens(pattern: str) -> Iterator[tuple[int, str, bool]]:
    """(offset, character or escape, whether it is inside a character class); brackets of classes are
    outside."""
    at, inside = 0, False
    while at < len(pattern):
        token = pattern[at : at + (2 if pattern[at] == "\\" else 1)]
        if inside and token == "]":
            inside = False
        yield at, token, inside
        at += len(token)
        if not inside and token == "[":
            inside = True
            head = re.compile(r"\^?\]?").match(pattern, at)
            for char in head.group() if head else "":
                yield at, char, True
                at += 1
