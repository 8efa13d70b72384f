"""What every request passes first, whatever route it names: an ASGI middleware around the whole application.

In this order: Host, Origin and Sec-Fetch (421, 403), rate (429), size (414, 413), token (401), writes (403). It also
adds the headers that keep a browser from running or embedding anything foreign, and catches what nobody foresaw.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Awaitable, Callable, Iterable, MutableMapping
from typing import Any

from fourfold.interfaces.http import failures, origins
from fourfold.interfaces.http.limiter import Limiter
from fourfold.interfaces.http.metrics import Metrics
from fourfold.interfaces.http.options import MAX_BODY_BYTES, MAX_TARGET_BYTES, ServeOptions
from fourfold.interfaces.http.sessions import Sessions

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

WRITE_HEADER = "x-fourfold"
"""A header that no form and no simple cross-site request can carry."""
SAFE_METHODS = frozenset({"GET", "HEAD"})
OPEN_PATHS = frozenset({"/healthz", "/login"})
UNLIMITED = frozenset({"/healthz"})
"""What costs no more than a refusal: who watches the server is never told to wait."""
OPEN_FOLDER = "/static/"
"""What needs no token: nothing here tells of the repository."""
LOGIN = "/login"
WEBHOOKS = "/api/v1/webhooks/"
"""Webhooks bring a signature of their body instead of a token and a header; the route checks it."""

CONTENT_SECURITY_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
SECURITY_HEADERS: tuple[tuple[bytes, bytes], ...] = (
    (b"content-security-policy", CONTENT_SECURITY_POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), geolocation=(), microphone=()"),
)

_TOO_LARGE = f"the body has more than {MAX_BODY_BYTES:,} bytes"
_log = logging.getLogger("fourfold.http")


class Guard:
    """Wraps the application `app`; see the module."""

    def __init__(self, app: App, options: ServeOptions, metrics: Metrics) -> None:
        self._app = app
        self._options = options
        self._metrics = metrics
        self._limiter = Limiter(options.rate)
        self._sessions = Sessions(options)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let the request through, or answer it here."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
        elif scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1008})
        elif scope["type"] == "http":
            await self._http(scope, receive, send)

    async def _http(self, scope: Scope, receive: Receive, send: Send) -> None:
        started = time.perf_counter()
        state = {"status": 0}

        async def sending(message: Message) -> None:
            if message["type"] == "http.response.start":
                state["status"] = message["status"]
                message = {**message, "headers": _with_security(message.get("headers", ()))}
            await send(message)

        try:
            refused = self._refused(scope)
            if refused is not None:
                await refused(sending)
            else:
                await self._app(scope, _limited(receive), sending)
        except Exception as error:
            _log.error("unexpected %s in %s %s", type(error).__name__, scope["method"], _route(scope))
            _log.debug("where it arose", exc_info=error)
            if not state["status"]:
                await answer(sending, 500, "this is a fault in fourfold", "see the server's log")
        finally:
            seconds = time.perf_counter() - started
            self._metrics.request(scope["method"], _route(scope), state["status"] or 500, seconds)
            _log.info("%s %s %d %.1f ms", scope["method"], _route(scope), state["status"], seconds * 1000)

    def _refused(self, scope: Scope) -> Callable[[Send], Awaitable[None]] | None:
        """How a request is answered that may not pass, or None where it may."""
        headers = _single(scope["headers"])
        if headers is None:
            return _refusal(400, "a header that may come once came several times")
        host = headers.get("host", "")
        if not origins.host_allowed(host, self._options):
            return _refusal(421, "this server is not called by that name", "name it with --allow-host")
        origin = headers.get("origin")
        if origin is not None and not origins.origin_allowed(origin, host):
            return _refusal(403, "pages of other origins may not ask this server")
        fetched = (headers.get(f"sec-fetch-{part}", "") for part in ("site", "mode", "dest"))
        if not origins.fetch_allowed(*fetched):
            return _refusal(403, "pages of other sites may not ask this server")
        client = (scope.get("client") or ("",))[0]
        if scope["path"] not in UNLIMITED and not self._limiter.allow(client):
            return _refusal(429, "too many requests", "wait a second", ((b"retry-after", b"1"),))
        if len(scope.get("raw_path") or b"") + len(scope.get("query_string", b"")) > MAX_TARGET_BYTES:
            return _refusal(414, "the address is too long")
        if not headers.get("content-length", "0").isdigit() or int(headers.get("content-length", "0")) > MAX_BODY_BYTES:
            return _refusal(413, _TOO_LARGE)
        return self._unknown(scope, headers) or self._write(scope, headers)

    def _unknown(self, scope: Scope, headers: dict[str, str]) -> Callable[[Send], Awaitable[None]] | None:
        """The refusal of who has no token, where one is needed."""
        path = scope["path"]
        if self._signed(path):
            return None
        if not self._options.token or path in OPEN_PATHS or path.startswith(OPEN_FOLDER):
            return None
        moved = self._sessions.moved(scope, headers)
        if moved is not None:
            return lambda send: redirect(send, moved, self._sessions.cookie(scope))
        if self._sessions.known(headers):
            return None
        if "text/html" in headers.get("accept", "") and scope["method"] in SAFE_METHODS:
            return lambda send: redirect(send, LOGIN)
        hint = "send it as: Authorization: Bearer TOKEN"
        return _refusal(401, "a token is needed", hint, ((b"www-authenticate", b"Bearer"),))

    def _signed(self, path: str) -> bool:
        """True where the route itself checks a signature."""
        return bool(self._options.webhook_secret) and path.startswith(WEBHOOKS)

    def _write(self, scope: Scope, headers: dict[str, str]) -> Callable[[Send], Awaitable[None]] | None:
        """The refusal of a write that may come from a foreign page, or that a read-only server does not do."""
        if scope["method"] in SAFE_METHODS or scope["path"] == LOGIN:
            return None
        if WRITE_HEADER not in headers and not self._signed(scope["path"]):
            return _refusal(403, "a write needs the header X-Fourfold", "send it as: X-Fourfold: 1")
        if self._options.read_only:
            return _refusal(403, "this server is read-only")
        return None


async def answer(
    send: Send, status: int, message: str, hint: str = "", headers: Iterable[tuple[bytes, bytes]] = ()
) -> None:
    """Send an error in the one shape."""
    data = failures.body_bytes(status, message, hint)
    fixed = ((b"content-type", b"application/json"), (b"content-length", str(len(data)).encode()))
    await send({"type": "http.response.start", "status": status, "headers": [*fixed, *headers]})
    await send({"type": "http.response.body", "body": data})


async def redirect(send: Send, place: str, cookie: str = "") -> None:
    """Send the browser to another address of this server."""
    headers = [(b"location", place.encode("ascii", "replace")), (b"content-length", b"0")]
    if cookie:
        headers.append((b"set-cookie", cookie.encode()))
    await send({"type": "http.response.start", "status": 303, "headers": headers})
    await send({"type": "http.response.body", "body": b""})


def _refusal(
    status: int, message: str, hint: str = "", headers: Iterable[tuple[bytes, bytes]] = ()
) -> Callable[[Send], Awaitable[None]]:
    return lambda send: answer(send, status, message, hint, headers)


def _single(raw: Iterable[tuple[bytes, bytes]]) -> dict[str, str] | None:
    """Headers by lower-case name; None where one that decides comes twice."""
    found: dict[str, str] = {}
    for name, value in raw:
        key = name.decode("latin-1").lower()
        if key in found and key in ("host", "origin", "authorization", "content-length"):
            return None
        joiner = "; " if key == "cookie" else ", "
        text = value.decode("latin-1")
        found[key] = f"{found[key]}{joiner}{text}" if key in found else text
    return found


def _limited(receive: Receive) -> Receive:
    """`receive` that ends a body past the limit, whatever length was announced."""
    seen = 0

    async def receiving() -> Message:
        nonlocal seen
        message = await receive()
        if message["type"] == "http.request":
            seen += len(message.get("body", b""))
            if seen > MAX_BODY_BYTES:
                raise failures.HttpFailure(413, _TOO_LARGE)
        return message

    return receiving


def _with_security(headers: Iterable[tuple[bytes, bytes]]) -> list[tuple[bytes, bytes]]:
    kept = [(name, value) for name, value in headers if name.lower() != b"server"]
    names = {name.lower() for name, _ in kept}
    kept += [pair for pair in SECURITY_HEADERS if pair[0] not in names]
    if b"cache-control" not in names:
        kept.append((b"cache-control", b"no-store"))
    return kept


def _route(scope: Scope) -> str:
    """The route's template, never the path itself: what people look for stays out of logs."""
    if scope["path"].startswith(OPEN_FOLDER):
        return OPEN_FOLDER
    route = scope.get("route")
    return str(getattr(route, "path", "")) or "(no route)"
