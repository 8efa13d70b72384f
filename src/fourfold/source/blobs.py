"""Blobs of a repository by their hash, through one ``git cat-file --batch`` process. No object is ever fetched."""

from __future__ import annotations

import contextlib
import subprocess
import threading
from collections.abc import Iterable
from pathlib import Path
from typing import BinaryIO, cast

from fourfold.source.gitrun import OFFLINE, SAFE_CONFIG, environment, git_program

SIZES_TIMEOUT_S = 120.0
_OFFLINE = OFFLINE | {"GIT_NO_REPLACE_OBJECTS": "1"}
_SKIP_BYTES = 1 << 20


class Blobs:
    """Reads blobs of the repository at `git_dir`; starts its process with the first. Safe to share between threads."""

    def __init__(self, git_dir: Path) -> None:
        self._git_dir = git_dir
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None

    def read(self, name: str, limit: int) -> bytes | None:
        """At most `limit` + 1 bytes of a blob; None where the repository does not have it, or it is none.

        Raises OSError where git cannot be run.
        """
        with self._lock:
            try:
                return self._read(name, limit)
            except (BrokenPipeError, EOFError):
                # The process has died: of an object that is missing in a partial clone, with some versions of git.
                self._stop()
                return None

    def close(self) -> None:
        """End the process; the next read starts another."""
        with self._lock:
            self._stop()

    def _read(self, name: str, limit: int) -> bytes | None:
        process = self._process or self._start()
        requests, replies = cast(BinaryIO, process.stdin), cast(BinaryIO, process.stdout)
        requests.write(name.encode("ascii") + b"\n")
        requests.flush()
        head = replies.readline()
        if not head.endswith(b"\n"):
            raise EOFError
        words = head.split()
        if len(words) != 3:  # "NAME missing", "NAME ambiguous"
            return None
        size = int(words[2])
        kept = _exactly(replies, min(size, limit + 1))
        left = size - len(kept)
        while left > 0:
            left -= len(_exactly(replies, min(left, _SKIP_BYTES)))
        _exactly(replies, 1)
        return kept if words[1] == b"blob" else None

    def _start(self) -> subprocess.Popen[bytes]:
        self._process = subprocess.Popen(
            [_program(), "--no-pager", "--git-dir", str(self._git_dir), "cat-file", "--batch"],
            env=environment(SAFE_CONFIG) | _OFFLINE,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        return self._process

    def _stop(self) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        process.kill()
        for stream in (process.stdin, process.stdout):
            with contextlib.suppress(OSError):
                cast(BinaryIO, stream).close()
        process.wait()


_readers: dict[Path, Blobs] = {}
_guard = threading.Lock()


def blobs_of(git_dir: Path) -> Blobs:
    """The reader of a repository that this process shares."""
    with _guard:
        return _readers.setdefault(git_dir, Blobs(git_dir))


def close_blobs(git_dir: Path) -> None:
    """End the reader of a repository."""
    with _guard:
        reader = _readers.pop(git_dir, None)
    if reader is not None:
        reader.close()


def sizes(git_dir: Path, names: Iterable[str]) -> dict[str, int]:
    """Bytes of each blob that the repository has. Raises OSError where git cannot be run."""
    given = "".join(f"{name}\n" for name in dict.fromkeys(names)).encode("ascii")
    done = subprocess.run(
        [_program(), "--no-pager", "--git-dir", str(git_dir), "cat-file", "--batch-check", "--buffer"],
        env=environment(SAFE_CONFIG) | _OFFLINE,
        input=given,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        timeout=SIZES_TIMEOUT_S,
        check=False,
    )
    rows = (line.split() for line in done.stdout.splitlines())
    return {row[0].decode("ascii"): int(row[2]) for row in rows if len(row) == 3 and row[1] == b"blob"}


def _exactly(stream: BinaryIO, count: int) -> bytes:
    data = stream.read(count)
    if len(data) < count:
        raise EOFError
    return data


def _program() -> str:
    program = git_program()
    if program is None:
        raise FileNotFoundError(2, "git is not installed")
    return program
