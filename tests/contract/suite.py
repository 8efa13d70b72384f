"""What any store must do: subclass :class:`StoreContract` and give it a ``make_store`` fixture.

``make_store()`` opens the same place each time it is called within a test, as another process would.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.contract.batches import chunks_of, facts_for, make_batch, record_of, skipped, symbols_of

from fourfold.model.errors import LockHeld
from fourfold.store.contract import LAST_LINE, Snapshot, Store, SymbolRow

MakeStore = Callable[[], Store]

SEVERAL_STORES = (HealthCheck.function_scoped_fixture, HealthCheck.differing_executors)
"""The fixture empties the place for each example; each backend's class runs the same test on purpose."""

A = "def alpha\nx = 1\ny = 2\ndef beta\nz = 3"
B = "def Gamma.delta\nimport alpha"


def build(store: Store, files: dict[str, str], *, finish: bool = True) -> None:
    """Put all files in one batch."""
    with store.writer() as writer:
        writer.put(make_batch(files))
        if finish:
            writer.finish()


def shown(snapshot: Snapshot) -> dict[str, str | None]:
    """Path -> text of everything indexed, having checked that all legs of the index agree about each file."""
    texts = {}
    for path, record in snapshot.records().items():
        if record.status == "skipped":
            assert snapshot.text(path) is None
            assert snapshot.chunks_of(path) == []
            assert snapshot.facts_of(path) == b""
            continue
        text = texts[path] = snapshot.text(path)
        assert text is not None
        assert snapshot.record(path) == record
        check_file(snapshot, path, text)
    stored = list(snapshot.facts())
    assert stored == [(path, facts_for(text or "")) for path, text in sorted(texts.items())]
    return texts


def check_file(snapshot: Snapshot, path: str, text: str) -> None:
    """Chunks, symbols and literals of one file say the same as its text."""
    rows = snapshot.chunks_of(path)
    assert [(row.start_line, row.end_line) for row in rows] == [(c.start_line, c.end_line) for c in chunks_of(text)]
    assert snapshot.chunk_rows([row.number for row in rows]) == rows
    assert [row.symbol for row in snapshot.symbols_of(path)] == list(symbols_of(text))
    for first, last in ((1, 3), (2, 2), (3, 1)):
        inside = [one for one in symbols_of(text) if first <= one.start_line <= last]
        assert [row.symbol for row in snapshot.symbols_of(path, (first, last))] == inside
        named = [(s.start_line, s.end_line, s.kind, s.qualified_name, s.parent, s.signature, s.name) for s in inside]
        within, nothing = snapshot.names_within([(path, first, last), ("no such file", 1, 9)])
        assert ([one[:-1] for one in within], nothing) == (named, [])
    (defined,) = snapshot.names_within([(path, 0, LAST_LINE)])
    at = [rows[one.chunk].number if one.chunk >= 0 else -1 for one in defined]
    assert at == [row.chunk for row in snapshot.symbols_of(path)]
    assert snapshot.facts_of(path) == facts_for(text)
    for symbol in symbols_of(text):
        found = [row for row in snapshot.symbols_named(symbol.qualified_name, limit=1000) if row.path == path]
        assert symbol in [row.symbol for row in found]
        assert all(holds(snapshot, row) for row in found)
    literal = text[:20]
    if len(literal) >= 3:
        candidates = snapshot.paths_with_trigrams([[literal]])
        assert candidates is None or path in candidates


def holds(snapshot: Snapshot, row: SymbolRow) -> bool:
    """The chunk that a symbol names is of its file and holds its first line."""
    (chunk,) = snapshot.chunk_rows([row.chunk])
    return chunk.path == row.path and chunk.start_line <= row.symbol.start_line <= chunk.end_line


