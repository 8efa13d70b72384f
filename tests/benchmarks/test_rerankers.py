"""The comparison of re-rankers: what a share does to the order, and what a line of the table says."""

from __future__ import annotations

from pathlib import Path

import pytest
from benchmarks.rerankers import Asked, Record, measure, questions, rows
from benchmarks.systems.fourfold_presets import FourfoldIndexes

from benchmarks import rerankers
from fourfold import Index
from fourfold.evaluate.question import Target
from fourfold.pipeline.state import RetrieverState

FILES = {
    "a.py": "def save_session(mail):\n    return mail\n",
    "b.py": "def load_mail(name):\n    return name\n",
    "c.py": "def close(door):\n    return door\n",
}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    for name, text in FILES.items():
        (tmp_path / name).write_text(text)
    return tmp_path


def test_a_judge_moves_what_it_rates_highest_by_its_share(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FOURFOLD_CACHE_DIR", "set anew below, and put back after the test")
    indexes = FourfoldIndexes(lambda folder: Index.open(folder, root=folder))
    monkeypatch.setattr(rerankers, "SHARES", (0.0, 1.0))

    def last(_state: RetrieverState, texts: list[str]) -> list[float]:
        return [float(text.startswith("b.py")) for text in texts]

    try:
        asked = [Asked("set", root, "how is the mail of a session kept", (Target("b.py", 1, 2),))]
        found = measure(asked, {"judge": last, "silent": lambda _state, _texts: []}, indexes)["set"]
    finally:
        indexes.close()
    assert found.found["judge", 0.0] == found.plain
    assert found.found["judge", 1.0] == [1.0]
    assert found.plain[0] < 1.0
    assert found.found["silent", 1.0] == found.plain
    assert len(found.seconds["judge"]) == 1


def test_a_line_tells_the_change_and_its_interval() -> None:
    record = Record([0.5, 0.5])
    record.found["judge", 0.1] = [1.0, 0.5]
    record.seconds["judge"] = [0.02, 0.04]
    plain, changed = rows({"part": record})
    assert plain[:5] == ["part", "2", "none", "", "0.500"]
    assert changed[:4] == ["part", "2", "judge", "0.1"]
    assert changed[4].startswith("+0.250 (+0.000 to +0.500)")
    assert changed[5] == "30"


def test_of_the_large_set_only_the_open_half_is_asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rerankers, "root_of", lambda repo, corpora: tmp_path / repo)
    found = questions("large", tmp_path, 1_000)
    assert {one.part for one in found} == {"large, easy", "large, abstract"}
    everything = rerankers.load(rerankers.file_of("large"))
    assert len(found) == sum(not one.sealed for one in everything)
    assert len(questions("large", tmp_path, 5)) == 5
