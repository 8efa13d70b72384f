"""A symbol: something that a file defines and that has a name."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from fourfold.model.record import record

VISIBILITIES: tuple[str, ...] = ("", "public", "private", "protected", "internal")
"""Who may use a symbol; "" where the language does not say. Stored as a position in this tuple: append
only."""

MODIFIERS: tuple[str, ...] = ("async", "static", "abstract", "exported", "test", "override", "const")
"""What a symbol may be besides its kind. Stored as bits in this order: append only."""

STEREOTYPES: tuple[str, ...] = (
    "",
    "controller",
    "service",
    "repository",
    "entity",
    "model",
    "component",
    "hook",
    "middleware",
    "migration",
)
"""The part a symbol plays in its framework. Stored as a position in this tuple: append only."""

MAX_DOC_CHARS = 300
"""Longer first paragraphs are cut, at the end of a sentence where there is one."""

MAX_DECORATOR_CHARS = 120
"""A decorator is cut here."""

_DETAILS_FORMAT = 1


@record(frozen=True, slots=True)
class Symbol:
    """One definition. Lines count from 1, both included; `kind` is one of :data:`fourfold.model.chunk.KINDS`.

    `name` is the bare name ("request"), `qualified_name` the name within its file ("Client.request"), `parent` the
    qualified name of what encloses it, `signature` the head of the definition on one line (whitespace folded).

    The details: `doc` is the first paragraph of its documentation, at most :data:`MAX_DOC_CHARS` characters;
    `decorators` are decorators, annotations and attributes as written (``@app.get("/x")``, ``#[test]``, ``[HttpGet]``);
    `visibility`, `modifiers` and `stereotype` are words of the tuples of this module.
    """

    name: str
    qualified_name: str
    kind: str
    start_line: int
    end_line: int
    parent: str = ""
    signature: str = ""
    doc: str = ""
    decorators: tuple[str, ...] = ()
    visibility: str = ""
    modifiers: tuple[str, ...] = ()
    stereotype: str = ""


def encode_details(symbols: Sequence[Symbol]) -> list[object]:
    """The details of a file's symbols as a list that JSON can hold; [] where there are none.

    Shape: ``[format, visibilities, modifiers, docs, decorators, stereotypes]``. `visibilities` is a text with one
    digit a symbol; the others are flat lists of a symbol's position and its value, for those that have one.
    """
    if not any(one.visibility or one.modifiers or one.doc or one.decorators or one.stereotype for one in symbols):
        return []
    visibilities = "".join(str(VISIBILITIES.index(one.visibility)) for one in symbols)
    modifiers: list[int] = []
    docs: list[object] = []
    decorators: list[object] = []
    stereotypes: list[int] = []
    for position, one in enumerate(symbols):
        if one.modifiers:
            modifiers += (position, sum(1 << MODIFIERS.index(word) for word in one.modifiers))
        if one.doc:
            docs += (position, one.doc)
        if one.decorators:
            decorators += (position, list(one.decorators))
        if one.stereotype:
            stereotypes += (position, STEREOTYPES.index(one.stereotype))
    return [_DETAILS_FORMAT, visibilities, modifiers, docs, decorators, stereotypes]


def apply_details(symbols: Sequence[Symbol], details: Sequence[object]) -> list[Symbol]:
    """`symbols` (in the order in which they were encoded) with the details of :func:`encode_details` put back.

    Raises ValueError where `details` are of another format or of another number of symbols.
    """
    if not details:
        return list(symbols)
    if len(details) != 6 or details[0] != _DETAILS_FORMAT or len(str(details[1])) != len(symbols):
        raise ValueError("symbol details of another format or of another file")
    try:
        return _applied(symbols, str(details[1]), [_pairs(part) for part in details[2:]])
    except (IndexError, TypeError) as error:
        raise ValueError("symbol details are damaged") from error


def _applied(symbols: Sequence[Symbol], visibilities: str, parts: list[dict[int, object]]) -> list[Symbol]:
    modifiers, docs, decorators, stereotypes = parts
    return [
        replace(
            one,
            visibility=VISIBILITIES[int(visibilities[position])],
            modifiers=_words(modifiers.get(position, 0)),
            doc=str(docs.get(position, "")),
            decorators=_texts(decorators.get(position, ())),
            stereotype=STEREOTYPES[_number(stereotypes.get(position, 0))],
        )
        for position, one in enumerate(symbols)
    ]


def _pairs(flat: object) -> dict[int, object]:
    if not isinstance(flat, Sequence) or len(flat) % 2:
        raise ValueError("symbol details are damaged")
    return dict(zip(flat[::2], flat[1::2], strict=True))


def _words(bits: object) -> tuple[str, ...]:
    number = _number(bits)
    return tuple(word for position, word in enumerate(MODIFIERS) if number >> position & 1)


def _texts(value: object) -> tuple[str, ...]:
    return tuple(map(str, value)) if isinstance(value, Sequence) else ()


def _number(value: object) -> int:
    if not isinstance(value, int):
        raise ValueError("symbol details are damaged")
    return value
