"""One shape for every error, without a path of the machine in it."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient
from tests.built import Built
from tests.http.conftest import serving

from fourfold.interfaces.http.failures import Scrubber
from fourfold.model.errors import BackendUnavailable, IndexDamaged, LockHeld

WRONG = [
    ("/api/v1/search?q=", 400, "F101"),
    ("/api/v1/search?q=lang:py", 400, "F101"),
    ("/api/v1/search?q=x&language=klingon", 400, "F102"),
    ("/api/v1/search?q=x&kind=klass0", 400, "F102"),
    ("/api/v1/search?q=x&path=../up", 400, "F102"),
    ("/api/v1/search?q=x&preset=none", 400, "F100"),
    ("/api/v1/search", 422, "F100"),
    ("/api/v1/search?q=x&limit=0", 422, "F100"),
    ("/api/v1/search?q=x&limit=ten", 422, "F100"),
    ("/api/v1/grep?pattern=foo(", 400, "F203"),
    ("/api/v1/usages?name=x&direction=sideways", 400, "F100"),
    ("/api/v1/impact?name=x&depth=11", 422, "F100"),
    ("/api/v1/match?pattern=def(&in_language=klingon", 400, "F102"),
    ("/api/v1/similar?file=nothing.py&line=1", 400, "F101"),
    ("/api/v1/file?path=nothing.py", 404, "F904"),
    ("/api/v1/file?path=.env", 404, "F904"),
    ("/api/v1/file?path=src/app.py&start=9000", 400, "F101"),
    ("/api/v1/file?path=../x", 403, "F104"),
    ("/api/v1/file?path=/etc/passwd", 403, "F104"),
    ("/api/v1/status/path?path=../../x", 403, "F104"),
    ("/api/v1/graph?name=%20", 400, "F101"),
    ("/api/v1/nothing", 404, "F904"),
    ("/nothing", 404, "F904"),
]


@pytest.mark.parametrize(("address", "status", "code"), WRONG)
def test_what_is_wrong_is_said_in_one_shape(
    client: TestClient, root: Path, address: str, status: int, code: str
) -> None:
    reply = client.get(address)
    error: dict[str, Any] = reply.json()["error"]
    assert (reply.status_code, error["code"]) == (status, code), error
    assert set(error) == {"code", "message", "hint"} and error["message"]
    assert str(root) not in reply.text and str(root.parent) not in reply.text


def test_another_method_is_refused_in_the_same_shape(client: TestClient) -> None:
    reply = client.request("DELETE", "/api/v1/search", headers={"x-fourfold": "1"})
    assert (reply.status_code, reply.json()["error"]["code"]) == (405, "F905")


@pytest.mark.parametrize(
    ("error", "status", "code"),
    [
        (LockHeld("process 7 writes {root}"), 423, "F400"),
        (IndexDamaged("{root}/segment is damaged"), 500, "F303"),
        (BackendUnavailable("no model in {home}"), 503, "F500"),
        (RuntimeError("{root} {home}"), 500, "F999"),
    ],
)
def test_what_the_engine_raises_has_its_status_and_no_path(
    built: Built, caplog: pytest.LogCaptureFixture, error: Exception, status: int, code: str
) -> None:
    places = {"root": str(built.root), "home": str(Path.home())}
    said = str(error).format(**places)
    error.args = (said,)
    if hasattr(error, "message"):
        error.message = said

    def fail(*_: object, **__: object) -> None:
        raise error

    with serving(built) as client, caplog.at_level(logging.INFO, "fourfold.http"):
        app = client.app._app  # type: ignore[attr-defined]
        app.state.service.index.search = fail
        try:
            reply = client.get("/api/v1/search?q=whatisasked")
        finally:
            del app.state.service.index.search
    assert (reply.status_code, reply.json()["error"]["code"]) == (status, code)
    for place in places.values():
        assert place not in reply.text and place not in caplog.text
    ours = [record.getMessage() for record in caplog.records if record.name == "fourfold.http"]
    assert ours and not any("whatisasked" in line for line in ours)


def test_a_page_gets_its_error_as_a_page(client: TestClient) -> None:
    reply = client.get("/file/nothing.py", headers={"accept": "text/html"})
    assert reply.status_code == 404 and "<html" in reply.text and "nothing.py is not indexed" in reply.text
    part = client.get("/part/results?q=x&language=klingon", headers={"accept": "text/html"})
    assert part.status_code == 400 and "<html" not in part.text and 'role="alert"' in part.text


def test_places_are_taken_out_of_texts() -> None:
    scrub = Scrubber.of(Path("/srv/code/app"), [Path("/var/cache/fourfold/app-1")])
    assert scrub.clean("/srv/code/app/x.py and /var/cache/fourfold/app-1/db") == "app/x.py and …/db"
    assert scrub.clean(f"{Path.home()}/x") == "…/x" or str(Path.home()) == "/"


def test_without_an_index_that_is_said(tmp_path: Path) -> None:
    with Built(tmp_path) as built, serving(built, read_only=True) as client:
        reply = client.get("/api/v1/search?q=x")
        assert (reply.status_code, reply.json()["error"]["code"]) == (409, "F300")
        assert str(tmp_path) not in reply.text
        assert client.get("/api/v1/status").json()["exists"] is False
        assert "There is no index yet" in client.get("/").text
        assert "not built yet" in client.get("/index").text
