"""The lines of a text with their sizes: what every cutter works on."""

from __future__ import annotations

from itertools import accumulate


class Page:
    """The lines of one text, and sizes of runs of them in constant time. Rows count from 0, ends included."""

    __slots__ = ("_offsets", "lines")

    def __init__(self, text: str) -> None:
        self.lines = text.split("\n")
        self._offsets = [0, *accumulate(map(len, self.lines))]

    def __len__(self) -> int:
        return len(self.lines)

    def chars(self, first: int, last: int) -> int:
        """Characters of rows `first` to `last`, line ends between them included."""
        return self._offsets[last + 1] - self._offsets[first] + last - first

    def text(self, first: int, last: int) -> str:
        """Rows `first` to `last` joined by line ends."""
        return "\n".join(self.lines[first : last + 1])

    def is_blank(self, row: int) -> bool:
        """True where the row holds nothing but white space."""
        line = self.lines[row]
        return not line or line.isspace()

    def trim(self, first: int, last: int) -> tuple[int, int]:
        """The run without blank rows at its ends; `last < first` where all are blank."""
        while first <= last and self.is_blank(first):
            first += 1
        while last >= first and self.is_blank(last):
            last -= 1
        return first, last
