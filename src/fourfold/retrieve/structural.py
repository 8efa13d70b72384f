"""The structural modality: chunks that define a name."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from fourfold.model.chunk import KINDS, definition_worth
from fourfold.model.hit import Hit
from fourfold.model.path import file_stem
from fourfold.store.terms import term_hash

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from fourfold.store.local.corpus import Corpus

MODALITY = "structural"
SAME_CASE = 4.0
"""A definition written as asked outranks any that differs in case, whatever its kind."""
OWNER = 24.0
"""Of a qualified name, a definition in a file that defines its owner too outranks all others of the bare name, even
where its path is held back (a factor of 0.3)."""
FIRST_IN_OWNER = 4.0
"""Of several beside their owners, the first one that follows the owner's own line is its member."""


def knows(corpus: Corpus, name: str) -> bool:
    """True where the index holds a definition of this name (any case)."""
    return len(corpus.definitions_named(term_hash(bare(name).lower()))) > 0


def bare(name: str) -> str:
    """The last segment of a dotted name."""
    return name.rsplit(".", 1)[-1]


def _owners(corpus: Corpus, name: str) -> dict[int, list[int]]:
    """Files that define what stands before the last dot of a name (its members are there, too), and on which lines."""
    owner = bare(name.rpartition(".")[0])
    lines = corpus.column("definition.line")
    found: dict[int, list[int]] = {}
    for number in corpus.definitions_named(term_hash(owner.lower())) if owner else ():
        found.setdefault(int(corpus.definition_file[number]), []).append(int(lines[number]))
    return found


def _modules(corpus: Corpus, name: str) -> frozenset[int]:
    """Files that are called as what stands before the last dot of a name, in this case."""
    owner = bare(name.rpartition(".")[0])
    if not owner:
        return frozenset()
    return frozenset(number for number, path in enumerate(corpus.paths) if path and file_stem(path) == owner)


def _members(owners: dict[int, list[int]], places: Sequence[tuple[int, int]]) -> frozenset[tuple[int, int]]:
    """Of (file, line) places those that come first after a line of an owner in the same file."""
    after = [
        min((place for place in places if place[0] == file and place[1] >= line), default=None)
        for file, lines in owners.items()
        for line in lines
    ]
    return frozenset(place for place in after if place is not None)


def structural_hits(
    corpus: Corpus, names: Sequence[str], limit: int, allowed: NDArray[np.bool_] | None = None
) -> list[Hit]:
    """Chunks that define one of `names`, best first: of a qualified name those beside its owner, as written before
    another case, types before functions."""
    written, kinds = corpus.column("definition.name"), corpus.column("definition.kind")
    lines = corpus.column("definition.line")
    scores: dict[int, tuple[float, int]] = {}
    for asked in dict.fromkeys(names):
        name, owners, modules = bare(asked), _owners(corpus, asked), _modules(corpus, asked)
        exact = np.uint64(term_hash(name))
        numbers = corpus.definitions_named(term_hash(name.lower()))
        places = [(int(corpus.definition_file[number]), int(lines[number])) for number in numbers] if owners else []
        members = _members(owners, places)
        for number in numbers:
            chunk = int(corpus.definition_chunk[number])
            if allowed is not None and not allowed[chunk]:
                continue
            score = definition_worth(KINDS[int(kinds[number])]) + (SAME_CASE if written[number] == exact else 0.0)
            file = int(corpus.definition_file[number])
            score += OWNER if file in owners else 0.0
            score += OWNER if file in modules else 0.0
            score += FIRST_IN_OWNER if (file, int(lines[number])) in members else 0.0
            if score > scores.get(chunk, (0.0, 0))[0]:
                scores[chunk] = (score, int(lines[number]))
    rows = np.array(list(scores), dtype=np.int64)
    if not len(rows):
        return []
    order = np.lexsort((corpus.chunk_order(rows), np.array([-scores[int(row)][0] for row in rows])))
    return [Hit(int(row), scores[int(row)][0], MODALITY, scores[int(row)][1]) for row in rows[order][:limit]]
