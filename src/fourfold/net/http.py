"""One POST whose reply arrives whole or in pieces, within a deadline, through the standard library.

Redirects are not followed: they would carry the key elsewhere.
"""

from __future__ import annotations

import json
import time
import urllib.error
import urllib.request
from collections.abc import Generator, Iterator, Mapping
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from http.client import HTTPException
from typing import Any

from fourfold.net.failed import Failed, TookTooLong
from fourfold.net.pump import pumped

MAX_REPLY_BYTES = 4_000_000
"""More than any answer in words holds; a server that sends more is cut off."""
PIECE_BYTES = 16_384
ERROR_BYTES = 4_000


class NoRedirect(urllib.request.HTTPRedirectHandler):
    """Leaves a redirect to the caller."""

    def redirect_request(self, *_: Any) -> None:
        return None


@dataclass(frozen=True, slots=True)
class Post:
    """What is sent. `direct` leaves proxies of the environment aside; `limit` bounds the bytes of the reply."""

    url: str
    body: Mapping[str, Any]
    headers: Mapping[str, str]
    direct: bool = False
    limit: int = MAX_REPLY_BYTES

    def open(self, timeout_s: float) -> Any:
        """The response, whose bytes have not been read. Raises OSError and HTTPException."""
        handlers: list[Any] = [NoRedirect()]
        if self.direct:
            handlers.append(urllib.request.ProxyHandler({}))
        request = urllib.request.Request(
            self.url,
            data=json.dumps(self.body).encode(),
            headers={"Content-Type": "application/json", **self.headers},
            method="POST",
        )
        return urllib.request.build_opener(*handlers).open(request, timeout=timeout_s)


def post(request: Post, deadline: float) -> Iterator[bytes]:
    """The body of the reply in pieces as they come; `deadline` is a time of ``time.monotonic()``.

    Raises Failed, before the first piece or between two.
    """

    def read() -> Generator[bytes]:
        with request.open(max(deadline - time.monotonic(), 0.01)) as response:
            yield from pieces_of(response, request.limit, "the reply is too long")

    return pumped(read, deadline, failed)


def pieces_of(response: Any, limit: int, too_long: str) -> Generator[bytes]:
    """The body of a response as it comes. Raises Failed, with `too_long` where it has more than `limit` bytes."""
    total = 0
    while piece := response.read1(PIECE_BYTES):
        total += len(piece)
        if total > limit:
            raise Failed(too_long)
        yield piece
    if response.length:  # what was announced and has not come
        raise Failed("broke off its reply")


def fetch(request: Post, deadline: float) -> bytes:
    """The whole body of the reply; `deadline` is a time of ``time.monotonic()``. Raises Failed."""
    return b"".join(post(request, deadline))


def failed(error: Exception) -> Failed:
    """What an exception of the standard library's client says of a request."""
    if isinstance(error, urllib.error.HTTPError):
        return _refused(error)
    if isinstance(error, TimeoutError):
        return TookTooLong()
    if isinstance(error, (OSError, HTTPException, ValueError)):
        return _unreachable(error)
    return Failed(f"failed ({type(error).__name__})")


def _refused(error: urllib.error.HTTPError) -> Failed:
    try:
        body = error.read(ERROR_BYTES).decode("utf-8", "replace")
    except (OSError, HTTPException, ValueError):
        body = ""
    finally:
        error.close()
    after = (error.headers.get("Retry-After") or "").strip() if error.headers is not None else ""
    headers = {name.lower(): value for name, value in (error.headers or {}).items()}
    return Failed(
        f"answered with HTTP {error.code}", status=error.code, retry_after=_seconds(after), body=body, headers=headers
    )


def _seconds(after: str) -> float | None:
    """A Retry-After header (seconds, or a date: RFC 9110, 10.2.3) as seconds from now; None where it is neither."""
    if after.isascii() and after.isdigit():
        return float(after)
    try:
        return max(parsedate_to_datetime(after).timestamp() - time.time(), 0.0)
    except (ValueError, TypeError, OverflowError):
        return None


def _unreachable(error: Exception) -> Failed:
    reason = error.reason if isinstance(error, urllib.error.URLError) else error
    if isinstance(reason, TimeoutError):
        return TookTooLong()
    words = getattr(reason, "strerror", None) or str(reason) or type(reason).__name__
    return Failed(f"cannot be reached ({words})")
