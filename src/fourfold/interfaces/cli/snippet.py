"""The telling lines of a result: its head, its matched lines, context around them, the rest elided."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from fourfold.model.record import record
from fourfold.model.result import ResultItem
from fourfold.model.text import STOP_WORDS, is_cjk, parts, words
from fourfold.pipeline.snippets import opener

MAX_TELLING = 5
"""Lines shown of one result unless more are asked for: two results and their head line fit ten lines."""

MAX_MARKED_WORDS = 40
"""Words of a question that are marked; a pasted file has thousands."""


@record(frozen=True, slots=True)
class ShownLine:
    """A line as shown: its number in the file, its text, and the character spans to set in bold."""

    number: int
    text: str
    spans: tuple[tuple[int, int], ...] = ()


def telling_lines(
    item: ResultItem, marks: re.Pattern[str] | None, *, context: int = 0, full: bool = False
) -> list[ShownLine]:
    """The lines of `item` to show, in order, without their common indentation."""
    lines = item.snippet.split("\n")
    chosen = range(len(lines)) if full else sorted(_chosen(item, lines, context))
    indent = _common_indent(lines[index] for index in chosen)
    shown = []
    for index in chosen:
        text = lines[index][indent:]
        spans = tuple(match.span() for match in marks.finditer(text)) if marks else ()
        shown.append(ShownLine(item.start_line + index, text, spans))
    return shown


def marker(question: str) -> re.Pattern[str] | None:
    """A pattern for the words of a question, whole identifiers and their parts, or None where it has none."""
    wanted: dict[str, None] = {}
    for word in words(question):
        if word.lower() in STOP_WORDS:
            continue
        for term in (word.lower(), *parts(word)):
            if (len(term) > 2 or is_cjk(term)) and term not in STOP_WORDS:
                wanted[term] = None
    chosen = sorted(list(wanted)[:MAX_MARKED_WORDS], key=len, reverse=True)
    return re.compile("|".join(map(re.escape, chosen)), re.IGNORECASE) if chosen else None


def _chosen(item: ResultItem, lines: Sequence[str], context: int) -> set[int]:
    """Indexes of the head line, the matched lines and `context` lines around each. A chunk of several small things or
    a table has no head of its own: there each matched line comes with the line that opens its block."""
    head = _head_index(item, lines)
    matched = [line - item.start_line for line in item.matched_lines]
    matched = [index for index in matched if 0 <= index < len(lines) and lines[index].strip()]
    core = [head, *(index for index in matched if index != head)][:MAX_TELLING]
    if matched and not item.signature:
        opened = [opener(lines, index) for index in matched]
        core = list(dict.fromkeys([*matched, *opened]))[:MAX_TELLING]
        return _around(core, context, len(lines))
    if len(core) == 1:
        core += [index for index in range(head + 1, len(lines)) if lines[index].strip()][:2]
    return _around(core, context, len(lines))


def _around(core: Iterable[int], context: int, count: int) -> set[int]:
    around = {near for index in core for near in range(index - context, index + context + 1)}
    return {index for index in around if 0 <= index < count}


def _head_index(item: ResultItem, lines: Sequence[str]) -> int:
    """Index of the line where the definition's signature begins, else of the first line that is not blank."""
    start = "".join(item.signature.split())[:24]
    if start:
        for index, line in enumerate(lines):
            folded = "".join(line.split())
            if folded and (folded.startswith(start) or (len(folded) >= 8 and start.startswith(folded))):
                return index
    return next((index for index, line in enumerate(lines) if line.strip()), 0)


def _common_indent(lines: Iterable[str]) -> int:
    """Characters of white space that all lines with text begin with; 0 where they mix tabs and spaces."""
    heads = [line[: len(line) - len(line.lstrip())] for line in lines if line.strip()]
    shortest = min(heads, key=len, default="")
    return len(shortest) if all(head.startswith(shortest) for head in heads) else 0
