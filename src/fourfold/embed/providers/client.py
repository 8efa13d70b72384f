"""Asking an embedding server: attempts with growing waits, what a server says about waiting, a rate of our own."""

from __future__ import annotations

import json
import random
import threading
import time
from collections.abc import Callable, Mapping
from typing import Any

from fourfold.embed.providers.encoder import QUERY
from fourfold.model.errors import BackendUnavailable
from fourfold.net.failed import Failed, TookTooLong
from fourfold.net.http import Post, fetch

RETRIED = frozenset({0, 408, 425, 429, 500, 502, 503, 504, 529})
"""HTTP statuses that a later attempt may not meet (0: no connection, or a reply that broke off)."""
REFUSED = frozenset({400, 413, 422})
"""Statuses that speak of what was sent: another text may be taken."""
ATTEMPTS = {"document": 6, QUERY: 2}
"""Indexing is patient; a person who asks is not."""
QUERY_S = 10.0
"""Seconds a question may take at most, attempts and waits together."""
FIRST_WAIT_S = 0.5
"""Before the second attempt; twice that before each further one, up to :data:`MAX_WAIT_S`. A server's own Retry-After
counts instead where it is longer."""
MAX_WAIT_S = 60.0
"""A server that asks for a longer wait is not waited for."""
MAX_REPLY_BYTES = 64_000_000
"""128 vectors of 4,096 numbers written out are 12 million bytes."""
JITTER = 0.25
"""Share of a wait that is left to chance, so that parallel requests do not come back at once."""


class Refused(Exception):
    """The server does not take this request; `status` says why."""

    def __init__(self, status: int) -> None:
        super().__init__(status)
        self.status = status


class Client:
    """Sends requests to one server. Shared between threads: where one is told to wait, all wait."""

    def __init__(
        self,
        name: str,
        headers: Mapping[str, str],
        *,
        direct: bool = False,
        timeout_s: float = 60.0,
        per_minute: int = 0,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        """`name` is the model, for messages; `headers` hold the key; `direct` leaves proxies aside."""
        self._name = name
        self._headers = dict(headers)
        self._direct = direct
        self._timeout_s = timeout_s
        self._spacing_s = 60.0 / per_minute if per_minute else 0.0
        self._sleep = sleep
        self._lock = threading.Lock()
        self._next = 0.0

    def ask(self, url: str, body: Mapping[str, Any], role: str) -> Any:
        """The reply's JSON. Raises Refused, and BackendUnavailable in one sentence that repeats nothing the server
        sent: it may quote the key."""
        request = Post(url, body, self._headers, self._direct, MAX_REPLY_BYTES)
        end = time.monotonic() + (min(self._timeout_s, QUERY_S) if role == QUERY else float("inf"))
        for attempt in range(1, ATTEMPTS[role] + 1):
            self._take_turn(end)
            try:
                return _json(fetch(request, min(time.monotonic() + self._timeout_s, end)))
            except Failed as error:
                if error.status in REFUSED:
                    raise Refused(error.status) from None
                wait = _wait(error, attempt, ATTEMPTS[role], end)
                if wait is None:
                    raise self._unavailable(error) from None
                self._hold(wait)
        raise AssertionError("unreachable")

    def _take_turn(self, end: float) -> None:
        """Wait until the server may be asked (no longer than until `end`); each caller moves the next one's turn on."""
        with self._lock:
            now = time.monotonic()
            turn = max(now, self._next)
            self._next = turn + self._spacing_s
        if turn > now:
            self._sleep(max(min(turn, end) - now, 0.0))

    def _hold(self, wait: float) -> None:
        with self._lock:
            self._next = max(self._next, time.monotonic() + wait * (1 + JITTER * random.random()))

    def _unavailable(self, error: Failed) -> BackendUnavailable:
        hint = _HINTS.get(
            error.status, "check embedding.endpoint and embedding.model; what is indexed stays searchable"
        )
        if isinstance(error, TookTooLong):
            hint = "raise embedding.timeout_s; what is indexed stays searchable"
        return BackendUnavailable(f"the embedding model {self._name} {error.reason}", hint=hint)


_HINTS = {
    401: "the server does not accept the key; check the variable that embedding.key_env names",
    403: "the server does not accept the key; check the variable that embedding.key_env names",
    404: "check embedding.endpoint and embedding.model",
    429: "the server allows no more requests for now; run `fourfold index` again later, it goes on from there",
}


def _json(body: bytes) -> Any:
    try:
        return json.loads(body)
    except (ValueError, RecursionError):
        raise Failed("sent what is no JSON", status=-1) from None


def _wait(error: Failed, attempt: int, attempts: int, end: float) -> float | None:
    """Seconds before the next attempt, or None where there is to be none."""
    if error.status not in RETRIED or attempt >= attempts:
        return None
    wait = max(min(FIRST_WAIT_S * 2 ** (attempt - 1), MAX_WAIT_S), error.retry_after or 0.0)
    return wait if wait <= MAX_WAIT_S and time.monotonic() + wait < end else None
