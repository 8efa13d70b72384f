"""Train the tokenizer: byte-pair merges for letters and digits, and the CJK grams worth a vector of their own.

The merges are learned by the `tokenizers` library on words of code, of questions and of translations; the file
``tokenizer.json`` is what ``training/export_bundle.py`` reads.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

from training.embedding.splitting import grams_of, parts_of, split_word
from training.export_bundle import MARK, read_vocabulary, whole_words

from fourfold.embed.vocabulary import Vocabulary

MERGED = 40_000
"""Tokens of letters and digits."""
GRAMS = 8_000
"""Tokens of Chinese and Japanese: characters and pairs by how often they occur."""
MIN_GRAM = 20
"""Occurrences below which a gram has too few examples to learn from."""


def train_tokenizer(texts: Iterable[str], target: Path, size: int = MERGED) -> None:
    """Learn `size` tokens from texts and write the tokenizer's JSON."""
    from tokenizers import Tokenizer, models, pre_tokenizers, trainers

    tokenizer = Tokenizer(models.BPE(unk_token="[UNK]", continuing_subword_prefix=MARK))
    tokenizer.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    trainer = trainers.BpeTrainer(
        vocab_size=size, min_frequency=3, special_tokens=["[UNK]"], continuing_subword_prefix=MARK, show_progress=False
    )
    tokenizer.train_from_iterator((" ".join(parts_of(text)) for text in texts), trainer)
    tokenizer.save(str(target))


def choose_grams(texts: Iterable[str], count: int = GRAMS) -> list[str]:
    """The commonest CJK grams, in order of their characters."""
    found = Counter(gram for text in texts for gram in grams_of(text))
    return sorted(gram for gram, times in found.most_common(count) if times >= MIN_GRAM)


class Tokenizer:
    """Reads texts as the bundle made of ``tokenizer.json`` and ``grams.json`` will."""

    def __init__(self, folder: Path) -> None:
        """Raises OSError where a file is missing."""
        initials, continuations, merges = read_vocabulary(folder / "tokenizer.json")
        self.words = whole_words(initials, continuations, merges)
        self._vocabulary = Vocabulary(initials, continuations, merges, self.words)
        self.grams: list[str] = json.loads((folder / "grams.json").read_text("utf-8"))
        first = len(self._vocabulary)
        self._gram_numbers = {gram: first + number for number, gram in enumerate(self.grams)}
        self._known: dict[str, tuple[int, ...]] = {}

    def __len__(self) -> int:
        return len(self._vocabulary) + len(self.grams)

    def word_ids(self, word: str) -> tuple[int, ...]:
        """Distinct token numbers of one word of :func:`fourfold.model.text.words`."""
        known = self._known.get(word)
        if known is None:
            known = self._known[word] = tuple(sorted(set(self._ids(word))))
        return known

    def _ids(self, word: str) -> Iterator[int]:
        parts, grams = split_word(word)
        for part in parts:
            yield from self._vocabulary.word_pieces(part)
        yield from (self._gram_numbers[gram] for gram in grams if gram in self._gram_numbers)
