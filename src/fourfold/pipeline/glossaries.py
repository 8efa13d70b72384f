"""The glossaries that come with the package, read at the first question that may be in another language."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING

from fourfold.embed.static import BUNDLE
from fourfold.model.text import terms, words
from fourfold.rank.gloss import LATIN, Glossary, latin_language, may_be_foreign, script_language
from fourfold.rank.paths import categories
from fourfold.store.terms import term_hash

if TYPE_CHECKING:
    from fourfold.store.local.corpus import Corpus

ENGLISH_TOO = Path(__file__).parent / "data/lexicon/english.txt"
SHORT = 2
"""Words of a question in which one that is English too (*gut*, *a la carte*) shows no other language."""
LANGUAGES: tuple[str, ...] = (*LATIN, "ja", "zh")
COMMON = 200
"""Of a code base that is written in the language of the question, one file in 200 holds its words; a single message or
test that quotes one says nothing."""
_STEMMERS = {"de": "german", "es": "spanish", "fr": "french", "id": "indonesian"}


def in_english(text: str, known: Callable[[str], bool], kept: Callable[[str], bool]) -> str:
    """The English words of a question in another language, "" where it is English (or one that no glossary is for).
    `known` says whether the code holds a word, `kept` whether a word (of Chinese or Japanese: a run of characters) is
    so common there that it is looked for beside its English."""
    script = script_language(text)
    if script:
        return load(script).read(text, kept)
    if not may_be_foreign(text, known):
        return ""
    english = english_words() | english_too() if len(words(text)) <= SHORT else english_words()
    glossary = latin_language(text, map(load, LATIN), english.__contains__)
    return "" if glossary is None else glossary.read(text, kept)


def read_in_english(corpus: Corpus, text: str) -> str:
    """The same for the code of an index."""
    return in_english(text, lambda word: bool(corpus.holding("raw", word)), partial(is_common, corpus))


def is_common(corpus: Corpus, word: str) -> bool:
    """True where every term of a word is in one of :data:`COMMON` files that are no catalogues of translations and not
    made by a program."""
    return all(_holding_code(corpus, term) * COMMON >= corpus.live_file_count for term in terms(word))


def _holding_code(corpus: Corpus, term: str) -> int:
    """How many files of code hold a term."""
    numbers = set(corpus.chunk_file[corpus.rows_holding("raw", term_hash(term))].tolist())
    return sum("generated" not in categories(corpus.paths[number]) for number in numbers)


@cache
def load(language: str) -> Glossary:
    """The glossary of one of :data:`LANGUAGES`."""
    text = (Path(__file__).parent / "data/lexicon" / f"{language}.tsv").read_text("utf-8")
    rows = (line.partition("\t") for line in text.splitlines())
    return Glossary(language, {word: tuple(meanings.split()) for word, _, meanings in rows}, stemmer(language))


def stemmer(language: str) -> Callable[[str], str]:
    """What takes the endings from a word in lower case; nothing is taken in Japanese and Chinese."""
    if language not in _STEMMERS:
        return str
    import Stemmer

    taking: Callable[[str], str] = Stemmer.Stemmer(_STEMMERS[language]).stemWord
    return taking


@cache
def english_words() -> frozenset[str]:
    """Words of English and of code: those that the bundled embedding reads whole."""
    return frozenset((BUNDLE / "words.txt").read_text("ascii").split())


@cache
def english_too() -> frozenset[str]:
    """Words of a glossary that are English too."""
    return frozenset(ENGLISH_TOO.read_text("ascii").split())
