"""WordNet's glosses: everyday words beside what they mean.

The files are those of the package ``wordnet-base`` (WordNet 3.0, Princeton University, WordNet licence), their format
that of wndb(5WN).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping

PACKAGE = "wordnet-base"
MIN_TIMES = 2
"""How often the words of a synset occur in the texts that WordNet counted: rarer ones are the names of beetles."""
LONGEST = 110
"""Characters of a gloss."""


def glosses_of(files: Mapping[str, str]) -> Iterator[str]:
    """``word: gloss`` for every common synset; `files` are the texts of WordNet's files by name (``data.noun``)."""
    times: Counter[str] = Counter()
    for line in files["cntlist.rev"].splitlines():
        sense, _, count = line.split()
        times[sense.partition("%")[0]] += int(count)
    for name in ("data.noun", "data.verb", "data.adj", "data.adv"):
        for line in files[name].splitlines():
            if line.startswith("  "):
                continue  # the licence stands above
            synset, _, gloss = line.partition(" | ")
            fields = synset.split()
            words = [re.sub(r"\(.*\)", "", fields[4 + 2 * number]) for number in range(int(fields[3], 16))]
            meaning = re.sub(r";?\s*\".*$", "", gloss.strip()).strip(" ;")
            if sum(times[word.lower()] for word in words) >= MIN_TIMES and len(meaning) < LONGEST:
                yield f"{words[0].replace('_', ' ')}: {meaning}"
