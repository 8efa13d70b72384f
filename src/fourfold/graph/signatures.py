"""What signatures and types of TypeScript say of functions that are passed in, and what types are put together of."""

from __future__ import annotations

from fourfold.syntax.facts.names import bare_type, split_outside

_ARROW = "\u2192"
"""Stands for ``=>`` while brackets are counted: its second half closes none."""


MAX_PARTS = 8
"""Types of a union or an intersection that are looked at."""


def declared(signature: str, argument: int) -> str:
    """The type that a signature gives to a parameter (by number), as written; "" where it shows none. Of many
    (``...handlers: Handler[]``) that of one."""
    inside = _inside(signature.replace("=>", _ARROW))
    parts = [part for part in split_outside(inside, ",") if not part.startswith("this:")]
    if parts and parts[-1].startswith("...") and argument >= len(parts) - 1:
        return _one(parts[-1].partition(":")[2].strip())
    return parts[argument].partition(":")[2].strip() if argument < len(parts) else ""


def taken(kind: str, parameter: int) -> str:
    """The type of a parameter (by number) of what has the type `kind`, a function: "Subscriber" for 1 in
    ``(source: Observable<T>, subscriber: Subscriber<R>) => void``. "" where that is no function."""
    text = kind.replace("=>", _ARROW)
    if text.startswith("((") and ")" in text:
        text = text[1:]  # ((value: T) => void) | null
    if not text.startswith(("(", "<")) or _ARROW not in text:
        return ""
    return bare_type(declared(text, parameter).replace(_ARROW, "=>"))


def value_of(signature: str) -> str:
    """The type of a field or a variable, as its signature has it: "Handler<E>" of ``get!: Handler<E>``."""
    head, colon, kind = signature.partition(":")
    return kind.partition(" = ")[0].strip() if colon and "(" not in head and "=" not in head else ""


def members(kind: str) -> tuple[list[str], bool]:
    """The bare names of the types that a type is put together of, and whether it is one *or* the other of them; an
    empty list where some have no name."""
    text = kind.replace("=>", _ARROW)
    if _ARROW in text:
        return [], False
    for mark in ("|", "&"):
        parts = split_outside(text, mark)
        if len(parts) > 1:
            names = [bare_type(part) for part in parts if part not in ("null", "undefined")]
            known = [name for name in names if name]
            whole = mark == "&" or len(known) == len(names)
            return (known[:MAX_PARTS], mark == "|" and len(known) > 1) if whole else ([], False)
    name = bare_type(text)
    return ([name] if name else []), False


def _one(kind: str) -> str:
    """One of a list: of ``H<E>[]``, ``[H<E>, H<F>]`` or ``Array<H<E>>``."""
    if kind.startswith("["):
        return next(iter(split_outside(kind[1:-1], ",")), "")
    if kind.startswith("Array<") and kind.endswith(">"):
        return kind[len("Array<") : -1]
    return kind.removesuffix("[]")


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
