"""Pieces of a file on their way to chunks, and how small neighbours come together."""

from __future__ import annotations

from dataclasses import dataclass

from fourfold.model.chunk import Chunk
from fourfold.syntax.pages import Page
from fourfold.syntax.windows import MAX_LINES, TARGET_CHARS, make_chunk

SOLO_CHARS = 900
"""A definition of this size (about 20 lines) keeps a chunk of its own; smaller ones join their neighbours."""

SCRAP_CHARS = 200
"""Code between definitions smaller than this joins even a large neighbour."""

_CLOSERS = frozenset("}])>;,")
_END_WORDS = frozenset({"end", "end;", "fi", "done", "esac", "})", "});", "#endif", "endif", "?>", "</script>"})


@dataclass(slots=True)
class Piece:
    """A run of rows with what it holds. `count` is the number of definitions in it; `sealed`: joins no
    neighbour.
    """

    first: int
    last: int
    kind: str
    symbol: str = ""
    parent: str = ""
    signature: str = ""
    count: int = 0
    sealed: bool = False


def piece_chunks(page: Page, pieces: list[Piece]) -> list[Chunk]:
    """The chunks of `pieces`, blank rows at their ends left out."""
    made = (make_chunk(page, one.first, one.last, one.kind, one.symbol, one.parent, one.signature) for one in pieces)
    return [chunk for chunk in made if chunk]


def is_scrap(page: Page, first: int, last: int) -> bool:
    """True where the rows only close something: brackets, ``end``, ``fi``."""
    for line in page.lines[first : last + 1]:
        text = line.strip()
        if text and text not in _END_WORDS and not _CLOSERS.issuperset(text):
            return False
    return True


def merge(page: Page, pieces: list[Piece]) -> list[Piece]:
    """Join small neighbours, left to right, up to the target size."""
    merged: list[Piece] = []
    for piece in pieces:
        if merged and _joins(page, merged[-1], piece):
            _join(page, merged[-1], piece)
        else:
            merged.append(piece)
    return merged


def _joins(page: Page, left: Piece, right: Piece) -> bool:
    size = page.chars(left.first, right.last)
    if left.sealed or right.sealed or right.last - left.first + 1 > MAX_LINES:
        return False
    left_size, right_size = page.chars(left.first, left.last), page.chars(right.first, right.last)
    if size > TARGET_CHARS:
        scrap = (left.count == 0 and left_size < SCRAP_CHARS) or (right.count == 0 and right_size < SCRAP_CHARS)
        return scrap and size <= TARGET_CHARS + 2 * SCRAP_CHARS
    if left.count and right.count:
        return max(left_size, right_size) < SOLO_CHARS or min(left_size, right_size) < SCRAP_CHARS
    return True


def _join(page: Page, left: Piece, right: Piece) -> None:
    """Make `left` the union of both. A class head stays the class; one definition with scraps stays that
    definition.
    """
    if right.count and not (left.symbol and right.parent == left.symbol):
        if left.count == 0 and page.chars(left.first, left.last) > page.chars(right.first, right.last):
            pass  # a line of definition below a page of other code: the chunk is not about it
        elif left.count == 0:
            left.kind, left.symbol, left.signature = right.kind, right.symbol, right.signature
            left.parent = right.parent
        else:
            left.kind = left.kind if left.kind == right.kind else "block"
            left.symbol = left.signature = ""
            left.parent = _common_parent(left.parent, right.parent)
    left.count += right.count
    left.last = right.last


def _common_parent(left: str, right: str) -> str:
    if left == right:
        return left
    common = []
    for one, other in zip(left.split("."), right.split("."), strict=False):
        if one != other:
            break
        common.append(one)
    return ".".join(common)
