"""Looking up names that are not written exactly as asked: by beginning, part, words, or with a typing error."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from functools import cached_property

from fourfold.model.text import parts, words

MAX_TYPOS = 2
"""Letters that may be wrong, missing, added or swapped; one in names of at most :data:`SHORT` letters."""
SHORT = 5
MIN_FUZZY = 4
"""Shorter names are not looked up with errors: everything is near them."""

EXACT, CASE, QUALIFIED, PREFIX, SUBSTRING, WORDS, FUZZY = (
    "exact",
    "case",
    "qualified",
    "prefix",
    "substring",
    "words",
    "fuzzy",
)
"""How a name meets the one asked for, best first."""


class NameIndex:
    """The distinct bare names of a repository."""

    def __init__(self, names: Sequence[str]) -> None:
        self._by_folded: dict[str, list[str]] = {}
        for name in dict.fromkeys(names):
            self._by_folded.setdefault(name.casefold(), []).append(name)
        self._sorted = sorted(self._by_folded)

    @cached_property
    def _text(self) -> str:
        return "\n" + "\n".join(self._sorted) + "\n"

    @cached_property
    def _by_length(self) -> dict[int, list[str]]:
        found: dict[int, list[str]] = {}
        for name in self._sorted:
            found.setdefault(len(name), []).append(name)
        return found

    def like(self, asked: str, limit: int) -> list[tuple[str, str]]:
        """(name, how it meets `asked`) of at most `limit` names, best first; each name once."""
        folded = asked.strip().casefold()
        found: dict[str, str] = {}
        if not folded:
            return []
        for names, how in (
            (self._prefixed(folded), PREFIX),
            (self._holding(folded), SUBSTRING),
            (self._of_words(asked), WORDS),
        ):
            for name in names:
                found.setdefault(name, how)
                if len(found) >= limit:
                    return self._written(found, asked)
        if not found:
            found = dict.fromkeys(self.misspelt(asked, limit), FUZZY)
            return list(found.items())
        return self._written(found, asked)

    def _written(self, found: dict[str, str], asked: str) -> list[tuple[str, str]]:
        pairs = [(name, how) for folded, how in found.items() for name in self._by_folded.get(folded, [folded])]
        return [pair for pair in pairs if pair[0].casefold() != asked.casefold()]

    def _prefixed(self, folded: str) -> Iterator[str]:
        at = bisect_left(self._sorted, folded)
        found = []
        while at < len(self._sorted) and self._sorted[at].startswith(folded):
            found.append(self._sorted[at])
            at += 1
        return iter(sorted(found, key=lambda name: (len(name), name)))

    def _holding(self, folded: str) -> Iterator[str]:
        """Names that hold a text, the shortest first."""
        found: list[str] = []
        at = self._text.find(folded) if folded and "\n" not in folded else -1
        while at >= 0:
            start = self._text.rfind("\n", 0, at + 1) + 1
            end = self._text.find("\n", at)
            found.append(self._text[start:end])
            at = self._text.find(folded, end)
        return iter(sorted(found, key=lambda name: (len(name), name)))

    def _of_words(self, asked: str) -> Iterator[str]:
        """Names that have all words asked for, in any order: ``config parse`` meets ``parse_the_config``."""
        wanted = {part for word in words(asked) for part in parts(word)}
        if len(wanted) < 2:
            return
        longest = max(wanted, key=len)
        for folded in self._holding(longest):
            for name in self._by_folded.get(folded, ()):
                if wanted <= {part for word in words(name) for part in parts(word)}:
                    yield folded
                    break

    def misspelt(self, asked: str, limit: int) -> list[str]:
        """Names that differ from `asked` by a typing error or two, the nearest first."""
        folded = asked.casefold()
        if len(folded) < MIN_FUZZY:
            return []
        most = 1 if len(folded) <= SHORT else MAX_TYPOS
        found = []
        for length in range(len(folded) - most, len(folded) + most + 1):
            for name in self._by_length.get(length, ()):
                # Errors at the very beginning and at the very end at once are rare: one of both ends agrees.
                if name[0] == folded[0] or name[-1] == folded[-1]:
                    distance = edit_distance(folded, name, most)
                    if distance <= most:
                        found.append((distance, name))
        return [written for _, name in sorted(found) for written in self._by_folded[name]][:limit]


def edit_distance(first: str, second: str, limit: int) -> int:
    """Letters to change, add, leave out or swap (neighbours) to come from one word to another; more than `limit` is
    given as ``limit + 1`` (optimal string alignment)."""
    if abs(len(first) - len(second)) > limit:
        return limit + 1
    before: list[int] = []
    row = list(range(len(second) + 1))
    for i, letter in enumerate(first, 1):
        older, before = before, row
        row = [i]
        for j, other in enumerate(second, 1):
            cost = min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (letter != other))
            if i > 1 and j > 1 and letter == second[j - 2] and first[i - 2] == other:
                cost = min(cost, older[j - 2] + 1)
            row.append(cost)
        if min(row) > limit:
            return limit + 1
    return min(row[-1], limit + 1)
