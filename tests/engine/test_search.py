"""A question in, the right place out."""

from __future__ import annotations

import json
from collections.abc import Callable
from math import log
from pathlib import Path

import pytest

from fourfold import Index
from fourfold.model.errors import BadFilter, BadQuery, IndexUnavailable, UsageError
from fourfold.model.query import Filters

OpenIndex = Callable[[], Index]


@pytest.mark.parametrize(
    ("question", "path", "symbol"),
    [
        ("how is the retry back-off computed", "src/net/retry.py", "backoff_delay"),
        ("where is backoff_delay defined", "src/net/retry.py", "backoff_delay"),
        ("verifyToken", "src/auth/tokens.ts", "verifyToken"),
        ("when do sessions end", "src/auth/session.py", ""),
        ("RetryPolicy", "src/net/retry.py", "RetryPolicy"),
    ],
)
def test_first_result(open_index: OpenIndex, question: str, path: str, symbol: str) -> None:
    first = open_index().search(question).items[0]
    assert first.path == path
    assert symbol in (first.symbol or first.snippet)


def test_the_snippet_is_the_lines_of_the_file(open_index: OpenIndex, project: Path) -> None:
    for item in open_index().search("retry session token").items:
        lines = (project / item.path).read_text(encoding="utf-8").split("\n")
        assert item.snippet == "\n".join(lines[item.start_line - 1 : item.end_line])
        assert all(item.start_line <= line <= item.end_line for line in item.matched_lines)


def test_every_result_says_why(open_index: OpenIndex) -> None:
    result = open_index().search("how is the retry back-off computed", explain=True)
    best = {item.path: item for item in reversed(result.items)}  # of each file
    first, second = sorted(best.values(), key=lambda item: item.rank)[:2]
    assert first.why.modalities
    assert result.meta.fusion_strategy == "weighted_rrf"
    assert first.why.method == "feature_rerank"
    lead = sum(value for _, value in first.why.signals) - sum(value for _, value in second.why.signals)
    assert lead == pytest.approx(log(first.score / second.score), abs=0.2)


def test_tests_come_after_the_code_unless_asked_for(open_index: OpenIndex) -> None:
    index = open_index()
    plain = [item.path for item in index.search("back-off delay is capped").items]
    assert plain.index("src/net/retry.py") < plain.index("tests/test_retry.py")
    asked = [item.path for item in index.search("test that the back-off delay is capped").items]
    assert asked[0] == "tests/test_retry.py"


@pytest.mark.parametrize("preset", ["default", "quick", "text", "dense", "hybrid"])
def test_every_preset_answers(open_index: OpenIndex, preset: str) -> None:
    result = open_index().search("expire sessions of users", preset=preset)
    assert "src/auth/session.py" in [item.path for item in result.items[:2]]
    assert result.meta.preset == preset


def test_filters_in_the_query_and_as_an_argument(open_index: OpenIndex) -> None:
    index = open_index()
    assert {item.path for item in index.search("token lang:ts").items} == {"src/auth/tokens.ts"}
    assert all(item.path.startswith("src/net") for item in index.search("retry path:src/net").items)
    assert all(not item.path.startswith("tests") for item in index.search("backoff -path:tests").items)
    narrowed = index.search("retry session", filters=Filters(languages=("typescript",)))
    assert {item.language for item in narrowed.items} <= {"typescript"}


def test_results_are_narrowed_to_the_folder_opened(project: Path, open_index: OpenIndex) -> None:
    open_index().refresh()
    (project / ".git").mkdir()
    with Index.open(project / "src" / "auth") as index:
        assert index.root == project.resolve()
        assert all(item.path.startswith("src/auth/") for item in index.search("retry session token").items)


def test_json_is_plain_and_named(open_index: OpenIndex) -> None:
    data = open_index().search("sessions").to_dict()
    assert json.loads(json.dumps(data)) == data
    assert list(data) == ["schema", "query", "items", "meta"]
    assert data["schema"] == "fourfold/1"
    assert {"rank", "path", "start_line", "end_line", "symbol", "score", "snippet", "why"} <= set(data["items"][0])


@pytest.mark.parametrize("limit", [0, -1, 1001])
def test_a_limit_out_of_range_is_refused(open_index: OpenIndex, limit: int) -> None:
    with pytest.raises(UsageError, match="limit"):
        open_index().search("x", limit=limit)


@pytest.mark.parametrize(
    ("query", "error"), [("", BadQuery), ("  ", BadQuery), ("x" * 100_000, BadQuery), ("a lang:klingon", BadFilter)]
)
def test_bad_queries_are_refused(open_index: OpenIndex, query: str, error: type[Exception]) -> None:
    with pytest.raises(error):
        open_index().search(query)


def test_an_unknown_preset_is_refused(open_index: OpenIndex) -> None:
    with pytest.raises(UsageError, match="preset"):
        open_index().search("x", preset="magic")


def test_without_an_index_and_without_refresh_it_says_so(open_index: OpenIndex) -> None:
    with pytest.raises(IndexUnavailable, match="no index"):
        open_index().search("x", refresh=False)


def test_an_empty_folder_gives_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FOURFOLD_CACHE_DIR", str(tmp_path / "cache"))
    (tmp_path / "empty").mkdir()
    with Index.open(tmp_path / "empty", root=tmp_path / "empty") as index:
        result = index.search("anything at all")
        assert result.items == ()
        assert result.meta.suggestion


def test_a_folder_that_is_none_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="does not exist"):
        Index.open(tmp_path / "nowhere")
    (tmp_path / "file").write_text("x")
    with pytest.raises(UsageError, match="not a folder"):
        Index.open(tmp_path / "file")
