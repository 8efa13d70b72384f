"""A name of a question that nothing holds, read as the one that it is a typing error of."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from fourfold.pipeline.absent import absent_names
from fourfold.rank.identifiers import last_segment

if TYPE_CHECKING:
    from fourfold.model.query import Query
    from fourfold.retrieve.names import NameIndex
    from fourfold.store.local.corpus import Corpus

MIN_LETTERS = 6
"""Shorter names are near too many others."""


def respelt(corpus: Corpus, names: Callable[[], NameIndex], query: Query, understand: Callable[[str], Query]) -> Query:
    """The question with its one misspelt name written right (:attr:`Query.misspelt` says how it was written), else the
    question itself. `names` are those of the repository, `understand` reads a question anew."""
    absent = absent_names(corpus, query)
    if len(absent) != 1:
        return query
    written = last_segment(absent[0])
    if len(written) < MIN_LETTERS or query.text.count(written) != 1:
        return query
    near = names().misspelt(written, 1)
    if not near:
        return query
    return replace(understand(query.text.replace(written, near[0])), misspelt=written, respelt=near[0])


def spelling_note(query: Query) -> str:
    """What is said of a question that was read with another name than it was asked with, "" for others."""
    if not query.misspelt:
        return ""
    return f"the name {query.misspelt} occurs in nothing that is indexed; read as {query.respelt}"
