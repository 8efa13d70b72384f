"""The Qdrant store beyond the contract: what crosses the network, what is shared, what is swept."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from tests.contract.batches import DIMENSION, make_batch
from tests.contract.suite import A, B, build, shown
from tests.store.qdrant_wire import WireServer, wire_server

from fourfold.model.errors import IndexUnavailable, LockHeld
from fourfold.store.local.store import LocalStore
from fourfold.store.migrate import COMPLETE, WALKED, migrate
from fourfold.store.qdrant import grams, listing, reweigh, table, words
from fourfold.store.qdrant import sweep as sweeping
from fourfold.store.qdrant.client import ClientGateway
from fourfold.store.qdrant.gateway import MAX_POINTS, batches
from fourfold.store.qdrant.layout import WORDS, Layout
from fourfold.store.qdrant.points import Is, Point, Sparse, Where, point_id
from fourfold.store.qdrant.reshape import reshape
from fourfold.store.qdrant.store import QdrantStore

qdrant_client = pytest.importorskip("qdrant_client")


@pytest.fixture
def wire() -> Iterator[WireServer]:
    with wire_server() as server:
        yield server


@pytest.fixture
def gateway(wire: WireServer) -> Iterator[ClientGateway]:
    made = ClientGateway(lambda: qdrant_client.QdrantClient(url=wire.url, check_compatibility=False), "four", wire.url)
    yield made
    made.close()


def store_in(gateway: ClientGateway, folder: Path, service: str = "shop") -> QdrantStore:
    """A store of a service with its cache in `folder`."""
    return QdrantStore(gateway, service, folder, lambda: Layout(DIMENSION))


def asked(wire: WireServer, since: int, ending: str) -> int:
    """How many requests since one ended with a path."""
    return sum(path.endswith(ending) for _, path in wire.requests[since:])


def test_a_collection_is_made_behind_an_alias_as_the_layout_says(wire: WireServer, gateway: ClientGateway) -> None:
    gateway.create(Layout(DIMENSION, shards=6, replicas=2, quantisation="binary"))
    body = next(body for (method, path), body in zip(wire.requests, wire.bodies, strict=True)
                if method == "PUT" and path == "/collections/four-1")  # fmt: skip
    assert (body["shard_number"], body["replication_factor"]) == (6, 2)
    assert set(body["vectors"]) == {"code", "content"}
    assert body["vectors"]["code"] == {"size": DIMENSION, "distance": "Cosine", "on_disk": True}
    assert body["sparse_vectors"]["words"]["modifier"] == "idf"
    assert body["quantization_config"] == {"binary": {"always_ram": True}}
    assert body["hnsw_config"] == {"m": 0, "payload_m": 16}
    indexes = {body["field_name"]: body["field_schema"] for body in wire.bodies if body and "field_name" in body}
    assert indexes["service"] == {"type": "keyword", "is_tenant": True}
    assert {"path", "language", "kind", "symbol", "names", "valid_from", "valid_to", "grams"} <= set(indexes)
    assert gateway.physical() == "four-1"
    assert gateway.dimension() == DIMENSION


def test_a_reader_fetches_columns_once_and_then_what_changed(
    wire: WireServer, gateway: ClientGateway, tmp_path: Path
) -> None:
    files = {f"{n:02}.py": f"def f{n}\n{A}" for n in range(8)}
    build(store_in(gateway, tmp_path / "writer"), files)
    reader = store_in(gateway, tmp_path / "reader")
    assert len(reader.snapshot().segments) == 1
    since = len(wire.requests)
    again = store_in(gateway, tmp_path / "reader").snapshot()
    assert len(again.segments) == 1
    assert len(again.records()) == 8
    assert len(wire.requests) - since == 1, "only the manifest"
    build(store_in(gateway, tmp_path / "writer"), {"07.py": "def changed"})
    since = len(wire.requests)
    snapshot = reader.snapshot()
    assert set(snapshot.records()) == set(files)
    scrolled = [body for (_, path), body in zip(wire.requests[since:], wire.bodies[since:], strict=True)
                if path.endswith("/scroll")]  # fmt: skip
    assert len(scrolled) == 2, "what ended, and what is new"
    assert shown(snapshot)["07.py"] == "def changed"


def test_a_damaged_cache_is_fetched_again(wire: WireServer, gateway: ClientGateway, tmp_path: Path) -> None:
    build(store_in(gateway, tmp_path / "writer"), {"a.py": A})
    reader = store_in(gateway, tmp_path / "reader")
    (path,) = (view.segment.path for view in reader.snapshot().segments)
    data = path.read_bytes()
    path.write_bytes(data[:-9] + b"x" * 9)
    again = store_in(gateway, tmp_path / "reader")
    assert [view.name for view in again.snapshot().segments] == [path.name]
    assert path.read_bytes() == data
    assert again.faults() == []


def test_statistics_and_derived_arrays_are_shared(wire: WireServer, gateway: ClientGateway, tmp_path: Path) -> None:
    writer = store_in(gateway, tmp_path / "writer")
    build(writer, {"a.py": A}, finish=False)
    with writer.writer() as one:
        one.finish(lambda _: {"mean_vector": np.arange(4, dtype=np.float32)})
    writer.snapshot().put_derived("graph", {"edges": np.array([[1, 2]], np.int32)})
    found = store_in(gateway, tmp_path / "reader").snapshot()
    mean, graph = found.statistic("mean_vector"), found.derived("graph")
    assert mean is not None and mean.tolist() == [0, 1, 2, 3]
    assert graph is not None and graph["edges"].tolist() == [[1, 2]]
    since = len(wire.requests)
    assert store_in(gateway, tmp_path / "reader").snapshot().derived("graph") is not None
    assert asked(wire, since, "/points") == 1, "only the manifest: the arrays are cached"
    build(writer, {"b.py": B})
    assert store_in(gateway, tmp_path / "reader").snapshot().derived("graph") is None


def test_what_ended_is_swept_after_its_time(
    gateway: ClientGateway, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = store_in(gateway, tmp_path)
    build(store, {"a.py": A, "b.py": B})
    build(store, {"a.py": "def new"})
    ended = Where((Is("path", "a.py"), Is("point", "file")))
    assert gateway.count(ended) == 2
    monkeypatch.setattr(sweeping, "GRACE_S", -1.0)
    old = store.snapshot()
    with store.writer() as writer:
        writer.remove(["b.py"])
        writer.finish()
    assert gateway.count(ended) == 1
    assert shown(store.snapshot()) == {"a.py": "def new"}
    monkeypatch.setattr("fourfold.store.qdrant.snapshot._CHECK_AFTER_S", -1.0)
    with pytest.raises(IndexUnavailable, match="no longer kept"):
        old.text("b.py")


def test_services_do_not_meet(gateway: ClientGateway, tmp_path: Path) -> None:
    shop, bank = store_in(gateway, tmp_path / "1"), store_in(gateway, tmp_path / "2", "bank")
    build(shop, {"a.py": A})
    build(bank, {"a.py": B, "b.py": B})
    assert shown(shop.snapshot()) == {"a.py": A}
    assert [row.path for row in shop.snapshot().symbols_named("delta")] == []
    bank.clear()
    assert shown(shop.snapshot()) == {"a.py": A}
    assert [one.name for one in listing.services(gateway)] == ["shop"]


def test_many_indexers_of_disjoint_services_at_once(gateway: ClientGateway, tmp_path: Path) -> None:
    failed: list[BaseException] = []

    def run(number: int) -> None:
        try:
            store = store_in(gateway, tmp_path / str(number), f"service{number}")
            for step in range(3):
                build(store, {f"{step}.py": f"def s{number}_{step}"})
        except BaseException as error:
            failed.append(error)

    threads = [threading.Thread(target=run, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failed == []
    assert [(one.name, one.files, one.writer) for one in listing.services(gateway)] == [
        (f"service{number}", 3, "") for number in range(4)
    ]
    for number in range(4):
        found = shown(store_in(gateway, tmp_path / "reader", f"service{number}").snapshot())
        assert found == {f"{step}.py": f"def s{number}_{step}" for step in range(3)}


def test_a_lease_is_held_for_as_long_as_the_writer_lives(
    gateway: ClientGateway, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("fourfold.store.qdrant.lease.LEASE_S", 0.5)
    monkeypatch.setattr("fourfold.store.qdrant.lease.RENEW_S", 0.05)
    store = store_in(gateway, tmp_path)
    with store.writer(purpose="watch") as writer:
        time.sleep(0.8)
        assert store.owner.startswith("watch (process ")
        with pytest.raises(LockHeld), store_in(gateway, tmp_path / "other").writer():
            raise AssertionError("two writers")
        writer.put(make_batch({"a.py": A}))
    assert store.owner == ""


def test_words_are_weighed_anew_where_the_means_have_moved(
    wire: WireServer, gateway: ClientGateway, tmp_path: Path
) -> None:
    store = store_in(gateway, tmp_path)
    build(store, {"a.py": A}, finish=False)
    before = store.snapshot().manifest.means
    build(store, {f"{n}.py": f"{B}\n" * n for n in range(1, 9)})
    snapshot = store.snapshot()
    after = snapshot.manifest.means
    assert before is not None and after is not None and reweigh.differ(before, after)
    assert after == reweigh.present_means(snapshot.segments)
    assert asked(wire, 0, "/points/vectors") >= 1
    expected = {
        point.id: point.vectors[WORDS]
        for batch in reweigh.points(store.place, snapshot.manifest, snapshot.segments, after)
        for point in batch
    }  # fmt: skip
    stored = {
        found.id: found.vectors[WORDS]
        for found in gateway.scroll(table.visible("shop", snapshot.manifest), ("point",), vectors=True)
        if WORDS in found.vectors
    }
    assert set(stored) == set(expected)
    for identity, sparse in expected.items():
        found = stored[identity]
        assert isinstance(found, Sparse) and isinstance(sparse, Sparse)
        assert dict(zip(found.indices, found.values, strict=True)) == pytest.approx(
            dict(zip(sparse.indices, sparse.values, strict=True)), rel=1e-5
        )


def test_a_row_has_one_value_an_index_and_terms_of_different_kinds_stay_apart() -> None:
    batch = make_batch({"a.py": A, "b.py": B})
    means = words.means_of(batch.arrays)
    for sparse in (*words.chunk_words(batch.arrays, means), *words.file_words(batch.arrays, means)):
        assert len(set(sparse.indices)) == len(sparse.indices)
        assert all(0 <= index < 2**32 for index in sparse.indices)
        assert all(value > 0 for value in sparse.values)
    terms = np.array([7, 2**40 + 3], np.uint64)
    spaces = [words.raw_index(terms), words.stem_index(terms), words.field_index(terms, "path"),
              words.field_index(terms, "body")]  # fmt: skip
    assert len({tuple(space.tolist()) for space in spaces}) == 4


@pytest.mark.parametrize("text", ["", "ab", "abc", "Straße", "検索エンジン", "a\0b", "x" * 9, "🙂🙃é"])
def test_trigrams_of_a_part_are_among_those_of_the_whole_in_any_case(text: str) -> None:
    whole = set(grams.grams(f"some text before {text} and after"))
    assert set(grams.grams(text)) <= whole
    assert set(grams.grams(text.upper())) <= whole
    assert all(0 <= gram < 1 << grams.BUCKETS_BITS for gram in whole)


def test_requests_stay_small() -> None:
    points = [Point(point_id(n), {"text": "x" * 400_000}) for n in range(30)]
    assert [len(part) for part in batches(points)] == [12, 12, 6]
    light = [Point(point_id(n), {}) for n in range(MAX_POINTS * 2 + 1)]
    assert [len(part) for part in batches(light)] == [MAX_POINTS, MAX_POINTS, 1]
    huge = [Point(point_id(n), {"text": "x" * 9_000_000}) for n in range(2)]
    assert [len(part) for part in batches(huge)] == [1, 1]
    assert list(batches([])) == []


@pytest.fixture
def small_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    """A migration in steps of four files."""
    monkeypatch.setattr("fourfold.store.migrate.FILES_AT_ONCE", 4)


@pytest.mark.usefixtures("small_batches")
def test_an_index_moves_there_and_back(gateway: ClientGateway, tmp_path: Path) -> None:
    files = {f"{n:03}.py": f"def f{n}\n{A}" for n in range(6)} | {"bad\udcff.py": B, "empty.py": ""}
    with LocalStore(tmp_path / "local") as local, LocalStore(tmp_path / "back") as back:
        build(local, files)
        with local.writer() as writer:
            writer.set_meta({"model": "m", "complete": "1"})
        remote = store_in(gateway, tmp_path / "cache")
        done = migrate(local, remote)  # type: ignore[arg-type]
        assert (done.copied, done.kept, done.removed) == (8, 0, 0)
        assert shown(remote.snapshot()) == files
        assert dict(remote.snapshot().meta) == {"model": "m", "complete": "1"}
        migrate(remote, back)  # type: ignore[arg-type]
        assert shown(back.snapshot()) == files
        for name in ("chunk.vector", "raw.terms", "raw.counts", "file.lengths", "name_tokens.values"):
            there = np.concatenate([view.array(name) for view in back.snapshot().segments])
            assert len(there) >= 1
            if name in ("chunk.vector", "file.lengths"):
                here = np.concatenate([view.array(name) for view in local.snapshot().segments])
                assert (there == here).all()


@pytest.mark.usefixtures("small_batches")
def test_a_migration_that_was_cut_short_goes_on(gateway: ClientGateway, tmp_path: Path) -> None:
    files = {f"{n:03}.py": f"def f{n}" for n in range(9)}
    with LocalStore(tmp_path / "local") as local:
        build(local, files)
        with local.writer() as writer:
            writer.set_meta({WALKED: "walked"})
        remote = store_in(gateway, tmp_path / "cache")

        def stop(done: int, total: int) -> None:
            if done >= 4:
                raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            migrate(local, remote, stop)  # type: ignore[arg-type]
        assert len(shown(remote.snapshot())) == 4
        assert (remote.snapshot().meta.get(COMPLETE), WALKED in remote.snapshot().meta) == ("0", False)
        with local.writer() as writer:
            writer.remove(["000.py"])
        done = migrate(local, remote)  # type: ignore[arg-type]
        assert (done.copied, done.kept, done.removed) == (5, 3, 1)
        assert set(shown(remote.snapshot())) == set(files) - {"000.py"}
        assert remote.snapshot().meta[WALKED] == "walked"


def test_an_index_of_another_model_is_replaced_and_an_unfinished_one_not_copied(
    gateway: ClientGateway, tmp_path: Path
) -> None:
    remote = store_in(gateway, tmp_path / "cache")
    build(remote, {"old.py": B})
    with remote.writer() as writer:
        writer.set_meta({"model": "other"})
    with LocalStore(tmp_path / "local") as local:
        with pytest.raises(IndexUnavailable, match="no finished index"):
            migrate(local, remote)  # type: ignore[arg-type]
        build(local, {"a.py": A})
        with local.writer() as writer:
            writer.set_meta({"model": "m", "complete": "0"})
        with pytest.raises(IndexUnavailable, match="no finished index"):
            migrate(local, remote)  # type: ignore[arg-type]
        with local.writer() as writer:
            writer.set_meta({"complete": "1"})
        done = migrate(local, remote)  # type: ignore[arg-type]
    assert (done.copied, done.removed) == (1, 0)
    assert shown(remote.snapshot()) == {"a.py": A}


def test_a_collection_is_reshaped_while_it_serves(wire: WireServer, gateway: ClientGateway, tmp_path: Path) -> None:
    store = store_in(gateway, tmp_path / "a")
    build(store, {"a.py": A, "b.py": B})
    snapshot = store.snapshot()
    done = reshape(gateway, Layout(0, shards=4))
    assert (done.name, gateway.physical()) == ("four-2", "four-2")
    assert shown(snapshot) == {"a.py": A, "b.py": B}
    assert not gateway.client.collection_exists("four-1")
    body = next(body for (_, path), body in zip(wire.requests, wire.bodies, strict=True) if path.endswith("/four-2"))
    assert body["shard_number"] == 4
    assert gateway.dimension() == DIMENSION
    build(store, {"c.py": "def c"})
    assert set(shown(store_in(gateway, tmp_path / "b").snapshot())) == {"a.py", "b.py", "c.py"}


def test_a_reshape_that_was_cut_short_serves_the_old_collection_and_goes_on(
    gateway: ClientGateway, tmp_path: Path
) -> None:
    store = store_in(gateway, tmp_path / "a")
    build(store, {f"{n:02}.py": A for n in range(40)})

    def stop(done: int, total: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        reshape(gateway, Layout(0), stop)
    assert gateway.physical() == "four-1"
    assert len(store.snapshot().records()) == 40
    with store.writer(), pytest.raises(LockHeld):
        reshape(gateway, Layout(0))
    assert reshape(gateway, Layout(0)).name == "four-2"
    assert len(store_in(gateway, tmp_path / "b").snapshot().records()) == 40
