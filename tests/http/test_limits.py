"""How much and how often."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor

import pytest
from starlette.testclient import TestClient
from tests.built import Built
from tests.http.conftest import serving

from fourfold.interfaces.http import service
from fourfold.interfaces.http.limiter import MAX_CLIENTS, Limiter
from fourfold.interfaces.http.options import MAX_BODY_BYTES
from fourfold.model.errors import BadQuery


def test_a_bucket_empties_and_fills_again() -> None:
    now = [0.0]
    limiter = Limiter(2.0, lambda: now[0])
    assert [limiter.allow("a") for _ in range(3)] == [True, True, False]
    assert limiter.allow("b")
    now[0] = 0.5
    assert [limiter.allow("a") for _ in range(2)] == [True, False]
    now[0] = 100.0
    assert [limiter.allow("a") for _ in range(3)] == [True, True, False]


def test_only_so_many_clients_are_remembered() -> None:
    limiter = Limiter(1.0, lambda: 0.0)
    for number in range(MAX_CLIENTS + 5):
        limiter.allow(str(number))
    assert len(limiter._buckets) == MAX_CLIENTS
    assert limiter.allow("0") and not limiter.allow(str(MAX_CLIENTS))


def test_who_asks_too_often_is_told_to_wait(built: Built) -> None:
    with serving(built, rate=3.0) as client:
        statuses = [client.get("/static/icon.svg").status_code for _ in range(5)]
        assert statuses[:3] == [200, 200, 200] and 429 in statuses
        assert [client.get("/healthz").status_code for _ in range(5)] == [200] * 5
        reply = client.get("/docs")
        assert reply.headers.get("retry-after") == "1" or reply.status_code == 200


def test_bodies_and_addresses_have_a_limit(client: TestClient) -> None:
    assert client.post("/login", content=b"x" * (MAX_BODY_BYTES + 1)).status_code == 413
    assert client.post("/login", content=iter([b"x" * 600_000] * 2)).status_code == 413
    assert client.get("/api/v1/search?q=" + "x" * 60_000).status_code == 414
    assert client.post("/login", content=b"x", headers={"content-length": "-1"}).status_code == 413


def test_an_answer_has_a_time(built: Built) -> None:
    with serving(built, timeout_s=0.05) as client:
        app = client.app._app  # type: ignore[attr-defined]
        app.state.service.index.search = lambda *_, **__: time.sleep(0.5)
        try:
            reply = client.get("/api/v1/search?q=backoff")
        finally:
            del app.state.service.index.search
    assert reply.status_code == 408
    assert reply.json()["error"]["code"] == "F600"


def test_ranked_questions_are_answered_one_after_another(built: Built) -> None:
    inside: list[int] = []
    most: list[int] = []

    def counting(*_: object, **__: object) -> None:
        inside.append(1)
        most.append(len(inside))
        time.sleep(0.02)
        inside.pop()
        raise BadQuery("counted")

    with serving(built) as client:
        index = client.app._app.state.service.index  # type: ignore[attr-defined]
        client.get("/api/v1/symbol?name=backoff_delay")
        index.search = counting
        try:
            with ThreadPoolExecutor(8) as pool:
                replies = list(pool.map(client.get, ["/api/v1/search?q=a", "/?q=a"] * 8))
        finally:
            del index.search
    assert [reply.status_code for reply in replies] == [400] * 16
    assert len(most) == 16 and max(most) == 1


def test_only_so_many_questions_wait(built: Built, monkeypatch: pytest.MonkeyPatch) -> None:
    with serving(built) as client:
        client.get("/api/v1/search?q=backoff")
        monkeypatch.setattr(service, "MAX_WAITING", 0)
        reply = client.get("/api/v1/search?q=backoff")
        assert (reply.status_code, reply.json()["error"]["code"]) == (503, "F908")
        assert client.get("/healthz").status_code == 200
