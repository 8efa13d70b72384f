"""The trained intent classifier, read from the package's data once a process, and a question understood with it."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from fourfold.rank.classifier import REFINED_RULES, IntentModel, parse_model, refine
from fourfold.rank.intent import classify

if TYPE_CHECKING:
    from fourfold.model.query import Query


@cache
def load() -> IntentModel:
    """The bundled model. Raises BackendUnavailable where the file is of another version or damaged."""
    return parse_model(json.loads((Path(__file__).parent / "data/intent.json").read_text("utf-8")))


def understand(text: str, known: Callable[[str], bool] | None = None) -> Query:
    """The question by the rules, refined by the classifier where they are uncertain.

    `known` says whether a name is defined in the index. The weights are read at the first uncertain question.
    """
    query = classify(text, known)
    return refine(query, load()) if query.rule in REFINED_RULES else query
