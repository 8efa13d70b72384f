"""What is said where nothing was found because what was asked for is not in the index."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from fourfold.source.found import MINIFIED, TOO_LARGE, UNREADABLE

if TYPE_CHECKING:
    from fourfold.model.query import Filters
    from fourfold.store.contract import Snapshot
    from fourfold.store.local.corpus import Corpus

NAMED = 6
"""Languages that are named, most files first."""


def not_here(corpus: Corpus, filters: Filters | None) -> str:
    """``no file of cobol is indexed here, only of python, css and html``; "" where one is, or none is asked for."""
    if filters is None or not filters.languages:
        return ""
    counts = Counter(language for path, language in zip(corpus.paths, corpus.languages, strict=True) if path)
    if any(counts[language] for language in filters.languages):
        return ""
    ordered = sorted((name for name in counts if name), key=lambda name: (-counts[name], name))
    more = len(ordered) - NAMED
    named = [*ordered[:NAMED], *([f"{more} more"] if more > 0 else [])]
    here = f", only of {', '.join(named[:-1])}{' and ' if named[:-1] else ''}{named[-1]}" if named else ""
    return f"no file of {' or '.join(filters.languages)} is indexed here{here}"


def unsearched(snapshot: Snapshot) -> str:
    """``not searched: 2 minified, 1 unreadable (fourfold status says which)``; "" where all that may be code was."""
    tally = snapshot.tally()
    left_out = [f"{tally[reason]:,} {reason}" for reason in (MINIFIED, TOO_LARGE, UNREADABLE) if tally.get(reason)]
    return f"not searched: {', '.join(left_out)} (fourfold status says which)" if left_out else ""
