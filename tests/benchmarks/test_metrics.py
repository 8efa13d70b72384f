"""The metrics give what the reference scorer of the public benchmark's format gives."""

from __future__ import annotations

import json
import math
from pathlib import Path

import pytest
from benchmarks.dataset import Question, Target, load_questions
from benchmarks.metrics import (
    METRIC_NAMES,
    Judged,
    Place,
    grouped,
    interval,
    judge,
    paired_interval,
    same_path,
)
from benchmarks.score import main, score_file

DATA = Path(__file__).parent / "data"
EXPECTED = json.loads((DATA / "expected.json").read_text(encoding="utf-8"))
"""Made once by the reference scorer on the sample run beside it."""


@pytest.fixture(name="scores", scope="module")
def _scores():
    return score_file(DATA / "run.jsonl", load_questions(DATA / "queries.jsonl"))


def test_the_mean_over_repositories_equals_the_reference(scores) -> None:
    assert len(scores.rows) == EXPECTED["n_queries"]
    for name in METRIC_NAMES:
        assert getattr(scores.mean, name) == pytest.approx(EXPECTED["macro_repo"][name], abs=1e-12)


@pytest.mark.parametrize("part", ["language", "category", "repo"])
def test_the_parts_equal_the_reference(scores, part: str) -> None:
    found = grouped(scores.rows, lambda row: getattr(row.question, part))
    wanted = EXPECTED[f"by_{part}"]
    assert list(found) == sorted(wanted)
    for name, (count, metrics) in found.items():
        assert count == wanted[name]["n"]
        assert metrics.ndcg == pytest.approx(wanted[name]["ndcg"], abs=1e-12)
        assert metrics.mrr == pytest.approx(wanted[name]["mrr"], abs=1e-12)


def test_a_repository_that_the_run_lacks_is_not_scored(scores) -> None:
    assert "three" not in {row.question.repo for row in scores.rows}


def test_the_interval_holds_the_mean_and_repeats(scores) -> None:
    low, high = scores.interval()
    assert low < scores.mean.ndcg < high
    assert (low, high) == interval(scores.rows, seed=0)
    assert (low, high) != interval(scores.rows, seed=1)


def test_a_paired_interval_of_equal_runs_is_zero(scores) -> None:
    assert paired_interval(scores.rows, scores.rows) == (0.0, 0.0)


def test_a_paired_interval_sees_a_steady_gain(scores) -> None:
    worse = [Judged(row.question, judge(row.question, [])) for row in scores.rows]
    low, high = paired_interval(worse, scores.rows)
    assert 0 < low < high


def test_two_targets_hit_by_one_result_fill_one_slot() -> None:
    question = _question(Target("a.py", 1, 5), Target("a.py", 4, 9))
    metrics = judge(question, [Place("a.py", 5, 5)])
    assert metrics.ndcg == pytest.approx(1 / (1 + 1 / math.log2(3)))
    assert metrics.recall == 1.0


def test_only_ten_results_count() -> None:
    places = [Place(f"other{n}.py") for n in range(10)] + [Place("a.py")]
    assert judge(_question(Target("a.py")), places).hitk == 0.0


def test_lines_must_overlap_where_the_target_has_lines() -> None:
    question = _question(Target("a.py", 10, 20))
    assert judge(question, [Place("a.py", 1, 9), Place("a.py", 20, 30)]).mrr == 0.5
    assert judge(question.whole_files(), [Place("a.py", 1, 9)]).hit1 == 1.0


@pytest.mark.parametrize(
    ("first", "second", "same"),
    [
        ("src/app.py", "app.py", True),
        ("./src/app.py", "src/app.py", True),
        ("src\\app.py", "src/app.py", True),
        ("src/myapp.py", "app.py", False),
        ("src/app.py", "lib/app.py", False),
    ],
)
def test_paths_match_at_component_boundaries(first: str, second: str, same: bool) -> None:
    assert same_path(first, second) is same
    assert same_path(second, first) is same


def test_the_score_command_prints_what_it_scored(capsys, monkeypatch, tmp_path) -> None:
    (tmp_path / "mined").mkdir()
    (tmp_path / "mined" / "queries.jsonl").write_bytes((DATA / "queries.jsonl").read_bytes())
    main([str(DATA / "run.jsonl"), "--set", "mined", "--corpora", str(tmp_path)])
    printed = capsys.readouterr().out
    assert f"NDCG@10 {EXPECTED['macro_repo']['ndcg']:.4f}" in printed
    assert f"n={EXPECTED['n_queries']}" in printed


def test_a_run_of_unknown_repositories_is_refused(tmp_path) -> None:
    run = tmp_path / "run.jsonl"
    run.write_text('{"repo": "none", "query_id": "none-0", "results": []}\n')
    with pytest.raises(ValueError, match="no question belongs"):
        score_file(run, load_questions(DATA / "queries.jsonl"))


def _question(*targets: Target) -> Question:
    return Question("r", "r-0", "python", "semantic", "where", targets)
