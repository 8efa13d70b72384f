"""The phrase tables themselves: every pattern can be reached through the cues of its table."""

from __future__ import annotations

import re

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from fourfold.model.query import INTENTS
from fourfold.rank.phrases import CJK_COUNT, TABLES, fold, match_phrase, slot_name

STRENGTHS = ("strong", "named", "shaped", "weak")
PATTERNS = [
    (number, intent, pattern)
    for number, table in enumerate(TABLES)
    if number >= CJK_COUNT
    for intent in table
    for strength in STRENGTHS
    for pattern in table[intent].get(strength, ())
]


@pytest.mark.parametrize(("number", "intent"), sorted({(number, intent) for number, intent, _ in PATTERNS}))
@given(data=st.data())
@settings(
    max_examples=40,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
    deadline=None,
)
def test_what_a_pattern_matches_holds_a_cue(number: int, intent: str, data: st.DataObject) -> None:
    own = [pattern for at, name, pattern in PATTERNS if (at, name) == (number, intent)]
    pattern = data.draw(st.sampled_from(own)).replace("<x>$", r"parse_url").replace("<x>", r"parse_url")
    text = data.draw(st.from_regex(re.compile(pattern, re.IGNORECASE | re.ASCII), fullmatch=True))
    assume(text.isascii())
    spaced = f" {re.sub(r'[^0-9A-Za-z_]+', ' ', fold(text).lower()).strip()} "
    assert any(cue in spaced for cue in TABLES[number][intent]["cues"]), (pattern, text)


def test_tables_know_the_intents_only() -> None:
    for table in TABLES:
        assert set(table) <= set(INTENTS) - {"exact_match"}
        assert all(set(entry) <= {*STRENGTHS, "cues"} for entry in table.values())


@pytest.mark.parametrize(
    ("text", "folded"),
    [
        ("dónde está", "donde esta"),
        ("größe", "große"),
        ("où", "ou"),
        ("ＡＢＣ？", "ABC?"),
        ("どこで", "どこで"),
        ("don’t", "don't"),
    ],
)
def test_folding(text: str, folded: str) -> None:
    assert fold(text) == folded


@pytest.mark.parametrize(
    ("slot", "name"),
    [
        ("the function parse_url", "parse_url"),
        ("parse_url in the client module", "parse_url"),
        ("Client::request()", "Client.request"),
        ("retry logic", ""),
        ("", ""),
        ("parse_url 函数", "parse_url"),
    ],
)
def test_slots(slot: str, name: str) -> None:
    assert slot_name(slot) == name


def test_a_shaped_slot_needs_a_name_of_code_or_of_the_index() -> None:
    assert match_phrase("find_definition", "where is lunch") is None
    assert match_phrase("find_definition", "where is lunch", {"lunch"}.__contains__) is not None
    assert match_phrase("find_definition", "where is FooBar") is not None