class StoreContract:
    """The contract. Each test starts with an empty place."""

    @pytest.fixture
    def make_store(self) -> Iterator[MakeStore]:
        raise NotImplementedError("a backend's test class says how its store is opened")
        yield

    @pytest.fixture
    def store(self, make_store: MakeStore) -> Store:
        return make_store()

    def test_empty_place_is_an_empty_generation(self, store: Store) -> None:
        snapshot = store.snapshot()
        assert snapshot.generation == 0
        assert dict(snapshot.records()) == {}
        assert snapshot.info().files == 0
        assert snapshot.text("a.py") is None
        assert snapshot.symbols_named("alpha") == []

    def test_put_makes_every_leg_visible(self, store: Store) -> None:
        build(store, {"a.py": A, "sub/b.py": B})
        snapshot = store.snapshot()
        assert shown(snapshot) == {"a.py": A, "sub/b.py": B}
        assert snapshot.record("a.py") == record_of("a.py", A)
        info = snapshot.info()
        assert (info.files, info.skipped, info.symbols, info.lines) == (2, 0, 3, 7)
        assert info.chunks == len(chunks_of(A)) + len(chunks_of(B))

    def test_same_snapshot_while_nothing_changed(self, store: Store) -> None:
        build(store, {"a.py": A})
        assert store.snapshot() is store.snapshot()

    def test_generations_rise(self, store: Store) -> None:
        with store.writer() as writer:
            first = writer.put(make_batch({"a.py": A}))
            second = writer.put(make_batch({"b.py": B}))
            third = writer.remove(["a.py"])
            assert first < second < third == store.snapshot().generation

    def test_replace_with_fewer_chunks_leaves_no_orphan(self, store: Store) -> None:
        build(store, {"a.py": A, "b.py": B})
        before = [row.number for row in store.snapshot().chunks_of("a.py")]
        build(store, {"a.py": "def beta"}, finish=False)
        snapshot = store.snapshot()
        assert shown(snapshot) == {"a.py": "def beta", "b.py": B}
        assert snapshot.symbols_named("alpha") == []
        assert snapshot.info().chunks == 1 + len(chunks_of(B))
        for number in before:
            with pytest.raises(KeyError):
                snapshot.chunk_rows([number])

    def test_remove_leaves_no_ghost(self, store: Store) -> None:
        build(store, {"a.py": A, "b.py": B})
        with store.writer() as writer:
            writer.remove(["a.py", "never.py"])
        snapshot = store.snapshot()
        assert shown(snapshot) == {"b.py": B}
        assert snapshot.record("a.py") is None
        assert "a.py" not in (snapshot.paths_with_trigrams([["alpha"]]) or [])

    def test_facts_are_kept_as_given_and_live_with_their_file(self, store: Store) -> None:
        build(store, {"a.py": A, "b.py": B, "none.py": "nothing defined"})
        old = store.snapshot()
        assert list(old.facts()) == [("a.py", facts_for(A)), ("b.py", facts_for(B)), ("none.py", b"")]
        assert old.facts_of("never.py") == b""
        build(store, {"a.py": B})
        with store.writer() as writer:
            writer.remove(["b.py"])
            writer.put(make_batch({}, [skipped("none.py")]))
        assert list(store.snapshot().facts()) == [("a.py", facts_for(B))]
        assert store.snapshot().facts_of("b.py") == store.snapshot().facts_of("none.py") == b""
        assert dict(old.facts()) == {"a.py": facts_for(A), "b.py": facts_for(B), "none.py": b""}

    def test_facts_of_many_files_come_in_path_order(self, store: Store) -> None:
        files = {f"{n:04}/ä.py": f"def f{n}" for n in range(1203)}
        build(store, dict(reversed(files.items())))
        facts = store.snapshot().facts()
        assert list(facts) == [(path, facts_for(text)) for path, text in files.items()]

    def test_emptied_file_is_kept_without_chunks(self, store: Store) -> None:
        build(store, {"a.py": A})
        build(store, {"a.py": ""})
        snapshot = store.snapshot()
        assert shown(snapshot) == {"a.py": ""}
        assert snapshot.chunks_of("a.py") == []
        assert snapshot.info().chunks == 0

    def test_moved_file_answers_under_its_new_path(self, store: Store) -> None:
        build(store, {"a.py": A})
        with store.writer() as writer:
            writer.put(make_batch({"c/a.py": A}))
            writer.remove(["a.py"])
        snapshot = store.snapshot()
        assert shown(snapshot) == {"c/a.py": A}
        assert {row.path for row in snapshot.symbols_named("alpha")} == {"c/a.py"}

    def test_skipped_files_are_records_only(self, store: Store) -> None:
        with store.writer() as writer:
            writer.put(make_batch({"a.py": A}, [skipped("big.bin"), skipped("key.pem", "secret")]))
        snapshot = store.snapshot()
        assert shown(snapshot) == {"a.py": A}
        assert snapshot.record("key.pem") == skipped("key.pem", "secret")
        assert (snapshot.info().files, snapshot.info().skipped) == (1, 2)

    def test_file_may_become_skipped_and_come_back(self, store: Store) -> None:
        build(store, {"a.py": A})
        with store.writer() as writer:
            writer.put(make_batch({}, [skipped("a.py", "too-large")]))
        assert shown(store.snapshot()) == {}
        assert store.snapshot().symbols_named("alpha") == []
        build(store, {"a.py": A})
        assert shown(store.snapshot()) == {"a.py": A}

    def test_touch_changes_stat_values_alone(self, store: Store) -> None:
        build(store, {"a.py": A})
        old = store.snapshot()
        numbers = [row.number for row in old.chunks_of("a.py")]
        with store.writer() as writer:
            writer.touch([record_of("a.py", A, mtime_ns=5, inode=2**64 - 1), record_of("never.py", A)])
        snapshot = store.snapshot()
        assert snapshot.generation > old.generation
        assert snapshot.record("a.py") == record_of("a.py", A, mtime_ns=5, inode=2**64 - 1)
        assert list(snapshot.records()) == ["a.py"]
        assert snapshot.tally() == {"": 1}
        assert [row.number for row in snapshot.chunks_of("a.py")] == numbers

    def test_writes_that_change_nothing_publish_nothing(self, store: Store) -> None:
        build(store, {"a.py": A})
        before = store.snapshot()
        with store.writer() as writer:
            writer.set_meta({"model": "m"})
            known = store.snapshot()
            writer.set_meta({"model": "m"})
            assert writer.put(make_batch({})) == known.generation
            assert writer.remove(["never.py"]) == known.generation
            assert writer.touch([]) == known.generation
        assert store.snapshot() is known
        assert known.generation > before.generation

    def test_meta_is_part_of_a_generation(self, store: Store) -> None:
        build(store, {"a.py": A})
        with store.writer() as writer:
            writer.set_meta({"model": "one", "commit": "c0ffee"})
            old = store.snapshot()
            writer.set_meta({"model": "two"})
        assert dict(old.meta) == {"model": "one", "commit": "c0ffee"}
        assert dict(store.snapshot().meta) == {"model": "two", "commit": "c0ffee"}
        assert store.snapshot().info().meta["model"] == "two"

    def test_reader_of_an_older_generation_reads_on(self, store: Store) -> None:
        build(store, {"a.py": A, "b.py": B})
        old = store.snapshot()
        numbers = [row.number for row in old.chunks_of("a.py")]
        for round_ in range(6):  # enough segments for a merge
            build(store, {"a.py": f"def new{round_}", f"c{round_}.py": "def other"})
        with store.writer() as writer:
            writer.remove(["b.py"])
            writer.finish()
        assert shown(old) == {"a.py": A, "b.py": B}
        assert old.info().files == 2
        assert [row.path for row in old.chunk_rows(numbers)] == ["a.py"] * len(numbers)
        assert old.paths_with_trigrams([["alpha"]]) == ["a.py", "b.py"]
        assert old.symbols_named("new0") == []

    def test_wipe_forgets_everything_but_not_for_readers(self, store: Store) -> None:
        build(store, {"a.py": A})
        old = store.snapshot()
        with store.writer() as writer:
            writer.set_meta({"model": "one"})
            writer.wipe()
            empty = store.snapshot()
            assert dict(empty.records()) == {}
            assert dict(empty.meta) == {}
            assert empty.generation > old.generation
            assert shown(old) == {"a.py": A}
            writer.put(make_batch({"b.py": B}))
        assert shown(store.snapshot()) == {"b.py": B}

    def test_chunk_rows_keep_the_order_asked_for(self, store: Store) -> None:
        files = {f"{n}.py": f"def f{n}\n" * 20 for n in range(30)}
        build(store, files)
        snapshot = store.snapshot()
        numbers = [row.number for path in files for row in snapshot.chunks_of(path)]
        assert len(set(numbers)) == len(numbers)
        asked = numbers[::-3] + numbers[:2] + numbers[:2]
        assert [row.number for row in snapshot.chunk_rows(asked)] == asked
        assert snapshot.chunk_rows([]) == []

    @pytest.mark.parametrize("number", [-1, 10**9])
    def test_unknown_chunk_number_is_a_key_error(self, store: Store, number: int) -> None:
        build(store, {"a.py": A})
        with pytest.raises(KeyError):
            store.snapshot().chunk_rows([number])

    def test_symbols_by_bare_and_qualified_name_and_case(self, store: Store) -> None:
        build(store, {"a.py": "def Gamma.delta\ndef delta\ndef DELTA\ndef Straße", "b.py": "def Gamma.delta"})
        snapshot = store.snapshot()

        def found(name: str, **options: bool | int) -> list[tuple[str, str]]:
            rows = snapshot.symbols_named(name, **options)  # type: ignore[arg-type]
            return [(row.path, row.symbol.qualified_name) for row in rows]

        assert found("delta") == [("a.py", "Gamma.delta"), ("a.py", "delta"), ("b.py", "Gamma.delta")]
        assert found("Gamma.delta") == [("a.py", "Gamma.delta"), ("b.py", "Gamma.delta")]
        assert found("gamma.DELTA") == []
        assert len(found("gamma.DELTA", ignore_case=True)) == 2
        assert len(found("Delta", ignore_case=True)) == 4
        assert found("STRASSE", ignore_case=True) == [("a.py", "Straße")]
        assert len(found("delta", limit=2)) == 2
        assert found("nothing") == found("") == found("%") == []

    LITERALS: Sequence[str] = (
        'say "hello" AND "bye"',
        "it's; DROP TABLE files--",
        "検索エンジン",
        "naïve Café",
        "emoji 🙂🙃 here",
        "a\0b\0c nul",
        "col:umn NEAR(x) * ^ -y",
        "tab\tand\nnewline",
        "x" * 5000,
        "'''",
        '"""',
    )

    @pytest.mark.parametrize("literal", LITERALS)
    def test_literals_are_found_whatever_they_hold(self, store: Store, literal: str) -> None:
        build(store, {"yes.py": f"before\n{literal}\nafter", "no.py": "nothing of the kind"})
        snapshot = store.snapshot()
        assert snapshot.paths_with_trigrams([[literal]]) == ["yes.py"]
        assert snapshot.paths_with_trigrams([[literal.upper()]]) == ["yes.py"]
        assert snapshot.text("yes.py") == f"before\n{literal}\nafter"

    def test_literals_combine_as_alternatives_of_conjunctions(self, store: Store) -> None:
        build(store, {"ab.py": "apple banana", "a.py": "apple", "c.py": "cherry", "d.py": "dates"})
        find = store.snapshot().paths_with_trigrams
        assert find([["apple", "banana"]]) == ["ab.py"]
        assert find([["apple", "banana"], ["cherry"]]) == ["ab.py", "c.py"]
        assert find([["apple", "no"]]) == ["a.py", "ab.py"]
        assert find([["nowhere to be found"]]) == []

    @pytest.mark.parametrize("required", [[], [[]], [["ab"]], [["apple"], ["x"]], [["apple"]] * 1000])
    def test_what_cannot_be_narrowed_says_so(self, store: Store, required: list[list[str]]) -> None:
        build(store, {"a.py": "apple"})
        assert store.snapshot().paths_with_trigrams(required) in (None, ["a.py"])

    def test_equal_texts_live_and_die_apart(self, store: Store) -> None:
        build(store, {"a.py": A, "copy.py": A})
        with store.writer() as writer:
            writer.remove(["a.py"])
            writer.finish()
        assert shown(store.snapshot()) == {"copy.py": A}

    def test_odd_paths(self, store: Store) -> None:
        files = {"a b'\"%.py": A, "ünï/文件.py": B, "bad\udcff\udc80name.py": "def x", "-rf": "def y"}
        build(store, files)
        assert shown(store.snapshot()) == files
        with store.writer() as writer:
            writer.remove(["bad\udcff\udc80name.py"])
        assert "bad\udcff\udc80name.py" not in store.snapshot().records()

    def test_second_writer_is_refused_and_told_who(self, store: Store, make_store: MakeStore) -> None:
        with store.writer(purpose="watch"), pytest.raises(LockHeld, match="watch"), make_store().writer():
            raise AssertionError("two writers at once")
        with make_store().writer() as writer:
            writer.put(make_batch({"a.py": A}))

    def test_second_writer_may_wait(self, store: Store, make_store: MakeStore) -> None:
        entered, leave = threading.Event(), threading.Event()

        def hold() -> None:
            with store.writer():
                entered.set()
                leave.wait(10)

        thread = threading.Thread(target=hold)
        thread.start()
        assert entered.wait(10)
        threading.Timer(0.1, leave.set).start()
        with make_store().writer(wait_s=10) as writer:
            writer.put(make_batch({"a.py": A}))
        thread.join()
        assert shown(make_store().snapshot()) == {"a.py": A}

    def test_failed_writer_leaves_lock_and_generation(self, store: Store) -> None:
        build(store, {"a.py": A})
        before = store.snapshot().generation
        with pytest.raises(ZeroDivisionError), store.writer() as writer:
            writer.put(make_batch({"b.py": B}))
            raise ZeroDivisionError
        assert store.snapshot().generation == before + 1
        build(store, {"c.py": "def c"})
        assert set(shown(store.snapshot())) == {"a.py", "b.py", "c.py"}

    def test_path_twice_in_one_batch_is_refused_whole(self, store: Store) -> None:
        build(store, {"a.py": A})
        before = store.snapshot()
        with store.writer() as writer, pytest.raises(ValueError, match=r"b\.py"):
            writer.put(make_batch({"b.py": B}, [skipped("b.py")]))
        assert store.snapshot() is before

    def test_another_opening_sees_what_was_published(self, store: Store, make_store: MakeStore) -> None:
        other = make_store()
        assert other.snapshot().generation == 0
        build(store, {"a.py": A})
        assert shown(other.snapshot()) == {"a.py": A}
        build(store, {"b.py": B})
        assert shown(other.snapshot()) == {"a.py": A, "b.py": B}

    def test_clear_leaves_nothing(self, store: Store, make_store: MakeStore) -> None:
        other = make_store()
        build(store, {"a.py": A})
        assert other.snapshot().info().files == 1
        store.clear()
        assert store.snapshot().info().files == other.snapshot().info().files == 0
        store.clear()
        build(store, {"b.py": B})
        assert shown(store.snapshot()) == shown(other.snapshot()) == {"b.py": B}

    def test_clear_waits_for_no_writer(self, store: Store, make_store: MakeStore) -> None:
        build(store, {"a.py": A})
        with store.writer(), pytest.raises(LockHeld):
            make_store().clear()
        assert shown(store.snapshot()) == {"a.py": A}

    def test_statistics_are_asked_for_the_final_content(self, store: Store) -> None:
        seen: list[Snapshot] = []

        def count(snapshot: Snapshot) -> dict[str, np.ndarray[tuple[int], np.dtype[np.float32]]]:
            seen.append(snapshot)
            return {"n": np.array([snapshot.info().files], np.float32)}

        with store.writer() as writer:
            writer.put(make_batch({"a.py": A}))
            generation = writer.finish(count)
            assert [snapshot.generation for snapshot in seen] == [generation]
            writer.finish(count)
            assert len(seen) == 1
            writer.put(make_batch({"b.py": B}))
            writer.finish(count)
            assert len(seen) == 2

    @settings(max_examples=25, deadline=None, suppress_health_check=SEVERAL_STORES)
    @given(data=st.data())
    def test_any_history_ends_like_a_dict(self, make_store: MakeStore, data: st.DataObject) -> None:
        store = make_store()
        store.clear()
        paths = st.sampled_from(["a.py", "b.py", "c/d.py", "e.py"])
        texts = st.sampled_from([A, B, "", "def alpha", "\n\n", "def Gamma.delta\n" * 7])
        model: dict[str, str] = {}
        steps = data.draw(
            st.lists(
                st.one_of(
                    st.dictionaries(paths, texts, min_size=1),
                    st.lists(paths, min_size=1, max_size=2),
                    st.just("finish"),
                ),
                max_size=14,
            )
        )
        with store.writer() as writer:
            for step in steps:
                if isinstance(step, dict):
                    writer.put(make_batch(step))
                    model.update(step)
                elif isinstance(step, list):
                    writer.remove(step)
                    for path in step:
                        model.pop(path, None)
                else:
                    writer.finish()
            assert shown(store.snapshot()) == model
        info = store.snapshot().info()
        assert info.chunks == sum(len(chunks_of(text)) for text in model.values())
        assert info.symbols == sum(len(symbols_of(text)) for text in model.values())
