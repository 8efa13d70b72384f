"""The write lock: one holder over processes, told by name, gone with its process."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from fourfold.model.errors import IndexUnavailable, LockHeld, UsageError
from fourfold.store.local.lock import WriteLock, owner
from fourfold.store.local.store import LocalStore

HOLD = (
    "import sys; from pathlib import Path; from fourfold.store.local.lock import WriteLock\n"
    "WriteLock(Path(sys.argv[1])).acquire('watch', 0.0); print('held', flush=True); sys.stdin.read()"
)


def holder(directory: Path) -> subprocess.Popen[str]:
    process = subprocess.Popen(
        [sys.executable, "-c", HOLD, str(directory)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "held\n"
    return process


def test_refusal_names_process_host_and_purpose(tmp_path: Path) -> None:
    with holder(tmp_path) as process:
        with pytest.raises(LockHeld) as caught:
            WriteLock(tmp_path).acquire("index", 0.0)
        for part in ("watch", str(process.pid), socket.gethostname(), str(tmp_path)):
            assert part in str(caught.value)
        assert caught.value.hint
        assert str(process.pid) in owner(tmp_path)
        process.kill()
    assert owner(tmp_path) == ""


def test_a_killed_owner_holds_nothing(tmp_path: Path) -> None:
    with holder(tmp_path) as process:
        process.kill()
        process.wait()
        held = WriteLock(tmp_path)
        held.acquire("index", 0.0)
        assert f"process {os.getpid()}" in owner(tmp_path)
        held.release()
    assert owner(tmp_path) == ""


def test_unreadable_owner_still_refuses(tmp_path: Path) -> None:
    held = WriteLock(tmp_path)
    held.acquire("index", 0.0)
    held.path.write_text("{torn")
    with pytest.raises(LockHeld, match="another process"):
        WriteLock(tmp_path).acquire("index", 0.0)
    held.release()
    held.release()


def test_lock_on_a_deleted_file_is_no_lock(tmp_path: Path) -> None:
    held = WriteLock(tmp_path)
    held.acquire("index", 0.0)
    held.path.unlink()
    other = WriteLock(tmp_path)
    other.acquire("index", 0.0)
    with pytest.raises(LockHeld):
        WriteLock(tmp_path).acquire("index", 0.0)
    other.release()
    held.release()


def test_a_lock_that_cannot_be_made_is_said_in_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(IndexUnavailable, match="cannot be written"):
        WriteLock(tmp_path / "file" / "index").acquire("index", 0.0)


def test_looking_at_the_owner_makes_nothing(tmp_path: Path) -> None:
    assert owner(tmp_path / "index") == ""
    assert LocalStore(tmp_path / "index").owner == ""
    assert not (tmp_path / "index").exists()


def test_read_only_store_takes_no_lock(tmp_path: Path) -> None:
    store = LocalStore(tmp_path, read_only=True)
    with pytest.raises(UsageError), store.writer():
        pass
    with pytest.raises(UsageError):
        store.clear()
    assert list(tmp_path.iterdir()) == []
