"""Documentation attributes of Elixir: ``@moduledoc`` in a module, ``@doc`` above a function."""

from __future__ import annotations

import re
from collections.abc import Iterator

from fourfold.evaluate.labels.documented import MIN_BODY_LINES, Documented
from fourfold.evaluate.labels.item import Item
from fourfold.evaluate.labels.styles import STYLES
from fourfold.evaluate.labels.tree import Definitions
from fourfold.model.chunk import TYPE_KINDS

_ELIXIR_DOC = re.compile(r"@(?:doc|moduledoc)\s+(?:~[sS])?(\"\"\"|\")")


def elixir_items(path: str, text: str, parsed: Definitions) -> Iterator[Item]:
    """Modules and functions with their documentation."""
    lines = text.split("\n")
    for symbol in parsed.symbols:
        is_type = symbol.kind in TYPE_KINDS and symbol.end_line - symbol.start_line >= MIN_BODY_LINES
        is_function = symbol.kind in ("function", "method", "macro")
        if not is_type and not is_function:
            continue
        place = _moduledoc(lines, symbol.start_line) if is_type else _elixir_doc(lines, symbol.start_line)
        if place is not None:
            doc = _elixir_text(lines[place[0] - 1 : place[1]])
            kind = "type" if is_type else "function"
            yield Item(kind, Documented(path, symbol.name, symbol.start_line, symbol.end_line, *place, doc))


def _moduledoc(lines: list[str], start: int) -> tuple[int, int] | None:
    for number in range(start + 1, min(start + 6, len(lines) + 1)):
        stripped = lines[number - 1].strip()
        if stripped.startswith("@moduledoc"):
            return _elixir_place(lines, number)
    return None


def _elixir_doc(lines: list[str], start: int) -> tuple[int, int] | None:
    """The ``@doc`` above a definition, one-line attributes between."""
    number = start - 1
    while number >= 1 and re.match(STYLES["elixir"].attribute, lines[number - 1].strip()):
        number -= 1
    if number < 1:
        return None
    if lines[number - 1].strip() == '"""':
        number -= 1
        while number > 1 and not lines[number - 1].strip().startswith("@doc"):
            number -= 1
    return _elixir_place(lines, number) if lines[number - 1].strip().startswith("@doc") else None


def _elixir_place(lines: list[str], first: int) -> tuple[int, int] | None:
    opened = _ELIXIR_DOC.match(lines[first - 1].strip())
    if opened is None:
        return None
    if opened[1] == '"':
        return (first, first) if lines[first - 1].rstrip().endswith('"') else None
    last = first + 1
    while last <= len(lines) and lines[last - 1].strip() != '"""':
        last += 1
    return (first, last) if last <= len(lines) else None


def _elixir_text(lines: list[str]) -> str:
    inside = [_ELIXIR_DOC.sub("", lines[0].strip()).rstrip('"'), *(line.strip() for line in lines[1:])]
    return "\n".join(line for line in inside if line != '"""')
