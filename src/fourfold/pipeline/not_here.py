"""What is said where nothing was found because what was asked for is not in the index."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from fourfold.model.query import Filters
from fourfold.retrieve.mask import path_allowed
from fourfold.source.found import MINIFIED, TOO_LARGE, UNREADABLE
from fourfold.source.policy import VCS_DIRS

if TYPE_CHECKING:
    from fourfold.store.contract import Snapshot
    from fourfold.store.local.corpus import Corpus

NAMED = 6
"""Languages that are named, most files first."""


def not_here(corpus: Corpus, filters: Filters | None) -> str:
    """``no file of cobol is indexed here, only of python, css and html``, the same of paths; "" where one is, or none
    is asked for."""
    if filters is None:
        return ""
    if filters.paths and (said := _no_path(corpus, filters.paths)):
        return said
    if not filters.languages:
        return ""
    counts = Counter(language for path, language in zip(corpus.paths, corpus.languages, strict=True) if path)
    if any(counts[language] for language in filters.languages):
        return ""
    ordered = sorted((name for name in counts if name), key=lambda name: (-counts[name], name))
    more = len(ordered) - NAMED
    named = [*ordered[:NAMED], *([f"{more} more"] if more > 0 else [])]
    here = f", only of {', '.join(named[:-1])}{' and ' if named[:-1] else ''}{named[-1]}" if named else ""
    return f"no file of {' or '.join(filters.languages)} is indexed here{here}"


def _no_path(corpus: Corpus, wanted: tuple[str, ...]) -> str:
    """``no file that fits src/old is indexed``; "" where one is."""
    allowed = path_allowed(Filters(paths=wanted))
    if any(path and allowed(path, language) for path, language in zip(corpus.paths, corpus.languages, strict=True)):
        return ""
    if all(not VCS_DIRS.isdisjoint(path.split("/")) for path in wanted):
        return f"{wanted[0]} is never read: it belongs to version control; ask from the folder above it"
    return f"no file that fits {' or '.join(wanted[:NAMED])} is indexed"


def unsearched(snapshot: Snapshot) -> str:
    """``not searched: 2 minified, 1 unreadable (fourfold status says which)``; "" where all that may be code was."""
    tally = snapshot.tally()
    left_out = [f"{tally[reason]:,} {reason}" for reason in (MINIFIED, TOO_LARGE, UNREADABLE) if tally.get(reason)]
    return f"not searched: {', '.join(left_out)} (fourfold status says which)" if left_out else ""
