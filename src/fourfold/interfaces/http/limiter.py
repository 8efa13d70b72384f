"""How often one client may ask: a bucket of tokens that fills evenly (the token bucket of RFC 2697's kind)."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable

MAX_CLIENTS = 10_000
"""Clients remembered; the one not seen for longest is forgotten first."""


class Limiter:
    """Tells whether a client may send one more request. `rate` is requests a second, and how many may come at once."""

    def __init__(self, rate: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._rate = rate
        self._clock = clock
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def allow(self, client: str) -> bool:
        """Take one token of the client's bucket; False where it is empty."""
        now = self._clock()
        left, then = self._buckets.pop(client, (max(self._rate, 1.0), now))
        left = min(left + (now - then) * self._rate, max(self._rate, 1.0))
        allowed = left >= 1.0
        self._buckets[client] = (left - 1.0 if allowed else left, now)
        if len(self._buckets) > MAX_CLIENTS:
            self._buckets.popitem(last=False)
        return allowed
