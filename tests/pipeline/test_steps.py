"""Each step alone, on a small index or on candidates made by hand."""

from __future__ import annotations

import asyncio
import math
from dataclasses import replace

import pytest
from tests.pipeline.conftest import MakeState, made

from fourfold.model.errors import BadConfig, UsageError
from fourfold.model.query import Filters, Query
from fourfold.pipeline.pipeline import RetrieverPipeline
from fourfold.pipeline.registry import SHIPPED
from fourfold.pipeline.searcher import Searcher
from fourfold.pipeline.state import RetrieverState, SearchQuery
from fourfold.pipeline.steps.cut import Limit, TokenBudgetFormatter, TopKFilter
from fourfold.pipeline.steps.fetch import (
    Bm25Fetcher,
    DenseFetcher,
    GraphFetcher,
    StructuralFetcher,
    TextFetcher,
)
from fourfold.pipeline.steps.flow import Conditional, Parallel, Route
from fourfold.pipeline.steps.graph import CentralityPrior, CommunityDiversity, GraphExpand
from fourfold.pipeline.steps.narrow import MetadataPostFilter, PreFilter
from fourfold.pipeline.steps.rerank import FeatureRerank
from fourfold.pipeline.steps.score import Bm25Scorer, DenseScorer
from fourfold.pipeline.steps.shape import DedupPerFile, ParentRollup
from fourfold.pipeline.steps.signals import NameSignals


def paths(state: RetrieverState) -> list[str]:
    return [item.path for item in state.items]


# -- fetchers ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("step", [DenseFetcher(), Bm25Fetcher(), Bm25Fetcher(stems=True), TextFetcher()])
def test_fetchers_rank_from_one_and_keep_to_their_pool(state_of: MakeState, step: DenseFetcher) -> None:
    state = state_of("expire a session")
    step.apply(state)
    assert state.items
    assert [next(iter(item.ranks.values())) for item in state.items] == list(range(1, len(state.items) + 1))
    assert state.modality == next(iter(state.items[0].ranks))
    small = state_of("expire a session")
    replace(step, pool=1).apply(small)
    assert [item.chunk for item in small.items] == [state.items[0].chunk]


def test_text_looks_for_the_literal_alone(state_of: MakeState) -> None:
    state = state_of('where is "no such mailbox" raised')
    TextFetcher().apply(state)
    assert [(item.path, item.line) for item in state.items] == [("src/mail.py", 2)]


def test_structure_finds_the_names_else_the_words_of_names(state_of: MakeState) -> None:
    named = state_of("where is expire_session defined")
    StructuralFetcher().apply(named)
    assert [(item.path, item.line) for item in named.items] == [("src/session.py", 7)]
    words = state_of("how are sessions swept, all of them")
    StructuralFetcher(names_only=True).apply(words)
    assert words.items == []
    words = state_of("extending how long it lasts")
    StructuralFetcher().apply(words)
    assert paths(words)[0] == "src/session.py"


def test_the_graph_finds_uses_by_name_and_by_description(state_of: MakeState) -> None:
    named = state_of("who calls expire_session")
    GraphFetcher().apply(named)
    assert {"src/app.py", "tests/test_session.py"} <= set(paths(named))
    assert named.items[0].path == "src/app.py" or named.items[0].path == "tests/test_session.py"
    query = Query("what calls the code that drops sessions that are over", "find_references", 0.9)
    described = state_of(query.text, understood=query)
    GraphFetcher(described=5).apply(described)
    assert "src/app.py" in paths(described)
    GraphFetcher(described=0).apply(described)
    assert described.items == []


def test_filters_narrow_before_and_after(state_of: MakeState) -> None:
    state = state_of("session", filters=Filters(paths=("src",)))
    PreFilter(not_paths=("src/app.py",)).apply(state)
    Bm25Fetcher().apply(state)
    assert set(paths(state)) == {"src/session.py"}
    state = state_of("session")
    Bm25Fetcher().apply(state)
    assert {"src/app.py", "tests/test_session.py"} <= set(paths(state))
    MetadataPostFilter(languages=("markdown",)).apply(state)
    assert set(paths(state)) == {"docs/notes.md"}
    with pytest.raises(BadConfig, match="no kind 'func'"):
        PreFilter(kinds=("func",))


