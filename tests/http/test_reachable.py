"""Every error that the OpenAPI document promises can be had, in its shape; and none is left out that a table knows."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from starlette.testclient import TestClient
from tests.built import Built
from tests.http.conftest import TOKEN, serving
from tests.http.routes import PARAMETERS

from fourfold.interfaces.http import service
from fourfold.interfaces.http.options import MAX_BODY_BYTES, MAX_TARGET_BYTES
from fourfold.interfaces.http.routes import index as index_routes
from fourfold.interfaces.http.schemas import Failure
from fourfold.model.errors import BackendUnavailable, IndexUnavailable, LockHeld, TimedOut

WRITE = {"x-fourfold": "1"}
Operation = tuple[str, str]
"""Method and path, as in the document."""

WRONG: dict[str, str] = {
    "/api/v1/search": "?q=x&limit=0",
    "/api/v1/ask": "?q=x&tokens=ten",
    "/api/v1/grep": "?pattern=",
    "/api/v1/similar": "?file=x&line=0",
    "/api/v1/history": "?limit=0",
    "/api/v1/routes": "?limit=0",
    "/api/v1/index": "?force=perhaps",
    "/api/v1/index/events": "?follow=perhaps",
}
"""Parameters that are missing or of the wrong kind; none at all where a route is not named."""
ABSENT: dict[str, str] = {"/api/v1/file": "?path=nothing.py"}
"""What is not there, for routes that look at a file."""


def address(path: str, query: str | None = None) -> str:
    """The address of an operation, with parameters that it answers unless others are given."""
    filled = path.replace("{number}", "1").replace("{forge}", "github")
    return filled + (PARAMETERS.get(path, "") if query is None else query)


def ask(client: TestClient, operation: Operation, query: str | None = None, **more: Any) -> Any:
    """The reply of an operation; a write brings its header."""
    method, path = operation
    headers = {**(WRITE if method == "POST" else {}), **more.pop("headers", {})}
    return client.request(method, address(path, query), headers=headers, **more)


def failing(error: Exception) -> Callable[..., Any]:
    """A coroutine function that raises."""

    async def fail(*_: object, **__: object) -> None:
        raise error

    return fail


@pytest.fixture(scope="module")
def document(client: TestClient) -> dict[str, Any]:
    """The OpenAPI document."""
    found: dict[str, Any] = client.get("/openapi.json").json()
    return found


def promised(document: dict[str, Any], status: int) -> list[Operation]:
    """The operations that document this status."""
    return [
        (method.upper(), path)
        for path, methods in document["paths"].items()
        for method, told in methods.items()
        if str(status) in told["responses"]
    ]


def others(document: dict[str, Any], status: int) -> list[Operation]:
    """The operations that do not."""
    everything = [(method.upper(), path) for path, methods in document["paths"].items() for method in methods]
    return [one for one in everything if one not in promised(document, status)]


def check(reply: Any, status: int, operation: Operation) -> None:
    """The status, and the one shape of an error."""
    assert reply.status_code == status, (operation, reply.status_code, reply.text[:200])
    assert Failure.model_validate(reply.json()).error.message, operation


GUARD: list[tuple[int, dict[str, Any]]] = [
    (400, {"headers": [("host", "localhost"), ("host", "localhost"), ("x-fourfold", "1")]}),
    (403, {"headers": {"origin": "https://elsewhere.example", "x-fourfold": "1"}}),
    (413, {"headers": {"content-length": str(MAX_BODY_BYTES + 1), "x-fourfold": "1"}}),
    (421, {"headers": {"host": "elsewhere.example", "x-fourfold": "1"}}),
]


@pytest.mark.parametrize(("status", "request_"), GUARD, ids=lambda one: str(one) if isinstance(one, int) else "")
def test_what_the_guard_refuses(
    client: TestClient, document: dict[str, Any], status: int, request_: dict[str, Any]
) -> None:
    operations = promised(document, status)
    assert not others(document, status)
    for method, path in operations:
        check(client.request(method, address(path), **request_), status, (method, path))


def test_an_address_that_is_too_long(client: TestClient, document: dict[str, Any]) -> None:
    assert not others(document, 414)
    for operation in promised(document, 414):
        check(ask(client, operation, "?q=" + "x" * MAX_TARGET_BYTES), 414, operation)


def test_a_token_is_needed_everywhere_but_to_see_that_it_lives(guarded: TestClient, document: dict[str, Any]) -> None:
    assert others(document, 401) == [("GET", "/healthz")]
    for operation in promised(document, 401):
        check(ask(guarded, operation), 401, operation)
    assert guarded.get("/healthz").status_code == 200
    assert guarded.get("/metrics", headers={"authorization": f"Bearer {TOKEN}"}).status_code == 200


def test_who_asks_too_often(built: Built, document: dict[str, Any]) -> None:
    assert others(document, 429) == [("GET", "/healthz")]
    with serving(built, rate=0.001) as client:
        client.get("/docs")
        for operation in promised(document, 429):
            check(ask(client, operation), 429, operation)


def test_a_fault_of_ours(built: Built, document: dict[str, Any]) -> None:
    assert not others(document, 500)
    with serving(built) as client:
        guard: Any = client.app
        real, guard._app = guard._app, failing(RuntimeError("unforeseen"))
        try:
            for operation in promised(document, 500):
                check(ask(client, operation), 500, operation)
        finally:
            guard._app = real


def test_wrong_parameters(built: Built, document: dict[str, Any]) -> None:
    with serving(built) as client:
        app: Any = client.app
        app._app.state.desk = object()  # a server of services: its routes look at what is asked, then at this
        for method, path in promised(document, 422):
            wrong = path.replace("{number}", "one").replace("{forge}", "x" * 100) + WRONG.get(path, "")
            body = {"unknown": 1} if method == "POST" else None
            reply = client.request(method, wrong, headers=WRITE, json=body)
            check(reply, 422, (method, path))
        app._app.state.desk = None
    for method, path in others(document, 422):
        assert not document["paths"][path][method.lower()].get("parameters"), path


@pytest.mark.parametrize(
    ("status", "error"),
    [
        (408, TimedOut("no answer within 20 s")),
        (409, IndexUnavailable("there is no index yet")),
        (423, LockHeld("another process writes the index")),
        (503, BackendUnavailable("too many questions at once")),
    ],
)
def test_what_the_work_may_end_in(
    built: Built, document: dict[str, Any], monkeypatch: pytest.MonkeyPatch, status: int, error: Exception
) -> None:
    monkeypatch.setattr(index_routes, "MAX_STREAMS", 0)
    with serving(built) as client:
        app: Any = client.app
        app._app.state.service.run = failing(error)
        reached = promised(document, status)
        for operation in reached:
            accept = "text/event-stream" if operation[1].endswith("/index") else "application/json"
            check(ask(client, operation, headers={"accept": accept}), status, operation)
    assert reached


def test_without_an_index_the_routes_that_need_one_say_so(
    tmp_path_factory: pytest.TempPathFactory, document: dict[str, Any]
) -> None:
    expected = [one for one in promised(document, 409) if not one[1].endswith("/history")]
    with Built(tmp_path_factory.mktemp("empty")) as built, serving(built, read_only=True) as client:
        for operation in expected:
            check(ask(client, operation), 409, operation)
        for operation in others(document, 409):
            reply = ask(client, operation)
            assert reply.status_code in (200, 202, 403, 404, 422), (operation, reply.status_code)


def test_what_is_not_there(client: TestClient, document: dict[str, Any]) -> None:
    for operation in promised(document, 404):
        body: dict[str, Any] = {"json": {}} if operation[1].endswith("/reindex") else {}
        for _ in range(200):
            reply = ask(client, operation, ABSENT.get(operation[1], ""), **body)
            if reply.status_code != 200:  # a refresh that still runs can be cancelled
                break
        check(reply, 404, operation)


def test_too_many_wait(built: Built, document: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    with serving(built) as client:
        client.get("/api/v1/symbol?name=backoff_delay")
        monkeypatch.setattr(service, "MAX_WAITING", 0)
        monkeypatch.setattr(index_routes, "MAX_STREAMS", 0)
        for operation in promised(document, 503):
            accept = "text/event-stream" if operation[1].endswith("/index") else "application/json"
            check(ask(client, operation, headers={"accept": accept}), 503, operation)


@pytest.fixture(autouse=True)
def _whole(client: TestClient) -> Iterator[None]:
    """The index of the session is built before any of these asks."""
    client.get("/api/v1/symbol?name=backoff_delay")
    yield


@pytest.mark.parametrize("asked", ["search?q=retry", "grep?pattern=retry", "symbol?name=delay", "usages?name=delay"])
def test_a_language_of_which_nothing_is_indexed_is_said_to_be_absent(client: TestClient, asked: str) -> None:
    body = client.get(f"/api/v1/{asked}&language=cobol").json()
    assert body["items"] == []
    assert body["meta"]["suggestion"].startswith("no file of cobol is indexed here, only of python")
