"""Predicates on a question: when a branch is taken."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any

from fourfold.config.option import nearest, shown
from fourfold.model.errors import BadConfig
from fourfold.model.query import INTENTS, MODALITIES
from fourfold.rank.weights import direct_modality

if TYPE_CHECKING:
    from fourfold.pipeline.state import RetrieverState


@dataclass(frozen=True, slots=True)
class When:
    """All that is given must hold; nothing given always holds.

    `intent`: one of these intents. `direct`: one of these modalities may answer alone (confidence of at least 0.85, a
    normal question, a known name or a literal). `named`: the question holds a name that the index defines;
    `surely_named`: one that cannot be just a word (``parse_config``).
    `identifier`: the whole question is one name. `filtered`: filters narrow it. `languages`: they name one of these
    languages. `min_words`, `max_words`: number of words. `min_confidence`, `max_confidence`: of the intent. `empty`: no
    candidates were found so far.

    Example: ``when: {intent: [find_references, impact_analysis], named: true}``
    """

    intent: tuple[str, ...] = ()
    direct: tuple[str, ...] = ()
    named: bool | None = None
    surely_named: bool | None = None
    identifier: bool | None = None
    filtered: bool | None = None
    languages: tuple[str, ...] = ()
    min_words: int | None = None
    max_words: int | None = None
    min_confidence: float | None = None
    max_confidence: float | None = None
    empty: bool | None = None

    def __post_init__(self) -> None:
        for item in fields(self):
            object.__setattr__(self, item.name, _checked(item.name, str(item.type), getattr(self, item.name)))
        for name, known in (("intent", INTENTS), ("direct", MODALITIES)):
            for value in getattr(self, name):
                if value not in known:
                    raise BadConfig(f"when.{name}: there is no {value!r}", hint=f"choose from: {', '.join(known)}")

    def holds(self, state: RetrieverState) -> bool:
        """Whether all of it is true of a state."""
        query = state.understood
        words = len(query.text.split())
        bounds = (
            (self.min_words, self.max_words, words),
            (self.min_confidence, self.max_confidence, query.confidence),
        )
        if any((low is not None and value < low) or (high is not None and value > high) for low, high, value in bounds):
            return False
        if self.intent and query.intent not in self.intent:
            return False
        if self.direct and direct_modality(query, state.index.knows) not in self.direct:
            return False
        if self.languages and not set(self.languages) & set(query.filters.languages):
            return False
        facts = (
            (self.named, bool(state.known_names) if self.named is not None else None),
            (self.surely_named, bool(state.sure_names) if self.surely_named is not None else None),
            (self.identifier, words == 1 and bool(query.identifiers)),
            (self.filtered, not query.filters.empty),
            (self.empty, not state.items),
        )
        return all(asked is None or asked == fact for asked, fact in facts)

    @classmethod
    def of(cls, table: Any) -> When:
        """The predicate of a table. Raises :class:`BadConfig` for what it does not know."""
        if isinstance(table, cls):
            return table
        if not isinstance(table, Mapping):
            raise BadConfig(f"when must be a table of conditions, not {shown(table)}")
        known = [item.name for item in fields(cls)]
        for name in table:
            if name not in known:
                near = nearest(str(name), known)
                hint = f'did you mean "{near}"? ' if near else ""
                raise BadConfig(f"when: there is no condition {shown(name)}", hint=f"{hint}known: {', '.join(known)}")
        return cls(**table)


def _checked(name: str, kind: str, value: Any) -> Any:
    """A value of a condition; texts become a list of one."""
    if value is None:
        return None
    if kind.startswith("tuple"):
        value = (value,) if isinstance(value, str) else value
        if isinstance(value, (list, tuple)) and all(isinstance(item, str) for item in value):
            return tuple(value)
        raise BadConfig(f"when.{name} must be a list of texts, not {shown(value)}")
    if kind.startswith("bool"):
        if isinstance(value, bool):
            return value
        raise BadConfig(f"when.{name} must be true or false, not {shown(value)}")
    number = isinstance(value, int if kind.startswith("int") else (int, float)) and not isinstance(value, bool)
    if not number or value < 0:
        raise BadConfig(f"when.{name} must be a number of 0 or above, not {shown(value)}")
    return value
