"""Projects with helpers that are ended whatever happens."""

from __future__ import annotations

import shutil
import socket
from collections.abc import Iterator

import pytest
from tests.helper.project import Place, made

collect_ignore_glob = [] if hasattr(socket, "AF_UNIX") else ["test_*.py"]


@pytest.fixture(scope="module")
def shared() -> Iterator[Place]:
    """A place with a running helper, for tests that only ask."""
    place = made()
    assert place.run("index", helper=False).code == 0
    process = place.helper()
    yield place
    process.kill()
    process.wait()
    shutil.rmtree(place.root.parent)


@pytest.fixture
def place() -> Iterator[Place]:
    """A place of one test, without a helper."""
    one = made()
    yield one
    one.end()
    shutil.rmtree(one.root.parent)