# -- scores ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("step", "fetch"), [(DenseScorer, DenseFetcher), (Bm25Scorer, Bm25Fetcher)])
def test_a_scorer_alone_gives_the_order_of_its_retriever(
    state_of: MakeState, step: type[DenseScorer], fetch: type[DenseFetcher]
) -> None:
    state = state_of("expire a session")
    fetch().apply(state)
    expected = [item.chunk for item in state.items]
    best = state.items[0].score
    relative = {item.chunk: item.score / best for item in state.items}
    state.items = state.items[::-1]
    step(blend=1.0).apply(state)
    assert [item.chunk for item in state.items] == expected
    assert {item.chunk: item.score for item in state.items} == pytest.approx(relative, abs=1e-5)


def test_a_blend_is_between_both(state_of: MakeState) -> None:
    state = state_of("expire a session")
    DenseFetcher().apply(state)
    cosines = [item.score for item in state.items]
    for item in state.items:
        item.score = 3.0
    DenseScorer(blend=0.25).apply(state)
    assert [item.score for item in state.items] == pytest.approx([0.75 + 0.25 * one / cosines[0] for one in cosines])
    DenseScorer(blend=0.0).apply(state)
    assert state.items[0].score == 1.0


def test_names_and_paths_raise_a_score(state_of: MakeState) -> None:
    query = Query("expire_session in the session", "understand_code", 0.4, identifiers=("expire_session",))
    state = state_of(query.text, understood=query)
    Bm25Fetcher().apply(state)
    before = {item.chunk: item.score for item in state.items}
    NameSignals(definition=2.0, path=0.5).apply(state)
    item = next(item for item in state.items if item.path == "src/session.py" and ("definition", 2.0) in item.signals)
    share = state.index.path_shares(state.question, ["src/session.py"])[0]
    assert 0 < share <= 1
    assert item.score == pytest.approx(before[item.chunk] * 2.0 * (1 + 0.5 * share))


def test_the_learned_order_ranks_own_both_and_given_files(state_of: MakeState, searcher: Searcher) -> None:
    own = state_of("drop sessions that are over")
    FeatureRerank().apply(own)
    assert paths(own) == paths_of(searcher, "drop sessions that are over")
    assert own.method == "feature_rerank"
    given = state_of("drop sessions that are over")
    given.items = [given.candidate(given.chunk_at("src/mail.py", 1), 1.0, "text", 1)]
    FeatureRerank(candidates="given").apply(given)
    assert set(paths(given)) == {"src/mail.py"}
    both = state_of("drop sessions that are over")
    both.items = [both.candidate(both.chunk_at("src/mail.py", 1), 1.0, "text", 1)]
    FeatureRerank(candidates="both", blend=100).apply(both)
    assert paths(both)[0] == "src/mail.py"


def paths_of(searcher: Searcher, text: str) -> list[str]:
    from fourfold.pipeline.intent_model import understand

    items = searcher.answer(understand(text, searcher.knows), depth=20).items
    return [searcher.corpus.paths[int(searcher.corpus.chunk_file[item.chunk])] for item in items]


# -- graph -------------------------------------------------------------------------------------------------------------


def seeded(state_of: MakeState, line: int, score: float = 0.8, path: str = "src/app.py") -> RetrieverState:
    state = state_of("sessions")
    state.items = [state.candidate(state.chunk_at(path, line), score, "semantic", 1, line)]
    return state


