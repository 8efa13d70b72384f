"""Field reports of group G (ranking and queries), as far as the pure ranking layer is concerned."""

from __future__ import annotations

import pytest

from fourfold.model.errors import BadQuery
from fourfold.model.query import MAX_QUERY_CHARS
from fourfold.rank.demotion import demote, wanted_categories
from fourfold.rank.diversify import best_per_file
from fourfold.rank.fusion import weighted_rrf
from fourfold.rank.intent import classify
from fourfold.rank.places import representatives
from fourfold.rank.query_text import parse_query
from fourfold.rank.weights import direct_modality, weights_for


def order(question: str, scores: dict[str, float]) -> list[str]:
    """Paths by demoted score."""
    wanted = wanted_categories(question)
    return sorted(scores, key=lambda path: -demote(scores[path], path, wanted)[0])


def test_g1_tests_stand_below_the_implementation_they_outscore() -> None:
    scores = {"tests/test_dead_code.py": 0.024, "src/dead_code.py": 0.020, "spec/dead_spec.rb": 0.023}
    assert order("how is dead code detected", scores)[0] == "src/dead_code.py"


def test_g1_tests_asked_for_by_whole_word_are_not_demoted() -> None:
    scores = {"tests/test_dead_code.py": 0.024, "src/dead_code.py": 0.020}
    assert order("tests of dead code detection", scores)[0] == "tests/test_dead_code.py"
    assert order("latest dead code", scores)[0] == "src/dead_code.py"


@pytest.mark.parametrize("path", ["docs/guide.md", "CHANGELOG.md", "archived/parser.py", "README.rst", "doc/api.txt"])
def test_g3_documents_and_archives_do_not_crowd_out_code(path: str) -> None:
    assert order("how is the config parsed", {path: 0.024, "src/parser.py": 0.012})[0] == "src/parser.py"


def test_g3_documents_come_first_where_they_are_asked_for() -> None:
    assert order("documentation of the config", {"docs/guide.md": 0.024, "src/a.py": 0.012})[0] == "docs/guide.md"


def test_g4_the_definition_outranks_its_mentions() -> None:
    query = classify("where is parse_url defined")
    mentions = [f"caller{number}" for number in range(30)]
    lists = {"text": [*mentions, "definition"], "structural": ["definition"], "semantic": mentions[:10]}
    assert weighted_rrf(lists, weights_for(query.intent))[0].key == "definition"


@pytest.mark.parametrize(
    "question",
    [
        "where is filter_dicts_by_key defined",
        "please tell me where on earth filter_dicts_by_key is used",
        "can you find filter_dicts_by_key for me in this code base?",
        "filter_dicts_by_key在哪里定义",
    ],
)
def test_g5_prose_does_not_hide_an_identifier(question: str) -> None:
    assert classify(question).identifiers == ("filter_dicts_by_key",)


def test_g5_a_name_the_index_does_not_know_never_ends_the_search() -> None:
    query = classify("where is filter_dicts_by_key defined")
    assert query.intent == "find_definition"
    assert direct_modality(query, lambda name: False) is None


def test_g7_a_long_file_fills_one_row() -> None:
    class Row:
        def __init__(self, path: str, start: int, end: int) -> None:
            self.path, self.start_line, self.end_line, self.score = path, start, end, 1.0

    rows = [Row("long.py", start, start + 60) for start in range(1, 400, 40)] + [Row("other.py", 1, 9)]
    groups = best_per_file(rows)
    assert [group.best.path for group in groups] == ["long.py", "other.py"]
    assert groups[0].end_line == 421


def test_g8_lines_of_one_chunk_are_one_result_of_ranking() -> None:
    # Ranked search shows a place once; listing every matching line is the part of the literal search.
    lines = [("a.py", line, line) for line in (12, 14, 19)]
    assert set(representatives([*lines, ("a.py", 10, 40)]).values()) == {("a.py", 10, 40)}


@pytest.mark.parametrize("query", ["foo(", "[a-", "*", "a{2", "(?P<x"])
def test_g10_unbalanced_text_is_no_regular_expression(query: str) -> None:
    text, _ = parse_query(query)
    assert not classify(text).literal_is_regex


def test_g10_an_invalid_expression_between_slashes_reaches_the_text_search_unchanged() -> None:
    # The text search names the position of the fault; that needs the expression as it was written.
    found = classify("/foo(.*/")
    assert (found.literal, found.literal_is_regex) == ("foo(.*", True)


@pytest.mark.parametrize("query", ["@nasa", "a-b", "don't", "GB/s", "foo.bar(", "C++", "c#", "$scope", "~x"])
def test_g11_punctuation_is_text(query: str) -> None:
    text, filters = parse_query(query)
    assert (text, filters.empty) == (query, True)
    assert classify(text).intent in ("understand_code", "find_definition")


@pytest.mark.parametrize("query", ["认证", "審批流程", "認証トークン", "인증"])
def test_g12_cjk_questions_pass_whole(query: str) -> None:
    assert parse_query(query)[0] == query
    assert classify(query).text == query


def test_g14_a_pasted_trace_keeps_its_names_and_runs_fused() -> None:
    frames = "".join(f'  File "pkg/mod_{n}.py", line {n}, in run_step_{n}\n    call_next_{n}(job)\n' for n in range(40))
    text, _ = parse_query(f"Traceback (most recent call last):\n{frames}ShardError: no such shard in this ring")
    query = classify(text)
    assert query.literal == "no such shard in this ring"
    assert {"run_step_0", "call_next_0"} <= set(query.identifiers)
    assert direct_modality(query, lambda name: True) is None


def test_g14_there_is_one_documented_limit() -> None:
    with pytest.raises(BadQuery, match=f"{MAX_QUERY_CHARS:,}"):
        parse_query("x " * MAX_QUERY_CHARS)
