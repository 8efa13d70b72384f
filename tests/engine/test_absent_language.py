"""A language of which nothing is indexed: every way of asking says so, and which languages there are."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from fourfold import Index
from fourfold.model.query import Filters

SAID = "no file of cobol is indexed here, only of python, markdown and typescript"
COBOL = Filters(languages=("cobol",))
ASKED: dict[str, Callable[[Index], Any]] = {
    "search": lambda index: index.search("sessions lang:cobol"),
    "ranked": lambda index: index.search("how are sessions expired", filters=COBOL),
    "grep": lambda index: index.grep("session", filters=COBOL),
    "symbol": lambda index: index.symbol("expire_sessions", filters=COBOL),
    "usages": lambda index: index.usages("backoff_delay", filters=COBOL),
    "impact": lambda index: index.impact("backoff_delay", filters=COBOL),
    "context": lambda index: index.context("backoff_delay", filters=COBOL),
    "routes": lambda index: index.routes(filters=COBOL),
}


@pytest.mark.parametrize("way", ASKED)
def test_it_is_said_in_one_sentence(project: Path, way: str) -> None:
    with Index.open(project) as index:
        result = ASKED[way](index)
    assert not result.items
    assert result.meta.suggestion == SAID


def test_an_answer_in_words_says_it(project: Path) -> None:
    with Index.open(project) as index:
        answer = index.ask("how are sessions expired lang:cobol").answer
    assert answer.text == f"Nothing in this code base was found that speaks of it: {SAID}."


def test_a_language_that_is_there_is_no_reason(project: Path) -> None:
    with Index.open(project) as index:
        assert index.search("zebra_crossing lang:ts").meta.suggestion != SAID
        assert index.grep("zebra crossing", filters=Filters(languages=("cobol", "python"))).meta.suggestion is None
        assert index.search("sessions", filters=Filters(languages=("cobol", "python"))).items
