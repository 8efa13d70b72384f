"""Presets on a real corpus (this program's own ranking and retrieval code): the YAML of `default` gives what the
searcher gives, and every preset answers, explains itself and keeps to the filters."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

import fourfold
from fourfold import Index
from fourfold.config.load import load_settings
from fourfold.config.settings import MODEL_PRESETS, PRESETS
from fourfold.model.errors import BackendUnavailable, BadConfig, UsageError
from fourfold.model.query import Filters
from fourfold.pipeline.intent_model import understand
from fourfold.pipeline.pipeline import RetrieverPipeline
from fourfold.pipeline.ranked import Answer
from fourfold.pipeline.run import run_preset
from fourfold.pipeline.state import RetrieverState, SearchQuery
from fourfold.pipeline.steps.fetch import Bm25Fetcher, DenseFetcher
from fourfold.pipeline.steps.flow import Parallel
from fourfold.pipeline.steps.fusion import RrfFusion
from fourfold.rank.weights import WEIGHTS

QUESTIONS = (
    "where is weighted_rrf defined",
    "who calls demote",
    "what breaks if I change LinearRanker",
    'where is "All fusion weights are 0" raised',
    '"a text that stands nowhere in here"',
    "how are tests and examples demoted",
    "Demotion",
    "categories",
    "how is the score of a chunk explained lang:python",
    "who calls frobnicate_everything",
    "/def \\w+_factor/",
    "similar to a fusion of ranked lists",
)


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Index]:
    root = Path(fourfold.__file__).parent / "rank"
    cache = str(tmp_path_factory.mktemp("cache"))
    settings = load_settings(root, {"cache_dir": cache}, environ={}).settings
    with Index.open(root, root=root, settings=settings) as found:
        found.refresh()
        yield found


def rows(answer: Answer) -> list[tuple[object, ...]]:
    for item in answer.items:
        item.complete()
    return [(i.chunk, i.score, i.ranks, i.signals, i.more, i.line, i.span) for i in answer.items]


@pytest.mark.parametrize("filters", [Filters(), Filters(paths=("languages", "fusion.py")), Filters(paths=("nowhere",))])
@pytest.mark.parametrize("text", QUESTIONS)
def test_the_yaml_of_default_gives_exactly_what_the_searcher_gives(index: Index, text: str, filters: Filters) -> None:
    searcher = index._open_searcher()
    query = replace(understand(text, searcher.knows), filters=filters)
    expected, found = searcher.answer(query, depth=20), run_preset(searcher, query, "default", 10)
    assert (found.strategy, found.note) == (expected.strategy, expected.note)
    if expected.items:
        assert (found.method, found.weights) == (expected.method, expected.weights)
    assert rows(found) == rows(expected)


@pytest.mark.parametrize("preset", [name for name in PRESETS if name not in MODEL_PRESETS])
@pytest.mark.parametrize("text", ["how are tests and examples demoted", "where is weighted_rrf defined"])
def test_every_preset_answers_and_keeps_to_the_filters(index: Index, preset: str, text: str) -> None:
    result = index.search(text, preset=preset, refresh=False)
    assert result.items
    assert result.meta.preset == preset
    assert [item.rank for item in result.items] == list(range(1, len(result.items) + 1))
    narrowed = index.search(f"{text} path:fusion.py", preset=preset, refresh=False)
    assert {item.path for item in narrowed.items} <= {"fusion.py"}


@pytest.mark.parametrize("preset", sorted(MODEL_PRESETS))
def test_presets_that_need_a_language_model_say_so_where_there_is_none(index: Index, preset: str) -> None:
    with pytest.raises(BackendUnavailable, match="needs a language model: no language model is configured") as caught:
        index.search("how are tests demoted", preset=preset, refresh=False)
    assert "llm.endpoint" in caught.value.hint


def test_a_contract_score_is_the_product_of_what_it_shows(index: Index) -> None:
    result = index.search("how are tests and examples demoted", preset="contract", refresh=False, explain=True)
    assert result.meta.fusion_strategy == "weighted_rrf"
    for item in result.items:
        why = item.why
        assert why.weights == {name: weight for name, weight in WEIGHTS[result.query.intent].items() if weight > 0}
        fused = sum(why.weights[name] / (40 + rank) for name, rank in why.modalities.items())
        factors = math.prod(value for _, value in why.signals)
        assert item.score == pytest.approx(fused * factors, abs=2e-5)


def test_weights_are_those_that_entered_the_score(index: Index) -> None:
    learned = index.search("how are tests and examples demoted", refresh=False).items[0]
    assert (learned.why.method, learned.why.weights) == ("feature_rerank", {})
    assert learned.why.modalities
    direct = index.search("where is weighted_rrf defined", refresh=False)
    assert (direct.meta.fusion_strategy, direct.items[0].why.weights) == ("direct", {"structural": 1.0})
    assert direct.query.rule
    contract = index.search("where is weighted_rrf defined", preset="contract", refresh=False)
    assert (contract.meta.fusion_strategy, contract.items[0].why.weights) == ("direct", {"structural": 0.6})
    assert ("definition", 1.5) in contract.items[0].why.signals


def test_the_settings_k_reaches_the_fusion(tmp_path: Path, index: Index) -> None:
    searcher = index._open_searcher()
    query = understand("how are tests and examples demoted", searcher.knows)
    for k in (None, 10.0):
        items = run_preset(searcher, query, "contract", 10, k).items
        weights = WEIGHTS[query.intent]
        fused = sum(weights[name] / ((k or 40) + rank) for name, rank in items[0].ranks.items())
        assert items[0].score == pytest.approx(fused * math.prod(value for _, value in items[0].signals))


def test_a_pipeline_in_code_runs_without_yaml(index: Index) -> None:
    pipeline = RetrieverPipeline(
        [
            ("parallel", Parallel({"bm25": Bm25Fetcher(), "dense": DenseFetcher(pool=50)})),
            ("fuse", RrfFusion(k=60)),
        ]
    )
    query = SearchQuery(terms="how are tests demoted", post_filter=Filters(languages=("python",)))
    state = asyncio.run(index.pipeline(pipeline).run(RetrieverState(query=query)))
    assert state.items
    assert state.strategy == "weighted_rrf"
    first = state.items[0]
    assert first.score == pytest.approx(sum(1 / (60 + rank) for rank in first.ranks.values()))
    preset = asyncio.run(index.pipeline("quick").run(RetrieverState(SearchQuery("how are tests demoted"))))
    assert len(preset.items) == 10


def test_a_text_is_composed(index: Index) -> None:
    text = index.compose("how are tests demoted", "graph", refresh=False)
    assert text.startswith("## ")
    assert len(text) / 4 <= 2000
    assert index.compose("how are tests demoted", "contract", refresh=False) == ""
    with pytest.raises(UsageError, match="no preset 'grahp'"):
        index.compose("x", "grahp")


def test_a_faulty_preset_is_told_before_anything_is_indexed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FOURFOLD_CONFIG", str(tmp_path / "config.toml"))
    (tmp_path / "config.toml").write_text("")
    (tmp_path / "presets").mkdir()
    (tmp_path / "presets" / "mine.yaml").write_text("steps:\n  - rrf_fusion: {k: 0}\n")
    root = tmp_path / "root"
    root.mkdir()
    settings = load_settings(root, {"cache_dir": str(tmp_path / "cache"), "search.preset": "mine"}, environ={}).settings
    with Index.open(root, root=root, settings=settings) as index:
        with pytest.raises(BadConfig, match=r"mine\.yaml, line 2, step rrf_fusion: rrf_fusion\.k"):
            index.search("x", preset="mine")
        assert not (tmp_path / "cache").exists()


def test_a_repository_brings_no_presets(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FOURFOLD_CONFIG", str(tmp_path / "elsewhere" / "config.toml"))
    root = tmp_path / "root"
    (root / "presets").mkdir(parents=True)
    (root / "presets" / "mine.yaml").write_text("steps: [dense_fetcher]\n")
    (root / "mine.yaml").write_text("steps: [dense_fetcher]\n")
    monkeypatch.chdir(root)
    settings = load_settings(None, {"cache_dir": str(tmp_path / "cache")}, environ={}).settings
    with Index.open(root, root=root, settings=settings) as index, pytest.raises(UsageError, match="no preset 'mine'"):
        index.search("x", preset="mine")
