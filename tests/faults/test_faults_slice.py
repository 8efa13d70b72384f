"""A slice of :mod:`benchmarks.faults`, and that it tells an index that answers otherwise."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest
from benchmarks.faults import harm, hindrances, stages
from benchmarks.faults.harm import Outcome, files_of
from benchmarks.faults.kills import Killer
from benchmarks.faults.project import Project


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Project]:
    monkeypatch.setenv("FOURFOLD_CACHE_DIR", str(tmp_path / "cache"))
    for module in ("project", "hindrances", "stages"):
        monkeypatch.setattr(f"benchmarks.faults.{module}.FILES", 8)
    monkeypatch.setattr("benchmarks.faults.project.LATE", 1)
    yield Project(tmp_path)


def test_faults_are_survived(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    chance = random.Random(5)
    segments = [path for path in files_of(project) if path.parent.name == "segments"]
    monkeypatch.setattr(harm, "files_of", lambda project: segments)
    outcome = Outcome()
    harm.remove(project, chance, outcome)
    assert outcome.failures == []
    assert outcome.injected == outcome.survived == outcome.detected == len(segments) > 0
    outcome = Outcome()
    hindrances.newer_format(project, chance, outcome)
    assert outcome.failures == []
    assert outcome.detected == outcome.injected == 4


def test_a_kill_at_a_step_is_survived(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    killer, outcome = Killer(project, random.Random(3)), Outcome()
    monkeypatch.setattr(killer.chance, "random", lambda: 1.0)  # by steps, not by the clock
    for _ in range(3):
        killer.kill("rebuilding", outcome)
    assert outcome.failures == []
    assert outcome.survived == outcome.injected == len(killer.hit["rebuilding"]) > 0


def test_other_answers_are_told(project: Project) -> None:
    outcome = Outcome()
    (project.root / "m0.py").write_text("def retry_back_off_worker_of_module(): pass\n")
    outcome.judge(project, "an edit that is none of ours")
    stages.by_answers(project, outcome, "the same, after a kill")
    assert (outcome.injected, outcome.survived) == (2, 0)
    assert all("other answers" in told for told in outcome.failures)


def test_an_index_with_a_fault_is_told(project: Project) -> None:
    outcome = Outcome()
    project.answers = project.ask()
    for path in project.cache.rglob("indexes/*"):
        path.chmod(0o755)
    stages.by_answers(project, outcome, "open to others")
    assert "others may enter" in outcome.failures[0]
