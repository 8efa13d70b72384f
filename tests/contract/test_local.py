"""The local store keeps the contract."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.contract.suite import MakeStore, StoreContract

from fourfold.store.local.store import LocalStore


class TestLocalStore(StoreContract):
    """Every test of the contract, on a folder."""

    @pytest.fixture
    def make_store(self, tmp_path: Path) -> Iterator[MakeStore]:
        opened: list[LocalStore] = []

        def make() -> LocalStore:
            opened.append(LocalStore(tmp_path / "index"))
            return opened[-1]

        yield make
        for store in opened:
            store.close()
