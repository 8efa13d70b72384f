"""A question as the indexes see it: its words, its content words, and their stored terms."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from fourfold.model.text import STOP_WORDS, is_cjk, parts, terms, words
from fourfold.store.terms import stem, stem_terms, term_hash

MAX_QUESTION_WORDS = 400
"""Words of a question that are looked up, half of them from its end: a pasted file must not turn into thousands of
look-ups, and what matters of a stack trace stands first in some languages and last in others."""


@dataclass(frozen=True)
class Question:
    """One question. `names` are identifiers to look up as definitions, as written; `telling` are words whose form alone
    says that they are names of code, defined or not (an option, a code of an error)."""

    text: str
    names: tuple[str, ...] = ()
    telling: tuple[str, ...] = ()

    @cached_property
    def words(self) -> tuple[str, ...]:
        """Words as written, at most :data:`MAX_QUESTION_WORDS`."""
        found = words(self.text)
        half = MAX_QUESTION_WORDS // 2
        return tuple(found if len(found) <= MAX_QUESTION_WORDS else found[:half] + found[-half:])

    @cached_property
    def low_parts(self) -> tuple[str, ...]:
        """All lower-case parts in order, repeated ones too."""
        return tuple(part for word in self.words for part in parts(word))

    @cached_property
    def content(self) -> tuple[str, ...]:
        """Distinct parts that carry content, in order; all parts where none would be left."""
        kept = [p for p in self.low_parts if p not in STOP_WORDS and (len(p) > 1 or is_cjk(p))]
        return tuple(dict.fromkeys(kept or self.low_parts))

    @cached_property
    def raw(self) -> dict[int, float]:
        """Stored raw terms -> how often each occurs. Of a CJK run only the bigrams, which say more."""
        return {term_hash(term): float(n) for term, n in Counter(t for w in self.words for t in terms(w)).items()}

    @cached_property
    def content_stems(self) -> tuple[str, ...]:
        """The stem of each content word, in the order of :attr:`content` (equal stems may repeat)."""
        return tuple(part if is_cjk(part) else stem(part) for part in self.content)

    @cached_property
    def stems(self) -> dict[int, float]:
        """Stored stems of the content words, each of weight 1."""
        return {term_hash(term): 1.0 for term in dict.fromkeys(self.content_stems)}

    @cached_property
    def stem_pairs(self) -> tuple[int, ...]:
        """Stored terms of neighbouring content stems (see :func:`pair_term`)."""
        kept = [stem(p) for p in self.low_parts if p not in STOP_WORDS and len(p) > 1 and not is_cjk(p)]
        return tuple(dict.fromkeys(term_hash(pair_term(a, b)) for a, b in pairwise(kept) if a != b))


def pair_term(first: str, second: str) -> str:
    """The term under which two neighbouring stems of a name are indexed together."""
    return f"{first} {second}"


def name_pairs(name: str) -> tuple[str, ...]:
    """Pair terms of a definition's or a file's name: ``parse_config_file`` -> ``pars config``, ``config file``."""
    stems: Sequence[str] = [term for word in words(name) for term in stem_terms(word)]
    return tuple(pair_term(a, b) for a, b in pairwise(stems))
