"""A small indexed project behind the whole application, guard included."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient
from tests.built import Built

from fourfold.interfaces.http.app import create_app
from fourfold.interfaces.http.options import ServeOptions

LOCAL = "http://localhost:8000"
TOKEN = "a-token-of-the-tests-0123456789"
SECRET = "AKIA" + "QWERTYUIOPASDFGH"

FILES = {
    "src/net/retry.py": f'''"""Retries with back-off."""

import random

ACCESS_KEY = "{SECRET}"


def backoff_delay(attempt, base=0.5):
    """Exponential back-off with full jitter, capped at 60 s."""
    return min(60.0, random.uniform(0, base * 2**attempt))


class Policy:
    """How often to try again."""

    def wait(self, attempt):
        return backoff_delay(attempt)


class Patient(Policy):
    """Waits twice as long."""

    def wait(self, attempt):
        return 2 * backoff_delay(attempt)
''',
    "src/app.py": """from fastapi import FastAPI

from net.retry import Policy, backoff_delay

app = FastAPI()


@app.get("/delay/{attempt}")
def delay(attempt):
    return backoff_delay(attempt)
""",
    "tests/test_retry.py": """from net.retry import backoff_delay


def test_backoff_delay_is_capped():
    assert backoff_delay(100) <= 60
""",
    'web/<b>&".js': """// <script>alert('backoff')</script>
function hostileBackoff() { return '</pre><img src=x>'; }
""",
    "README.md": "# Demo\n\nHow the back-off of retries works: exponential, with jitter.\n",
    ".env": "PASSWORD=hunter2hunter2\n",
}


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Built]:
    """The project, indexed once, its files old enough not to be read again by every question."""
    with Built(tmp_path_factory.mktemp("served")) as made:
        made.write(FILES)
        for name in FILES:
            os.utime(made.root / name, (1_700_000_000, 1_700_000_000))
        made.index.refresh()
        yield made


def serving(built: Built, **options: Any) -> TestClient:
    """A client of the application with these options."""
    return TestClient(
        create_app(built.index, ServeOptions(**options)),
        base_url=LOCAL,
        follow_redirects=False,
        raise_server_exceptions=False,
    )


@pytest.fixture(scope="session")
def client(built: Built) -> Iterator[TestClient]:
    """A client on loopback."""
    with serving(built) as made:
        yield made


@pytest.fixture(scope="session")
def guarded(built: Built) -> Iterator[TestClient]:
    """A client of a server that wants a token."""
    with serving(built, token=TOKEN) as made:
        yield made


@pytest.fixture
def root(built: Built) -> Path:
    """Where the project is."""
    return built.root
