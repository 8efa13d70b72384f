"""Faults of the index itself: damage is said and rebuilt once; what cannot be written or is not complete is said."""

from __future__ import annotations

import os
import random
import sqlite3
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from fourfold import Index
from fourfold.config.places import ROOT_FILE
from fourfold.index import collect as collect_module
from fourfold.index import pool
from fourfold.model.errors import IndexDamaged, IndexUnavailable, LockHeld, PathOutsideRoot
from fourfold.store.local import lock
from fourfold.store.local.store import LocalStore
from fourfold.store.local.writer import LocalWriter

OpenIndex = Callable[[], Index]
QUESTION = "how is the retry back-off computed"


def built(open_index: OpenIndex) -> Index:
    """An index that a process has built and closed, opened by another."""
    first = open_index()
    first.refresh()
    first.close()
    return open_index()


def flip_segment(index: Index) -> None:
    (path,) = (index.location / "segments").iterdir()
    content = bytearray(path.read_bytes())
    middle = len(content) // 2
    content[middle:] = bytes(len(content) - middle)
    path.write_bytes(content)


def spoil_page(index: Index) -> None:
    """Overwrite the root page of a table that a refresh of an unchanged tree does not read."""
    path = index.location / "index.sqlite"
    connection = sqlite3.connect(path)
    page = connection.execute("SELECT rootpage FROM sqlite_schema WHERE name = 'chunks'").fetchone()[0]
    size = connection.execute("PRAGMA page_size").fetchone()[0]
    connection.close()
    with path.open("r+b") as file:
        file.seek((page - 1) * size)
        file.write(b"\xff" * size)


def spoil_texts(index: Index) -> None:
    """Make texts that do not unpack: without the checksum, no check of pages sees it."""
    (index.location / "index.sqlite.crc32").unlink(missing_ok=True)
    connection = sqlite3.connect(index.location / "index.sqlite")
    connection.execute("UPDATE texts SET body = zeroblob(40)")
    connection.commit()
    connection.close()


def lose_chunks(index: Index) -> None:
    (index.location / "index.sqlite.crc32").unlink(missing_ok=True)
    connection = sqlite3.connect(index.location / "index.sqlite")
    connection.execute("DELETE FROM chunks")
    connection.commit()
    connection.close()


def change_a_row(index: Index) -> None:
    """Well-formed and wrong: only the checksum tells."""
    connection = sqlite3.connect(index.location / "index.sqlite")
    connection.execute("UPDATE chunks SET signature = 'def elsewhere()'")
    connection.commit()
    connection.close()


HARMS = [flip_segment, spoil_page, spoil_texts, lose_chunks, change_a_row]


@pytest.mark.parametrize("harm", HARMS)
def test_a_damaged_index_is_rebuilt_once_and_answers(open_index: OpenIndex, harm: Callable[[Index], None]) -> None:
    harm(built(open_index))
    index = open_index()
    result = index.search(QUESTION)
    assert result.items[0].path == "src/net/retry.py"
    assert result.meta.degraded is not None
    assert result.meta.degraded.startswith("the index was rebuilt: the ")
    assert "damaged" in result.meta.degraded
    assert not result.meta.stale
    assert all(check.ok for check in index.doctor())
    content = index._store.snapshot().content
    again = index.search(QUESTION)
    assert again.meta.degraded is None
    assert index._store.snapshot().content == content


@pytest.mark.parametrize("harm", HARMS)
def test_without_a_refresh_damage_is_an_error_and_the_next_refresh_rebuilds(
    open_index: OpenIndex, harm: Callable[[Index], None]
) -> None:
    harm(built(open_index))
    one = open_index()
    with pytest.raises(IndexDamaged, match="damaged"):
        one.search(QUESTION, refresh=False)
    one.close()
    with pytest.raises(IndexDamaged):
        open_index().status()
    report = open_index().refresh()
    assert report.added == 5
    assert [warning for warning in report.warnings if "damaged" in warning]
    assert open_index().status().stale_files == 0


@pytest.mark.parametrize("harm", [flip_segment, spoil_page, change_a_row])
def test_index_and_status_see_damage_by_themselves(open_index: OpenIndex, harm: Callable[[Index], None]) -> None:
    harm(built(open_index))
    with pytest.raises(IndexDamaged, match="damaged"):
        open_index().status()
    assert open_index().refresh().added == 5


