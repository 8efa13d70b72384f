"""Sentences that describe code in its authors' words: what most questions without a phrasing look like.

They are the mined questions of ``training.ranker`` (first sentences of documentation, subjects of commits, names of
tests), which ask for a behaviour. Questions that are a name, or hold a sentence put around one, are left out.
"""

from __future__ import annotations

import json
from pathlib import Path

from training.intent.generate import Question

NAMED_TAGS = frozenset({"symbol", "where"})


def descriptions(path: Path) -> list[Question]:
    """The described ones of a mined question file, in its order, each once."""
    found: dict[str, Question] = {}
    for line in path.read_text(encoding="utf-8").split("\n"):
        row = json.loads(line) if line else {"tags": ["symbol"]}
        if NAMED_TAGS.isdisjoint(row["tags"]):
            found.setdefault(row["query"].lower(), Question(row["query"], "understand_code", "en"))
    return list(found.values())
