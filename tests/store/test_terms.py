"""Stored terms, and a question as the indexes see it."""

from __future__ import annotations

import hashlib

import pytest

from fourfold.store.question import MAX_QUESTION_WORDS, Question, name_pairs, pair_term
from fourfold.store.terms import raw_terms, stem, stem_terms, term_hash


def hashes(*terms: str) -> set[int]:
    return {term_hash(term) for term in terms}


def test_a_term_is_the_first_eight_bytes_of_its_hash() -> None:
    digest = hashlib.blake2b(b"router", digest_size=8).digest()
    assert term_hash("router") == int.from_bytes(digest, "little")
    assert term_hash("Router") != term_hash("router")
    assert 0 <= term_hash("\ud800") < 1 << 64


@pytest.mark.parametrize(
    "family", [("router", "routing", "routes"), ("parse", "parser", "parsing"), ("expired", "expire", "expires")]
)
def test_words_of_one_family_share_a_stem(family: tuple[str, ...]) -> None:
    assert len({stem(word) for word in family}) == 1


def test_stems_stop_short_of_nothing() -> None:
    assert stem("or") == "or"
    assert stem("user") == "user"  # too short to lose another suffix
    assert stem("größe") == "größe"


def test_terms_of_a_word() -> None:
    assert raw_terms("parseHTTPConfig2") == ("parsehttpconfig2", "parse", "http", "config", "2")
    assert stem_terms("parseHTTPConfig2") == (stem("parse"), "http", stem("config"))
    assert stem_terms("x") == ()
    assert raw_terms("认证码") == stem_terms("认证码") == ("认证", "证码", "认", "证", "码")


def test_content_words_leave_out_what_says_nothing() -> None:
    question = Question("How is the retry-delay of a Session computed?")
    assert question.content == ("retry", "delay", "session", "computed")
    assert question.content_stems == tuple(stem(word) for word in question.content)
    assert set(question.stems) == hashes(*question.content_stems)


def test_a_question_of_small_words_keeps_them() -> None:
    assert Question("how is it").content == ("how", "is", "it")


def test_raw_terms_count_repetition_and_names_as_written() -> None:
    question = Question("parse_config parse_config other")
    assert question.raw[term_hash("parse_config")] == 2.0
    assert question.raw[term_hash("parse")] == 2.0
    assert question.raw[term_hash("other")] == 1.0


def test_g12_single_cjk_characters_are_indexed_and_a_longer_question_asks_for_bigrams() -> None:
    assert raw_terms("认证流") == ("认证", "证流", "认", "证", "流") == stem_terms("认证流")
    assert raw_terms("费") == ("费",) == stem_terms("费")
    assert set(Question("认证流").raw) == {term_hash("认证"), term_hash("证流")}
    assert set(Question("证").raw) == {term_hash("证")} == set(Question("证").stems)


def test_pairs_of_names_and_of_questions_meet() -> None:
    assert name_pairs("parse_config_file") == (
        pair_term(stem("parse"), stem("config")),
        pair_term(stem("config"), stem("file")),
    )
    asked = set(Question("where do we parse the config").stem_pairs)
    assert asked == hashes(name_pairs("parseConfig")[0])
    assert Question("config config").stem_pairs == ()


def test_a_long_question_is_read_from_both_ends() -> None:
    text = " ".join(f"word{number}" for number in range(3 * MAX_QUESTION_WORDS))
    kept = Question(text).words
    assert len(kept) == MAX_QUESTION_WORDS
    assert (kept[0], kept[-1]) == ("word0", f"word{3 * MAX_QUESTION_WORDS - 1}")
    short = " ".join(f"w{number}" for number in range(MAX_QUESTION_WORDS))
    assert len(Question(short).words) == MAX_QUESTION_WORDS
