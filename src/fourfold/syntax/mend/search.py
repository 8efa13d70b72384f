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
from fourfold.syntax.mend.preprocessor import CONDITIONAL, MACROS, first_branches, without_macros
from fourfold.syntax.mend.separators import LANGUAGES, separated
from fourfold.syntax.mend.tokens import Row, rows_of
from fourfold.syntax.tree import Match, TooSlowError, Unread, parse_tree, run_query, unread

if TYPE_CHECKING:
    from tree_sitter import Query, Tree

MAX_CHARS = 400_000
"""Longer texts are read as they are."""

ALLOWED_CHARS = 40_000
"""Characters that may be read again for any file: four readings of 10,000, the usual length of one."""

MOST_TIMES = 8
"""So many times its length is read again of a text that lost :data:`MUCH` of its definitions: what is broken is read
with what holds it, then inside of that, four levels deep. Where less was lost, as much less is read: of a large file
of macros with ten of its 900 definitions lost no mending of brackets found more than two."""

MUCH = 1 / 3
"""Half of what looks like a definition was found in files whose grammar had lost its way for good (five of Kotlin and
C# that were looked at), 2 % at most not found in those that were only full of macros."""

LEAST_TIMES = 3
"""So many times its length is read again at least where no macros hide code from a grammar: there even one lost
definition says that something is broken, and mending it gives those around it their owners back."""

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
    the one that was given. `found` are the matches of the whole query where it was run already.
    """

    text: str
    tree: Tree
    definitions: int = 0
    broken: Unread = field(default_factory=Unread)
    rows: frozenset[int] = frozenset()
    mended: bool = False
    stretches: tuple[Tree, ...] = ()
    found: list[Match] | None = None

    @property
    def worth(self) -> float:
        """Of two readings the one with more definitions is better. What is broken hides some, and makes others appear
        that are none."""
        found = self.definitions * (1.0 if self.broken.count else CLEAN)
        return found - self.broken.count / BYTES_OF_DEFINITION

    def lost_heads(self) -> int:
        """How many lines look like the head of a definition and are none, where damage may be the reason."""
        broken = self.broken
        return sum(
            row not in self.rows and (broken.misses or any(first <= row <= last for first, last in broken.stretches))
            for row in heads_of(self.text)
        )

    def matches(self, loaded: LoadedGrammar, deadline: float) -> list[Match]:
        """The matches of the whole query of a language in all trees. Raises
        :class:`~fourfold.syntax.tree.TooSlowError`."""
        return self.found if self.found is not None else self.run(loaded.query, loaded.top, deadline)

    def run(self, query: Query, top: Query | None, deadline: float) -> list[Match]:
        """The matches of any query in all trees (see :func:`~fourfold.syntax.tree.run_query`). Raises
        :class:`~fourfold.syntax.tree.TooSlowError`."""
        return [match for tree in (self.tree, *self.stretches) for match in run_query(query, tree, deadline, top)]


def best_reading(loaded: LoadedGrammar, language: str, text: str, deadline: float) -> Reading:
    """`text` as it is or mended, so that as many definitions as possible are found. No line is added or removed.

    How often parts of the text are read again is bounded by their length (see :func:`allowance`), so that the answer
    depends on the text alone. `deadline`, a reading of :func:`time.thread_time`, is for source made to be slow. Raises
    :class:`~fourfold.syntax.tree.TooSlowError` where the text as it is cannot be read within it.
    """
    tree = parse_tree(loaded, text.encode("utf-8", "replace"), deadline)
    best = Reading(text, tree)
    if not tree.root_node.has_error or len(text) > MAX_CHARS:
        return best
    reader = _Reader(loaded, (time.thread_time() + deadline) / 2)
    try:
        best = reader.judged(best, whole_query=True)
    except TooSlowError:
        return best
    lost = best.lost_heads()
    reader.left = ALLOWED_CHARS + len(text)
    for mend in (_separated, _preprocessed, _repaired, _isolated):
        if not lost and mend is not _separated:
            break
        if mend is _repaired:
            reader.left = allowance(language, len(text), lost, best.definitions)
        before = best
        try:
            for reading in mend(reader, best, language):
                best = reading if reading.worth > best.worth else best
        except _SpentError:
            pass  # what was read so far is kept
        except TooSlowError:
            break
        lost = best.lost_heads() if best is not before else lost
    return best


def allowance(language: str, length: int, lost: int, found: int) -> int:
    """How many characters may be read again, after what a preprocessor does, for a text of `length` characters in which
    `lost` heads of definitions were not found, beside `found` definitions."""
    times = MOST_TIMES * min(1.0, lost / max(1, lost + found) / MUCH)
    return ALLOWED_CHARS + int(length * (times if language in MACROS else max(LEAST_TIMES, times)))


class _SpentError(Exception):
    """As much was read again as is allowed."""


class _Reader:
    """Reads texts with one grammar until a deadline; all its methods raise TooSlowError after that, and _SpentError
    where more than the `left` characters would be read."""

    def __init__(self, loaded: LoadedGrammar, deadline: float) -> None:
        self._loaded = loaded
        self._deadline = deadline
        self.left = 0
        self._rows: tuple[str, list[Row]] = ("", [])

    def rows(self, text: str, language: str) -> list[Row]:
        """The rows of a text that hold code; those of the last one are kept."""
        if self._rows[0] is not text:
            self._rows = text, list(rows_of(text, language))
        return self._rows[1]

    def judged(self, reading: Reading, *, whole_query: bool = False) -> Reading:
        """A reading with its definitions and its broken bytes counted. `whole_query`: by the query that also finds
        references, whose matches are kept."""
        names, rows = set(), set()
        query = self._loaded.query if whole_query else self._loaded.definitions
        matches = reading.run(query, self._loaded.top, self._deadline)
        for pattern, captures in matches:
            if pattern >= self._loaded.first_reference:
                continue
            for capture, nodes in captures.items():
                node = nodes[0]
                if capture.startswith("definition."):
                    names.add((node.start_byte, node.end_byte))
                rows.add(node.start_point[0])
        broken = unread(reading.tree, self._deadline)
        found = matches if whole_query else None
        return replace(reading, definitions=len(names), broken=broken, rows=frozenset(rows), found=found)

    def spend(self, chars: int) -> None:
        """Take from what is left."""
        if chars > self.left:
            raise _SpentError
        self.left -= chars

    def is_clean(self, text: str) -> bool:
        """Whether the grammar reads a text without an error."""
        return not self._tree(text).root_node.has_error

    def whole(self, text: str) -> Reading:
        """A mended text, read."""
        self.spend(len(text))
        return self.judged(Reading(text, self._tree(text), mended=True))

    def parted(self, written: Sequence[str], kept: Sequence[str], stretches: Sequence[tuple[int, int]]) -> Reading:
        """The lines `written`, read as a whole with an empty line in `kept` for each that is left out, and the
        `stretches` (numbers of their first and last rows) alone."""
        from tree_sitter import Range

        alone = (line for first, last in stretches for line in written[first : last + 1])
        self.spend(sum(map(len, kept)) + sum(map(len, alone)))
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


def _separated(reader: _Reader, best: Reading, language: str) -> Iterator[Reading]:
    """With the semicolons that a grammar wants."""
    changed = separated(best.text) if language in LANGUAGES else best.text
    if changed != best.text:
        yield reader.whole(changed)


def _preprocessed(reader: _Reader, best: Reading, language: str) -> Iterator[Reading]:
    """Without macros, and with the first branch of each condition."""
    if language not in CONDITIONAL:
        return
    plain = without_macros(best.text, language)
    if plain != best.text:
        yield reader.whole(plain)
    kept, others = first_branches(plain)
    if others:
        yield reader.parted(plain.split("\n"), kept, others)


def _isolated(reader: _Reader, best: Reading, language: str) -> Iterator[Reading]:
    """With what cannot be read left out of the whole and read alone."""
    room = reader.left - len(best.text)  # without what the reading in the end takes
    if room <= 0:
        return
    isolator = Isolator(
        best.text,
        language,
        reader.is_clean,
        room,
        rows=reader.rows(best.text, language),
        broken=() if best.stretches else best.broken.stretches,
    )
    if not isolator.run():
        return
    reader.left -= room - max(0, isolator.left)
    written = best.text.split("\n")
    for row, head in isolator.heads.items():
        written[row] = head
    yield reader.parted(written, isolator.lines, isolator.stretches)


def _repaired(reader: _Reader, best: Reading, language: str) -> Iterator[Reading]:
    """With the brackets mended, and with the lines blanked that they were mended for."""
    text = best.text
    seen = {text}
    if reader.left < len(text):
        return
    rows = reader.rows(text, language)
    for strict in (False, True):
        found = repair(text, language, rows, strict=strict)
        if not found.edits:
            continue
        without = set(found.rows)
        blanked = applied(text, _blanks(text, without))
        again = repair(blanked, language, [row for row in rows if row.number not in without], strict=strict)
        for changed in (applied(text, found.edits), blanked, applied(blanked, again.edits)):
            if changed not in seen:
                seen.add(changed)
                yield reader.whole(changed)


def _blanks(text: str, rows: set[int]) -> Iterator[Edit]:
    start = 0
    for number, line in enumerate(text.split("\n")):
        if number in rows:
            yield start, start + len(line), " " * len(line)
        start += len(line) + 1
