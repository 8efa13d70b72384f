"""A server on this machine that speaks the protocols of embedding servers, and misbehaves as told."""

from __future__ import annotations

import hashlib
import json
import re
import threading
import time
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Script = Callable[[BaseHTTPRequestHandler], None]
DIMENSION = 16


def vector(text: str, dimension: int = DIMENSION) -> list[float]:
    """A bag of hashed words: texts that share words are near each other."""
    result = [0.0] * dimension
    for word in re.findall(r"[a-z]+", text.lower()):
        digest = hashlib.blake2b(word.encode(), digest_size=2).digest()
        result[digest[0] % dimension] += 1.0 if digest[1] % 2 else -1.0
    return result if any(result) else [1.0, *result[1:]]


class EmbeddingServer:
    """Answers by path; `scripts` are used up first, one a request. `bodies` and `headers` are what was received."""

    def __init__(self) -> None:
        self.bodies: list[dict[str, Any]] = []
        self.headers: list[dict[str, str]] = []
        self.paths: list[str] = []
        self.scripts: list[Script] = []
        self.always: Script | None = None
        self.lock = threading.Lock()
        self.under_way = 0
        self.most_under_way = 0
        self.delay_s = 0.0
        outer = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                outer._handle(self)

            def log_message(self, *_: Any) -> None:
                return

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self._server.handle_error = lambda *_: None  # type: ignore[method-assign]  # clients that hang up are no fault
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True)
        self._thread.start()

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    @property
    def texts(self) -> list[str]:
        """Every text that was received, in order."""
        return [text for body in self.bodies for text in (body.get("input") or body.get("texts") or [])]

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()

    def _handle(self, request: BaseHTTPRequestHandler) -> None:
        body = json.loads(request.rfile.read(int(request.headers["Content-Length"])))
        with self.lock:
            self.bodies.append(body)
            self.paths.append(request.path)
            self.headers.append({key.lower(): value for key, value in request.headers.items()})
            script = self.scripts.pop(0) if self.scripts else self.always
            self.under_way += 1
            self.most_under_way = max(self.most_under_way, self.under_way)
        try:
            time.sleep(self.delay_s)
            (script or send(answer(request.path, body)))(request)
        finally:
            with self.lock:
                self.under_way -= 1


def answer(path: str, body: dict[str, Any]) -> dict[str, Any]:
    """What a well-behaved server says."""
    if path == "/v2/embed":
        return {"id": "1", "embeddings": {"float": [vector(text) for text in body["texts"]]}}
    if path == "/api/embed":
        return {"model": body["model"], "embeddings": [vector(text) for text in body["input"]]}
    size = int(body.get("dimensions") or body.get("output_dimension") or DIMENSION)
    rows: list[Any] = [vector(text, size) for text in body["input"]]
    if body.get("output_dtype") == "ubinary":
        rows = [_bits(row) for row in rows]
    return {"data": [{"object": "embedding", "index": number, "embedding": row} for number, row in enumerate(rows)]}


def _bits(row: list[float]) -> list[int]:
    text = "".join("1" if value > 0 else "0" for value in row)
    return [int(text[at : at + 8], 2) for at in range(0, len(text), 8)]


def send(value: Any, *, code: int = 200, headers: dict[str, str] | None = None) -> Script:
    """A JSON reply, or bytes as they are."""
    data = value if isinstance(value, bytes) else json.dumps(value).encode()

    def script(request: BaseHTTPRequestHandler) -> None:
        request.send_response(code)
        for name, text in (headers or {}).items():
            request.send_header(name, text)
        request.send_header("Content-Length", str(len(data)))
        request.end_headers()
        request.wfile.write(data)

    return script


def cut_off(request: BaseHTTPRequestHandler) -> None:
    """Announces more than it sends."""
    request.send_response(200)
    request.send_header("Content-Length", "5000")
    request.end_headers()
    request.wfile.write(b'{"data": [{"index": 0, "embe')
    request.close_connection = True


def trickle(request: BaseHTTPRequestHandler) -> None:
    """A byte now and then, for ever."""
    request.send_response(200)
    request.send_header("Content-Length", "100000")
    request.end_headers()
    for _ in range(1000):
        request.wfile.write(b" ")
        request.wfile.flush()
        time.sleep(0.02)
