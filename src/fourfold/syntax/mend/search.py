"""The reading of a damaged file under which most of its definitions are found."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import accumulate
from typing import TYPE_CHECKING

from fourfold.syntax.grammars import LoadedGrammar
from fourfold.syntax.mend.brackets import Edit, applied, repair
from fourfold.syntax.mend.heads import heads_of
from fourfold.syntax.mend.isolate import Isolator
from fourfold.syntax.mend.preprocessor import CONDITIONAL, first_branches, without_macros
from fourfold.syntax.tree import Match, TooSlowError, Unread, parse_tree, run_query, unread

if TYPE_CHECKING:
    from tree_sitter import Query, Tree

MAX_CHARS = 400_000
"""Longer texts are read as they are: a mended one is read up to eight times."""


BYTES_OF_DEFINITION = 800
"""Unreadable bytes that weigh as much as a definition: about twice what one has in django and gson."""

CLEAN = 1.1
"""A reading without an error is right even where another has a few definitions more: a grammar that has lost its way
takes calls for definitions."""
_PHP = b"<?php"


@dataclass(frozen=True, slots=True)
class Reading:
    """A text with its trees: that of the whole, with what it cannot read left out, and those of stretches that were
    left out, read alone. Places in all of them are places of `text`.

    `definitions` are found in them, on `rows`; `broken` is what the grammar could not read; `mended`: the text is not
    the one that was given.
    """

    text: str
    tree: Tree
    definitions: int = 0
    broken: Unread = field(default_factory=Unread)
    rows: frozenset[int] = frozenset()
    mended: bool = False
    stretches: tuple[Tree, ...] = ()

    @property
    def worth(self) -> float:
        """Of two readings the one with more definitions is better. What is broken hides some, and makes others appear
        that are none."""
        found = self.definitions * (1.0 if self.broken.count else CLEAN)
        return found - self.broken.count / BYTES_OF_DEFINITION

    def lacks_heads(self) -> bool:
        """True where a line that looks like the head of a definition is none, and damage may be the reason."""
        broken = self.broken
        return any(
            row not in self.rows and (broken.misses or any(first <= row <= last for first, last in broken.stretches))
            for row in heads_of(self.text)
        )

    def matches(self, query: Query, deadline: float) -> list[Match]:
        """The matches of a query in all trees. Raises :class:`~fourfold.syntax.tree.TooSlowError`."""
        found = run_query(query, self.tree, deadline)
        for tree in self.stretches:
            found += run_query(query, tree, deadline)
        return found


def best_reading(loaded: LoadedGrammar, language: str, text: str, deadline: float) -> Reading:
    """`text` as it is or mended, so that as many definitions as possible are found. No line is added or removed.

    `deadline` is a reading of :func:`time.thread_time`; at most half of the time until then is used for mending. Raises
    :class:`~fourfold.syntax.tree.TooSlowError` where the text as it is cannot be read within it.
    """
    tree = parse_tree(loaded, text.encode("utf-8", "replace"), deadline)
    best = Reading(text, tree)
    if not tree.root_node.has_error or len(text) > MAX_CHARS:
        return best
    reader = _Reader(loaded, (time.thread_time() + deadline) / 2)
    try:
        best = reader.judged(best)
        for mend in (_preprocessed, _repaired, _isolated):
            if best.lacks_heads():
                for reading in mend(reader, text, best.text, language):
                    best = reading if reading.worth > best.worth else best
    except TooSlowError:
        pass  # what was read so far is kept
    return best


class _Reader:
    """Reads texts with one grammar until a deadline; all its methods raise TooSlowError after that."""

    def __init__(self, loaded: LoadedGrammar, deadline: float) -> None:
        self._loaded = loaded
        self._deadline = deadline

    def judged(self, reading: Reading) -> Reading:
        """A reading with its definitions and its broken bytes counted."""
        names, rows = set(), set()
        for _, captures in reading.matches(self._loaded.definitions, self._deadline):
            for capture, nodes in captures.items():
                node = nodes[0]
                if capture.startswith("definition."):
                    names.add((node.start_byte, node.end_byte))
                rows.add(node.start_point[0])
        broken = unread(reading.tree, self._deadline)
        return replace(reading, definitions=len(names), broken=broken, rows=frozenset(rows))

    def is_clean(self, text: str) -> bool:
        """Whether the grammar reads a text without an error."""
        return not self._tree(text).root_node.has_error

    def whole(self, text: str) -> Reading:
        """A mended text, read."""
        return self.judged(Reading(text, self._tree(text), mended=True))

    def parted(self, written: Sequence[str], kept: Sequence[str], stretches: Sequence[tuple[int, int]]) -> Reading:
        """The lines `written`, read as a whole with an empty line in `kept` for each that is left out, and the
        `stretches` (numbers of their first and last rows) alone."""
        from tree_sitter import Range

        lines = [line.encode("utf-8", "replace") for line in written]
        starts = list(accumulate((len(line) + 1 for line in lines), initial=0))
        source = b"\n".join(lines)
        trees = []
        opening = []
        if _PHP in lines[0]:  # what follows is code only after these letters
            place = lines[0].index(_PHP)
            opening = [Range((0, place), (0, place + len(_PHP)), place, place + len(_PHP))]
        for first, last in stretches:
            stretch = Range((first, 0), (last, len(lines[last])), starts[first], starts[last + 1] - 1)
            trees.append(parse_tree(self._loaded, source, self._deadline, [*opening[:first], stretch]))
        left = [line if one else b" " * len(line) for line, one in zip(lines, kept, strict=True)]
        tree = parse_tree(self._loaded, b"\n".join(left), self._deadline)
        return self.judged(Reading("\n".join(written), tree, mended=True, stretches=tuple(trees)))

    def _tree(self, text: str) -> Tree:
        return parse_tree(self._loaded, text.encode("utf-8", "replace"), self._deadline)


def _preprocessed(reader: _Reader, text: str, best: str, language: str) -> Iterator[Reading]:
    """Without macros, with the first branch of each condition, and both."""
    if language not in CONDITIONAL:
        return
    plain = without_macros(text, language)
    if plain != text:
        yield reader.whole(plain)
    for one in dict.fromkeys((text, plain)):
        kept, others = first_branches(one)
        if others:
            yield reader.parted(one.split("\n"), kept, others)


def _isolated(reader: _Reader, text: str, best: str, language: str) -> Iterator[Reading]:
    """With what cannot be read left out of the whole and read alone."""
    for one in dict.fromkeys((text, best)):
        isolator = Isolator(one, language, reader.is_clean)
        isolator.run()
        written = one.split("\n")
        for row, head in isolator.heads.items():
            written[row] = head
        yield reader.parted(written, isolator.lines, isolator.stretches)


def _repaired(reader: _Reader, text: str, best: str, language: str) -> Iterator[Reading]:
    """With the brackets mended, and with the lines blanked that they were mended for."""
    seen = {text}
    for strict in (False, True):
        found = repair(best, language, strict=strict)
        if not found.edits:
            continue
        blanked = applied(best, _blanks(best, set(found.rows)))
        again = repair(blanked, language, strict=strict)
        for changed in (applied(best, found.edits), blanked, applied(blanked, again.edits)):
            if changed not in seen:
                seen.add(changed)
                yield reader.whole(changed)


def _blanks(text: str, rows: set[int]) -> Iterator[Edit]:
    start = 0
    for number, line in enumerate(text.split("\n")):
        if number in rows:
            yield start, start + len(line), " " * len(line)
        start += len(line) + 1
