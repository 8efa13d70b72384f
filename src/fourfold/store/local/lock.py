"""The write lock: one writer over all processes.

The operating system's lock on a file decides; what the file says (who holds it, since when, for what) is only
for people. A killed owner's lock is gone with its process, whatever the file still says.
"""

from __future__ import annotations

import errno
import json
import os
import sys
import time
from datetime import datetime
from pathlib import Path
from typing import Any

from fourfold.model.errors import IndexUnavailable, LockHeld

FILE_NAME = "write.lock"

FULL = (errno.ENOSPC, errno.EDQUOT)
"""Numbers of errors that mean: no room, on the disk or in the user's share of it."""
_POLL_S = 0.02
_LOCK_OFFSET = 1 << 30
"""Windows locks bytes, and a locked byte cannot be read: lock one that is not there."""


class WriteLock:
    """The lock of the index in `directory`. Not re-entrant: a second one in the same process waits as
    well."""

    def __init__(self, directory: Path) -> None:
        self.path = directory / FILE_NAME
        self._descriptor = -1

    def acquire(self, purpose: str, wait_s: float, *, noted: bool = True) -> None:
        """Take the lock, trying for `wait_s` seconds; unless `noted`, without saying for what. Raises LockHeld naming
        the owner, IndexUnavailable where the folder cannot be written."""
        deadline = time.monotonic() + max(wait_s, 2 * _POLL_S)  # outlast a look at the owner by `owner`
        try:
            while (descriptor := _try_lock(self.path)) < 0:
                if time.monotonic() >= deadline:
                    raise _held(self.path)
                time.sleep(_POLL_S)
        except OSError as error:
            raise cannot_write(self.path.parent, error) from error
        self._descriptor = descriptor
        if not noted:
            return
        try:
            _write_owner(descriptor, purpose)
        except OSError as error:
            self.release()
            raise cannot_write(self.path.parent, error) from error

    def release(self) -> None:
        """Give the lock back. Does nothing where it is not held."""
        if self._descriptor >= 0:
            os.ftruncate(self._descriptor, 0)
            os.close(self._descriptor)
            self._descriptor = -1


def cannot_write(directory: Path, error: OSError) -> IndexUnavailable:
    """The error for an index folder in which nothing can be changed."""
    if error.errno in FULL:
        return disk_full(directory)
    return IndexUnavailable(
        f"the index in {directory} cannot be written: {error.strerror}",
        hint="choose another place with FOURFOLD_CACHE_DIR",
    )


def disk_full(directory: Path) -> IndexUnavailable:
    """The error for an index folder that has no room."""
    return IndexUnavailable(
        f"the index in {directory} cannot be written: the disk is full",
        hint="make room, or choose another place with FOURFOLD_CACHE_DIR",
    )


def keep_writers_out(directory: Path) -> int:
    """A descriptor that keeps writers of the index in `directory` out until it is closed, as several readers may; -1
    where one is at work, or where that cannot be done. Nothing is written."""
    if sys.platform == "win32":
        return -1
    try:
        descriptor = os.open(directory / FILE_NAME, os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return -1
    try:
        fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except OSError:
        os.close(descriptor)
        return -1
    return descriptor


def owner(directory: Path) -> str:
    """Who writes the index in `directory` now ("index, process 12 on host since 12:30:01"), or an empty
    string."""
    path = directory / FILE_NAME
    if not path.exists():
        return ""
    try:
        descriptor = _try_lock(path)
    except OSError:  # a folder that cannot be written has no writer of ours
        return ""
    if descriptor >= 0:
        os.close(descriptor)
        return ""
    return _described(path)


def _try_lock(path: Path) -> int:
    """A descriptor that holds the lock, or -1. Retries where the file was deleted (`clear`) between open and
    lock."""
    while True:
        try:
            descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
        except FileNotFoundError:  # the folder was deleted a moment ago
            path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            continue
        if not _lock(descriptor):
            os.close(descriptor)
            return -1
        try:
            if os.path.samestat(os.fstat(descriptor), os.stat(path)):  # noqa: PTH116
                return descriptor
        except FileNotFoundError:
            pass
        os.close(descriptor)


if sys.platform == "win32":
    import msvcrt

    def _lock(descriptor: int) -> bool:
        os.lseek(descriptor, _LOCK_OFFSET, os.SEEK_SET)
        try:
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

else:
    import fcntl

    def _lock(descriptor: int) -> bool:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True


def _write_owner(descriptor: int, purpose: str) -> None:
    import socket  # late: readers take no lock, and it costs them 6 ms

    content = {"pid": os.getpid(), "host": socket.gethostname(), "purpose": purpose, "started": time.time()}
    os.ftruncate(descriptor, 0)
    os.lseek(descriptor, 0, os.SEEK_SET)
    os.write(descriptor, json.dumps(content).encode("utf-8"))


def _described(path: Path) -> str:
    try:
        content: dict[str, Any] = json.loads(path.read_bytes())
        started = datetime.fromtimestamp(content["started"]).strftime("%Y-%m-%d %H:%M:%S")
        return f"{content['purpose']}, process {content['pid']} on {content['host']} since {started}"
    except (OSError, ValueError, KeyError, TypeError):  # the owner is just writing it
        return "another process"


def _held(path: Path) -> LockHeld:
    return LockHeld(
        f"the index in {path.parent} is being written by: {_described(path)}",
        hint="wait for it to finish; searches answer meanwhile from the last complete state, where there is one",
    )
