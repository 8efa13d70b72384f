"""The doctor: what it finds, that it says how far it is, what it mends, and what it tells of nobody."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from fourfold import Index
from fourfold.config.load import load_settings
from fourfold.index.bug_report import bug_report, without_places
from fourfold.model.errors import IndexDamaged, NewerFormat
from fourfold.model.report import Check, Progress, Status


@pytest.fixture
def index(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Index]:
    root = tmp_path / "secretproject"
    root.mkdir()
    for number in range(3):
        (root / f"hiddenname{number}.py").write_text(f"def needle_{number}():\n    return {number}\n")
    (root / "image.png").write_bytes(b"\x89PNG\0\0")
    settings = load_settings(root, {"embedding.model": "hash", "cache_dir": str(tmp_path / "cache")}).settings
    with Index.open(root, root=root, settings=settings) as opened:
        opened.refresh()
        yield opened


def reopened(index: Index) -> Index:
    return Index.open(index.root, root=index.root, settings=index.settings)


def statement(text: str) -> Callable[[Index], None]:
    """A harm done by a statement, which no checksum of the file may see first."""

    def harm(index: Index) -> None:
        (index.location / "index.sqlite.crc32").unlink(missing_ok=True)
        with sqlite3.connect(index.location / "index.sqlite") as connection:
            connection.execute(text)
        connection.close()

    return harm


def cut_database(index: Index) -> None:
    os.truncate(index.location / "index.sqlite", 5_000)


def lose_segment(index: Index) -> None:
    next((index.location / "segments").iterdir()).unlink()


HARMS = {
    "texts": statement("DELETE FROM texts"),
    "rows": statement("DELETE FROM chunks"),
    "older format": statement("PRAGMA user_version = 1"),
    "cut": cut_database,
    "no segment": lose_segment,
    "unfinished": statement("UPDATE meta SET value = '0' WHERE key = 'complete'"),
}


@pytest.mark.parametrize("harm", HARMS.values(), ids=HARMS)
def test_what_is_wrong_is_mended_once(index: Index, harm: Callable[[Index], None]) -> None:
    index.close()
    harm(index)
    with reopened(index) as one:
        (done,) = one.repair()
        assert "3 files are indexed again, since " in done
        assert all(check.ok for check in one.doctor())
        assert one.search("needle_1", refresh=False).items[0].path == "hiddenname1.py"
        assert one.repair() == []


def test_a_whole_index_is_left_alone(index: Index) -> None:
    generation = index.status().generation
    assert index.repair() == []
    assert index.status().generation == generation


def test_a_rebuild_that_meets_damage_again_begins_from_nothing(index: Index, monkeypatch: pytest.MonkeyPatch) -> None:
    index.close()
    cut_database(index)
    real, calls = Index.refresh, []

    def refresh(self: Index, **asked: object) -> object:
        calls.append(sorted(path.name for path in self.location.glob("*.sqlite")))
        if len(calls) == 1:
            raise IndexDamaged("still damaged")
        return real(self, **asked)  # type: ignore[arg-type]

    monkeypatch.setattr(Index, "refresh", refresh)
    with reopened(index) as one:
        assert len(one.repair()) == 1
    assert calls == [["index.sqlite"], []]


def test_an_index_of_a_newer_program_is_not_repaired(index: Index) -> None:
    index.close()
    statement("PRAGMA user_version = 99")(index)
    before = (index.location / "index.sqlite").read_bytes()
    with reopened(index) as one:
        with pytest.raises(NewerFormat):
            one.repair()
        assert not {check.name: check.ok for check in one.doctor()}["index"]
    assert (index.location / "index.sqlite").read_bytes() == before


@pytest.mark.skipif(os.name != "posix", reason="modes of files")
def test_others_are_kept_out(index: Index) -> None:
    index.location.chmod(0o755)
    (found,) = [check for check in index.doctor() if check.name == "permissions"]
    assert not found.ok
    assert index.repair() == ["others may no longer enter the folder of the index"]
    assert index.location.stat().st_mode & 0o077 == 0


def test_a_damaged_history_is_found_and_deleted(index: Index) -> None:
    from fourfold.index.history import FILE_NAME, FOLDER

    place = index.location / FOLDER / FILE_NAME
    place.parent.mkdir()
    place.write_bytes(b"no database at all" * 500)
    assert [check.name for check in index.doctor() if not check.ok] == ["history"]
    assert index.repair() == ["the history was deleted; the next question about it reads it again"]
    assert not place.exists()
    assert all(check.ok for check in index.doctor())


def test_it_says_how_far_it_is(index: Index) -> None:
    told: list[Progress] = []
    checks = index.doctor(progress=told.append)
    assert {one.stage for one in told} == {"check"}
    assert [one.done for one in told] == sorted(one.done for one in told)
    assert all(one.done < one.total for one in told)
    assert len(told) > len(checks)  # the steps of the check of the index besides


def test_a_report_tells_nothing_private(index: Index, tmp_path: Path) -> None:
    lose_segment(index)
    with reopened(index) as one:
        checks = [*one.doctor(), Check("web: index", False, f"{tmp_path}/x is damaged"), Check("helper", True, "4711")]
        report = bug_report(checks, one.settings, Status("", "", True, files=1, languages={"python": 3}))
    private = ("secretproject", "hiddenname", "needle", str(tmp_path), str(Path.home()))
    assert [text for text in private if text and text in report] == []
    assert "web" not in report
    assert "4711" not in report
    assert "- failed: index: " in report
    assert "- cache_dir is set" in report
    assert "python 3" in report
    assert "- 1 file, " in report


def test_a_report_of_an_index_that_cannot_be_read(index: Index) -> None:
    error = IndexDamaged(f"the index in {index.location} is damaged: no page")
    report = bug_report([], index.settings, error)
    assert "F303 the index in ... is damaged: no page" in report


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("at https://host.example/a?b, C:\\Users\\me x", "at ..., ... x"),
        ("src/secret.py is gone", "... is gone"),
        ("process 123456 of 2,431 files", "process ... of 2,431 files"),
    ],
)
def test_places_are_left_out(text: str, told: str) -> None:
    assert without_places(text) == told
