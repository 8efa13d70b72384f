"""What one needs to change a symbol or a file, as text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from fourfold.interfaces.cli.render import View
from fourfold.interfaces.cli.structure import head_lines
from fourfold.interfaces.cli.structure_rows import code_lines, definitions, heading, places
from fourfold.interfaces.cli.structure_usages import rows_of, subjects
from fourfold.interfaces.cli.words import count
from fourfold.model.structure import ContextResult, SymbolItem, UsageItem

Section = tuple[str, Sequence[UsageItem], bool]


def context_lines(result: ContextResult, view: View, *, is_file: bool) -> list[str]:
    """The lines of an answer to ``context``."""
    lines = head_lines([f"context of {result.query['text']}"], result.meta, view)
    return [*lines, *(_of_file(result, view) if is_file else _of_symbol(result, view))]


def _of_symbol(result: ContextResult, view: View) -> Iterator[str]:
    item = result.items[0]
    yield from subjects([item], view)
    yield from _code(item, view)
    sections: list[Section] = [
        ("callers", result.callers, False),
        ("calls", result.callees, True),
        ("inherits from", result.inherits, True),
        ("tests", result.tests, False),
    ]
    yield from _sections(sections, view)
    if result.members:
        inside = result.members[0].parent == item.symbol
        yield ""
        yield heading("members" if inside else "beside it", view)
        yield from definitions(result.members, view, code=0)


def _of_file(result: ContextResult, view: View) -> Iterator[str]:
    if result.items:
        yield heading(f"defines {count(len(result.items), 'symbol')}", view)
        yield from definitions(result.items, view, code=0)
    yield from _sections([("imported by", result.callers, False), ("imports", result.callees, True)], view)


def _sections(sections: Sequence[Section], view: View) -> Iterator[str]:
    for title, items, outgoing in sections:
        if items:
            yield ""
            yield heading(f"{title}: {len(items):,}", view)
            yield from places(rows_of(items, outgoing=outgoing), view)


def _code(item: SymbolItem, view: View) -> Iterator[str]:
    """The whole code that the answer holds, with true line numbers."""
    if not item.snippet:
        return
    lines = list(enumerate(item.snippet.split("\n"), item.start_line))
    yield from code_lines(lines, view.terminal, "", item.name)
    if lines[-1][0] < item.end_line:
        yield view.terminal.style("dim", f"… to line {item.end_line}")
