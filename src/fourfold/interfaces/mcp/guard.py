"""Who may ask over HTTP: the Host and Origin of every request are checked, and its token where there is one.

A page in a browser can send requests to 127.0.0.1, and by DNS rebinding even read the answers: its requests carry the
page's own host name, so a Host that is none of ours is refused before anything else happens.
"""

from __future__ import annotations

import hmac
import ipaddress
import json
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

_NAMES = frozenset({"localhost", "127.0.0.1", "::1"})
_ANYWHERE = frozenset({"0.0.0.0", "::", ""})


class Guard:
    """Wraps an application. `host` is the address that is served, `token` the bearer token or ""."""

    def __init__(self, app: ASGIApp, host: str, token: str) -> None:
        self._app = app
        self._token = token
        # Served to any address, the host names are not known; the token, which no foreign page has, is required then.
        self._any_host = host in _ANYWHERE
        self._hosts = _NAMES | {host.lower()}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let lifespan events and good requests through."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        refusal = self._refusal(Headers(scope=scope)) if scope["type"] == "http" else (403, "no web sockets here")
        if refusal is None:
            await self._app(scope, receive, send)
            return
        status, message = refusal
        body = json.dumps({"jsonrpc": "2.0", "id": None, "error": {"code": -32600, "message": message}})
        headers = {"WWW-Authenticate": "Bearer"} if status == 401 else {}
        await Response(body, status, headers, media_type="application/json")(scope, receive, send)

    def _refusal(self, headers: Headers) -> tuple[int, str] | None:
        """Status and reason where a request is refused."""
        hosts = headers.getlist("host")
        if len(hosts) != 1 or not self._known(_host_of(f"//{hosts[0]}")):
            return 421, "the Host header names another server"
        origin = headers.get("origin")
        if origin is not None and _host_of(origin) not in self._hosts:
            return 403, "requests from pages of other origins are refused"
        if self._token:
            kind, _, given = headers.get("authorization", "").partition(" ")
            good = hmac.compare_digest(given.strip().encode(), self._token.encode())
            if kind.lower() != "bearer" or not good:
                return 401, "a bearer token is needed"
        return None

    def _known(self, host: str) -> bool:
        return host in self._hosts or (self._any_host and bool(host))


def is_loopback(host: str) -> bool:
    """True for an address that only this machine reaches."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _host_of(url: str) -> str:
    """The host name of a URL in lower case, "" where it has none."""
    try:
        return (urlsplit(url).hostname or "").lower()
    except ValueError:
        return ""