def test_damaged_texts_are_rebuilt_under_a_grep(open_index: OpenIndex) -> None:
    spoil_texts(built(open_index))
    result = open_index().grep("backoff_delay")
    assert result.files == 2
    assert result.meta.degraded is not None


def test_random_damage_never_ends_in_an_error(open_index: OpenIndex) -> None:
    index = built(open_index)
    answer = [(item.path, item.start_line) for item in index.search(QUESTION).items]
    lines = len(index.grep("def ").items)
    chance, rebuilt = random.Random(5), 0
    for _ in range(10):
        paths = [index.location / "index.sqlite", *(index.location / "segments").iterdir()]
        path = chance.choice(paths)
        content = bytearray(path.read_bytes())
        at = chance.randrange(len(content))
        content[at : at + 2000] = chance.choice([b"", bytes(2000), chance.randbytes(2000)])
        path.write_bytes(content)
        with Index.open(index.root, root=index.root) as again:
            result = again.search(QUESTION)
            assert [(item.path, item.start_line) for item in result.items] == answer
            assert len(again.grep("def ").items) == lines
            rebuilt += result.meta.degraded is not None
    assert rebuilt >= 9  # a cut or a change to the same bytes may change nothing


def test_damage_after_the_rebuild_is_an_error(open_index: OpenIndex, monkeypatch: pytest.MonkeyPatch) -> None:
    index = built(open_index)
    wipes = []
    wipe = LocalWriter.wipe

    def counted(self: LocalWriter) -> None:
        wipes.append(1)
        wipe(self)

    def rotten(*_: object, **__: object) -> object:
        raise IndexDamaged("the index is damaged")

    monkeypatch.setattr(LocalWriter, "wipe", counted)
    monkeypatch.setattr("fourfold.pipeline.run.run_search", rotten)
    with pytest.raises(IndexDamaged):
        index.search(QUESTION)
    assert wipes == [1]


def test_a_fault_of_the_program_is_not_taken_for_damage(open_index: OpenIndex, monkeypatch: pytest.MonkeyPatch) -> None:
    def faulty(*_: object, **__: object) -> object:
        raise IndexError("a bug")

    index = built(open_index)
    content = index._store.snapshot().content
    monkeypatch.setattr("fourfold.pipeline.run.run_search", faulty)
    with pytest.raises(IndexError, match="a bug"):
        index.search(QUESTION)
    assert index._store.snapshot().content == content


def test_busy_is_not_damage(open_index: OpenIndex, monkeypatch: pytest.MonkeyPatch) -> None:
    index = built(open_index)

    def busy(*_: object, **__: object) -> object:
        raise LockHeld("the index is busy")

    monkeypatch.setattr("fourfold.pipeline.run.run_search", busy)
    with pytest.raises(LockHeld):
        index.search(QUESTION)
    assert index._store.needs_rebuild == ""


