"""An embedding server on this machine, for each test that wants one."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.embed.provider_server import EmbeddingServer


@pytest.fixture
def server() -> Iterator[EmbeddingServer]:
    running = EmbeddingServer()
    yield running
    running.close()
