"""Trying a request again: what is worth it, how long to wait, and what to say when it was in vain."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from fourfold.model.errors import BackendUnavailable, FourfoldError, IndexUnavailable

T = TypeVar("T")

ATTEMPTS = 5
"""Requests sent before giving up: with :data:`FIRST_WAIT_S` doubled each time, about 8 s of waiting in all, longer than
a leader election of a cluster takes."""
FIRST_WAIT_S = 0.5
MAX_WAIT_S = 30.0
"""The longest wait that a server's Retry-After is followed for."""

FALLBACK = "an index on this machine needs no server: set FOURFOLD_STORE=local"


@dataclass(frozen=True, slots=True)
class Fault:
    """What a failed request means. `retry`: it may succeed later; `wait_s` is what the server asked for."""

    error: FourfoldError
    retry: bool = False
    wait_s: float = 0.0


def unreachable(address: str, why: str) -> BackendUnavailable:
    """The error for a server that does not answer."""
    hint = f"start it, or check qdrant.url; {FALLBACK}"
    return BackendUnavailable(f"the Qdrant server at {address} {why}", hint=hint)


def of_status(address: str, status: int, text: str, wait_s: float = 0.0) -> Fault:
    """What an HTTP status means; `text` is what the server said."""
    said = " ".join(text.split())[:200]
    if status in (401, 403):
        if "write" in said.lower() or "read-only" in said.lower() or "read only" in said.lower():
            return Fault(read_only(address))
        hint = f"name the variable that holds the key in qdrant.key_env; {FALLBACK}"
        return Fault(BackendUnavailable(f"the Qdrant server at {address} refuses the key ({status})", hint=hint))
    if status == 404:
        return Fault(missing(address))
    if status == 429:
        return Fault(unreachable(address, "is busy (429)"), retry=True, wait_s=min(wait_s, MAX_WAIT_S))
    if status >= 500:
        return Fault(unreachable(address, f"failed ({status}: {said})"), retry=True)
    refused = f"the Qdrant server at {address} refuses a request ({status}: {said})"
    return Fault(BackendUnavailable(refused, hint=FALLBACK))


def missing(address: str) -> IndexUnavailable:
    """The error for a collection that is gone."""
    return IndexUnavailable(
        f"the collection at {address} does not exist", hint=f"`fourfold index` makes it; {FALLBACK}"
    )


def read_only(address: str) -> IndexUnavailable:
    """The error for a key, or a server, that lets nothing be written."""
    return IndexUnavailable(
        f"the Qdrant server at {address} lets this key read only",
        hint="search with --no-refresh, or use a key that may write",
    )


def attempt(
    work: Callable[[], T], meaning: Callable[[Exception], Fault | None], sleep: Callable[[float], None] = time.sleep
) -> T:
    """What `work` returns, tried again where `meaning` says that this may help (back-off with jitter, so that many
    clients do not come back at once). Raises the error that `meaning` gives, or what it does not know."""
    for tried in range(1, ATTEMPTS + 1):
        try:
            return work()
        except FourfoldError:
            raise
        except Exception as error:
            fault = meaning(error)
            if fault is None:
                raise
            if not fault.retry or tried == ATTEMPTS:
                raise fault.error from error
            pause = FIRST_WAIT_S * 2 ** (tried - 1)
            sleep(max(fault.wait_s, pause * (0.5 + random.random() / 2)))
    raise AssertionError("unreachable")