@pytest.mark.parametrize(
    ("kind", "seed", "found"),
    [
        ("callees", ("src/app.py", 4), ["src/session.py"]),
        ("callers", ("src/session.py", 7), ["src/app.py", "tests/test_session.py"]),
    ],
)
def test_neighbours_join_with_the_decayed_score_of_their_seed(
    state_of: MakeState, kind: str, seed: tuple[str, int], found: list[str]
) -> None:
    state = seeded(state_of, seed[1], path=seed[0])
    GraphExpand(kinds=(kind,), decay=0.5).apply(state)
    joined = [item for item in state.items if "graph" in item.ranks]
    assert sorted(item.path for item in joined) == found
    assert all(item.score == pytest.approx(0.4) and item.signals == [("graph:hop 1", 0.5)] for item in joined)
    assert [item.ranks["graph"] for item in joined] == list(range(1, len(found) + 1))


def test_a_known_candidate_keeps_the_higher_of_both_scores(state_of: MakeState) -> None:
    for own, expected in ((0.7, 0.72), (0.75, 0.75)):
        state = seeded(state_of, 4)
        callee = state.candidate(state.chunk_at("src/session.py", 7), own, "semantic", 2)
        state.items.append(callee)
        GraphExpand(kinds=("callees",)).apply(state)
        assert callee.score == pytest.approx(max(own, 0.8 * 0.9)) == pytest.approx(expected)


def test_two_hops_decay_twice_and_each_seed_has_its_most(state_of: MakeState) -> None:
    values = {item.name: item.default for item in GraphExpand.parameters().values()}
    assert values == {
        "seeds": 10,
        "hops": 1,
        "decay": 0.9,
        "per_seed": 25,
        "kinds": ("callers", "callees", "overrides"),
    }
    state = seeded(state_of, 9)
    GraphExpand(kinds=("callees", "similar"), hops=2, per_seed=1).apply(state)
    assert len(state.items) <= 2
    with pytest.raises(BadConfig, match="from 1 to 2"):
        GraphExpand(hops=3)
    with pytest.raises(BadConfig, match="no kind 'calls'"):
        GraphExpand(kinds=("calls",))


def test_without_a_graph_the_list_stays(state_of: MakeState, monkeypatch: pytest.MonkeyPatch) -> None:
    state = seeded(state_of, 4)
    before = list(state.items)
    monkeypatch.setattr(type(state.index.graph), "edges", property(lambda graph: 0))
    GraphExpand().apply(state)
    assert state.items == before
    assert state.items[0].signals == []


def test_the_prior_of_centrality_only_reranks(state_of: MakeState, monkeypatch: pytest.MonkeyPatch) -> None:
    known = {"a.py": 0.0, "b.py": 3.0, "c.py": None}
    monkeypatch.setattr("fourfold.pipeline.steps.graph.centrality_of", lambda state, item: known[item.path])
    state = state_of("x")
    state.items = [made(1.0, "a.py"), made(0.8, "b.py"), made(0.5, "c.py")]
    CentralityPrior().apply(state)
    assert [(item.path, item.score) for item in state.items] == [
        ("b.py", pytest.approx(0.8 * 1.5)),
        ("a.py", 1.0),
        ("c.py", 0.5),
    ]
    state.items = [made(1.0, "a.py"), made(1.0, "b.py")]
    CentralityPrior(alpha=math.log(2)).apply(state)
    assert state.items[0].score == pytest.approx(1 + math.log(2))


def test_communities_mix(state_of: MakeState, monkeypatch: pytest.MonkeyPatch) -> None:
    communities = {1: 0, 2: 0, 3: 1}
    monkeypatch.setattr("fourfold.pipeline.steps.graph.community_of", lambda state, item: communities[item.chunk])
    state = state_of("x")
    state.items = [made(1.0, chunk=1), made(0.9, chunk=2), made(0.5, chunk=3)]
    CommunityDiversity().apply(state)
    # second place: 0.5 * 0.9 - 0.5 against 0.5 * 0.5
    assert [item.chunk for item in state.items] == [1, 3, 2]
    CommunityDiversity(relevance=1.0).apply(state)
    assert [item.chunk for item in state.items] == [1, 2, 3]


# -- shape and cuts ----------------------------------------------------------------------------------------------------


