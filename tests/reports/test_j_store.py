"""Field reports on trust: no text of a user or a repository is ever read as SQL or as an FTS5 expression."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.contract.batches import file_arrays, indexed, joined, make_batch, skipped
from tests.contract.suite import build, shown

from fourfold.model.symbol import Symbol
from fourfold.store.contract import Batch, IndexedFile
from fourfold.store.local.store import LocalStore

ATTACKS = [
    "'); DROP TABLE files; --",
    '"); DROP TABLE files; --',
    "x' OR '1'='1",
    'abc" OR body MATCH "def',
    "abc* NOT def",
    "NEAR(abc def, 3)",
    "{body path}: abc",
    "^abc",
    "abc + def",
    "trigram' , content='other",
    "%_%",
    "abc\0def",
    "\ud800abc",
]


@pytest.mark.parametrize("attack", ATTACKS)
def test_j9_attacks_are_only_text(tmp_path: Path, attack: str) -> None:
    with LocalStore(tmp_path / "index") as store:
        text = f"def f\n{attack}"
        file = indexed("a.py", text)
        symbol = Symbol(attack, f"A.{attack}", "function", 2, 2, attack, attack)
        evil = IndexedFile(file.record, text, file.chunks, (symbol,))
        with store.writer(purpose=attack) as writer:
            assert "process" in store.owner
            writer.put(Batch([evil], joined([file_arrays(file)]), [skipped(f"{attack}.bin")]))
            writer.put(make_batch({"b.py": "def innocent"}))
            writer.set_meta({"key' --": "value'); --"})
        snapshot = store.snapshot()
        assert snapshot.text("a.py") == text
        assert snapshot.paths_with_trigrams([[attack]]) == ["a.py"]
        assert snapshot.record(attack) is None
        assert snapshot.record(f"{attack}.bin") is not None
        assert [row.path for row in snapshot.symbols_named(attack)] == ["a.py"]
        assert [row.path for row in snapshot.symbols_named(attack.upper(), ignore_case=True)] == ["a.py"]
        assert snapshot.symbols_named("%") == []
        with store.writer() as writer:
            writer.remove([attack, f"{attack}.bin"])
        assert set(store.snapshot().records()) == {"a.py", "b.py"}


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(text=st.text(min_size=3, max_size=40), data=st.data())
def test_j9_any_literal_of_a_text_finds_it(tmp_path: Path, text: str, data: st.DataObject) -> None:
    with LocalStore(tmp_path / "index") as store:
        build(store, {"a.py": text})
        start = data.draw(st.integers(0, len(text) - 3))
        end = data.draw(st.integers(start + 3, len(text)))
        found = store.snapshot().paths_with_trigrams([[text[start:end]]])
        assert found == ["a.py"]
        assert store.snapshot().text("a.py") == text
        assert set(shown(store.snapshot())) == {"a.py"}