def refuse_writing(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(path: Path) -> int:
        raise OSError(30, "Read-only file system", str(path))

    monkeypatch.setattr(lock, "_try_lock", refuse)


def test_a_cache_that_cannot_be_written_answers_from_the_last_state(
    open_index: OpenIndex, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    index = built(open_index)
    (project / "src/new.py").write_text("def brand_new():\n    return 1\n", encoding="utf-8")
    refuse_writing(monkeypatch)
    result = index.search(QUESTION)
    assert result.items[0].path == "src/net/retry.py"
    assert result.meta.stale
    assert result.meta.degraded is not None
    assert "Read-only file system" in result.meta.degraded
    assert "stale" in result.meta.degraded
    assert index.grep("backoff_delay").meta.stale
    with pytest.raises(IndexUnavailable, match="cannot be written"):
        index.refresh()


def test_a_full_disk_answers_from_the_last_state(
    open_index: OpenIndex, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device", "x.seg")

    index = built(open_index)
    (project / "src/new.py").write_text("def brand_new():\n    return 1\n", encoding="utf-8")
    monkeypatch.setattr("fourfold.store.local.segment.os.fsync", full)
    result = index.search(QUESTION)
    assert result.items[0].path == "src/net/retry.py"
    assert "No space left" in (result.meta.degraded or "")


def test_a_cache_that_cannot_be_written_and_holds_nothing_is_an_error(
    open_index: OpenIndex, monkeypatch: pytest.MonkeyPatch
) -> None:
    refuse_writing(monkeypatch)
    with pytest.raises(IndexUnavailable, match="cannot be written"):
        open_index().search(QUESTION)


class Killed(BaseException):
    """Stands for kill -9: nothing after it runs."""


def kill_after(monkeypatch: pytest.MonkeyPatch, batches: int) -> None:
    """Make the next refresh stop after some batches of one file each."""
    real = pool.prepare_all

    def cut(tasks: list[object], *rest: object) -> object:
        for number, task in enumerate(tasks):
            if number == batches:
                raise Killed
            yield from real([task], *rest)  # type: ignore[list-item, arg-type]
        raise Killed

    monkeypatch.setattr(pool, "prepare_all", cut)


def test_a_killed_first_build_that_holds_nothing_says_so(
    open_index: OpenIndex, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        kill_after(patch, 0)
        with pytest.raises(Killed):
            open_index().refresh()
    with pytest.raises(IndexUnavailable, match="not complete") as caught:
        open_index().search(QUESTION, refresh=False)
    assert caught.value.exit_code == 3
    assert caught.value.hint == "`fourfold index` goes on with it"
    with pytest.raises(IndexUnavailable, match="not complete"):
        open_index().grep("x", refresh=False)
    with open_index()._store.writer(purpose="index"), pytest.raises(IndexUnavailable, match="no index of") as caught:
        open_index().search(QUESTION)
    assert (caught.value.hint or "").startswith("wait for it to finish: index, process")
    assert open_index().search(QUESTION).meta.degraded is None


def test_a_killed_first_build_answers_and_says_that_it_is_partial(
    open_index: OpenIndex, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        kill_after(patch, 2)
        with pytest.raises(Killed):
            open_index().refresh()
    result = open_index().search("project retries sessions tokens", refresh=False)
    assert result.items
    assert result.meta.stale
    assert "not complete" in (result.meta.degraded or "")
    assert "2 files" in (result.meta.degraded or "")


def test_a_killed_refresh_says_so_and_the_next_one_ends_it(
    open_index: OpenIndex, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    built(open_index)
    (project / "src/new.py").write_text("def brand_new():\n    return 1\n", encoding="utf-8")
    with monkeypatch.context() as patch:
        kill_after(patch, 9)
        with pytest.raises(Killed):
            open_index().refresh()
    result = open_index().search(QUESTION, refresh=False)
    assert result.items[0].path == "src/net/retry.py"
    assert "has not finished" in (result.meta.degraded or "")
    assert open_index().search(QUESTION).meta.degraded is None
    assert open_index().search(QUESTION, refresh=False).meta.degraded is None


def test_a_first_build_by_another_process_says_to_wait(open_index: OpenIndex) -> None:
    with open_index()._store.writer(purpose="index"), pytest.raises(IndexUnavailable, match="being written") as caught:
        open_index().search(QUESTION)
    assert caught.value.hint == "wait for it to finish"


@pytest.fixture
def odd(open_index: OpenIndex, project: Path, tmp_path: Path) -> Index:
    """The project with links of every kind, indexed."""
    (tmp_path / "outside.py").write_text("x = 1\n")
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "deep.py").write_text("x = 1\n")
    (project / "out.py").symlink_to(tmp_path / "outside.py")
    (project / "out").symlink_to(tmp_path / "elsewhere")
    (project / "loop").symlink_to("loop")
    (project / "lost.py").symlink_to("nowhere.py")
    (project / "near.py").symlink_to("src/net/retry.py")
    (project / "folder").symlink_to("src")
    index = open_index()
    index.refresh()
    return index


@pytest.mark.parametrize(
    ("path", "status", "reason", "words"),
    [
        ("out.py", "skipped", "link-outside", "out of the root"),
        ("out", "skipped", "link-outside", "out of the root"),
        ("./src/../out.py", "skipped", "link-outside", "out of the root"),
        ("loop", "skipped", "link-broken", "circle"),
        ("lost.py", "skipped", "link-broken", "leads to nothing"),
        ("near.py", "indexed", "", ""),
        ("folder", "skipped", "link-to-directory", "src"),
        (".", "skipped", "directory", "what lies in it is"),
        ("src", "skipped", "directory", "what lies in it is"),
        ("src/..", "skipped", "directory", "what lies in it is"),
        ("never.py", "absent", "absent", "no never.py"),
        ("src/net/retry.py/x", "absent", "absent", "no such file"),
    ],
)
def test_status_of_a_path_is_true(odd: Index, path: str, status: str, reason: str, words: str) -> None:
    found = odd.status_of(path)
    assert (found.status, found.reason) == (status, reason)
    assert words in found.detail


@pytest.mark.parametrize("path", ["out/deep.py", "..", "../outside.py", "out/..", "/etc/passwd", "out.py/..", "a\0b"])
def test_status_of_a_path_outside_is_refused(odd: Index, path: str) -> None:
    with pytest.raises(PathOutsideRoot):
        odd.status_of(path)


def test_status_of_a_path_is_taken_from_the_folder(odd: Index, project: Path) -> None:
    assert odd.status_of("retry.py", cwd=project / "src/net").status == "indexed"
    assert odd.status_of("../../out.py", cwd=project / "src/net").reason == "link-outside"


def test_status_of_what_cannot_be_opened(odd: Index, project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    closed, real = str(project / "src/auth"), os.access

    def access(path: str | Path, mode: int) -> bool:
        return str(path) != closed and real(path, mode)

    monkeypatch.setattr(os, "access", access)
    for path in ("src/auth", "src/auth/session.py", "src/auth/none.py"):
        found = odd.status_of(path)
        assert (found.status, found.reason) == ("skipped", "unreadable")
        assert found.detail == "the folder src/auth cannot be opened: check its permissions"
    assert odd.status_of("src/net/retry.py").status == "indexed"


def age(folder: Path, days: float) -> None:
    then = time.time() - days * 86_400
    for path in folder.iterdir():
        os.utime(path, (then, then))


def other_index(tmp_path: Path, name: str, *, gone: bool, days: float) -> Path:
    root = tmp_path / name
    root.mkdir()
    (root / "a.py").write_text("x = 1\n")
    with Index.open(root, root=root) as index:
        index._refresh()
        folder = index.location
    age(folder, days)
    if gone:
        (root / "a.py").unlink()
        root.rmdir()
    return folder


def test_c14_indexes_of_folders_that_are_gone_are_removed_by_last_use(open_index: OpenIndex, tmp_path: Path) -> None:
    index = open_index()
    index._refresh()
    old = other_index(tmp_path, "old", gone=True, days=31)
    recent = other_index(tmp_path, "recent", gone=True, days=29)
    alive = other_index(tmp_path, "alive", gone=False, days=400)
    locked = other_index(tmp_path, "locked", gone=True, days=31)
    with LocalStore(locked).writer(purpose="test"):
        age(locked, 31)
        report = index.refresh()
    assert [folder.exists() for folder in (old, recent, alive, locked)] == [False, True, True, True]
    (sentence,) = report.warnings
    assert sentence.startswith("removed 1 index of a folder that no longer exists, unused for 30 days")
    assert index.refresh().warnings == ()  # once a day
    assert locked.exists()
    age(index.location.parent.parent, 2)
    age(locked, 31)
    assert len(index.refresh().warnings) == 1
    assert not locked.exists()
    assert index.search(QUESTION).items


def test_c14_the_index_in_use_is_never_removed(open_index: OpenIndex, monkeypatch: pytest.MonkeyPatch) -> None:
    index = built(open_index)
    age(index.location, 400)
    age(index.location.parent.parent, 2)
    monkeypatch.setattr(collect_module, "orphans", lambda _: [index.location])
    assert collect_module.collect(index.settings, index.location) == ()
    assert index.search(QUESTION).items


def test_c14_a_search_counts_as_use(open_index: OpenIndex) -> None:
    index = built(open_index)
    age(index.location, 400)
    index.search(QUESTION)
    assert time.time() - (index.location / ROOT_FILE).stat().st_mtime < 60
