"""Field reports of group H (models), acted out on an index."""

from __future__ import annotations

import pytest
from tests.reports.project import Project

from fourfold.model.errors import ModelMismatch

FILES = {"a.py": "def expire_session(now):\n    return now > 3600\n", "b.py": "def other():\n    return 1\n"}


def test_h1_vectors_of_two_models_never_meet(project: Project) -> None:
    first = project.write(FILES).index()
    first.refresh()
    made_with = first.status().model
    other = project.index(**{"embedding.model": "hash"})
    with pytest.raises(ModelMismatch, match="fourfold-hash"):
        other.search("expire a session", refresh=False)
    ran = project.run("search", "expire a session", "--no-refresh", "--preset", "dense")
    assert (ran.code, "a.py" in ran.out) == (0, True)
    report = other.refresh()
    assert any("embedding model changed" in warning for warning in report.warnings)
    assert other.status().model != made_with
    assert other.search("expire a session").items[0].path == "a.py"


def test_h4_without_a_model_words_and_definitions_still_answer(project: Project) -> None:
    project.write(FILES).index().refresh()
    without = project.index(**{"embedding.model": "none"})
    for refresh in (False, True):
        result = without.search("expire a session", refresh=refresh)
        assert result.items[0].path == "a.py"
        assert "semantic" not in result.items[0].why.modalities
    assert without.search("expire session", preset="dense").items == ()
