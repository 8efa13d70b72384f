"""A server on loopback that speaks Qdrant's REST protocol and answers with the client's own local mode.

What travels is what a real server would be sent; what it cannot show is a real server's planning, limits and speed.
Faults can be ordered: a status, a cut connection, a silence, for the next requests whose path ends as given.
"""

from __future__ import annotations

import json
import re
import threading
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from qdrant_client import QdrantClient, models

VERSION = "1.20.1"
_COLLECTION = re.compile(r"/collections/([^/]+)(/.*)?")


@dataclass(slots=True)
class Fault:
    """What happens to the next `times` requests of `method` whose path ends with `ending`, after `skip` went through.

    `status` is answered (with `headers` and `body`); 0 cuts the connection before an answer, after the request was
    carried out where `applied` says so; `silence_s` waits before answering rightly.
    """

    method: str
    ending: str
    status: int = 0
    times: int = 1
    skip: int = 0
    body: str = '{"status":{"error":"made to fail"},"time":0}'
    headers: dict[str, str] = field(default_factory=dict)
    applied: bool = False
    silence_s: float = 0.0


class WireServer:
    """The server. `requests` lists (method, path) of all that was asked."""

    def __init__(self) -> None:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            self.local = QdrantClient(":memory:")
        self.faults: list[Fault] = []
        self.requests: list[tuple[str, str]] = []
        self.bodies: list[Any] = []
        self.version = VERSION
        self.guard = threading.Lock()
        handler = type("Handler", (_Handler,), {"wire": self})
        self._http = ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self._http.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._http.server_address[1]}"
        threading.Thread(target=self._http.serve_forever, args=(0.05,), daemon=True).start()

    def fault(self, method: str, path: str) -> Fault | None:
        """The fault that this request meets."""
        for one in self.faults:
            if one.times and method == one.method and path.endswith(one.ending):
                if one.skip:
                    one.skip -= 1
                    return None
                one.times -= 1
                return one
        return None

    def close(self) -> None:
        """Stop."""
        self._http.shutdown()
        self._http.server_close()

    def answer(self, method: str, path: str, body: Any) -> tuple[int, Any]:
        """(status, result) of one request."""
        if path == "/":
            return 200, None
        if path == "/aliases":
            return 200, _plain(self.local.get_aliases())
        if path == "/collections/aliases":
            made = [_alias(one) for one in body["actions"]]
            return 200, self.local.update_collection_aliases(made)
        match = _COLLECTION.fullmatch(path)
        assert match is not None, path
        name, rest = match[1], match[2] or ""
        if rest == "/exists":
            return 200, {"exists": self.local.collection_exists(name)}
        if not rest and method == "PUT":
            return self._create(name, body)
        if not self.local.collection_exists(name):
            return 404, f"Not found: Collection `{name}` doesn't exist!"
        try:
            return 200, self._on_collection(method, name, rest, body)
        except ValueError as error:
            return 400, str(error)

    def _create(self, name: str, body: Any) -> tuple[int, Any]:
        if self.local.collection_exists(name):
            return 409, f"Wrong input: Collection `{name}` already exists!"
        asked = models.CreateCollection.model_validate(body)
        self.local.create_collection(
            name, vectors_config=asked.vectors or {}, sparse_vectors_config=asked.sparse_vectors
        )
        return 200, True

    def _on_collection(self, method: str, name: str, rest: str, body: Any) -> Any:
        local = self.local
        if not rest:
            return local.delete_collection(name) if method == "DELETE" else _plain(local.get_collection(name))
        if rest == "/index":
            return _done()
        routes: dict[tuple[str, str], Callable[[], Any]] = {
            ("PUT", "/points"): lambda: self._upsert(name, body),
            ("POST", "/points"): lambda: _plain(
                local.retrieve(name, body["ids"], with_payload=body.get("with_payload"), with_vectors=False)
            ),
            ("PUT", "/points/vectors"): lambda: local.update_vectors(
                name, [models.PointVectors.model_validate(one) for one in body["points"]]
            ),
            ("POST", "/points/payload"): lambda: local.set_payload(
                name, body["payload"], points=models.Filter.model_validate(body["filter"])
            ),
            ("POST", "/points/delete"): lambda: local.delete(name, models.FilterSelector.model_validate(body)),
            ("POST", "/points/batch"): lambda: self._batch(name, body),
            ("POST", "/points/scroll"): lambda: self._scroll(name, body),
            ("POST", "/points/count"): lambda: _plain(
                local.count(name, models.Filter.model_validate(body["filter"]), exact=True)
            ),
            ("POST", "/points/query"): lambda: self._query(name, models.QueryRequest.model_validate(body)),
            ("POST", "/points/query/batch"): lambda: [
                self._query(name, one) for one in models.QueryRequestBatch.model_validate(body).searches
            ],
        }
        return routes[method, rest]()

    def _upsert(self, name: str, body: Any) -> Any:
        asked = models.PointsList.model_validate(body)
        local: Any = self.local
        local.upsert(name, asked.points, update_filter=asked.update_filter)
        return _done()

    def _batch(self, name: str, body: Any) -> Any:
        asked = models.UpdateOperations.model_validate(body)
        self.local.batch_update_points(name, asked.operations)
        return [_done() for _ in asked.operations]

    def _scroll(self, name: str, body: Any) -> Any:
        asked = models.ScrollRequest.model_validate(body)
        points, offset = self.local.scroll(
            name,
            scroll_filter=asked.filter,
            limit=asked.limit or 10,
            offset=asked.offset,
            with_payload=asked.with_payload,
            with_vectors=asked.with_vector or False,
        )
        return {"points": _plain(points), "next_page_offset": offset}

    def _query(self, name: str, asked: models.QueryRequest) -> Any:
        kept = None
        if asked.params is not None:
            kept = models.SearchParams(idf=asked.params.idf)
        for one in asked.prefetch if isinstance(asked.prefetch, list) else []:
            one.params = models.SearchParams(idf=one.params.idf) if one.params and one.params.idf else None
        found = self.local.query_points(
            name,
            query=asked.query,
            prefetch=asked.prefetch,
            using=asked.using,
            query_filter=asked.filter,
            search_params=kept if kept is not None and kept.idf is not None else None,
            limit=asked.limit or 10,
            with_payload=asked.with_payload,
        )
        return _plain(found)


