"""One GET whose reply arrives in pieces, within a deadline, through the standard library.

Redirects are followed only to the same host or one below the same parent domain (``api.github.com`` to
``codeload.github.com``) and the same port, by https or to this machine, and headers that carry a key stay with the host
they were for.
"""

from __future__ import annotations

import time
import urllib.error
import urllib.request
from collections.abc import Generator, Iterator, Mapping
from dataclasses import dataclass
from http.client import HTTPMessage
from typing import Any
from urllib.parse import urljoin, urlsplit

from fourfold.net.failed import Failed
from fourfold.net.http import NoRedirect, failed, pieces_of
from fourfold.net.keys import is_loopback
from fourfold.net.pump import pumped

MAX_REDIRECTS = 4
_MOVED = frozenset({301, 302, 303, 307, 308})
_UNCHANGED = 304
_PORTS = {"http": 80, "https": 443}
_SECRET = frozenset({"authorization", "private-token"})


@dataclass(frozen=True, slots=True)
class Get:
    """What is asked for; `limit` bounds the bytes of the reply."""

    url: str
    headers: Mapping[str, str]
    limit: int


@dataclass(frozen=True, slots=True)
class Head:
    """Status and headers of a reply (names in lower case); 304 where what ``If-None-Match`` named is the same."""

    status: int
    headers: Mapping[str, str]


def get(request: Get, deadline: float) -> tuple[Head, Iterator[bytes]]:
    """The head of the reply, and its body in pieces as they come; `deadline` is a time of ``time.monotonic()``.

    Raises Failed, here or between two pieces.
    """
    heads: list[Head] = []

    def read() -> Generator[bytes]:
        with _open(request, deadline) as response:
            heads.append(_head(response.status, response.headers))
            yield b""
            if response.status != _UNCHANGED:
                yield from pieces_of(response, request.limit, f"sends more than {request.limit:,} bytes")

    pieces = pumped(read, deadline, failed)
    next(pieces, None)
    return heads[0], pieces


def _open(request: Get, deadline: float) -> Any:
    url, headers = request.url, dict(request.headers)
    opener = urllib.request.build_opener(NoRedirect())
    for _ in range(MAX_REDIRECTS + 1):
        try:
            asked = urllib.request.Request(url, headers=headers)
            return opener.open(asked, timeout=max(deadline - time.monotonic(), 0.01))
        except urllib.error.HTTPError as error:
            if error.code == _UNCHANGED:
                return error
            if error.code not in _MOVED:
                raise
            target = urljoin(url, error.headers.get("Location") or "")
            error.close()
            if not may_follow(url, target):
                raise Failed("leads to another place", status=error.code) from None
            if urlsplit(target).netloc != urlsplit(url).netloc:
                headers = {name: value for name, value in headers.items() if name.lower() not in _SECRET}
            url = target
    raise Failed("leads round in a circle")


def may_follow(url: str, target: str) -> bool:
    """True where a redirect from `url` may be followed to `target`."""
    old, new = urlsplit(url).hostname or "", urlsplit(target).hostname or ""
    if _port(target) != _port(url):
        return False  # another port is another server
    if urlsplit(target).scheme != "https":
        return urlsplit(target).scheme == "http" and is_loopback(target) and is_loopback(url)
    if old == new:
        return True
    parent = ".".join(old.split(".")[-2:])
    return old.count(".") > 0 and not old.replace(".", "").isdigit() and new.endswith(f".{parent}")


def _port(url: str) -> int:
    """The port of an address; -1 where it is none."""
    parts = urlsplit(url)
    try:
        return parts.port or _PORTS.get(parts.scheme, 0)
    except ValueError:
        return -1


def _head(status: int, headers: HTTPMessage) -> Head:
    return Head(status, {name.lower(): value for name, value in headers.items()})
