"""Which command lines are handed to the helper: questions, nothing that writes, serves, or needs the terminal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from fourfold.interfaces.cli.names import COMMANDS

ANSWERED = frozenset(
    {
        "search",
        "grep",
        "symbol",
        "refs",
        "impact",
        "context",
        "match",
        "similar",
        "routes",
        "overview",
        "ask",
        "history",
    }
)
"""Commands that only ask."""

_OWN = frozenset({"-h", "--help", "-v", "--verbose", "-V", "--version", "--no-helper", "--open"})
"""What the process does itself: help is made for its terminal, tracebacks and logs are its own, an editor needs it."""

_FALSE = frozenset({"0", "false", "no", "off"})


def is_handed_over(arguments: Sequence[str]) -> bool:
    """True where the helper may answer this command line; it decides by the same function."""
    at = 0
    while at < len(arguments):
        word = arguments[at]
        if word in ("-C", "--root"):
            at += 2
        elif word == "--no-color" or word.startswith(("--root=", "-C")):
            at += 1
        else:
            break
    rest = arguments[at:]
    if not rest or any(word in _OWN or word.startswith("--open=") for word in rest):
        return False
    if rest[0].startswith(("-v", "-V", "-h")):  # letters put together: -vC DIR
        return False
    return rest[0] in ANSWERED or rest[0] not in COMMANDS


def is_wanted(environ: Mapping[str, str]) -> bool:
    """False where the environment turns the helper off. In CI nothing is left running unless that is asked for."""
    said = environ.get("FOURFOLD_HELPER_ENABLED", "").lower()
    return said not in _FALSE if said else environ.get("CI", "").lower() in ("", *_FALSE)
