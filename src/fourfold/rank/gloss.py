"""A question in another language, read in English word by word: code is named and commented in English. Pure.

The words of a :class:`Glossary` were learned from translated software texts (``training/lexicon``). A gloss is no
translation: it drops what carries no content, keeps names as they are, and gives a word that means two things both
ways. What it is good for is that the words of the code meet those of the question.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass

from fourfold.embed.scripts import folded
from fourfold.model.text import STOP_WORDS, is_cjk, words
from fourfold.rank.languages.stop_words import ALSO_ENGLISH, SHOWS, STOP_WORDS_OF

LATIN: tuple[str, ...] = ("de", "es", "fr", "id")
"""Languages whose words stand apart; of the others, Japanese and Chinese, runs of characters are cut."""
LONGEST_RUN = 8
"""Characters of the longest entry for a run."""
MIN_SHOWN = 2
"""Words that show that a question is in another language ..."""
SHARE_SHOWN = 0.5
"""... or this share of the words in a question of less than four."""
MIN_STOPS = 3
"""Stop words that show a language alone: *des* and *con* are names of other things, too."""
ALIKE = 4
"""First letters by which a word and its meaning are the same word."""
COMPOUND_PART = 4
"""Letters that each part of a compound has at least (*Datenbank|verbindung*)."""
_JOINTS = ("s", "es", "n", "en", "er")
"""What German puts between the parts of a compound."""
_RUNS = r"[A-Za-z_][A-Za-z0-9_]*|[\u30a0-\u30ff]+|[\u3400-\u9fff々]+"
"""Words of code, runs of katakana, runs of Chinese characters; what else stands between them is grammar. Compiled when
the first question needs it."""
_NAME = re.compile(r"[a-z][A-Z]|^[A-Z]{2,}$|[^\W\d][\d_]|_")
"""Words that are names or abbreviations: they mean the same in every language."""


@dataclass(frozen=True, slots=True)
class Glossary:
    """The words of one language. `entries` maps a word, or the stem of its forms, without marks, to English words;
    `stem` gives the stem of a word with its marks (of Japanese and Chinese: the word)."""

    language: str
    entries: Mapping[str, tuple[str, ...]]
    stem: Callable[[str], str]

    def read(self, text: str, kept: Callable[[str], bool]) -> str:
        """The English words of a question, each once, in the order of what they stand for; a word that is `kept`
        stands as it is before them: the code uses it."""
        found = self._of_words(text, kept) if self.language in LATIN else self._of_runs(text, kept)
        return " ".join(dict.fromkeys(found))

    def meanings(self, word: str) -> tuple[str, ...]:
        """The English for one word in lower case, () where it is unknown."""
        for key in keys(word, self.stem):
            if key in self.entries:
                return self.entries[key]
        return ()

    def translated(self, word: str) -> tuple[str, ...]:
        """The same, and for German compounds what their parts mean."""
        return self.meanings(word) or (self._of_compound(word) if self.language == "de" else ())

    def has_stop_word(self, word: str) -> bool:
        """True where a word in lower case is a stop word of this language, and none of English or of code."""
        return folded(word) in STOP_WORDS_OF[self.language] - ALSO_ENGLISH

    def shows(self, word: str, english: Callable[[str], bool]) -> bool:
        """True where a word in lower case with a meaning shows that a text is in this language: it is not English too,
        and does not begin like what it means (*websites*)."""
        if english(word) or self.has_stop_word(word):
            return False
        meanings = self.translated(word)
        return bool(meanings) and not any(meaning[:ALIKE] == folded(word)[:ALIKE] for meaning in meanings)

    def _of_words(self, text: str, kept: Callable[[str], bool]) -> Iterator[str]:
        stop = STOP_WORDS_OF[self.language]
        for word in words(text):
            low = word.lower()
            if _NAME.search(word):
                yield word
            elif folded(low) not in stop:
                english = self.translated(low)
                if kept(low) or not english:
                    yield low
                yield from english

    def _of_compound(self, word: str) -> tuple[str, ...]:
        """The English for both parts of a German compound, the first one as long as it can be."""
        for cut in range(len(word) - COMPOUND_PART, COMPOUND_PART - 1, -1):
            last = self.meanings(word[cut:])
            first = last and self._of_first_part(word[:cut])
            if first:
                return (first[0], last[0])
        return ()

    def _of_first_part(self, part: str) -> tuple[str, ...]:
        shorter = (part[: -len(joint)] for joint in _JOINTS if part.endswith(joint))
        return next(filter(None, map(self.meanings, (part, *shorter, part + "e"))), ())

    def _of_runs(self, text: str, kept: Callable[[str], bool]) -> Iterator[str]:
        for match in re.finditer(_RUNS, unicodedata.normalize("NFKC", text)):
            run, at = match.group(), 0
            if run.isascii():
                yield run
                continue
            if kept(run):
                yield run
            while at < len(run):
                end = next((end for end in _ends(run, at) if run[at:end] in self.entries), 0)
                yield from self.entries[run[at:end]] if end else ()
                at = end or at + 1


def keys(word: str, stem: Callable[[str], str]) -> tuple[str, str]:
    """What a word in lower case is looked up by: itself and its stem, both without marks."""
    return folded(word), folded(stem(word))


def _ends(run: str, at: int) -> range:
    return range(min(len(run), at + LONGEST_RUN), at, -1)


def script_language(text: str) -> str:
    """``ja`` where kana is written, ``zh`` where other Chinese characters are, else ""."""
    if any("\u3040" <= char <= "\u30ff" for char in text):
        return "ja"
    return "zh" if any("\u3400" <= char <= "\u9fff" for char in text) else ""


def may_be_foreign(text: str, known: Callable[[str], bool]) -> bool:
    """True where a word of a question is none of English or of the code: it has marks, is a stop word of another
    language, or is not `known`."""
    return any(not word.isascii() or word in SHOWS or not known(word) for word in _plain_words(text))


def latin_language(text: str, glossaries: Iterable[Glossary], english: Callable[[str], bool]) -> Glossary | None:
    """The glossary of the language that most words of a question are of; None where it is English: where more words
    are English stop words than show another language. `english` knows common words of English."""
    asked = _plain_words(text)
    best, most = None, sum(word in STOP_WORDS and word not in ALSO_ENGLISH for word in asked)
    if sum(folded(word) in SHOWS or not english(word) for word in asked) <= most:
        return None  # no glossary, read at its first use, could show more
    for glossary in glossaries:
        stops = sum(map(glossary.has_stop_word, asked))
        told = sum(glossary.shows(word, english) for word in asked)
        enough = stops >= MIN_STOPS if not told else stops + told >= min(MIN_SHOWN, SHARE_SHOWN * len(asked))
        if enough and stops + told > most:
            best, most = glossary, stops + told
    return best


def _plain_words(text: str) -> list[str]:
    """The words of a question in lower case that are no names."""
    return [word.lower() for word in words(text) if word.isalpha() and not is_cjk(word) and not _NAME.search(word)]
