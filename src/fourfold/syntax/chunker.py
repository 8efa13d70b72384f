"""The syntax-aware chunker: one chunk a definition, cut inside where too long, joined with neighbours where
small.

A file is a list of definitions with gaps between them (imports, constants, top-level code). A class (or any
other container) that is more than one chunk is such a list again: its head, its members, gaps. Comments,
decorators and attributes directly above a definition belong to it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fourfold.syntax.definitions import CODE_KINDS, VALUE_KINDS, Definition
from fourfold.syntax.leading import owned_start
from fourfold.syntax.pages import Page
from fourfold.syntax.pieces import SCRAP_CHARS, Piece, is_scrap, merge
from fourfold.syntax.split import split_rows, too_long
from fourfold.syntax.windows import TARGET_CHARS

if TYPE_CHECKING:
    from tree_sitter import Node

_MAX_NESTING = 60


class Chunker:
    """Cuts one parsed file. `comments` are prefixes of lines that belong to the definition below them."""

    def __init__(self, page: Page, comments: tuple[str, ...]) -> None:
        self._page = page
        self._comments = comments

    def pieces(self, root: Node, definitions: list[Definition], first: int, last: int) -> list[Piece]:
        """Rows `first` to `last` of the file whose tree is `root`, cut; `definitions` are those that begin
        there."""
        return self._level([root], definitions, first, last, None, 0)

    def _level(
        self,
        nodes: list[Node],
        definitions: list[Definition],
        first: int,
        last: int,
        owner: Definition | None,
        depth: int,
    ) -> list[Piece]:
        """Pieces of rows `first` to `last`: the definitions that stand there, and the gaps."""
        pieces: list[Piece] = []
        position = first
        for one in definitions:
            end = min(one.end_row, last)
            if end < position or not self._stands_alone(one):
                continue
            start = owned_start(self._page.lines, self._comments, one.start_row, position)
            if start < position:
                start = position
            if pieces and one.start_row < position:  # shares a row with the definition before it
                position = self._grow(pieces[-1], end)
                continue
            self._gap(pieces, nodes, position, start - 1, owner)
            pieces += self._definition(one, start, end, depth)
            position = end + 1
        self._gap(pieces, nodes, position, last, owner)
        return merge(self._page, pieces)

    def _stands_alone(self, one: Definition) -> bool:
        """Small values are part of the code around them; large ones (tables) and all else are pieces."""
        return one.kind not in VALUE_KINDS or self._page.chars(one.start_row, one.end_row) > SCRAP_CHARS

    def _grow(self, piece: Piece, last: int) -> int:
        piece.last = max(piece.last, last)
        return piece.last + 1

    def _gap(self, pieces: list[Piece], nodes: list[Node], first: int, last: int, owner: Definition | None) -> None:
        """Add code between definitions: a class head, a closing bracket, statements of a module."""
        first, last = self._page.trim(first, last)
        if first > last:
            return
        if pieces and is_scrap(self._page, first, last):
            pieces[-1].last = last
            return
        if owner is None:
            head = Piece(first, last, "module" if first == 0 else "block")
        elif owner.kind in CODE_KINDS or (not pieces and not owner.is_scope and owner.kind != "module"):
            head = Piece(first, last, owner.kind, owner.qualified, owner.parent, owner.signature, count=1)
        else:
            head = Piece(first, last, "block", parent=owner.qualified)
        pieces += self._parts(head, nodes)

    def _definition(self, one: Definition, first: int, last: int, depth: int) -> list[Piece]:
        """One definition as one piece, or as a level of its own, or cut between its statements."""
        whole = Piece(
            first,
            last,
            "block" if one.is_scope else one.kind,
            "" if one.is_scope else one.qualified,
            one.qualified if one.is_scope else one.parent,
            one.signature,
            count=1,
        )
        if depth < _MAX_NESTING and self._has_members(one, first, last):
            inner = self._level(one.nodes, one.children, first, last, one, depth + 1)
            if len(inner) > 1:
                for piece in inner:
                    piece.sealed = True
            return inner
        return self._parts(whole, one.nodes)

    def _has_members(self, one: Definition, first: int, last: int) -> bool:
        """True for a container that is more than one chunk, and for a long function around other
        functions."""
        if not any(self._stands_alone(child) for child in one.children):
            return False
        if one.is_container:
            return self._page.chars(first, last) > TARGET_CHARS
        return too_long(self._page, first, last)

    def _parts(self, whole: Piece, nodes: list[Node]) -> list[Piece]:
        if not too_long(self._page, whole.first, whole.last):
            return [whole]
        runs = split_rows(self._page, nodes, whole.first, whole.last)
        return [
            Piece(first, last, whole.kind, whole.symbol, whole.parent, whole.signature, whole.count, sealed=True)
            for first, last in runs
        ]
