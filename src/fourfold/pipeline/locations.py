"""Places and files that a question names, found in the index by their paths."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from fourfold.pipeline.ranked import Ranked
from fourfold.rank.location import named_files, named_places

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from fourfold.model.query import Query
    from fourfold.pipeline.places import Shares
    from fourfold.store.local.corpus import Corpus

SHOWN = 5
"""Places named in a question that come before everything else: of a stack trace the innermost calls of this code."""
MOST_FILES = 3
"""Files that a name may mean; of one that means more the other words say which."""
NAMED_FILE = 4.0
"""Added to the score of a file that a question names: as much as for a name that stands in few places."""
LOCATION = "location"
"""Signal of a place that the question names."""
BONUS = "bonus"
"""Signal of a file that the question names, or that an earlier step of a pipeline raised."""
_ELSEWHERE = frozenset({"find_similar", "find_references", "impact_analysis"})
"""Intents that ask for other code than that of the place."""


def places_asked(corpus: Corpus, query: Query, allowed: NDArray[np.bool_] | None) -> list[Ranked]:
    """The chunks at the places that a question names, in the order of :func:`named_places`, each once."""
    if query.intent in _ELSEWHERE or query.literal_is_regex:
        return []
    found: dict[int, Ranked] = {}
    for place in named_places(query.text):
        for file in files_named(corpus, place.path):
            chunk = corpus.chunk_at(corpus.paths[file], place.line)
            inside = chunk >= 0 and place.line <= int(corpus.end_lines[corpus.first_chunk[file + 1] - 1])
            if inside and chunk not in found and (allowed is None or allowed[chunk]):
                found[chunk] = Ranked(chunk, 1.0, {"structural": 1}, [(LOCATION, 1.0)], line=place.line)
    return list(found.values())[:SHOWN]


def file_bonus(corpus: Corpus, query: Query) -> Mapping[str, float]:
    """What is added to the scores of files that a question names, by path."""
    named = (file for name in named_files(query.text) for file in files_named(corpus, name))
    return {corpus.paths[file]: NAMED_FILE for file in named}


def shares_and(bonus: Mapping[str, float], paths: Sequence[str], shares: Shares) -> Shares:
    """What the features add to the score of a file, and before that its `bonus`."""

    def both(position: int) -> list[tuple[str, float]]:
        added = bonus.get(paths[position], 0.0)
        return [(BONUS, added), *shares(position)] if added else shares(position)

    return both


def files_named(corpus: Corpus, path: str) -> list[int]:
    """The live files that a path means: one of the two is the end of the other (a trace names files of other machines).
    None where it means more than :data:`MOST_FILES`."""
    asked = [part for part in path.lower().split("/") if part not in ("", ".", "..")]
    if not asked:
        return []
    fits: dict[int, list[str]] = {}
    for file in corpus.files_by_name.get(asked[-1], ()):
        held = corpus.paths[file].lower().split("/")
        shared = min(len(asked), len(held))
        if asked[-shared:] == held[-shared:]:
            fits.setdefault(shared, []).append(corpus.paths[file])
    best = sorted(fits[max(fits)]) if fits else []
    return [corpus.file_numbers[path] for path in best] if len(best) <= MOST_FILES else []
