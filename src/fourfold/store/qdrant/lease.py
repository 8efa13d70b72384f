"""The write lock of a service: a point with an owner and an end, kept alive while the writer lives.

It is taken by one conditional write (an existing lease is replaced only where it has ended) and read back. A writer
that dies leaves a lease that ends by itself; one that ends as it should leaves a note that it did. Clocks of indexing
machines may differ by seconds, not by :data:`LEASE_S`.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import socket
import threading
import time
from dataclasses import dataclass

from fourfold.model.errors import FourfoldError, LockHeld
from fourfold.store.qdrant.gateway import Gateway
from fourfold.store.qdrant.points import Between, Is, Point, Where, point_id

LEASE_S = 90.0
"""A lease lasts this long. Longer than any one request with its retries, so that nothing of a dead writer is still on
its way when the next one begins."""
RENEW_S = 20.0
_POLL_S = 0.1


@dataclass(frozen=True, slots=True)
class Holder:
    """Who holds a lease, in words, and until when (seconds since the epoch)."""

    words: str
    until: float


def holder(gateway: Gateway, service: str) -> Holder | None:
    """Who writes a service now; None where nobody does."""
    found = gateway.get([_id(service)], ("purpose", "process", "until"))
    if not found:
        return None
    payload = found[0].payload
    until = float(payload.get("until", 0)) / 1000
    if until <= time.time():
        return None
    return Holder(f"{payload.get('purpose', '')} ({payload.get('process', '')})", until)


class Lease:
    """The write lock of `service`. Not reentrant."""

    def __init__(self, gateway: Gateway, service: str, purpose: str) -> None:
        self._gateway = gateway
        self._service = service
        self._purpose = purpose
        self._token = secrets.token_hex(16)
        self._ended = threading.Event()
        self._lost = False
        self.clean = True
        """False where the writer before this one did not give its lease back: it died, or stood still for too long."""
        self._keeper: threading.Thread | None = None

    def acquire(self, wait_s: float) -> None:
        """Take the lease. Raises LockHeld naming its holder after `wait_s` seconds."""
        deadline = time.monotonic() + wait_s
        while not self._take():
            if time.monotonic() >= deadline:
                held = holder(self._gateway, self._service)
                if held is None:
                    continue
                raise LockHeld(
                    f"{held.words} is writing the service {self._service} at {self._gateway.address}",
                    hint=f"try again; if that process died, its lock ends in {max(held.until - time.time(), 0):.0f} s",
                )
            time.sleep(_POLL_S)
        self._keeper = threading.Thread(target=self._keep, name="qdrant-lease", daemon=True)
        self._keeper.start()

    def check(self) -> None:
        """Raise LockHeld where the lease was lost (this process stood still for longer than it lasts)."""
        if self._lost:
            raise LockHeld(
                f"the lock of the service {self._service} at {self._gateway.address} was lost", hint="try again"
            )

    def release(self, *, clean: bool = True) -> None:
        """Give the lease back; not `clean` where a request of this writer may still be on its way. Where the server
        cannot be reached the lease ends by itself."""
        self._ended.set()
        if self._keeper is not None:
            self._keeper.join()
        with contextlib.suppress(FourfoldError):
            given_back = {"owner": "", "until": 0, "clean": clean}
            self._gateway.put([Point(_id(self._service), self._payload(0.0) | given_back)], only=self._own)

    def _take(self) -> bool:
        now = time.time()
        before = self._gateway.get([_id(self._service)], ("clean",))
        self.clean = not before or before[0].payload.get("clean") is True
        self._gateway.put([self._point(now)], only=Where((Between("until", lt=now * 1000),)))
        return self._mine()

    def _keep(self) -> None:
        while not self._ended.wait(RENEW_S):
            try:
                self._gateway.put([self._point(time.time())], only=self._own)
                self._lost = not self._mine()
            except FourfoldError:
                continue  # unreachable now; the next request of the writer will say so
            if self._lost:
                return

    def _mine(self) -> bool:
        found = self._gateway.get([_id(self._service)], ("owner",))
        return bool(found) and found[0].payload.get("owner") == self._token

    @property
    def _own(self) -> Where:
        return Where((Is("owner", self._token),))

    def _point(self, now: float) -> Point:
        return Point(_id(self._service), self._payload(now))

    def _payload(self, now: float) -> dict[str, object]:
        return {
            "point": "lease",
            "service": self._service,
            "owner": self._token,
            "purpose": self._purpose,
            "process": f"process {os.getpid()} on {socket.gethostname()}",
            "until": int((now + LEASE_S) * 1000),
            "clean": False,
        }


def _id(service: str) -> str:
    return point_id(service, "lease")
