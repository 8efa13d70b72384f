"""What goes wrong between here and a Qdrant server: tried again or told in one sentence, and nothing half visible."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.contract.batches import DIMENSION, make_batch
from tests.contract.suite import A, B, build, shown
from tests.store.qdrant_wire import Fault, WireServer, wire_server

from fourfold.model.errors import BackendUnavailable, IndexUnavailable, LockHeld, ModelMismatch, NewerFormat
from fourfold.store.qdrant import lease as leases
from fourfold.store.qdrant import retry
from fourfold.store.qdrant.client import ClientGateway
from fourfold.store.qdrant.layout import Layout
from fourfold.store.qdrant.points import Between, Is, Where
from fourfold.store.qdrant.store import QdrantStore

qdrant_client = pytest.importorskip("qdrant_client")


@pytest.fixture
def wire() -> Iterator[WireServer]:
    with wire_server() as server:
        yield server


class Shop:
    """A store on the server, and how long its gateway waited between attempts."""

    def __init__(self, wire: WireServer, folder: Path, *, timeout: int = 5) -> None:
        self.wire = wire
        self.waited: list[float] = []
        self.gateway = ClientGateway(
            lambda: qdrant_client.QdrantClient(url=wire.url, timeout=timeout, check_compatibility=False),
            "four",
            wire.url,
            sleep=self.waited.append,
        )
        self.folder = folder

    def store(self, name: str = "a", **options: bool) -> QdrantStore:
        """A store with a cache of its own."""
        return QdrantStore(self.gateway, "shop", self.folder / name, lambda: Layout(DIMENSION), **options)


def end_lease(shop: Shop) -> None:
    """As if so much time had passed that the lease of a dead writer has ended."""
    shop.gateway.set_payload(Where((Is("point", "lease"),)), {"until": 0})


@pytest.fixture
def shop(wire: WireServer, tmp_path: Path) -> Iterator[Shop]:
    made = Shop(wire, tmp_path)
    yield made
    made.gateway.close()


@pytest.mark.parametrize(
    ("fault", "waits"),
    [
        (Fault("PUT", "/points", status=500, times=2), 2),
        (Fault("PUT", "/points", status=503), 1),
        (Fault("PUT", "/points", status=429, headers={"Retry-After": "7"}), 1),
        (Fault("PUT", "/points"), 1),
        (Fault("PUT", "/points", applied=True), 1),
        (Fault("POST", "/points/payload", applied=True, skip=1), 1),
        (Fault("POST", "/points/scroll", status=502), 1),
    ],
)
def test_a_passing_fault_is_tried_again_and_leaves_no_trace(shop: Shop, fault: Fault, waits: int) -> None:
    build(shop.store(), {"a.py": A, "b.py": B})
    shop.wire.faults.append(fault)
    build(shop.store(), {"a.py": B, "c.py": "def c"})
    assert not fault.times
    assert len(shop.waited) == waits
    assert shown(shop.store("new").snapshot()) == {"a.py": B, "b.py": B, "c.py": "def c"}


def test_the_server_says_how_long_to_wait(shop: Shop) -> None:
    build(shop.store(), {"a.py": A})
    shop.wire.faults.append(Fault("POST", "/points", status=429, headers={"Retry-After": "7"}))
    shop.store().snapshot()
    assert shop.waited == [7.0]


@pytest.mark.parametrize(
    ("fault", "error", "words"),
    [
        (Fault("POST", "/points", status=500, times=99), BackendUnavailable, "failed (500: .*made to fail"),
        (Fault("POST", "/points", times=99), BackendUnavailable, "cannot be reached"),
        (Fault("POST", "/points", status=429, times=99, headers={"Retry-After": "1"}), BackendUnavailable, "busy"),
        (Fault("POST", "/points", status=401, times=99), BackendUnavailable, "refuses the key"),
        (Fault("POST", "/points", status=400, times=99), BackendUnavailable, "refuses a request .400"),
        (Fault("POST", "/points", status=200, times=99, body="no json"), BackendUnavailable, "cannot be read"),
    ],
)
def test_a_lasting_fault_is_one_sentence_that_offers_the_local_store(
    shop: Shop, fault: Fault, error: type[Exception], words: str
) -> None:
    build(shop.store(), {"a.py": A})
    shop.wire.faults.append(fault)
    with pytest.raises(error, match=words.replace("(5", r"\(5")) as caught:
        shop.store().snapshot()
    assert "FOURFOLD_STORE=local" in caught.value.hint  # type: ignore[attr-defined]
    shop.wire.faults.clear()
    assert shown(shop.store().snapshot()) == {"a.py": A}


def test_a_server_that_is_not_there(tmp_path: Path) -> None:
    with wire_server() as gone:
        pass
    shop = Shop(gone, tmp_path)
    with pytest.raises(BackendUnavailable, match="cannot be reached"):
        shop.store().snapshot()
    assert len(shop.waited) == retry.ATTEMPTS - 1
    assert all(0 < wait < retry.FIRST_WAIT_S * 2**retry.ATTEMPTS for wait in shop.waited)


def test_silence_ends_after_the_time_out(wire: WireServer, tmp_path: Path) -> None:
    shop = Shop(wire, tmp_path, timeout=1)
    build(shop.store(), {"a.py": A})
    wire.faults.append(Fault("POST", "/points", times=99, silence_s=1.2))
    attempts = retry.ATTEMPTS
    try:
        retry.ATTEMPTS = 2
        with pytest.raises(BackendUnavailable, match="did not answer in time"):
            shop.store().snapshot()
    finally:
        retry.ATTEMPTS = attempts


@pytest.mark.parametrize(
    ("method", "ending", "skip"),
    [
        pytest.param("PUT", "/points", 0, id="before the points"),
        pytest.param("PUT", "/points", 1, id="before the columns"),
        pytest.param("POST", "/points/payload", 0, id="before the old ones end"),
        pytest.param("PUT", "/points", 2, id="before the manifest"),
    ],
)
def test_a_writer_that_dies_leaves_the_generation_before_it(shop: Shop, method: str, ending: str, skip: int) -> None:
    build(shop.store(), {"a.py": A, "b.py": B})
    before = shop.store().snapshot()
    fault = Fault(method, ending, status=500, times=99, skip=skip)
    with pytest.raises(BackendUnavailable), shop.store().writer() as writer:
        shop.wire.faults.append(fault)
        writer.put(make_batch({"a.py": "def other", "c.py": A}))
    assert fault.skip == 0
    shop.wire.faults.clear()
    reader = shop.store("reader").snapshot()
    assert reader.generation == before.generation
    assert shown(reader) == {"a.py": A, "b.py": B}
    end_lease(shop)
    build(shop.store(), {"d.py": "def d"})
    assert shown(shop.store("later").snapshot()) == {"a.py": A, "b.py": B, "d.py": "def d"}
    debris = Where((Is("service", "shop"), Between("valid_from", gt=shop.store().snapshot().generation)))
    assert shop.gateway.count(debris) == 0


def test_a_connection_cut_in_the_middle_of_an_upsert_shows_nothing_of_it(shop: Shop) -> None:
    build(shop.store(), {"a.py": A})
    files = {f"{n:03}.py": f"def f{n}\n{A}" for n in range(40)}
    with pytest.raises(BackendUnavailable), shop.store().writer() as writer:
        shop.wire.faults.append(Fault("PUT", "/points", times=99, skip=1, applied=True))
        writer.put(make_batch(files))
    shop.wire.faults.clear()
    assert shop.gateway.count(Where((Is("point", "chunk"),))) > 20
    assert shown(shop.store("reader").snapshot()) == {"a.py": A}
    end_lease(shop)
    build(shop.store(), files)
    later = shop.store("later").snapshot()
    assert set(later.records()) == {"a.py", *files}
    assert dict(later.texts(files)) == files


def test_vectors_of_another_dimension_are_refused_before_anything_is_sent(shop: Shop) -> None:
    shop.gateway.create(Layout(DIMENSION * 2))
    with shop.store().writer() as writer:
        sent = len(shop.wire.requests)
        with pytest.raises(ModelMismatch, match="takes vectors of 128 dimensions, the configured model makes 64"):
            writer.put(make_batch({"a.py": A}))
        assert not [path for method, path in shop.wire.requests[sent:] if method == "PUT"]


def test_a_missing_collection_is_no_index_and_a_vanished_one_an_error(shop: Shop) -> None:
    assert shop.store().snapshot().generation == 0
    build(shop.store(), {"a.py": A})
    opened = shop.store("reader")
    snapshot = opened.snapshot()
    shop.gateway.drop_physical("four-1")
    with pytest.raises(IndexUnavailable, match="does not exist"):
        snapshot.text("a.py")
    assert opened.snapshot().generation == 0
    with pytest.raises(IndexUnavailable), shop.store().writer() as writer:
        shop.gateway.drop_physical("four-1")
        writer.put(make_batch({"a.py": A}))


def test_a_key_that_may_only_read_searches_and_says_so_when_it_writes(shop: Shop) -> None:
    build(shop.store(), {"a.py": A})
    body = '{"status":{"error":"Forbidden: write access is required"}}'
    shop.wire.faults += [Fault("PUT", "/points", status=403, times=99, body=body)]
    assert shown(shop.store("reader").snapshot()) == {"a.py": A}
    with pytest.raises(IndexUnavailable, match="read only"), shop.store().writer():
        raise AssertionError("a lease without the right to write")


def test_a_read_only_store_never_writes(shop: Shop) -> None:
    build(shop.store(), {"a.py": A})
    sent = len(shop.wire.requests)
    store = shop.store("reader", read_only=True)
    assert shown(store.snapshot()) == {"a.py": A}
    store.snapshot().put_derived("graph", {})
    with pytest.raises(IndexUnavailable, match="read only"), store.writer():
        raise AssertionError("a writer of a read-only store")
    with pytest.raises(IndexUnavailable, match="read only"):
        store.clear()
    methods = {(method, path.rpartition("/")[2]) for method, path in shop.wire.requests[sent:]}
    assert not {method for method, _ in methods if method in ("PUT", "DELETE")}
    assert {path for method, path in methods if method == "POST"} <= {"points", "scroll", "count", "query", "batch"}


def test_an_old_server_is_refused(shop: Shop) -> None:
    shop.wire.version = "1.15.3"
    with pytest.raises(BackendUnavailable, match=r"version 1\.15\.3, needed is 1\.20 or newer"), shop.store().writer():
        raise AssertionError("an index on a server that cannot weigh words")


def test_a_later_layout_is_refused_and_not_rebuilt(shop: Shop) -> None:
    build(shop.store(), {"a.py": A})
    shop.gateway.set_payload(Where((Is("point", "manifest"),)), {"schema": 99})
    with pytest.raises(NewerFormat, match="layout 99"):
        shop.store().needs_rebuild  # noqa: B018
    with pytest.raises(NewerFormat), shop.store().writer():
        raise AssertionError("wrote over a later layout")


def test_a_collection_of_somebody_else_is_refused(shop: Shop) -> None:
    build(shop.store(), {"a.py": A})
    shop.gateway.set_payload(Where((Is("point", "manifest"),)), {"schema": "theirs"})
    with pytest.raises(IndexUnavailable, match="not one of Fourfold's"):
        shop.store().snapshot()


@pytest.mark.parametrize("body", ["", "[]", "{}", '{"format": "x"}', "no json"])
def test_a_manifest_that_cannot_be_read_is_one_sentence(shop: Shop, body: str) -> None:
    build(shop.store(), {"a.py": A})
    shop.gateway.set_payload(Where((Is("point", "manifest"),)), {"body": body})
    with pytest.raises(IndexUnavailable, match=r"the manifest at .* cannot be read"):
        shop.store().snapshot()
    shop.store().clear()
    assert shop.store().snapshot().generation == 0


def test_the_lease_of_a_dead_writer_ends_by_itself(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    dead = leases.Lease(shop.gateway, "shop", "index")
    shop.gateway.create(Layout(DIMENSION))
    monkeypatch.setattr(leases, "LEASE_S", 0.2)
    dead.acquire(0.0)
    dead._ended.set()  # the process is gone: nobody keeps it alive, nobody gives it back
    with shop.store().writer(wait_s=5.0) as writer:
        writer.put(make_batch({"a.py": A}))
    assert shown(shop.store().snapshot()) == {"a.py": A}


def test_a_writer_that_lost_its_lease_publishes_nothing(shop: Shop) -> None:
    build(shop.store(), {"a.py": A})
    with pytest.raises(LockHeld, match="has published"), shop.store().writer() as slow:
        end_lease(shop)
        build(shop.store("other"), {"b.py": B})
        slow.put(make_batch({"a.py": "def late"}))
    build(shop.store(), {"c.py": "def c"})
    assert shown(shop.store("reader").snapshot()) == {"a.py": A, "b.py": B, "c.py": "def c"}