def test_a_file_stands_once_with_its_overlaps_merged(state_of: MakeState) -> None:
    state = state_of("x")
    state.items = [
        made(1.0, "a.py", 1, 9, 1),
        made(0.9, "b.py", 1, 5, 2),
        made(0.8, "a.py", 8, 20, 3),
        made(0.7, "a.py", 40, 50, 4),
    ]
    DedupPerFile().apply(state)
    assert [(item.path, item.span, item.more) for item in state.items] == [
        ("a.py", (1, 20), (4,)),
        ("b.py", (0, 0), ()),
    ]
    state.items = [made(1.0, "a.py", 1, 9, 1), made(0.8, "a.py", 20, 30, 2)]
    DedupPerFile(per_file=False).apply(state)
    assert len(state.items) == 2


def test_a_parent_stands_for_its_parts(state_of: MakeState, monkeypatch: pytest.MonkeyPatch) -> None:
    from fourfold.store.contract import ChunkRow

    rows = [ChunkRow(1, "a.py", "python", 1, 4, "class", "A", "", "")]
    rows += [ChunkRow(n, "a.py", "python", 10 * n, 10 * n + 5, "method", f"A.m{n}", "A", "") for n in range(2, 8)]
    monkeypatch.setattr(type(state_of("x").index.snapshot), "chunks_of", lambda self, path: rows)

    def rolled(step: ParentRollup, *chunks: int) -> list[tuple[int, int]]:
        state = state_of("x")
        state.items = [made(1.0 / rank, "a.py", 10 * c, 10 * c + 5, c) for rank, c in enumerate(chunks, 1)]
        step.apply(state)
        return [(item.start_line, item.end_line) for item in state.items]

    assert rolled(ParentRollup(), 2, 3) == [(1, 75)]  # 2 of 6 parts: 0.33 >= 0.3 for a class
    assert rolled(ParentRollup(), 2) == [(20, 25)]  # at least 2 siblings
    assert len(rolled(ParentRollup(min_coverage_by_kind={"module": 0.1}), 2, 3)) == 2  # replaces the table: 0.5 needed
    assert len(rolled(ParentRollup(min_coverage_by_kind={}, min_coverage=0.3), 2, 3)) == 1
    with pytest.raises(BadConfig, match="between 0 and 1"):
        ParentRollup(min_coverage_by_kind={"class": 1.5})
    assert ParentRollup().min_coverage_by_kind == {"class": 0.3, "module": 0.6, "markdown_heading": 0.5}


def test_cuts_are_counted(state_of: MakeState) -> None:
    state = state_of("x")
    state.items = [made(1.0 / n, chunk=n) for n in range(1, 11)]
    TopKFilter(k=8, min_share=0.15).apply(state)
    assert (len(state.items), state.dropped) == (6, 4)  # 1/6 is at least 0.15, 1/7 is not
    Limit(count=2).apply(state)
    assert ([item.chunk for item in state.items], [item.chunk for item in state.rest]) == ([1, 2], [3, 4, 5, 6])
    assert state.dropped == 8
    assert [item.chunk for item in state.answer().items] == [1, 2, 3, 4, 5, 6]
    state.limit = 1
    Limit(count=5).apply(state)
    assert len(state.items) == 1


def test_a_text_keeps_to_its_budget_and_names_what_is_left_out(state_of: MakeState) -> None:
    state = state_of("session expire mailbox")
    Bm25Fetcher().apply(state)
    every = list(state.items)
    TokenBudgetFormatter().apply(state)
    assert "## src/session.py:" in state.text
    assert "left out" not in state.text
    state.items = list(every)
    TokenBudgetFormatter(budget=100).apply(state)
    assert len(state.text) / 4 <= 100
    assert 0 < len(state.items) < len(every)
    assert state.dropped == len(every) - len(state.items)
    assert f"{every[-1].path}:" in state.text.split("[left out")[1] or "more]" in state.text
    listed = state_of("session")
    Bm25Fetcher().apply(listed)
    TokenBudgetFormatter(ranked=True).apply(listed)
    assert (listed.text, listed.dropped) == ("", 0)
    assert TokenBudgetFormatter().budget == 2000


