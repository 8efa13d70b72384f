"""Questions about one name and nothing else."""

from __future__ import annotations

import pytest

from fourfold.rank.name_question import only_name

NAME = "PrepareRequest"


@pytest.mark.parametrize(
    "text",
    [
        "how does PrepareRequest work",
        "PrepareRequest implementation",
        "what does the function PrepareRequest do?",
        "explain PrepareRequest",
        "please show me the source code of PrepareRequest",
        "wie funktioniert PrepareRequest",
        "¿qué hace PrepareRequest?",
        "comment fonctionne PrepareRequest",
        "PrepareRequest是做什么的",
        "PrepareRequest 如何工作?",
        "PrepareRequestは何をしますか",
        "PrepareRequestの仕組みを説明してください",
        "which file contains PrepareRequest",
    ],
)
def test_nothing_but_the_name_is_asked_for(text: str) -> None:
    assert only_name(text, "understand_code", (NAME,)) == NAME


@pytest.mark.parametrize(
    ("text", "intent", "names"),
    [
        ("how does PrepareRequest handle retries", "understand_code", (NAME,)),
        ("PrepareRequest如何处理超时", "understand_code", (NAME,)),
        ("who calls PrepareRequest", "find_references", (NAME,)),
        ("code like PrepareRequest", "find_similar", (NAME,)),
        ("how do PrepareRequest and SendRequest work", "understand_code", (NAME, "SendRequest")),
        ("how does compression work", "understand_code", ("compression",)),
        ("how does it work", "understand_code", ()),
    ],
)
def test_more_or_something_else_is_asked_for(text: str, intent: str, names: tuple[str, ...]) -> None:
    assert only_name(text, intent, names) == ""


def test_a_word_that_asks_is_no_second_name() -> None:
    assert only_name("how does PrepareRequest work", "understand_code", (NAME, "work")) == NAME
