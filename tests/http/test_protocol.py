"""What is no HTTP request is answered in the one shape of errors, on a real socket."""

from __future__ import annotations

import json
import socket
import threading
import time
from collections.abc import Iterator

import pytest
import uvicorn
from tests.built import Built

from fourfold.interfaces.http.app import create_app
from fourfold.interfaces.http.options import ServeOptions
from fourfold.interfaces.http.protocol import Protocol


@pytest.fixture(scope="module")
def port(built: Built) -> Iterator[int]:
    """Where a server listens."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        app = create_app(built.index, ServeOptions(read_only=True))
        server = uvicorn.Server(uvicorn.Config(app, log_level="critical", http=Protocol, ws="none", lifespan="on"))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
        thread.start()
        until = time.monotonic() + 30
        while not server.started and time.monotonic() < until:
            time.sleep(0.01)
        yield int(listener.getsockname()[1])
        server.should_exit = True
        thread.join(30)


def said(port: int, request: bytes) -> tuple[str, str, bytes]:
    """(status line, other headers, body) of the reply to these bytes."""
    with socket.create_connection(("127.0.0.1", port), timeout=30) as connection:
        connection.sendall(request)
        data = b""
        while part := connection.recv(65536):
            data += part
    head, _, body = data.partition(b"\r\n\r\n")
    line, _, headers = head.decode("latin-1").partition("\r\n")
    return line, headers.lower(), body


@pytest.mark.parametrize(
    "request_",
    [
        b"GET / HTTP/1.1\r\n\r\n",
        b"GET /api/v1/search?q=x HTTP/1.1\r\nAccept: text/html\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: localhost\r\nHost: elsewhere\r\n\r\n",
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: localhost\r\nContent-Length: many\r\n\r\n",
    ],
)
def test_what_is_no_request_is_answered_as_json(port: int, request_: bytes) -> None:
    line, headers, body = said(port, request_)
    assert line.startswith("HTTP/1.1 400 ")
    assert "content-type: application/json" in headers and "x-content-type-options: nosniff" in headers
    error = json.loads(body)["error"]
    assert error["code"] == "F100" and error["message"] and "Host" in error["hint"]


def test_a_request_is_answered(port: int) -> None:
    line, _, body = said(port, b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
    assert line.startswith("HTTP/1.1 200 ") and json.loads(body) == {"status": "ok"}


def test_http_1_0_without_a_host_is_told_so(port: int) -> None:
    line, _, body = said(port, b"GET /healthz HTTP/1.0\r\n\r\n")
    assert line.startswith("HTTP/1.1 421 ") and json.loads(body)["error"]["code"] == "F903"
