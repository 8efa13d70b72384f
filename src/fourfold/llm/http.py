"""One POST whose reply arrives in pieces, within a deadline, through the standard library.

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
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from http.client import HTTPException
from typing import Any

MAX_REPLY_BYTES = 4_000_000
"""More than any answer holds; a server that sends more is cut off."""
PIECE_BYTES = 16_384
ERROR_BYTES = 4_000
WAITING_PIECES = 64
"""Pieces that may wait for the caller before the thread stops reading."""


class Failed(Exception):
    """A request that brought no whole reply. `status` is the HTTP status (0: none came), `retry_after` the seconds the
    server asks to wait (None: it does not say), `body` the beginning of what it sent."""

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
            headers={"Content-Type": "application/json", **self.headers},
            method="POST",
        )
        return urllib.request.build_opener(*handlers).open(request, timeout=timeout_s)


def post(request: Post, deadline: float) -> Iterator[bytes]:
    """The body of the reply in pieces as they come; `deadline` is a time of ``time.monotonic()``.

    Raises Failed, before the first piece or between two.
    """
    pieces: queue.Queue[bytes | Failed | None] = queue.Queue(WAITING_PIECES)
    stop = threading.Event()
    thread = threading.Thread(target=_pump, args=(request, deadline, pieces, stop), daemon=True)
    thread.start()
    try:
        while True:
            try:
                piece = pieces.get(timeout=max(deadline - time.monotonic(), 0.0))
            except queue.Empty:
                raise TookTooLong("took too long") from None
            if piece is None:
                return
            if isinstance(piece, Failed):
                raise piece
            yield piece
    finally:
        stop.set()


def _pump(request: Post, deadline: float, pieces: queue.Queue[bytes | Failed | None], stop: threading.Event) -> None:
    """Read the reply into `pieces` until it ends, fails, or nobody wants it any more."""
    last: Failed | None = None
    try:
        with request.open(max(deadline - time.monotonic(), 0.01)) as response:
            total = 0
            while piece := response.read1(PIECE_BYTES):
                total += len(piece)
                if total > MAX_REPLY_BYTES:
                    raise Failed("the reply is too long")
                if not _put(pieces, piece, stop):
                    return
    except Failed as error:
        last = error
    except urllib.error.HTTPError as error:
        last = _refused(error)
    except TimeoutError:
        last = TookTooLong("took too long")
    except (OSError, HTTPException, ValueError) as error:
        last = _unreachable(error)
    _put(pieces, last, stop)


def _put(pieces: queue.Queue[bytes | Failed | None], piece: bytes | Failed | None, stop: threading.Event) -> bool:
    while not stop.is_set():
        try:
            pieces.put(piece, timeout=0.1)
            return True
        except queue.Full:
            continue
    return False


def _refused(error: urllib.error.HTTPError) -> Failed:
    try:
        body = error.read(ERROR_BYTES).decode("utf-8", "replace")
    except (OSError, HTTPException, ValueError):
        body = ""
    finally:
        error.close()
    after = (error.headers.get("Retry-After") or "").strip() if error.headers is not None else ""
    seconds = float(after) if after.isdigit() else None
    return Failed(f"answered with HTTP {error.code}", status=error.code, retry_after=seconds, body=body)


def _unreachable(error: Exception) -> Failed:
    reason = error.reason if isinstance(error, urllib.error.URLError) else error
    if isinstance(reason, TimeoutError):
        return TookTooLong("took too long")
    words = getattr(reason, "strerror", None) or str(reason) or type(reason).__name__
    return Failed(f"cannot be reached ({words})")
