"""Jupyter notebooks by cell, with true line numbers.

The indexed text stays the JSON of the file. Each cell becomes a chunk of the JSON lines that it stands on;
for symbols and imports, the code of Python cells is put on the rows of its JSON strings and everything else
is left blank.
"""

from __future__ import annotations

import json
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import accumulate

from fourfold.model.chunk import Chunk
from fourfold.syntax.pages import Page
from fourfold.syntax.split import too_long
from fourfold.syntax.windows import TARGET_CHARS, make_chunk, window_runs

MAX_CELLS = 20_000
"""A notebook with more cells is cut by windows."""

_SPACE = " \t\n\r"


@dataclass(slots=True)
class _Cell:
    first: int
    last: int
    kind: str
    title: str


def notebook_chunks(page: Page, text: str) -> list[Chunk]:
    """Chunks of kind ``cell``; `symbol` is the heading of a Markdown cell, else that of the last one before.

    Small neighbours under one heading stand together. Raises ValueError where `text` is no notebook.
    """
    chunks: list[Chunk] = []
    position = 0
    for cell in _gather(page, _cells(text)):
        chunks += _runs(page, position, cell.first - 1, "block", "")
        chunks += _runs(page, max(cell.first, position), cell.last, "cell", cell.title)
        position = cell.last + 1
    return chunks + _runs(page, position, len(page) - 1, "block", "")


def notebook_code(page: Page, text: str) -> str:
    """The Python code of the cells on the rows where it stands in `text`; all other rows blank.

    Only cells whose source lines stand on rows of their own are read; magics (``%time``, ``!ls``) are left
    out. Raises ValueError where `text` is no notebook.
    """
    rows = [""] * len(page)
    for cell in _cells(text):
        if cell.kind == "code":
            for row in range(cell.first, cell.last + 1):
                rows[row] = _source_line(page.lines[row])
    return "\n".join(_sources_only(page, rows))


def _sources_only(page: Page, rows: list[str]) -> Iterator[str]:
    """Of the decoded rows, those inside a ``"source": [ ... ]`` list."""
    inside = False
    for line, code in zip(page.lines, rows, strict=True):
        text = line.strip()
        if text.startswith('"source":') and text.endswith("["):
            inside = True
            yield ""
        elif inside and text in ("]", "],"):
            inside = False
            yield ""
        else:
            yield code if inside and not code.lstrip().startswith(("%", "!")) else ""


def _source_line(line: str) -> str:
    text = line.strip().rstrip(",")
    if len(text) < 2 or text[0] != '"' or text[-1] != '"':
        return ""
    try:
        decoded = json.loads(text)
    except ValueError:
        return ""
    return str(decoded).rstrip("\n").replace("\n", " ").encode("utf-8", "replace").decode("utf-8")


def _cells(text: str) -> list[_Cell]:
    """Every cell with its rows."""
    ends = list(accumulate(len(line) + 1 for line in text.split("\n")))
    cells: list[_Cell] = []
    for value, start, end in _elements(text):
        if not isinstance(value, dict):
            raise ValueError("a cell is not an object")
        source = value.get("source", "")
        source = "".join(map(str, source)) if isinstance(source, list) else str(source)
        kind = str(value.get("cell_type", ""))
        title = _title(source) if kind == "markdown" else ""
        cells.append(_Cell(bisect_right(ends, start), bisect_right(ends, end - 1), kind, title))
        if len(cells) > MAX_CELLS:
            raise ValueError("too many cells")
    return cells


def _elements(text: str) -> Iterator[tuple[object, int, int]]:
    """The elements of the top-level list ``cells`` with their character positions."""
    decoder = json.JSONDecoder()
    position = _skip(text, 0)
    if text[position : position + 1] != "{":
        raise ValueError("no JSON object")
    position = _skip(text, position + 1)
    while text[position : position + 1] == '"':
        key, position = decoder.raw_decode(text, position)
        position = _skip(text, position)
        if text[position : position + 1] != ":":
            raise ValueError("no value after a key")
        position = _skip(text, position + 1)
        if key == "cells" and text[position : position + 1] == "[":
            yield from _list(decoder, text, _skip(text, position + 1))
            return
        _, position = decoder.raw_decode(text, position)
        position = _skip(text, position, ",")
    raise ValueError("no cells")


def _list(decoder: json.JSONDecoder, text: str, position: int) -> Iterator[tuple[object, int, int]]:
    while position < len(text) and text[position] != "]":
        value, end = decoder.raw_decode(text, position)
        yield value, position, end
        position = _skip(text, end, ",")


def _skip(text: str, position: int, also: str = "") -> int:
    while position < len(text) and (text[position] in _SPACE or text[position] in also):
        position += 1
    return position


def _title(source: str) -> str:
    for line in source.split("\n"):
        if line.startswith("#"):
            return line.strip("# ").strip()[:200]
    return ""


def _gather(page: Page, cells: list[_Cell]) -> list[_Cell]:
    """Join small neighbours; a heading begins a new run."""
    gathered: list[_Cell] = []
    for cell in cells:
        before = gathered[-1] if gathered else None
        if before is not None and (cell.first <= before.last or _small(page, before, cell)):
            before.last = max(before.last, cell.last)
            continue
        if before is not None and not cell.title:
            cell.title = before.title
        gathered.append(cell)
    return gathered


def _small(page: Page, before: _Cell, cell: _Cell) -> bool:
    return not cell.title and page.chars(before.first, cell.last) <= TARGET_CHARS


def _runs(page: Page, first: int, last: int, kind: str, title: str) -> list[Chunk]:
    if first > last:
        return []
    runs = window_runs(page, first, last) if too_long(page, first, last) else [(first, last)]
    return [chunk for chunk in (make_chunk(page, *run, kind, title) for run in runs) if chunk]
