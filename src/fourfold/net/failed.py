"""A request that brought no whole reply."""

from __future__ import annotations

from collections.abc import Mapping


class Failed(Exception):
    """A request that brought no whole reply. `status` is the HTTP status (0: none came, -1: a reply that is none),
    `retry_after` the seconds the server asks to wait (None: it does not say), `body` the beginning of what it sent,
    `headers` those of a status of 400 or more, by name in lower case."""

    def __init__(
        self,
        reason: str,
        *,
        status: int = 0,
        retry_after: float | None = None,
        body: str = "",
        headers: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(reason)
        self.reason = reason
        self.status = status
        self.retry_after = retry_after
        self.body = body
        self.headers = headers or {}


class TookTooLong(Failed):
    """The deadline passed."""

    def __init__(self) -> None:
        super().__init__("took too long")
