"""A question, and what narrows it."""

from __future__ import annotations

from dataclasses import field

from fourfold.model.record import record

INTENTS: tuple[str, ...] = (
    "find_definition",
    "find_references",
    "understand_code",
    "find_similar",
    "impact_analysis",
    "exact_match",
)

MODALITIES: tuple[str, ...] = ("semantic", "text", "structural", "graph")

DIRECTIONS = ("callers", "callees", "inherits", "inheritors", "imports", "importers", "tests", "overrides", "uses")
"""What may be asked of a symbol: who calls it, what it calls, what it inherits from, what inherits from it, what its
file imports, who imports it, which tests reach it, what it overrides or is overridden by, and all that refers to it."""

MAX_QUERY_CHARS = 20_000
"""Longer queries are refused; what the embedder reads of one is shorter still."""


@record(frozen=True, slots=True)
class Filters:
    """What a hit must satisfy. Values of one field are alternatives; fields are joined by *and*.

    `paths` and `not_paths` are prefixes of the root-relative POSIX path at a component boundary, or globs where they
    hold one of ``*?[``. `languages` and `kinds` are canonical names. `only_paths`, when not None, is the exact set of
    paths allowed (``--changed``, ``--since``).
    """

    languages: tuple[str, ...] = ()
    not_languages: tuple[str, ...] = ()
    paths: tuple[str, ...] = ()
    not_paths: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()
    not_kinds: tuple[str, ...] = ()
    only_paths: frozenset[str] | None = None

    @property
    def empty(self) -> bool:
        """True where nothing is narrowed."""
        return self == Filters()


@record(frozen=True, slots=True)
class Query:
    """A question as understood: the words without filters, the intent, and the names found in it.

    `confidence` is between 0 and 1; `rule` names the intent rule that fired; `literal` is the quoted string, regular
    expression or error token that the text modality searches alone; `identifiers` are names found in the prose;
    `english` is what a question in another language says in English, word by word ("" for one in English). Where `text`
    holds `respelt` in place of a name that nothing here has, `misspelt` is that name as asked for, else both are "".
    """

    text: str
    intent: str = "understand_code"
    confidence: float = 0.40
    rule: str = "nothing matched"
    identifiers: tuple[str, ...] = ()
    literal: str = ""
    literal_is_regex: bool = False
    filters: Filters = field(default_factory=Filters)
    english: str = ""
    misspelt: str = ""
    respelt: str = ""

    @property
    def terms(self) -> str:
        """The text whose words are looked for: code is written in English."""
        return self.english or self.text

    @property
    def meaning(self) -> str:
        """The text whose meaning is looked for: as it was asked, and in English."""
        return f"{self.text} {self.english}".rstrip()