class _Handler(BaseHTTPRequestHandler):
    wire: WireServer
    protocol_version = "HTTP/1.1"

    def log_message(self, *_: Any) -> None:
        """Nothing is printed."""

    def _serve(self) -> None:
        path = self.path.partition("?")[0]
        length = int(self.headers.get("Content-Length") or 0)
        raw = self.rfile.read(length)
        body = json.loads(raw) if raw else None
        with self.wire.guard:
            self.wire.requests.append((self.command, path))
            self.wire.bodies.append(body)
            fault = self.wire.fault(self.command, path)
            if fault is None or fault.applied or fault.silence_s:
                status, result = self.wire.answer(self.command, path, body)
        if fault is not None and fault.silence_s:
            time.sleep(fault.silence_s)
        elif fault is not None and not fault.status:
            self.close_connection = True
            self.connection.close()
            return
        elif fault is not None:
            self._reply(fault.status, fault.body, fault.headers)
            return
        self._reply(status, json.dumps(self._envelope(path, status, result)), {})

    def _envelope(self, path: str, status: int, result: Any) -> Any:
        if path == "/":
            return {"title": "qdrant - vector search engine", "version": self.wire.version}
        if status != 200:
            return {"status": {"error": result}, "time": 0.0}
        return {"result": _done() if hasattr(result, "operation_id") else result, "status": "ok", "time": 0.0}

    def _reply(self, status: int, text: str, headers: dict[str, str]) -> None:
        data = text.encode()
        try:
            self.send_response(status)
            for name, value in {"Content-Type": "application/json", **headers}.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)
        except OSError:  # the client has given up
            self.close_connection = True

    do_GET = do_PUT = do_POST = do_DELETE = _serve  # noqa: N815 (names of the library)


def _alias(one: Any) -> Any:
    if "create_alias" in one:
        return models.CreateAliasOperation.model_validate(one)
    return models.DeleteAliasOperation.model_validate(one)


def _done() -> dict[str, Any]:
    return {"operation_id": 1, "status": "completed"}


def _plain(value: Any) -> Any:
    if isinstance(value, list):
        return [_plain(one) for one in value]
    return value.model_dump(mode="json", exclude_none=True)


@contextmanager
def wire_server() -> Iterator[WireServer]:
    """A running server."""
    server = WireServer()
    try:
        yield server
    finally:
        server.close()
