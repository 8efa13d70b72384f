"""A small project, the program as a process beside it, and a helper that can be started and ended."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

from fourfold.interfaces.helper import control
from fourfold.interfaces.helper import place as meeting

MAIN = "from fourfold.interfaces.cli.main import main; main()"
ENDING_S = 20.0

FILES = {
    "src/net/retry.py": '''"""Retries."""


def backoff_delay(attempt, base=0.5):
    """Exponential back-off with full jitter."""
    return min(60.0, base * 2**attempt)


def retry(call):
    return backoff_delay(call())
''',
    "src/auth/session.py": '''def expire_sessions(now, sessions):
    """Drop every session whose time is over."""
    return [s for s in sessions if s.started > now]
''',
    "naïve file.py": "def café():\n    return 'ü'\n",
    "README.md": "# A project\n\nSessions expire after an hour.\n",
}


@dataclass(frozen=True)
class Ran:
    """What a process printed and how it ended."""

    code: int
    out: bytes
    err: bytes


@dataclass
class Place:
    """A project with an index, a cache of its own, and the environment of its commands."""

    root: Path
    cache: Path
    environ: dict[str, str]

    @property
    def folder(self) -> Path:
        """Where its helper listens."""
        return self.cache / "helper"

    @property
    def socket(self) -> Path:
        """Its socket."""
        return Path(meeting.socket(str(self.folder)))

    def run(
        self, *arguments: str, helper: bool, cwd: Path | None = None, environ: Mapping[str, str] | None = None
    ) -> Ran:
        """``fourfold ARGUMENTS`` as a process."""
        env = {**self.environ, "FOURFOLD_HELPER_ENABLED": str(int(helper)), **(environ or {})}
        done = subprocess.run(
            [sys.executable, "-c", MAIN, *arguments],
            cwd=cwd or self.root,
            env=env,
            capture_output=True,
            check=False,
            timeout=60,
        )
        return Ran(done.returncode, done.stdout, done.stderr)

    def helper(self) -> subprocess.Popen[bytes]:
        """Start a helper and wait until it listens."""
        process = subprocess.Popen(
            [sys.executable, "-P", "-c", "from fourfold.interfaces.helper.server import main; main()", self.folder],
            env={**self.environ, "FOURFOLD_HELPER_ENABLED": "1"},
            cwd=self.root,
        )
        self.wait_for(lambda: self.told() is not None)
        return process

    def told(self) -> dict[str, object] | None:
        """What the helper says of itself."""
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("FOURFOLD_CACHE_DIR", str(self.cache))
            return control.report()

    def answered(self) -> object:
        """How many commands it has answered."""
        told = self.told()
        return told["answered"] if told else None

    def end(self) -> None:
        """End the helper, if one runs."""
        told = self.told()
        if told is not None:
            number = int(str(told["process"]))
            os.kill(number, signal.SIGKILL)
            self.wait_for(lambda: self.told() is None)

    @staticmethod
    def wait_for(condition: Callable[[], bool]) -> None:
        """Wait for what another process does; fails after 20 s."""
        deadline = time.monotonic() + ENDING_S
        while not condition():
            assert time.monotonic() < deadline
            time.sleep(0.02)


def made() -> Place:
    """A project and an empty cache in a new folder."""
    # The path of a socket is short: pytest's own folders are too deep.
    base = Path(tempfile.mkdtemp(prefix="ff")).resolve()
    root, cache = base / "p", base / "c"
    for name, text in FILES.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, encoding="utf-8")
    (root / ".git").mkdir()
    (base / "user.toml").write_text("")
    (cache / "helper").mkdir(parents=True, mode=0o700)
    kept = {name: value for name, value in os.environ.items() if name not in ("CI", "COLUMNS", "NO_COLOR")}
    environ = {**kept, "FOURFOLD_CACHE_DIR": str(cache), "FOURFOLD_CONFIG": str(base / "user.toml")}
    return Place(root, cache, environ)
