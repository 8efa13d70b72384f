"""Pipelines from YAML: what is shipped, what users write, and every fault told with its line before anything runs."""

from __future__ import annotations

from pathlib import Path

import pytest

from fourfold.config.settings import PRESETS
from fourfold.model.errors import BadConfig, UsageError
from fourfold.pipeline.loader import load_preset, load_text, preset_names, preset_text
from fourfold.pipeline.pipeline import RetrieverPipeline
from fourfold.pipeline.registry import SHIPPED, step_type, step_types
from fourfold.pipeline.steps.base import Step
from fourfold.pipeline.steps.fusion import RrfFusion


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of the user's own presets."""
    monkeypatch.setenv("FOURFOLD_CONFIG", str(tmp_path / "config.toml"))
    (tmp_path / "config.toml").write_text("")
    (tmp_path / "presets").mkdir()
    return tmp_path / "presets"


def test_what_may_be_written() -> None:
    pipeline = load_text(
        "about: mine\nranked: true\nsteps:\n  - pre_filter\n  - dense_fetcher: {pool: 7}\n"
        "  - again: {type: bm25_scorer, blend: 0.5}\n  - limit:\n  - parallel:\n      branches:\n"
        "        a: dense_fetcher\n        b: [bm25_fetcher: {stems: true}, limit]\n"
        "  - rrf_fusion: {weights: {a: 2}}\n  - preset: {name: hybrid, ranked: true}\n"
    )
    assert list(pipeline) == [*("pre_filter", "dense_fetcher", "again", "limit", "parallel", "rrf_fusion", "hybrid")]
    assert (pipeline.about, pipeline.ranked) == ("mine", True)
    assert pipeline["dense_fetcher"].pool == 7  # type: ignore[attr-defined]
    assert (pipeline["again"].type, pipeline["again"].blend) == ("bm25_scorer", 0.5)  # type: ignore[attr-defined]
    parallel = pipeline["parallel"]
    assert parallel["a"].type == "dense_fetcher"  # type: ignore[index]
    assert parallel["b"]["bm25_fetcher"].stems is True  # type: ignore[index]
    assert isinstance(pipeline["hybrid"], RetrieverPipeline) and pipeline["hybrid"].ranked


BAD = [
    # text, line, what it says, what the hint says
    (
        "steps:\n  - dense_fetchr\n",
        2,
        "there is no step 'dense_fetchr'",
        'did you mean "dense_fetcher"? steps: pre_filter',
    ),
    ("steps:\n  - x:\n      type: nothing_at_all\n", 2, "there is no step 'nothing_at_all'", "token_budget_formatter"),
    ("steps:\n  - dense_fetcher:\n      poool: 3\n", 3, "there is no parameter 'poool'", 'did you mean "pool"?'),
    ("steps:\n  - dense_fetcher\n  - rrf_fusion:\n      k: 0\n", 4, "rrf_fusion.k must be a number, at least 1", ""),
    ("steps:\n  - rrf_fusion: {k: many}\n", 2, "must be a number", ""),
    ("steps:\n  - rrf_fusion:\n      weights: {a: -1}\n", 3, "the weight of a must be 0 or above, not -1", ""),
    ("steps:\n  - rrf_fusion:\n      weights: {a: 0, b: 0.0}\n", 3, "all weights are 0", "at least one"),
    ("steps:\n  - parallel: {branches: {}}\n", 2, "at least one branch", "branches:"),
    ("steps:\n  - parallel\n", 2, "the parameter 'branches' is missing", ""),
    ("steps:\n  - parallel: {branches: {a: []}}\n", 2, "at least one step", ""),
    ("steps: []\n", 1, "at least one step", ""),
    ("about: x\n", 1, "there are no steps", ""),
    ("steps: [limit]\nstep: [limit]\n", 2, "there is no key 'step'", "about, ranked, steps"),
    ("ranked: perhaps\nsteps: [limit]\n", 1, "ranked must be true or false", ""),
    ("steps:\n  - limit\n  - limit\n", 2, "two steps are called 'limit'", "NAME"),
    ("steps:\n  - limit: {count: 3, count: 4}\n", 2, "given twice", ""),
    ("steps:\n  - limit: {count: 1}\n    top_k_filter: {k: 1}\n", 2, "a step has one name, not 2", ""),
    ("steps:\n  - limit: 3\n", 2, "the parameters of limit must be a table, not the value '3'", ""),
    ("steps:\n  - [limit]\n", 2, "a step must be a table, not a list", ""),
    ("steps:\n  - conditional: {when: {intnt: x}, then: limit}\n", 2, "no condition 'intnt'", 'did you mean "intent"?'),
    ("steps:\n  - route:\n      cases:\n        a: {when: {}}\n", 4, "case a must hold `when` and `then`", ""),
    (
        "steps:\n  - route:\n      cases:\n        a:\n          when: {direct: sense}\n          then: limit\n",
        5,
        "no 'sense'",
        "",
    ),
    ("steps:\n  - preset: nowhere\n", 2, "there is no preset 'nowhere'", "choose one of: default"),
    ("steps:\n  - preset: {nam: hybrid}\n", 2, "preset takes a name and ranked", ""),
    ("steps:\n  - graph_expand: {hops: 3}\n", 2, "a whole number from 1 to 2, not 3", ""),
    ("steps: [limit\n", 2, "is not valid YAML", "correct"),
    ("a: &x [limit]\nsteps: *x\n", 2, "references (*) are not allowed", ""),
    ("- limit\n", 1, "a preset must be a table, not a list", ""),
]


