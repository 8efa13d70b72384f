"""Everyday words of Chinese and Indonesian beside English ones: wordnets that share WordNet's numbers of meanings.

The Chinese Open Wordnet (WordNet licence) and Wordnet Bahasa (MIT) as tables of the repository omwn/omw-data, one
line a word: ``offset-part of speech``, ``LANGUAGE:lemma``, the word; English words from ``wordnet-base`` of Debian.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from training.embedding.glosses import synsets_of, word_times

REPOSITORY, COMMIT = "omwn/omw-data", "f75be19ec590da12a7a5665e361690b5badb7a25"
TABLES: Mapping[str, str] = {"zh": "wns/cow/wn-data-cmn.tab", "id": "wns/msa/wn-data-ind.tab"}
MAX_ENGLISH = 2
"""English words of a meaning that are taken, the more common ones first."""


def english_words(files: Mapping[str, str]) -> dict[str, list[str]]:
    """The words of each meaning, the most common first; `files` are WordNet's by name (``data.noun``)."""
    times = word_times(files)

    def often(word: str) -> int:
        return -times[word.lower()]

    return {f"{one.offset}-{one.part}": sorted(one.words, key=often) for one in synsets_of(files)}


def word_pairs(table: str, english: Mapping[str, list[str]]) -> Iterator[tuple[str, str]]:
    """(English word, foreign word) of a table."""
    for line in table.splitlines():
        fields = line.split("\t")
        if line.startswith("#") or len(fields) < 3 or not fields[1].endswith("lemma"):
            continue
        for word in english.get(fields[0].replace("-s", "-a"), ())[:MAX_ENGLISH]:
            yield word.replace("_", " "), fields[2].replace("_", " ").replace("+", "")
