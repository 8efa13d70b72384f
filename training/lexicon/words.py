"""The words of a text and of its translation, as the model counts them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator

from fourfold.embed.scripts import folded
from fourfold.model.text import STOP_WORDS, is_cjk, parts, words
from fourfold.rank.gloss import keys
from fourfold.rank.languages.stop_words import STOP_WORDS_OF
from fourfold.store.terms import stem

MOST_WORDS = 40
"""Words of a text that are read."""
OWN_FORM = 5
"""Times a form of a word must occur to be learned by itself; rarer ones are learned together, under their stem."""


class ForeignWords:
    """Cuts texts of a language in Latin script into keys of a glossary: see :func:`fourfold.rank.gloss.keys`."""

    def __init__(self, language: str, stemmed: Callable[[str], str], texts: Iterable[str]) -> None:
        self._stop, self._stem = STOP_WORDS_OF[language], stemmed
        self.forms = Counter(folded(word) for text in texts for word in self._read(text))

    def __call__(self, text: str) -> list[str]:
        """The keys of a text, each once."""
        found = []
        for word in self._read(text):
            form, root = keys(word, self._stem)
            found.append(form if self.forms[form] >= OWN_FORM else root)
        return list(dict.fromkeys(found))[:MOST_WORDS]

    def _read(self, text: str) -> Iterator[str]:
        for word in words(text):
            low = word.lower()
            plain = folded(low)
            if not is_cjk(word) and len(plain) > 1 and plain.isalpha() and plain not in self._stop:
                yield low


class EnglishWords:
    """Cuts English texts into stems, and remembers which form of each is the most common."""

    def __init__(self) -> None:
        self._forms: dict[str, Counter[str]] = {}
        self.words: Counter[str] = Counter()

    def __call__(self, text: str) -> list[str]:
        """The stems of the content words of a text, each once."""
        found = []
        for part in (part for word in words(text) for part in parts(word)):
            if part in STOP_WORDS or len(part) < 2 or not (part.isascii() and part.isalpha()):
                continue
            root = stem(part)
            self._forms.setdefault(root, Counter())[part] += 1
            self.words[part] += 1
            found.append(root)
        return list(dict.fromkeys(found))[:MOST_WORDS]

    def form(self, root: str) -> str:
        """The word that a stem most often stands for."""
        return self._forms[root].most_common(1)[0][0]
