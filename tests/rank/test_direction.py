"""Which way a question about uses goes."""

from __future__ import annotations

import pytest

from fourfold.rank.direction import direction_of
from fourfold.rank.intent import classify

KNOWN = frozenset({"slugify", "Adapter", "calls", "tests"})


@pytest.mark.parametrize(
    ("direction", "questions"),
    [
        (
            "callers",
            "who calls slugify|callers of slugify|what is slugify called by|which functions call slugify|"
            "where is slugify used|what uses slugify|qui appelle slugify|谁调用 slugify",
        ),
        (
            "callees",
            "what does slugify call|what does slugify use|callees of slugify|which functions does slugify call|"
            "what is called by slugify|functions called by slugify|quelles fonctions appelle slugify",
        ),
        (
            "tests",
            "which tests cover slugify|tests for slugify|what tests slugify|where is slugify tested|"
            "show me the tests of slugify|welche Tests rufen slugify auf",
        ),
        (
            "inheritors",
            "subclasses of Adapter|implementations of the Adapter trait|what implements Adapter|who extends Adapter|"
            "which classes inherit Adapter|classes that implement Adapter|subclass of Adapter|哪些类继承 Adapter",
        ),
    ],
)
def test_the_words_say_the_direction_and_the_intent(direction: str, questions: str) -> None:
    for question in questions.split("|"):
        found = classify(question, KNOWN.__contains__)
        assert (direction_of(question), found.intent, found.rule) == (
            direction,
            "find_references",
            "references phrase",
        ), question
        assert found.identifiers == (("Adapter",) if "Adapter" in question else ("slugify",)), question


@pytest.mark.parametrize(
    "question", ["tests for the login page", "how is the login tested", "what does it use to cache"]
)
def test_a_description_asks_for_no_uses(question: str) -> None:
    assert classify(question, KNOWN.__contains__).intent == "understand_code"
