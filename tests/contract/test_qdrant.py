"""The Qdrant store keeps the contract: on the client's local mode, on the real engine in this process, on a server."""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.contract.batches import DIMENSION
from tests.contract.suite import MakeStore, StoreContract
from tests.store.qdrant_wire import WireServer, wire_server

from fourfold.store.qdrant.client import ClientGateway
from fourfold.store.qdrant.gateway import Gateway
from fourfold.store.qdrant.layout import Layout
from fourfold.store.qdrant.store import QdrantStore

pytest.importorskip("qdrant_client")
URL = os.environ.get("QDRANT_URL", "")


def stores(gateway: Gateway, folder: Path) -> MakeStore:
    """Stores of one service, each with a cache of its own: as other machines would have."""
    made: list[QdrantStore] = []
    service = secrets.token_hex(4)

    def make() -> QdrantStore:
        made.append(QdrantStore(gateway, service, folder / f"cache{len(made)}", lambda: Layout(DIMENSION)))
        return made[-1]

    return make


@pytest.fixture(scope="module")
def shard(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Gateway]:
    pytest.importorskip("qdrant_edge")
    from fourfold.store.qdrant.edge import EdgeGateway

    gateway = EdgeGateway(tmp_path_factory.mktemp("edge") / "shard")
    yield gateway
    gateway.close()


@pytest.fixture(scope="module")
def wire() -> Iterator[WireServer]:
    with wire_server() as server:
        yield server


class TestLocalMode(StoreContract):
    """The contract, with the client answering its own requests. The test of many files is left to the engine: here it
    measures only how local mode scans."""

    test_facts_of_many_files_come_in_path_order = None  # type: ignore[assignment]

    @pytest.fixture
    def make_store(self, tmp_path: Path) -> Iterator[MakeStore]:
        from qdrant_client import QdrantClient

        gateway = ClientGateway(lambda: QdrantClient(":memory:"), "four", "local", local=True)
        yield stores(gateway, tmp_path)
        gateway.close()


class TestEdge(StoreContract):
    """Every test of the contract, on the engine itself: one shard for all, a service of its own for each test."""

    @pytest.fixture
    def make_store(self, shard: Gateway, tmp_path: Path) -> MakeStore:
        return stores(shard, tmp_path)


@pytest.mark.skipif(not URL, reason="QDRANT_URL names no server: not run on a live one")
class TestServer(StoreContract):
    """Every test of the contract, on a live server."""

    @pytest.fixture
    def make_store(self, tmp_path: Path) -> Iterator[MakeStore]:
        from qdrant_client import QdrantClient

        key = os.environ.get("QDRANT_API_KEY")
        name = f"fourfold-test-{secrets.token_hex(4)}"
        gateway = ClientGateway(lambda: QdrantClient(url=URL, api_key=key), name, URL)
        yield stores(gateway, tmp_path)
        if found := gateway.physical():
            gateway.drop_physical(found)
        gateway.close()


class TestWire(StoreContract):
    """The contract over HTTP: what is sent to a server and what it sends back. Without the two long tests, whose
    requests are those of the others."""

    test_any_history_ends_like_a_dict = None  # type: ignore[assignment]
    test_facts_of_many_files_come_in_path_order = None  # type: ignore[assignment]

    @pytest.fixture
    def make_store(self, wire: WireServer, tmp_path: Path) -> Iterator[MakeStore]:
        from qdrant_client import QdrantClient

        gateway = ClientGateway(
            lambda: QdrantClient(url=wire.url, check_compatibility=False), secrets.token_hex(4), wire.url
        )
        yield stores(gateway, tmp_path)
        gateway.close()
