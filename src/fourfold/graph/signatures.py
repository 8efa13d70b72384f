"""Types that a signature gives to the parameters of a function that is passed in."""

from __future__ import annotations

from fourfold.syntax.facts.names import bare_type, split_outside

_ARROW = "\u2192"
"""Stands for ``=>`` while brackets are counted: its second half closes none."""


def passed_type(signature: str, argument: int, parameter: int) -> str:
    """The bare name of the type of a parameter (by number) of the function that is passed as an argument (by number):
    "Subscriber" for 0 and 1 in ``operate(init: (source: Observable<T>, subscriber: Subscriber<R>) => void)``. "" where
    the signature does not show it."""
    wanted = _parameter(_inside(signature.replace("=>", _ARROW)), argument)
    if wanted.startswith("((") and ")" in wanted:
        wanted = wanted[1:]  # ((value: T) => void) | null
    if not wanted.startswith("(") or _ARROW not in wanted:
        return ""
    return bare_type(_parameter(_inside(wanted), parameter).replace(_ARROW, "=>"))


def _parameter(text: str, number: int) -> str:
    """The declared type of a parameter; what a function is called on (``this``) is none."""
    parts = [part for part in split_outside(text, ",") if not part.startswith("this:")]
    if number >= len(parts):
        return ""
    return parts[number].partition(":")[2].strip()


def _inside(text: str) -> str:
    """What stands in the first parentheses outside of angle brackets."""
    start, depth, angles = -1, 0, 0
    for place, mark in enumerate(text):
        if start < 0 and mark in "<>":
            angles += 1 if mark == "<" else -1
        elif mark == "(" and (start >= 0 or angles <= 0):
            start = place if start < 0 else start
            depth += 1
        elif mark == ")" and start >= 0:
            depth -= 1
            if depth == 0:
                return text[start + 1 : place]
    return ""
