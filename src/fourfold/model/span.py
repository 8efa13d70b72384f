"""A range of lines."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """Lines `start_line` to `end_line`, counted from 1, both included."""

    start_line: int
    end_line: int

    def __post_init__(self) -> None:
        if self.start_line < 1 or self.end_line < self.start_line:
            raise ValueError(f"not a line range: {self.start_line}-{self.end_line}")

    def __len__(self) -> int:
        return self.end_line - self.start_line + 1

    def overlaps(self, other: Span) -> bool:
        """True where the two ranges share a line."""
        return self.start_line <= other.end_line and other.start_line <= self.end_line

    def contains(self, line: int) -> bool:
        """True where `line` (from 1) lies inside."""
        return self.start_line <= line <= self.end_line
