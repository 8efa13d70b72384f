"""What paths say by themselves."""

from __future__ import annotations

import pytest

from fourfold.rank import path_facts as module
from fourfold.rank.path_facts import ROLES, path_facts

PATHS = ["src/Batch_insert.py", "tests/test_batch.py", "src/deep/batch_insert.js", "Makefile"]


def test_roles_depths_and_stems_of_many_paths() -> None:
    facts = path_facts(PATHS)
    assert facts.depths.tolist() == [1, 1, 2, 0]
    assert (facts.roles >> ROLES.index("test") & 1).tolist() == [0, 1, 0, 0]
    assert facts.stems[0] == facts.stems[2]
    assert len(set(facts.stems.tolist())) == 3
    assert facts.words == [{"batch", "insert"}, {"test", "batch"}, {"batch", "insert"}, {"makefile"}]
    assert path_facts([]).roles.tolist() == []


def test_what_is_remembered_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "REMEMBERED", 10)
    monkeypatch.setattr(module, "_remembered", module._Remembered())
    for number in range(30):
        facts = path_facts([f"src/file{number}.py", *PATHS])
        assert facts.depths.tolist() == [1, 1, 1, 2, 0]
        assert len(module._remembered.rows) <= 10
