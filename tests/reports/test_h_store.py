"""Field reports on configuration and identity: two projects never share rows."""

from __future__ import annotations

from pathlib import Path

from tests.contract.batches import make_batch
from tests.contract.suite import build, shown

from fourfold.store.local.store import LocalStore


def test_h8_equal_paths_in_two_projects_do_not_collide(tmp_path: Path) -> None:
    with LocalStore(tmp_path / "one") as one, LocalStore(tmp_path / "two") as two:
        build(one, {"src/App.tsx": "def one"})
        build(two, {"src/App.tsx": "def two"})
        with one.writer() as writer:
            writer.put(make_batch({"src/App.tsx": "def changed"}))
            writer.finish()
        assert shown(one.snapshot()) == {"src/App.tsx": "def changed"}
        assert shown(two.snapshot()) == {"src/App.tsx": "def two"}
        assert one.snapshot().key != two.snapshot().key
        one.clear()
        assert shown(two.snapshot()) == {"src/App.tsx": "def two"}