def test_a_first_place_longer_than_the_budget_is_cut_at_a_line_end_and_says_so(state_of: MakeState) -> None:
    state = state_of("session")
    state.items = [state.candidate(state.chunk_at("src/session.py", 7), 1.0, "text", 1)]
    state.items[0].start_line, state.items[0].end_line = 1, 12
    TokenBudgetFormatter(budget=100).apply(state)
    assert "do not fit]" in state.text
    kept = [line for line in state.text.split("\n") if line and not line.startswith(("#", "["))]
    from tests.pipeline.conftest import FILES

    assert all(line in FILES["src/session.py"].split("\n") for line in kept)


# -- flow --------------------------------------------------------------------------------------------------------------


def test_branches_give_lists_and_threads_the_same(state_of: MakeState) -> None:
    found = {}
    for threads in ("never", "always"):
        state = state_of("expire a session")
        Parallel({"words": Bm25Fetcher(), "dense": [("fetch", DenseFetcher(pool=2))]}, threads=threads).apply(state)
        found[threads] = {name: [item.chunk for item in items] for name, items in state.lists.items()}
        assert state.modalities == {"words": "text", "dense": "semantic"}
        assert state.items == []
    assert found["never"] == found["always"]
    assert len(found["never"]["dense"]) == 2


@pytest.mark.parametrize(
    ("intent", "run"),
    [
        ("exact_match", {"text", "structural"}),
        ("understand_code", {"semantic", "text", "structural", "graph"}),
    ],
)
def test_a_modality_of_weight_nought_is_not_run(state_of: MakeState, intent: str, run: set[str]) -> None:
    state = state_of("session", understood=Query("session", intent))
    branches = {
        "semantic": DenseFetcher(),
        "text": TextFetcher(),
        "structural": StructuralFetcher(),
        "graph": GraphFetcher(),
    }
    Parallel(branches, by_intent=True).apply(state)
    assert set(state.lists) == run


WHEN = [
    ({}, True),
    ({"intent": "find_definition"}, True),
    ({"intent": ["find_references", "exact_match"]}, False),
    ({"direct": ["structural"]}, True),
    ({"direct": "text"}, False),
    ({"named": True}, True),
    ({"named": False}, False),
    ({"identifier": False}, True),
    ({"filtered": True}, True),
    ({"languages": ["python"]}, True),
    ({"languages": ["go"]}, False),
    ({"min_words": 4, "max_words": 4}, True),
    ({"min_words": 5}, False),
    ({"min_confidence": 0.95}, True),
    ({"max_confidence": 0.9}, False),
    ({"empty": True}, True),
    ({"intent": "find_definition", "empty": False}, False),
]


@pytest.mark.parametrize(("when", "holds"), WHEN)
def test_predicates(state_of: MakeState, when: dict[str, object], holds: bool) -> None:
    state = state_of("where is sweep_all defined", filters=Filters(languages=("python",)))
    Conditional(when, [("a", DenseFetcher())], [("b", Bm25Fetcher())]).apply(state)
    assert state.modality == ("semantic" if holds else "text")


@pytest.mark.parametrize(
    ("when", "says"),
    [
        ({"intend": "x"}, "no condition 'intend'"),
        ({"intent": "find"}, "no 'find'"),
        ({"named": "yes"}, "true or false"),
        ({"min_words": -1}, "0 or above"),
        ({"languages": [1]}, "list of texts"),
        ("named", "table of conditions"),
    ],
)
def test_predicates_that_cannot_be(when: object, says: str) -> None:
    with pytest.raises(BadConfig, match=says):
        Conditional(when, DenseFetcher())


