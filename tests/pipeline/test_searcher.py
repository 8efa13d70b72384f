"""From a question to ranked places, on one small index: presets, direct paths, what is shown."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from math import log
from pathlib import Path

import pytest
from tests.built import Built

from fourfold.config.settings import PRESETS
from fourfold.model.query import Filters, Query
from fourfold.pipeline.exact import exact_text, mentions
from fourfold.pipeline.ranked import Answer, Ranked
from fourfold.pipeline.ranker import rankers
from fourfold.pipeline.run import PathCheck, run_preset
from fourfold.pipeline.searcher import MAX_EMBED_CHARS, Searcher, is_name
from fourfold.pipeline.snippets import MAX_LINES, TellingLines
from fourfold.rank.intent import classify
from fourfold.store.terms import stem

FILES = {
    "src/session.py": "class Session:\n    pass\n\n\ndef expire_session(session, now):\n"
    "    # drop what is over\n    return session.end < now\n",
    "src/app.py": "from src.session import expire_session\n\n\ndef sweep(sessions, now):\n"
    "    return [s for s in sessions if expire_session(s, now)]\n",
    "tests/test_session.py": "from src.session import expire_session\n\n\ndef test_expiry():\n"
    "    assert expire_session(None, 1)\n\n\nclass Session:\n    end = 0\n",
    "docs/notes.md": "# Notes\n\nAsk expire_session about the end.\n",
}


@pytest.fixture(scope="module")
def searcher(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Searcher]:
    with Built(tmp_path_factory.mktemp("searcher")) as built:
        built.write(FILES)
        yield built.index._open_searcher()


def place(searcher: Searcher, item: Ranked) -> str:
    return searcher.corpus.paths[int(searcher.corpus.chunk_file[item.chunk])]


def places(searcher: Searcher, items: list[Ranked]) -> list[str]:
    return [place(searcher, item) for item in items]


def ask(searcher: Searcher, text: str) -> list[str]:
    return places(searcher, searcher.answer(classify(text, searcher.knows)).items)


def answered(searcher: Searcher, query: Query, preset: str, k: float | None = None) -> Answer:
    if preset == "default":
        return searcher.answer(query)
    return run_preset(searcher, query, preset, 10, k)


@pytest.mark.parametrize(
    ("preset", "strategy", "method"),
    [
        ("default", "weighted_rrf", "feature_rerank"),
        ("text", "single", "single"),
        ("dense", "single", "single"),
        ("quick", "single", "single"),
        ("hybrid", "weighted_rrf", "dense_scorer"),
        ("contract", "weighted_rrf", "rrf"),
        ("thorough", "weighted_rrf", "late_interaction_rerank"),
        ("graph", "single", "graph_expand"),
        ("structural", "single", "definitions"),
    ],
)
def test_presets_take_their_own_way(searcher: Searcher, preset: str, strategy: str, method: str) -> None:
    answer = answered(searcher, classify("drop sessions that are over"), preset)
    assert (answer.strategy, answer.method) == (strategy, method)
    assert place(searcher, answer.items[0]) == "src/session.py"
    scores = [item.score for item in answer.items]
    assert scores == sorted(scores, reverse=True)


def test_each_file_is_one_place_in_the_default_answer(searcher: Searcher) -> None:
    found = ask(searcher, "how does a session end")
    assert len(found) == len(set(found))


def test_shares_explain_the_score(searcher: Searcher) -> None:
    answer = searcher.answer(classify("how does a session end"))
    for item in answer.items[:2]:
        item.complete()
    first, second = (sum(value for _, value in item.signals) for item in answer.items[:2])
    odds = answer.items[0].score / answer.items[1].score
    assert first - second == pytest.approx(log(odds), abs=0.1)


def test_a_definition_is_answered_by_definitions_code_before_tests(searcher: Searcher) -> None:
    answer = searcher.answer(classify("where is Session defined", searcher.knows))
    assert (answer.strategy, answer.method) == ("direct", "definitions")
    assert places(searcher, answer.items) == ["src/session.py", "tests/test_session.py"]
    assert [item.line for item in answer.items] == [1, 8]
    assert answer.items[1].signals == [("demotion:test", 0.3)]


def test_mentions_leave_out_the_definition_and_put_calls_first(searcher: Searcher) -> None:
    found = mentions(searcher.snapshot, searcher.corpus, ["expire_session"], frozenset(), None)
    assert (place(searcher, found[0]), found[0].line) == ("src/app.py", 5)
    assert "src/session.py" not in places(searcher, found)
    assert set(places(searcher, found)) == {"src/app.py", "tests/test_session.py", "docs/notes.md"}
    asked = mentions(searcher.snapshot, searcher.corpus, ["expire_session"], frozenset({"docs", "test"}), None)
    assert all(item.signals == [] for item in asked)
    only = mentions(searcher.snapshot, searcher.corpus, ["expire_session"], frozenset(), {"docs/notes.md"})
    assert places(searcher, only) == ["docs/notes.md"]


def test_an_exact_text_is_where_it_stands(searcher: Searcher) -> None:
    query = Query('"what is over"', "exact_match", 0.9, literal="what is over")
    (item,) = exact_text(searcher.snapshot, searcher.corpus, query, frozenset(), None)
    assert (place(searcher, item), item.line, item.ranks) == ("src/session.py", 6, {"text": 1})
    regex = Query("/s.ssion/", "exact_match", 0.9, literal=r"class S.ssion", literal_is_regex=True)
    found = exact_text(searcher.snapshot, searcher.corpus, regex, frozenset(), None)
    assert places(searcher, found) == ["src/session.py", "tests/test_session.py"]


def test_a_direct_way_that_finds_nothing_says_so(searcher: Searcher) -> None:
    answer = searcher.answer(classify('"is nowhere to be found"', searcher.knows))
    assert answer.strategy == "weighted_rrf"
    assert "does not occur" in answer.note
    query = classify("where is Session defined", searcher.knows)
    answer = searcher.answer(replace(query, filters=Filters(paths=("docs",))))
    assert "no definition" in answer.note
    assert set(places(searcher, answer.items)) == {"docs/notes.md"}


def test_filters_that_leave_nothing_leave_nothing(searcher: Searcher) -> None:
    query = Query("session", filters=Filters(paths=("nowhere",)))
    for preset in PRESETS:
        assert answered(searcher, query, preset).items == []


def test_a_question_is_embedded_as_a_unit_vector_and_not_beyond_its_limit(searcher: Searcher) -> None:
    vector = searcher.embed("expire session")
    assert vector is not None
    assert float(vector @ vector) == pytest.approx(1.0, abs=1e-5)
    assert searcher.embed("???") is None
    long = "session " * (MAX_EMBED_CHARS // 8)
    whole, cut = searcher.embed(long), searcher.embed(long + "unheard of words " * 100)
    assert whole is not None and cut is not None
    assert (whole == cut).all()


def test_a_question_that_is_a_name() -> None:
    assert is_name(Query("expire_session", "find_definition"))
    assert not is_name(Query("where is expire_session", "find_definition"))
    assert not is_name(Query("session", "understand_code"))


def test_an_empty_index_answers_nothing(tmp_path_factory: pytest.TempPathFactory) -> None:
    with Built(tmp_path_factory.mktemp("nothing")) as built:
        answer = built.write({}).index._open_searcher().answer(Query("session"))
        assert (answer.items, answer.strategy) == ([], "single")


def test_without_vectors_another_ranker_answers(tmp_path_factory: pytest.TempPathFactory) -> None:
    assert {"default", "no_vectors"} <= set(rankers())
    with Built(tmp_path_factory.mktemp("plain"), model="none") as built:
        plain = built.write(FILES).index._open_searcher()
        assert plain.embed("session") is None
        answer = plain.answer(classify("drop sessions that are over"))
        assert place(plain, answer.items[0]) == "src/session.py"
        for item in answer.items:
            item.complete()
        names = {name for item in answer.items for name, _ in item.signals}
        assert names <= set(rankers()["no_vectors"].weights)
        assert answered(plain, classify("sessions"), "dense").items == []


LINES = ["def expire(policy):", "    # policies of expiry", "", "    return policy.end", "x = 1"]


def test_lines_that_tell_most() -> None:
    stems = [stem(word) for word in ("policy", "expire", "end")]
    assert TellingLines(stems)(LINES, 10) == (10, 11, 13)
    assert TellingLines([stem("nothing")])(LINES, 1) == ()
    assert TellingLines([])(LINES, 1) == ()
    assert TellingLines([stem("policy")])(["a policy"] * 9, 1) == tuple(range(1, MAX_LINES + 1))
    assert TellingLines(["认证"])(["认证 policy", "认证"], 1) == (1, 2)


def test_a_path_is_looked_at_once(searcher: Searcher, tmp_path_factory: pytest.TempPathFactory) -> None:
    root = tmp_path_factory.mktemp("paths")
    (root / "a.py").write_text("")
    exists = PathCheck(root)
    assert (exists("a.py"), exists("b.py"), exists(".")) == (True, False, False)
    (root / "a.py").unlink()
    assert exists("a.py")
    assert not PathCheck(root)("a.py")


def test_a_kind_filter_holds_for_the_chunk_that_is_shown(tmp_path: Path) -> None:
    text = "class Session:\n    '''A session.'''\n\n    limit = 3\n\n" + "\n".join(
        f"    def expire_{n}(self):\n        '''Drop a session that is over.'''\n" + "        work()\n" * 30
        for n in range(3)
    )
    with Built(tmp_path) as built:
        index = built.write({"session.py": text, "other.py": "class Other:\n    pass\n"}).index
        for kind in ("class", "method"):
            found = index.search(f"drop a session that is over kind:{kind}")
            assert found.items
            assert {item.kind for item in found.items} == {kind}
