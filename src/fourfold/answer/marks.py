"""Citations as a model writes them: ``[2]``, ``[2:41-47]``, ``[1, 3:5]``, ``src/a.py:41-47``."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from fourfold.model.answer import Passage

_SPAN = re.compile(r"(`+)(?:.(?!\1(?!`)))*.?\1", re.DOTALL)
_REF = r"\d{1,4}(?:\s*:\s*L?\d{1,7}(?:\s*[-–]\s*L?\d{1,7})?)?"
_PLACE = r"[\w.@+~-]+(?:/[\w.@+~\[\]-]+)*\.[A-Za-z]\w{0,11}:L?\d{1,7}(?:[-–]L?\d{1,7})?"
_MARK = re.compile(rf"(?<![\w\])])\s?\[\s*((?:{_REF}|{_PLACE})(?:\s*[,;]\s*(?:{_REF}|{_PLACE}))*)\s*\]")
_BARE = re.compile(rf"\s?[(`]*({_PLACE})[)`]*")
_LINK = re.compile(r"!?\[([^\[\]\n]*)\]\([^()\n]*\)")
_ADDRESS = re.compile(r"\b(?:https?|ftp|file|data|javascript):[^\s)>\]]+", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Mark:
    """Lines `start` to `end` of a passage (0: the passage as a whole)."""

    passage: Passage
    start: int = 0
    end: int = 0


def taken_out(text: str, items: Sequence[Passage]) -> tuple[str, list[Mark], int]:
    """(the text without its citations, those that name a passage and lines of it, how many do not).

    Places in code spans (```src/a.py:4```) are citations as well; other brackets in code spans are code.
    """
    marks: list[Mark] = []
    wrong = 0

    def take(found: re.Match[str]) -> str:
        nonlocal wrong
        for one in re.split(r"[,;]", found.group(1)):
            mark = _parsed(one.strip(), items)
            if mark is None:
                wrong += 1
            else:
                marks.append(mark)
        return ""

    text = _BARE.sub(take, outside_code(text, lambda part: _MARK.sub(take, part)))
    return re.sub(r"\s+([.,;:!?])", r"\1", text).strip(), marks, wrong


def without_links(text: str, known: str) -> str:
    """The text with links and images as their words, and without addresses that the passages (`known`) do not hold."""
    text = _LINK.sub(r"\1", text)
    return _ADDRESS.sub(lambda found: found.group() if found.group() in known else "(address left out)", text)


def spans(text: str) -> list[str]:
    """What stands in the code spans of a text."""
    return [found.group().strip("`").strip() for found in _SPAN.finditer(text)]


def without_code(text: str) -> str:
    """A text without its code spans."""
    return _SPAN.sub(" ", text)


def outside_code(text: str, change: Callable[[str], str]) -> str:
    """`text` with a change made to each part outside of code spans."""
    pieces: list[str] = []
    at = 0
    for found in _SPAN.finditer(text):
        pieces += (change(text[at : found.start()]), found.group())
        at = found.end()
    return "".join([*pieces, change(text[at:])])


def _parsed(text: str, items: Sequence[Passage]) -> Mark | None:
    """A reference as lines that a passage shows; None where it shows none of them."""
    head, _, tail = text.rpartition(":") if ":" in text else (text, "", "")
    numbers = [int(number) for number in re.findall(r"\d+", tail)]
    start, end = (numbers[0], numbers[-1]) if numbers else (0, 0)
    if end < start:
        return None
    head = head.strip()
    if head.isdigit():
        wanted = [item for item in items if item.rank == int(head)]
    else:
        wanted = [item for item in items if item.path == head or item.path.endswith(f"/{head}")]
    for item in wanted:
        if not start:
            return Mark(item)
        if start <= item.end_line and end >= item.start_line:
            return Mark(item, max(start, item.start_line), min(end, item.end_line))
    return None
