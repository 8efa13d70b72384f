"""One analysis a word, shared by all legs."""

from __future__ import annotations

import numpy as np

from fourfold.index.lexicon import Lexicon, Ragged
from fourfold.store.terms import term_hash


def test_words_are_numbered_in_order_of_appearance() -> None:
    lexicon = Lexicon()
    assert [lexicon[word] for word in ("parseConfig", "other", "parseConfig")] == [0, 1, 0]


def test_a_word_has_its_raw_terms_and_stems() -> None:
    lexicon = Lexicon()
    number = lexicon["parseConfigs"]
    owners, terms = lexicon.raw.expand(np.array([number]))
    assert owners.tolist() == [0, 0, 0]
    stored = lexicon.raw_vocabulary.stored()
    assert stored[terms].tolist() == [term_hash(term) for term in ("parseconfigs", "parse", "configs")]
    _, stems = lexicon.stems.expand(np.array([number]))
    assert lexicon.stem_vocabulary.stored()[stems].tolist() == [term_hash("pars"), term_hash("config")]


def test_expanding_keeps_order_and_repeats() -> None:
    ragged = Ragged("i")
    for items in ([1, 2], [], [3]):
        ragged.append(items)
    owners, values = ragged.expand(np.array([2, 0, 1, 0]))
    assert owners.tolist() == [0, 1, 1, 3, 3]
    assert values.tolist() == [3, 1, 2, 1, 2]


def test_a_lexicon_grows_after_its_arrays_were_read() -> None:
    lexicon = Lexicon(lambda word: (len(word),))
    for word in ("a", "bb", "ccc"):
        lexicon[word]
        lexicon.tokens.expand(np.array([0]))
        lexicon.raw_vocabulary.stored()
    assert lexicon.tokens.expand(np.array([2]))[1].tolist() == [3]
