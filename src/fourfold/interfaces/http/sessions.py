"""Tokens: a header for programs, a cookie for browsers."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Mapping, MutableMapping
from http.cookies import CookieError, SimpleCookie
from typing import Any
from urllib.parse import parse_qsl, quote, urlencode

from fourfold.interfaces.http.options import ServeOptions

COOKIE_SECONDS = 30 * 24 * 3600


class Sessions:
    """Who has the token of `options`. The cookie holds a code made of the token, not the token."""

    def __init__(self, options: ServeOptions) -> None:
        self._options = options
        self._code = hmac.new(options.token.encode(), b"fourfold page", hashlib.sha256).hexdigest()

    def known(self, headers: Mapping[str, str]) -> bool:
        """True where a request brings the token in its Authorization header, or the page's cookie."""
        scheme, _, given = headers.get("authorization", "").partition(" ")
        if given:
            return scheme.lower() == "bearer" and self.right(given.strip())
        return hmac.compare_digest(self._cookie_of(headers).encode(), self._code.encode())

    def right(self, given: str) -> bool:
        """True for the token itself."""
        return hmac.compare_digest(given.encode("utf-8", "replace"), self._options.token.encode())

    def moved(self, scope: Mapping[str, Any], headers: Mapping[str, str]) -> str | None:
        """Where a browser goes that opens ``?token=...``: the same address without it; None where it is not right."""
        if scope["method"] != "GET" or b"token=" not in scope.get("query_string", b""):
            return None
        pairs = parse_qsl(scope["query_string"].decode("latin-1"), keep_blank_values=True)
        if not any(name == "token" and self.right(value) for name, value in pairs):
            return None
        rest = urlencode([(name, value) for name, value in pairs if name != "token"])
        # A path that begins with two slashes would lead to another host.
        path = "/" + quote(scope["path"].lstrip("/"))
        return f"{path}?{rest}" if rest else path

    def cookie(self, scope: MutableMapping[str, Any]) -> str:
        """The Set-Cookie header that logs a browser in."""
        secure = "; Secure" if scope.get("scheme") == "https" else ""
        flags = f"Path=/; HttpOnly; SameSite=Strict; Max-Age={COOKIE_SECONDS}{secure}"
        return f"{self._options.cookie}={self._code}; {flags}"

    def _cookie_of(self, headers: Mapping[str, str]) -> str:
        try:
            morsel = SimpleCookie(headers.get("cookie", "")).get(self._options.cookie)
        except CookieError:
            return ""
        return morsel.value if morsel is not None else ""
