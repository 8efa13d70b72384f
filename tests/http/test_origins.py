"""Nobody but this server's own pages may ask it, whatever the route."""

from __future__ import annotations

import pytest
from starlette.testclient import TestClient
from tests.http.routes import all_routes

from fourfold.interfaces.http.guard import SECURITY_HEADERS
from fourfold.interfaces.http.options import ServeOptions
from fourfold.interfaces.http.origins import fetch_allowed, host_allowed, host_name, origin_allowed

FOREIGN: list[tuple[dict[str, str], int]] = [
    ({"host": "evil.example"}, 421),
    ({"host": "evil.example:8000"}, 421),
    ({"host": "localhost.evil.example:8000"}, 421),
    ({"host": "127.0.0.1.evil.example"}, 421),
    ({"host": "192.168.1.7:8000"}, 421),
    ({"host": "user@localhost:8000"}, 421),
    ({"host": ""}, 421),
    ({"origin": "https://evil.example"}, 403),
    ({"origin": "http://localhost:3000"}, 403),
    ({"origin": "http://localhost"}, 403),
    ({"origin": "null"}, 403),
    ({"origin": "file://"}, 403),
    ({"sec-fetch-site": "cross-site", "sec-fetch-mode": "no-cors", "sec-fetch-dest": "image"}, 403),
    ({"sec-fetch-site": "same-site", "sec-fetch-mode": "cors", "sec-fetch-dest": "empty"}, 403),
    ({"sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate", "sec-fetch-dest": "iframe"}, 403),
]


@pytest.mark.parametrize(("headers", "status"), FOREIGN)
def test_no_route_answers_a_foreign_page(client: TestClient, headers: dict[str, str], status: int) -> None:
    routes = all_routes(client.app)  # type: ignore[arg-type]
    assert len(routes) > 30
    for method, address in routes:
        reply = client.request(method, address, headers={"x-fourfold": "1", **headers})
        assert reply.status_code == status, (method, address)
        assert "access-control-allow-origin" not in reply.headers
        if method != "HEAD":
            assert set(reply.json()["error"]) == {"code", "message", "hint"}


def test_every_route_answers_its_own_page(client: TestClient) -> None:
    own = {"origin": "http://localhost:8000", "sec-fetch-site": "same-origin", "sec-fetch-mode": "cors"}
    for method, address in all_routes(client.app):  # type: ignore[arg-type]
        if method == "POST" or address == "/api/v1/index/events":
            continue
        reply = client.request(method, address, headers=own)
        if address == "/api/v1/history":
            assert (reply.status_code, reply.json()["error"]["code"]) == (409, "F300")  # the project is not in git
            continue
        expected = {404} if address in ("/nowhere", "/api/v1/jobs/1") else {403} if method == "OPTIONS" else {200}
        assert reply.status_code in expected, (method, address, reply.text[:300])


def test_every_answer_carries_the_headers_that_keep_foreign_things_out(client: TestClient) -> None:
    for method, address in all_routes(client.app):  # type: ignore[arg-type]
        if address == "/api/v1/index/events":
            continue
        reply = client.request(method, address)
        for name, value in SECURITY_HEADERS:
            assert reply.headers[name.decode()] == value.decode(), (method, address)
        assert "server" not in reply.headers


def test_the_policy_allows_nothing_inline(client: TestClient) -> None:
    policy = client.get("/").headers["content-security-policy"]
    assert "unsafe" not in policy
    assert "default-src 'none'" in policy and "frame-ancestors 'none'" in policy


def test_a_header_that_decides_may_not_come_twice(client: TestClient) -> None:
    reply = client.get("/healthz", headers=[("host", "localhost:8000"), ("host", "evil.example")])
    assert reply.status_code == 400


def test_a_link_from_another_site_to_the_page_works(client: TestClient) -> None:
    link = {"sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate", "sec-fetch-dest": "document"}
    assert client.get("/?q=backoff", headers=link).status_code == 200


@pytest.mark.parametrize(
    ("header", "name"),
    [
        ("localhost", "localhost"),
        ("LOCALHOST:8000", "localhost"),
        ("localhost.:8000", "localhost"),
        ("[::1]:8000", "::1"),
        ("::1", ""),
        ("a b", ""),
        ("host/path", ""),
        ("localhost:99999999", ""),
        ("", ""),
    ],
)
def test_the_name_in_a_host_header(header: str, name: str) -> None:
    assert host_name(header) == name


@pytest.mark.parametrize(
    ("options", "header", "allowed"),
    [
        (ServeOptions(), "[::1]:8000", True),
        (ServeOptions(), "10.0.0.5:8000", False),
        (ServeOptions(host="10.0.0.5"), "10.0.0.5:8000", True),
        (ServeOptions(host="10.0.0.5"), "10.0.0.6:8000", False),
        (ServeOptions(host="0.0.0.0"), "10.0.0.6:8000", True),
        (ServeOptions(host="0.0.0.0"), "code.example:8000", False),
        (ServeOptions(host="0.0.0.0", hosts=("Code.example",)), "code.example:8000", True),
    ],
)
def test_which_names_are_the_servers(options: ServeOptions, header: str, allowed: bool) -> None:
    assert host_allowed(header, options) is allowed


def test_an_origin_is_the_same_scheme_name_and_port() -> None:
    assert origin_allowed("http://localhost:8000", "localhost:8000")
    assert origin_allowed("https://LOCALHOST:8000", "localhost:8000")
    assert not origin_allowed("http://localhost:8001", "localhost:8000")
    assert not origin_allowed("ftp://localhost:8000", "localhost:8000")
    assert not origin_allowed("localhost:8000", "localhost:8000")


def test_what_a_browser_says_of_where_a_request_comes_from() -> None:
    assert fetch_allowed("none", "navigate", "document")
    assert not fetch_allowed("cross-site", "navigate", "frame")
