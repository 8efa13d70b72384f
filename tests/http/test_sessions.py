"""Tokens, cookies, writes, and a server that only reads."""

from __future__ import annotations

import pytest
from starlette.testclient import TestClient
from tests.built import Built
from tests.http.conftest import TOKEN, serving
from tests.http.routes import all_routes

from fourfold.index import freshness

BEARER = {"authorization": f"Bearer {TOKEN}"}


@pytest.fixture
def stranger(guarded: TestClient) -> TestClient:
    """A client without any cookie."""
    guarded.cookies.clear()
    return guarded


def test_no_route_answers_without_the_token(stranger: TestClient) -> None:
    for method, address in all_routes(stranger.app):  # type: ignore[arg-type]
        if address in ("/healthz", "/login") or address.startswith("/static/"):
            continue
        for wrong in ({}, {"authorization": "Bearer wrong"}, {"authorization": f"Basic {TOKEN}"}):
            reply = stranger.request(method, address, headers={"x-fourfold": "1", **wrong})
            assert reply.status_code == 401, (method, address)
            assert reply.headers["www-authenticate"] == "Bearer"


def test_the_token_opens_the_api(stranger: TestClient) -> None:
    assert stranger.get("/api/v1/status", headers=BEARER).status_code == 200


def test_what_needs_no_token_tells_nothing_of_the_repository(stranger: TestClient, built: Built) -> None:
    for address in ("/healthz", "/login", "/static/style.css", "/static/page.js"):
        reply = stranger.get(address)
        assert reply.status_code == 200
        assert built.root.name not in reply.text or built.root.name == "root"
    assert "<title>Sign in · Fourfold" in stranger.get("/login").text


def test_a_browser_is_sent_to_sign_in_and_gets_a_cookie(stranger: TestClient) -> None:
    sent = stranger.get("/?q=x", headers={"accept": "text/html"})
    assert (sent.status_code, sent.headers["location"]) == (303, "/login")
    wrong = stranger.post("/login", data={"token": "wrong"})
    assert wrong.status_code == 401 and "set-cookie" not in wrong.headers
    right = stranger.post("/login", data={"token": TOKEN})
    cookie = right.headers["set-cookie"]
    assert "HttpOnly" in cookie and "SameSite=Strict" in cookie and TOKEN not in cookie
    assert stranger.get("/?q=backoff").status_code == 200


def test_a_link_with_the_token_signs_in_and_takes_it_out_of_the_address(stranger: TestClient) -> None:
    reply = stranger.get(f"/graph?symbol=Policy&token={TOKEN}")
    assert (reply.status_code, reply.headers["location"]) == (303, "/graph?symbol=Policy")
    assert stranger.get("/graph?symbol=Policy").status_code == 200
    stranger.cookies.clear()
    assert stranger.get("/?token=wrong").status_code == 401
    away = stranger.get(f"//evil.example/x?token={TOKEN}")
    assert away.headers.get("location", "/").startswith("/") and not away.headers.get("location", "/").startswith("//")


def test_a_foreign_page_may_not_even_sign_in(stranger: TestClient) -> None:
    reply = stranger.post("/login", data={"token": TOKEN}, headers={"origin": "https://evil.example"})
    assert reply.status_code == 403 and "set-cookie" not in reply.headers


@pytest.mark.parametrize("address", ["/api/v1/index", "/api/v1/index/cancel"])
def test_a_write_needs_a_header_that_no_form_can_send(client: TestClient, address: str) -> None:
    reply = client.post(address, data={"x": "1"})
    assert reply.status_code == 403
    assert "X-Fourfold" in reply.json()["error"]["message"]


def test_a_read_only_server_refuses_writes_and_leaves_the_index(
    tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(freshness, "CHECK_S", 0.0)
    with Built(tmp_path_factory.mktemp("kept")).write({"a.py": "def first(): pass\n"}) as built:
        before = built.index.status().generation
        (built.root / "b.py").write_text("def second(): pass\n", encoding="utf-8")
        with serving(built, read_only=True) as client:
            reply = client.post("/api/v1/index", headers={"x-fourfold": "1"})
            assert (reply.status_code, reply.json()["error"]["message"]) == (403, "this server is read-only")
            found = client.get("/api/v1/symbol?name=second&exact=true").json()
            assert found["items"] == [] and found["meta"]["stale"] is True
        assert built.index.status().generation == before
