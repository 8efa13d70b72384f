"""A slice of :mod:`benchmarks.faults`, and that it tells an index that answers otherwise."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest
from benchmarks.faults import harm
from benchmarks.faults.harm import Outcome, files_of
from benchmarks.faults.kills import kill_during
from benchmarks.faults.project import Project


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Project]:
    monkeypatch.setenv("FOURFOLD_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setattr("benchmarks.faults.project.FILES", 8)
    monkeypatch.setattr("benchmarks.faults.kills.FILES", 8)
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
    kill_during(project, "rebuilding", chance, outcome)
    assert outcome.failures == []


def test_other_answers_are_told(project: Project) -> None:
    outcome = Outcome()
    (project.root / "m0.py").write_text("def retry_back_off_worker_of_module(): pass\n")
    outcome.judge(project, "an edit that is none of ours")
    assert (outcome.injected, outcome.survived) == (1, 0)
    assert "other answers" in outcome.failures[0]