@pytest.mark.parametrize(("text", "line", "says", "hint"), BAD)
def test_a_fault_names_file_line_step_and_what_is_allowed(text: str, line: int, says: str, hint: str) -> None:
    with pytest.raises(BadConfig) as caught:
        load_text(text, "mine.yaml")
    assert caught.value.message.startswith(f"mine.yaml, line {line}")
    assert says in caught.value.message
    assert hint in caught.value.hint


def test_the_step_is_named_with_its_type() -> None:
    with pytest.raises(BadConfig, match=r"line 1, step fuse \(rrf_fusion\): there is no parameter 'c'"):
        load_text("steps: [fuse: {type: rrf_fusion, c: 1}]")


@pytest.mark.parametrize(("text", "says"), [("", "is empty"), ("steps: [" * 2000, "YAML|nested too deeply")])
def test_what_is_no_document(text: str, says: str) -> None:
    with pytest.raises(BadConfig, match=says):
        load_text(text)


def test_too_many_steps() -> None:
    with pytest.raises(BadConfig, match="more than 500 steps"):
        load_text("steps:\n" + "".join(f"  - s{n}: {{type: limit}}\n" for n in range(600)))


def test_a_circle_is_told(own: Path) -> None:
    (own / "one.yaml").write_text("steps:\n  - limit\n  - preset: two\n")
    (own / "two.yaml").write_text("steps:\n  - preset: one\n")
    with pytest.raises(
        BadConfig, match=r"two\.yaml, line 2: presets include each other in a circle: one -> two -> one"
    ):
        load_preset("one")


def test_users_have_presets_beside_their_configuration(own: Path) -> None:
    (own / "mine.yaml").write_text("about: words, then the graph\nsteps: [bm25_fetcher, graph_expand]\n")
    (own / "default.yaml").write_text("steps: [limit]\n")  # a shipped name cannot be taken
    (own / "not a name.yaml").write_text("steps: [limit]\n")
    assert preset_names() == [*PRESETS, "mine"]
    assert list(load_preset("mine")) == ["bm25_fetcher", "graph_expand"]
    assert "route" in list(load_preset("default"))
    assert preset_text("mine").startswith("about")
    with pytest.raises(UsageError, match="no preset 'min'") as caught:
        load_preset("min")
    assert 'did you mean "mine"?' in caught.value.hint
    for escape in ("../config", "/etc/passwd", "mine.yaml", ""):
        with pytest.raises(UsageError, match="there is no preset"):
            load_preset(escape)


def test_a_file_that_cannot_be_a_preset(own: Path) -> None:
    (own / "large.yaml").write_text("#" * 200_000)
    with pytest.raises(BadConfig, match="larger than 100,000 bytes"):
        load_preset("large")
    (own / "latin.yaml").write_bytes("about: für\nsteps: [limit]".encode("latin-1"))
    with pytest.raises(BadConfig, match="not UTF-8"):
        load_preset("latin")


@pytest.mark.parametrize("name", PRESETS)
def test_a_shipped_preset_says_what_it_is_for_and_draws_its_shape(name: str) -> None:
    pipeline = load_preset(name)
    assert pipeline.about
    head = preset_text(name).split("\nabout:")[0]
    assert head.startswith(f"# {name}:")
    assert "->" in head
    assert all(line.startswith("#") for line in head.split("\n"))


SHAPES = {
    "quick": ["pre_filter", "dense_fetcher", "limit"],
    "text": ["pre_filter", "bm25_fetcher", "limit"],
    "hybrid": ["pre_filter", "parallel", "rrf_fusion", "dense_scorer", "limit", "token_budget_formatter"],
    "graph": [
        *("pre_filter", "dense_fetcher", "metadata_post_filter", "graph_expand", "top_k_filter", "limit"),
        "token_budget_formatter",
    ],
    "contract": [
        *("pre_filter", "route", "rrf_fusion", "importance_boost", "name_signals", "path_demotion", "dedup_per_file"),
        "limit",
    ],
}


@pytest.mark.parametrize("name", SHAPES)
def test_shapes_are_the_published_ones(name: str) -> None:
    assert list(load_preset(name)) == SHAPES[name]


def test_constants_of_the_presets() -> None:
    contract = load_preset("contract")
    fusion = contract["rrf_fusion"]
    assert isinstance(fusion, RrfFusion) and (fusion.k, fusion.by_intent) == (40, True)
    parallel = contract["route"]["otherwise"]["parallel"]  # type: ignore[index]
    assert set(parallel.branches) == {"semantic", "text", "structural", "graph"} and parallel.by_intent
    thorough = load_preset("thorough")["route"]["otherwise"]  # type: ignore[index]
    assert thorough["rrf_fusion"].k == 60
    assert all(step.pool == 100 for step in thorough["parallel"].branches.values())


def test_plugins_are_steps_and_can_be_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    class Mine(Step):
        """A step of a plug-in."""

        type = "mine"

    class Entry:
        name = "mine"

        def load(self) -> object:
            return Mine

    monkeypatch.setattr("importlib.metadata.entry_points", lambda group: [Entry()])
    monkeypatch.setattr(
        "fourfold.pipeline.registry._installed",
        __import__("fourfold.pipeline.registry", fromlist=["x"])._installed.__wrapped__,
    )
    assert step_type("mine") is Mine
    assert len(step_types()) == len(SHIPPED) + 1
    monkeypatch.setenv("FOURFOLD_DISABLE_PLUGINS", "1")
    with pytest.raises(BadConfig, match="there is no step 'mine'"):
        step_type("mine")
    monkeypatch.delenv("FOURFOLD_DISABLE_PLUGINS")
    monkeypatch.setattr(Entry, "load", lambda self: dict)
    with pytest.raises(BadConfig, match="the plug-in mine is no step"):
        step_type("mine")
