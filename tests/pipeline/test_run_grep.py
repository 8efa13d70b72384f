"""Text search for any interface: what it says of itself where time ran out."""

from __future__ import annotations

from pathlib import Path

import pytest

from fourfold.engine import Index
from fourfold.retrieve import literal


@pytest.fixture
def index(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Index:
    monkeypatch.setenv("FOURFOLD_CACHE_DIR", str(tmp_path / "cache"))
    (tmp_path / "repo" / ".git").mkdir(parents=True)
    (tmp_path / "repo" / "a.py").write_text("aaa\n" * 20)
    return Index.open(tmp_path / "repo")


def test_a_time_limit_reaches_the_answer(index: Index, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(literal.grep, "__kwdefaults__", {**literal.grep.__kwdefaults__, "deadline_s": -1.0})
    with index:
        meta = index.grep("(a?){50}").to_dict()["meta"]
    assert meta["truncated"]
    assert meta["suggestion"].startswith("stopped after -1 s: the expression is too slow; narrow it")


def test_a_limit_is_no_time_limit(index: Index) -> None:
    with index:
        meta = index.grep("a+", limit=3).to_dict()["meta"]
    assert (meta["truncated"], meta["suggestion"]) == (True, None)
