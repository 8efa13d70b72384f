"""Files whose times cannot tell: compared by content, and nothing is published where that is what the index holds."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest
from tests.built import Built

from fourfold import Index
from fourfold.config.settings import build
from fourfold.index.diff import RACY_NS
from fourfold.index.young import FILE_NAME, READ_BEGAN, vouched_ns
from fourfold.source import read as reading
from fourfold.source.found import Found, WalkOptions


@pytest.fixture
def built(tmp_path: Path) -> Built:
    made = Built(tmp_path, "none")
    made.write({"a.py": "A = 1\n", "b.py": "B = 1\n"})
    return made


def later(monkeypatch: pytest.MonkeyPatch, ns: int) -> None:
    now = time.time_ns
    monkeypatch.setattr(time, "time_ns", lambda: now() + ns)


def reads(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The paths that are read from now on."""
    seen: list[str] = []
    read = reading.read_file

    def counting(root: Path, found: Found, options: WalkOptions | None = None) -> object:
        seen.append(found.path)
        return read(root, found, options)

    monkeypatch.setattr(reading, "read_file", counting)
    return seen


def test_a_young_file_that_reads_as_before_publishes_nothing(built: Built) -> None:
    before = built.snapshot
    for _ in range(3):
        report = built.index.refresh()
        assert (report.unchanged, report.added, report.changed, report.removed) == (2, 0, 0, 0)
    assert built.snapshot is before
    built.index.close()


def test_an_edit_that_leaves_the_times_as_they_were_is_seen_while_the_file_is_young(built: Built) -> None:
    path = built.root / "a.py"
    old = path.stat()
    path.write_text("A = 2\n")
    os.utime(path, ns=(old.st_atime_ns, old.st_mtime_ns))
    hidden = {record.path: record for record in built.snapshot.records().values()}["a.py"]
    now = path.stat()
    # The clock tick of the edit is that of the reading: only the content tells.
    with built.index._store.writer(purpose="test") as writer:
        writer.touch([hidden._replace(mtime_ns=now.st_mtime_ns, ctime_ns=now.st_ctime_ns, inode=now.st_ino)])
    report = built.index.refresh()
    assert (report.unchanged, report.changed) == (1, 1)
    assert built.snapshot.text("a.py") == "A = 2\n"
    built.index.close()


def test_once_they_have_aged_files_are_compared_once_and_never_again(
    built: Built, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = reads(monkeypatch)
    built.index.refresh()
    assert sorted(seen) == ["a.py", "b.py"]
    assert not (built.index.location / FILE_NAME).exists()  # still young: to be read again
    later(monkeypatch, 2 * RACY_NS)
    built.index.refresh()
    assert sorted(seen) == ["a.py", "a.py", "b.py", "b.py"]
    generation = built.snapshot.generation
    built.index.refresh()
    again = Index.open(built.root, root=built.root, settings=built.index.settings)  # as another process
    assert again.refresh().unchanged == 2
    assert len(seen) == 4
    assert again._store.snapshot().generation == generation
    again.close()
    built.index.close()


def test_a_note_on_another_state_of_the_index_counts_for_nothing(built: Built, monkeypatch: pytest.MonkeyPatch) -> None:
    store, began = built.index._store, int(built.snapshot.meta[READ_BEGAN])
    later(monkeypatch, 2 * RACY_NS)
    built.index.refresh()
    assert vouched_ns(store, built.snapshot) > began + RACY_NS
    note = built.index.location / FILE_NAME
    kept = note.read_text()
    built.write({"c.py": "C = 1\n"})
    began = int(built.snapshot.meta[READ_BEGAN])
    for text in (kept, "", "nonsense", f"{kept}x"):
        note.write_text(text)
        assert vouched_ns(store, built.snapshot) == began
    built.index.close()


def test_clear_takes_the_note_along(built: Built, monkeypatch: pytest.MonkeyPatch) -> None:
    later(monkeypatch, 2 * RACY_NS)
    built.index.refresh()
    assert (built.index.location / FILE_NAME).exists()
    built.index.clear()
    assert not (built.index.location / FILE_NAME).exists()
    built.index.close()


def test_a_folder_that_cannot_be_written_is_no_fault(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = tmp_path / "root"
    root.mkdir()
    (root / "a.py").write_text("A = 1\n")
    index = Index.open(root, root=root, settings=build({"cache_dir": str(tmp_path / "c"), "embedding.model": "none"}))
    index.refresh()
    later(monkeypatch, 2 * RACY_NS)
    (index.location / FILE_NAME).mkdir()  # a folder cannot be replaced by a file
    assert index.refresh().unchanged == 1
    assert not list(index.location.glob("*.tmp"))
    index.close()