def test_a_route_takes_the_first_case_and_says_that_it_was_direct(state_of: MakeState) -> None:
    route = Route(
        {
            "long": {"when": {"min_words": 50}, "then": [("x", TextFetcher())]},
            "definition": {"when": {"direct": "structural"}, "then": StructuralFetcher(names_only=True)},
        },
        DenseFetcher(),
    )
    state = state_of("where is sweep_all defined")
    route.apply(state)
    assert (state.strategy, state.method, paths(state)) == ("direct", "definitions", ["src/app.py"])
    other = state_of("sessions that are over")
    route.apply(other)
    assert (other.strategy, other.modality) == ("single", "semantic")
    assert route["definition"].type == "structural_fetcher"
    with pytest.raises(KeyError, match="there are: long, definition, otherwise"):
        route["nothing"]


def test_a_case_that_finds_nothing_gives_way_and_the_answer_says_so(state_of: MakeState) -> None:
    cases = {"exact": {"when": {"direct": "text"}, "then": TextFetcher()}}
    state = state_of('"is nowhere to be found"')
    Route(cases, DenseFetcher()).apply(state)
    assert state.items and state.strategy == "single"
    assert "does not occur" in state.note
    state = state_of('"is nowhere to be found"')
    Route(cases, DenseFetcher(), fall_through=False).apply(state)
    assert state.items == []


# -- pipelines ---------------------------------------------------------------------------------------------------------


def test_a_pipeline_is_a_step_and_addresses_its_steps(searcher: Searcher) -> None:
    inner = RetrieverPipeline([("dense", DenseFetcher(pool=3))])
    pipeline = RetrieverPipeline(
        [("parallel", Parallel({"dense": inner, "bm25": Bm25Fetcher()})), ("last", Limit(count=1))]
    )
    found = pipeline["parallel"]["dense"]["dense"]  # type: ignore[index]
    assert found is inner["dense"]
    assert (list(pipeline), len(pipeline)) == (["parallel", "last"], 2)
    with pytest.raises(KeyError, match="no step 'x'; steps: parallel, last"):
        pipeline["x"]
    state = asyncio.run(inner.bind(lambda: searcher).run(RetrieverState(SearchQuery("session"))))
    assert len(state.items) == 3
    with pytest.raises(UsageError, match="not bound to an index"):
        asyncio.run(inner.run(RetrieverState(SearchQuery("session"))))


@pytest.mark.parametrize(
    ("steps", "says"),
    [
        ([], "at least one step"),
        ([("a", DenseFetcher()), ("a", Limit())], "two steps are called 'a'"),
        ([("", DenseFetcher())], "no name"),
        ([("a", "dense_fetcher")], "is no step but a str"),
    ],
)
def test_pipelines_that_cannot_be(steps: list[tuple[str, DenseFetcher]], says: str) -> None:
    with pytest.raises(BadConfig, match=says):
        RetrieverPipeline(steps)


@pytest.mark.parametrize("make", [lambda: Parallel({}), lambda: Route({}), lambda: Route({"a": {"when": {}}})])
def test_flow_without_content_cannot_be(make: object) -> None:
    with pytest.raises(BadConfig, match=r"at least one|must hold"):
        make()  # type: ignore[operator]


def test_every_step_is_documented_with_an_example_and_every_parameter_with_a_help() -> None:
    assert len({step.type for step in SHIPPED}) == len(SHIPPED) == 35
    for step in SHIPPED:
        assert "Example: ``" + step.type in " ".join((step.__doc__ or "").split()), step.type
        assert all(item.metadata["help"] for item in step.parameters().values()), step.type


@pytest.mark.parametrize(
    ("threads", "branches", "expected"),
    [("auto", 2, False), ("auto", 3, True), ("always", 2, True), ("never", 4, False)],
)
def test_threads_run_where_they_pay(
    state_of: MakeState, monkeypatch: pytest.MonkeyPatch, threads: str, branches: int, expected: bool
) -> None:
    from fourfold.pipeline.steps import flow

    pools: list[int] = []
    real = flow.ThreadPoolExecutor

    def counted(size: int) -> object:
        pools.append(size)
        return real(size)

    monkeypatch.setattr(flow, "ThreadPoolExecutor", counted)
    Parallel({f"b{n}": Bm25Fetcher() for n in range(branches)}, threads=threads).apply(state_of("session"))
    assert pools == ([branches] if expected else [])
