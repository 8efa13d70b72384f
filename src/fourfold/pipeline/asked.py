"""A question as the indexes see it, made of the question as it was understood."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fourfold.rank.identifiers import telling_names
from fourfold.retrieve.structural import bare
from fourfold.store.question import Question

if TYPE_CHECKING:
    from fourfold.model.query import Query


def stored(query: Query, text: str = "") -> Question:
    """The question to look up; `text` are its words where those are others than :attr:`Query.terms`."""
    names = tuple(bare(name) for name in query.identifiers)
    return Question(text or query.terms, names, telling_names(query.text, query.identifiers))
