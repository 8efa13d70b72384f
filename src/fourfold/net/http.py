"""One POST of JSON and its whole reply, within a deadline, through the standard library.

The connection lives in a thread of its own, so that neither a slow name server nor bytes that trickle in can hold the
caller beyond its deadline. Redirects are not followed: they would carry the key elsewhere.
"""

from __future__ import annotations

import json
import queue
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Mapping
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from http.client import HTTPException
from typing import Any

PIECE_BYTES = 1 << 16
ERROR_BYTES = 4_000
MAX_REPLY_BYTES = 64_000_000
"""A server that sends more is cut off. 128 vectors of 4,096 numbers written out are 12 million bytes."""


class Failed(Exception):
    """A request that brought no whole reply. `status` is the HTTP status (0: none came, -1: the reply is unusable),
    `retry_after` the seconds the server asks to wait (None: it does not say), `body` the beginning of what it sent."""

    def __init__(self, reason: str, *, status: int = 0, retry_after: float | None = None, body: str = "") -> None:
        super().__init__(reason)
        self.reason = reason
        self.status = status
        self.retry_after = retry_after
        self.body = body


class TookTooLong(Failed):
    """The deadline passed."""


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_: Any) -> None:
        return None


@dataclass(frozen=True, slots=True)
class Post:
    """What is sent. `direct` leaves proxies of the environment aside."""

    url: str
    body: Mapping[str, Any]
    headers: Mapping[str, str]
    direct: bool = False

    def open(self, timeout_s: float) -> Any:
        """The response, whose bytes have not been read. Raises OSError and HTTPException."""
        handlers: list[Any] = [_NoRedirect()]
        if self.direct:
            handlers.append(urllib.request.ProxyHandler({}))
        request = urllib.request.Request(
            self.url,
            data=json.dumps(self.body).encode(),
            headers={"Content-Type": "application/json", "Accept": "application/json", **self.headers},
            method="POST",
        )
        return urllib.request.build_opener(*handlers).open(request, timeout=timeout_s)


def fetch(request: Post, deadline: float) -> bytes:
    """The whole body of the reply; `deadline` is a time of ``time.monotonic()``. Raises Failed."""
    result: queue.Queue[bytes | Failed] = queue.Queue(1)
    threading.Thread(target=lambda: result.put(_attempt(request, deadline)), daemon=True).start()
    try:
        found = result.get(timeout=max(deadline - time.monotonic(), 0.0))
    except queue.Empty:
        raise TookTooLong("took too long") from None
    if isinstance(found, Failed):
        raise found
    return found


def _attempt(request: Post, deadline: float) -> bytes | Failed:
    try:
        with request.open(max(deadline - time.monotonic(), 0.01)) as response:
            return _whole(response, deadline)
    except Failed as error:
        return error
    except urllib.error.HTTPError as error:
        return _refused(error)
    except TimeoutError:
        return TookTooLong("took too long")
    except (OSError, HTTPException, ValueError) as error:
        return _unreachable(error)


def _whole(response: Any, deadline: float) -> bytes:
    """All bytes of a reply, and as many as it announced."""
    pieces = []
    total = 0
    while piece := response.read1(PIECE_BYTES):
        total += len(piece)
        if total > MAX_REPLY_BYTES:
            raise Failed("sent too long a reply", status=-1)
        if time.monotonic() > deadline:
            raise TookTooLong("took too long")
        pieces.append(piece)
    if response.length:
        raise Failed("broke off its reply", status=0)
    return b"".join(pieces)


def _refused(error: urllib.error.HTTPError) -> Failed:
    try:
        body = error.read(ERROR_BYTES).decode("utf-8", "replace")
    except (OSError, HTTPException, ValueError):
        body = ""
    finally:
        error.close()
    after = (error.headers.get("Retry-After") or "").strip() if error.headers is not None else ""
    return Failed(f"answered with HTTP {error.code}", status=error.code, retry_after=_seconds(after), body=body)


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
        return TookTooLong("took too long")
    words = getattr(reason, "strerror", None) or str(reason) or type(reason).__name__
    return Failed(f"cannot be reached ({words})")
