"""An answer in words on a terminal: fitted to its width, code and marks of citations in style, then the sources."""

from __future__ import annotations

import re
from collections.abc import Sequence

from fourfold.interfaces.cli.render import View, index_state
from fourfold.interfaces.cli.structure_rows import wrapped
from fourfold.interfaces.cli.styled import styled_line
from fourfold.interfaces.cli.terminal import Terminal
from fourfold.interfaces.cli.width import cut, safe, safe_name, width
from fourfold.interfaces.cli.words import milliseconds
from fourfold.model.answer import AskResult, Citation

_STYLED = re.compile(r"(`[^`\n]+`)|(\[(?:\d+|\?)\])")
_ITEM = re.compile(r"(\s*(?:[-*+]|\d+[.)])\s+)")
QUOTED = 12
"""Lines of a citation that are shown."""


def head(result: AskResult, view: View) -> list[str]:
    """The dimmed first line: who worded the answer and why, the time it took, the state of the tree it speaks of."""
    answer = result.answer
    who = f"answered by {safe(answer.model)}" if not answer.extractive else "extractive answer"
    facts = [who, safe(answer.note), milliseconds(result.meta.took_ms), index_state(result.meta)]
    return [
        view.terminal.style("dim", line) for line in wrapped([fact for fact in facts if fact], view.terminal.columns)
    ]


def answer_lines(text: str, terminal: Terminal) -> list[str]:
    """The lines of a text in Markdown, wrapped where the terminal has a width."""
    return [_styled(line, terminal) for full in text.split("\n") for line in _wrap(safe(full), terminal.columns)]


def source_lines(citations: Sequence[Citation], view: View, *, quotes: bool) -> list[str]:
    """``[1] path:start-end  symbol`` for each citation, with its lines where `quotes` are wanted."""
    terminal = view.terminal
    lines: list[str] = []
    number = len(str(len(citations))) + 2
    places = [safe_name(f"{view.path_of(one.path)}:{_range(one)}") for one in citations]
    columns = max(map(width, places), default=0)
    for one, place in zip(citations, places, strict=True):
        shown = terminal.link(terminal.style("path", place), view.root / one.path, one.start_line)
        symbol = terminal.style("symbol", safe_name(one.symbol)) if one.symbol else ""
        lines.append(f"{f'[{one.n}]':>{number}} {shown}{' ' * (columns - width(place))}  {symbol}".rstrip())
        if quotes:
            lines += _quoted(one, " " * (number + 1), terminal)
    return lines


def _quoted(citation: Citation, indent: str, terminal: Terminal) -> list[str]:
    digits = len(str(citation.end_line))
    room = None if terminal.columns is None else terminal.columns - len(indent) - digits - 2
    return [
        f"{indent}{terminal.style('line', f'{number:>{digits}}')}  {styled_line(text, (), terminal, room)}".rstrip()
        for number, text in enumerate(citation.quote.split("\n")[:QUOTED], citation.start_line)
    ]


def _range(citation: Citation) -> str:
    start, end = citation.start_line, citation.end_line
    return f"{start}" if start == end else f"{start}-{end}"


def _styled(line: str, terminal: Terminal) -> str:
    return _STYLED.sub(lambda found: terminal.style("symbol" if found.group(1) else "dim", found.group()), line)


def _wrap(line: str, columns: int | None) -> list[str]:
    """A line broken at spaces to fit, further lines of an item of a list indented below its text."""
    if columns is None or width(line) <= columns:
        return [line]
    item = _ITEM.match(line)
    indent = " " * len(item.group()) if item else ""
    lines: list[str] = []
    current = item.group().rstrip() if item else ""
    for word in line[len(item.group()) if item else 0 :].split(" "):
        if current.strip() and width(current) + 1 + width(word) > columns:
            lines.append(current)
            current = indent + word
        else:
            current = f"{current} {word}" if current.strip() else indent + word if lines else current + word
    return [cut(one, columns) for one in (*lines, current)]
