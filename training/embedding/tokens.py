"""Train the tokenizer: byte-pair merges for letters and digits.

The merges are learned by the `tokenizers` library on words of code and of questions; the file
``tokenizer.json`` is what ``training/export_bundle.py`` reads.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from training.embedding.splitting import parts_of, split_word
from training.export_bundle import MARK, read_vocabulary, whole_words

from fourfold.embed.vocabulary import Vocabulary

MERGED = 36_000
"""Tokens of letters and digits."""


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


class Tokenizer:
    """Reads texts as the bundle made of ``tokenizer.json`` will."""

    def __init__(self, path: Path) -> None:
        """Raises OSError where the file is missing."""
        initials, continuations, merges = read_vocabulary(path)
        self.words = whole_words(initials, continuations, merges)
        self._vocabulary = Vocabulary(initials, continuations, merges, self.words)
        self._known: dict[str, tuple[int, ...]] = {}

    def __len__(self) -> int:
        return len(self._vocabulary)

    def word_ids(self, word: str) -> tuple[int, ...]:
        """Distinct token numbers of one word of :func:`fourfold.model.text.words`."""
        known = self._known.get(word)
        if known is None:
            pieces = {piece for part in split_word(word)[0] for piece in self._vocabulary.word_pieces(part)}
            known = self._known[word] = tuple(sorted(pieces))
        return known
