"""Lines of files as they were indexed, and evidence cut from them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fourfold.answer.claim import Evidence

if TYPE_CHECKING:
    from fourfold.model.structure import SymbolItem
    from fourfold.pipeline.structure.items import Structure

MAX_QUOTED = 12
"""Lines of one quotation; a longer range is cited by its first ones."""
_HEAD_LINES = 10
_ABOVE, _BELOW = 25, 30
"""Lines around the head of a definition in which its documentation is looked for."""
_DOC_START = 24
"""Characters of a documentation's beginning that its first line must hold."""


class Pages:
    """The pages of one snapshot."""

    def __init__(self, structure: Structure) -> None:
        self._structure = structure
        self._pages: dict[str, list[str]] = {}

    def lines(self, path: str) -> list[str]:
        """The lines of a file; ``[""]`` where it is not indexed."""
        found = self._pages.get(path)
        if found is None:
            found = self._pages[path] = self._structure.lines(path)
        return found

    def line(self, path: str, number: int) -> str:
        """One line (from 1), "" where there is none."""
        lines = self.lines(path)
        return lines[number - 1] if 0 < number <= len(lines) else ""

    def evidence(self, path: str, start: int, end: int, symbol: str = "") -> Evidence:
        """Lines `start` to `end`, blank ones at either end left out and at most :data:`MAX_QUOTED` of them."""
        lines = self.lines(path)
        start, end = max(start, 1), min(end, len(lines))
        while start < end and not lines[start - 1].strip():
            start += 1
        end = min(end, start + MAX_QUOTED - 1)
        while end > start and not lines[end - 1].strip():
            end -= 1
        return Evidence(path, start, end, "\n".join(lines[start - 1 : end]), symbol)

    def head(self, item: SymbolItem) -> Evidence:
        """The head of a definition: from the line that names it to where the signature ends."""
        start = self.named_line(item)
        end = start
        if item.signature and item.kind != "section":
            wanted = len("".join(item.signature.split()))
            got = len("".join(self.line(item.path, start).split()))
            while got < wanted and end < min(item.end_line, start + _HEAD_LINES):
                end += 1
                got += len("".join(self.line(item.path, end).split()))
        return self.evidence(item.path, start, end, item.symbol)

    def named_line(self, item: SymbolItem) -> int:
        """The line of a definition that holds its name: decorators may stand above it."""
        for number in range(item.start_line, min(item.end_line, item.start_line + _ABOVE) + 1):
            if item.name and item.name in self.line(item.path, number) and not self._decorates(item, number):
                return number
        return item.start_line

    def _decorates(self, item: SymbolItem, number: int) -> bool:
        return number < item.end_line and self.line(item.path, number).lstrip().startswith(("@", "#["))

    def documented(self, item: SymbolItem, sentence: str) -> Evidence:
        """The head of a definition with the lines that hold the beginning of its documentation, below or above."""
        head = self.head(item)
        begin = self._doc_line(item, head)
        if not begin:
            return head
        end, text = begin, _squeezed(self.line(item.path, begin))
        wanted = len(_squeezed(sentence))
        while len(text) < wanted and end < begin + 4:
            end += 1
            text += _squeezed(self.line(item.path, end))
        return self.evidence(item.path, min(head.start_line, begin), max(head.end_line, end), item.symbol)

    def _doc_line(self, item: SymbolItem, head: Evidence) -> int:
        """The line where the documentation begins; 0 where it is too far away to be cited with the head."""
        start = _squeezed(item.doc)[:_DOC_START]
        near = [
            *range(head.start_line, head.end_line + _BELOW),
            *range(head.start_line - 1, head.start_line - _ABOVE, -1),
        ]
        for number in near if start else ():
            line = _squeezed(self.line(item.path, number))
            both = line + _squeezed(self.line(item.path, number + 1))
            if line and (start in line or (start in both and start not in both[len(line) :])):
                return number if abs(number - head.start_line) < MAX_QUOTED - 1 else 0
        return 0


def _squeezed(text: str) -> str:
    """Letters and digits only: marks of comments, markup and spaces differ between a documentation and its source."""
    return "".join(character for character in text if character.isalnum())
