"""Everyday words of Chinese and Indonesian beside English ones: wordnets that share WordNet's numbers of meanings.

The Chinese Open Wordnet (WordNet licence) and Wordnet Bahasa (MIT) as tables of the repository omwn/omw-data, one
line a word: ``offset-part of speech``, ``LANGUAGE:lemma``, the word; English words from ``wordnet-base`` of Debian.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping

TABLES: Mapping[str, str] = {"zh": "wns/cow/wn-data-cmn.tab", "id": "wns/msa/wn-data-ind.tab"}
MAX_ENGLISH = 2
"""English words of a meaning that are taken, the more common ones first."""
_FILES = {"data.noun": "n", "data.verb": "v", "data.adj": "a", "data.adv": "r"}


def english_words(files: Mapping[str, str]) -> dict[str, list[str]]:
    """The words of each meaning, the most common first; `files` are WordNet's by name (``data.noun``)."""
    times: Counter[str] = Counter()
    for line in files["cntlist.rev"].splitlines():
        sense, _, count = line.split()
        times[sense.partition("%")[0]] += int(count)
    found = {}
    for name, part in _FILES.items():
        for line in files[name].splitlines():
            if line.startswith("  "):
                continue  # the licence stands above
            fields = line.partition(" | ")[0].split()
            words = [re.sub(r"\(.*\)", "", fields[4 + 2 * number]) for number in range(int(fields[3], 16))]
            found[f"{fields[0]}-{part}"] = sorted(words, key=lambda word: -times[word.lower()])
    return found


def word_pairs(table: str, english: Mapping[str, list[str]]) -> Iterator[tuple[str, str]]:
    """(English word, foreign word) of a table."""
    for line in table.splitlines():
        fields = line.split("\t")
        if line.startswith("#") or len(fields) < 3 or not fields[1].endswith("lemma"):
            continue
        for word in english.get(fields[0].replace("-s", "-a"), ())[:MAX_ENGLISH]:
            yield word.replace("_", " "), fields[2].replace("_", " ").replace("+", "")
