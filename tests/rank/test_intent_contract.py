"""The published table of intents, row by row: phrases as they stand there, figures, order."""

from __future__ import annotations

import itertools

import pytest

from fourfold.rank.intent import classify

KNOWN = frozenset({"Retry", "retry_call"})

CONTRACT: tuple[tuple[str, str, float], ...] = (
    ("def retry_call", "find_definition", 0.95),
    ("class Retry", "find_definition", 0.95),
    ("func retry_call", "find_definition", 0.95),
    ("fn retry_call", "find_definition", 0.95),
    ("function retry_call", "find_definition", 0.95),
    ("import retry_call", "find_definition", 0.95),
    ("where is retry_call defined", "find_definition", 0.95),
    ("definition of retry_call", "find_definition", 0.95),
    ("who calls retry_call", "find_references", 0.90),
    ("callers of retry_call", "find_references", 0.90),
    ("usages of retry_call", "find_references", 0.90),
    ("references to retry_call", "find_references", 0.90),
    ("where is retry_call used", "find_references", 0.90),
    ("impact of retry_call", "impact_analysis", 0.90),
    ("blast radius of retry_call", "impact_analysis", 0.90),
    ("what depends on retry_call", "impact_analysis", 0.90),
    ("what breaks if I change retry_call", "impact_analysis", 0.90),
    ('"too many retries"', "exact_match", 0.90),
    (r"/retr(y|ies)\b/", "exact_match", 0.90),
    ("ECONNREFUSED", "exact_match", 0.85),
    ("Traceback", "exact_match", 0.85),
    ("E0308", "exact_match", 0.85),
    ("similar to retry_call", "find_similar", 0.80),
    ("code like retry_call", "find_similar", 0.80),
    ("for i in range(3):\n    if call():\n        break", "find_similar", 0.80),
    ("RetryPolicy", "find_definition", 0.80),
    ("retry_call", "find_definition", 0.80),
    ("http.retry", "find_definition", 0.80),
    ("retry_call in http client", "find_definition", 0.70),
    ("Retry", "find_definition", 0.60),
    ("how are calls retried", "understand_code", 0.75),
    ("why are calls retried", "understand_code", 0.75),
    ("explain the retries", "understand_code", 0.75),
    ("architecture of the http client", "understand_code", 0.75),
    ("retries with growing pauses", "understand_code", 0.40),
)


@pytest.mark.parametrize(("query", "intent", "confidence"), CONTRACT)
def test_each_row_to_the_number(query: str, intent: str, confidence: float) -> None:
    found = classify(query, KNOWN.__contains__)
    assert (found.intent, found.confidence) == (intent, confidence), found.rule


@pytest.mark.parametrize("word", ["how", "why", "explain"])
@pytest.mark.parametrize("query", ["{} retry_call", "{} does retry_call sleep", "{} Retry"])
def test_a_name_is_no_definition_where_an_explanation_is_asked(word: str, query: str) -> None:
    found = classify(query.format(word), KNOWN.__contains__)
    assert (found.intent, found.confidence) == ("understand_code", 0.75)


@pytest.mark.parametrize(
    ("others", "confidence", "intent"),
    [
        ("", 0.80, "find_definition"),
        ("one", 0.70, "find_definition"),
        ("one two", 0.70, "find_definition"),
        ("one two three", 0.70, "find_definition"),
        ("one two three four", 0.40, "understand_code"),
    ],
)
def test_at_most_three_other_words(others: str, confidence: float, intent: str) -> None:
    found = classify(f"retryCall {others}".strip())
    assert (found.intent, found.confidence) == (intent, confidence)


ORDERED: tuple[tuple[str, str], ...] = (
    ("where is retry_call defined", "find_definition"),
    ("callers of retry_call", "find_references"),
    ("blast radius", "impact_analysis"),
    ('"too many retries"', "exact_match"),
    ("similar to this", "find_similar"),
    ("explain", "understand_code"),
)
"""One phrase of each rule that states its intent, in the order of the table."""


@pytest.mark.parametrize(("first", "second"), list(itertools.combinations(ORDERED, 2)))
def test_the_earlier_rule_wins_wherever_its_phrase_stands(first: tuple[str, str], second: tuple[str, str]) -> None:
    for query in (f"{first[0]}, {second[0]}", f"{second[0]}; {first[0]}"):
        assert classify(query, KNOWN.__contains__).intent == first[1], query


LANGUAGES: dict[str, dict[str, str]] = {
    "Chinese": {
        "find_definition": "retry_call 在哪里定义",
        "find_references": "谁调用了 retry_call",
        "impact_analysis": "retry_call 的影响范围",
        "find_similar": "类似 retry_call 的代码",
        "understand_code": "为什么要重试",
    },
    "Indonesian": {
        "find_definition": "di mana retry_call didefinisikan",
        "find_references": "siapa yang memanggil retry_call",
        "impact_analysis": "apa yang bergantung pada retry_call",
        "find_similar": "kode yang mirip dengan retry_call",
        "understand_code": "bagaimana panggilan diulang",
    },
    "Spanish": {
        "find_definition": "dónde está definida retry_call",
        "find_references": "quién llama a retry_call",
        "impact_analysis": "qué se rompe si cambio retry_call",
        "find_similar": "código similar a retry_call",
        "understand_code": "por qué se reintenta",
    },
    "German": {
        "find_definition": "wo ist retry_call definiert",
        "find_references": "wer ruft retry_call auf",
        "impact_analysis": "was hängt von retry_call ab",
        "find_similar": "Code ähnlich wie retry_call",
        "understand_code": "warum wird wiederholt",
    },
    "French": {
        "find_definition": "où est définie retry_call",
        "find_references": "qui appelle retry_call",
        "impact_analysis": "qu'est-ce qui dépend de retry_call",
        "find_similar": "du code similaire à retry_call",
        "understand_code": "pourquoi les appels sont répétés",
    },
    "Japanese": {
        "find_definition": "retry_call はどこで定義されていますか",
        "find_references": "retry_call を呼び出しているのは誰",
        "impact_analysis": "retry_call の影響範囲",
        "find_similar": "retry_call に似たコード",
        "understand_code": "なぜ再試行しますか",
    },
}

CONFIDENCE = {
    "find_definition": 0.95,
    "find_references": 0.90,
    "impact_analysis": 0.90,
    "find_similar": 0.80,
    "understand_code": 0.75,
}


@pytest.mark.parametrize(
    ("language", "intent", "query"),
    [(language, intent, query) for language, rows in LANGUAGES.items() for intent, query in rows.items()],
)
def test_each_phrased_row_in_each_language(language: str, intent: str, query: str) -> None:
    found = classify(query)
    assert (found.intent, found.confidence) == (intent, CONFIDENCE[intent]), (language, found.rule)
