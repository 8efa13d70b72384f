"""A small project and a cache of its own for every test."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from fourfold import Index

FILES = {
    "src/net/retry.py": '''"""Retries with back-off."""

import random


def backoff_delay(attempt, base=0.5):
    """Exponential back-off with full jitter, capped at 60 s."""
    return min(60.0, random.uniform(0, base * 2**attempt))


class RetryPolicy:
    """How often to try again."""

    def __init__(self, attempts):
        self.attempts = attempts

    def should_retry(self, error):
        return self.attempts > 0 and error.temporary
''',
    "src/auth/session.py": '''"""Sessions of signed-in users."""

EXPIRY_SECONDS = 3600


def expire_sessions(now, sessions):
    """Drop every session whose time is over."""
    return [s for s in sessions if s.started + EXPIRY_SECONDS > now]
''',
    "src/auth/tokens.ts": """export interface Token { value: string }

/** Checks the signature of a token. */
export const verifyToken = (token: Token): boolean => {
  return token.value.length > 0;
};
""",
    "tests/test_retry.py": """from src.net.retry import backoff_delay


def test_backoff_delay_is_capped():
    assert backoff_delay(100) <= 60
""",
    "README.md": "# Demo\n\nA project with retries, sessions and tokens.\n",
}


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project folder; the cache lies beside it."""
    monkeypatch.setenv("FOURFOLD_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setenv("FOURFOLD_CONFIG", "")
    root = tmp_path / "project"
    for name, text in FILES.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, encoding="utf-8")
    return root


@pytest.fixture
def open_index(project: Path) -> Iterator[Callable[[], Index]]:
    """Opens indexes of the project and closes them after the test."""
    opened: list[Index] = []

    def open_one() -> Index:
        opened.append(Index.open(project, root=project))
        return opened[-1]

    yield open_one
    for index in opened:
        index.close()
