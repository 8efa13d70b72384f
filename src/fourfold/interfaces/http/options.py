"""How the server is set up, and the limits that it keeps."""

from __future__ import annotations

import ipaddress
from dataclasses import dataclass

DEFAULT_PORT = 8000
LOOPBACK_NAMES = frozenset({"localhost", "127.0.0.1", "::1"})

MAX_BODY_BYTES = 1_000_000
"""Bytes of a request's body; a pasted question is at most 20,000 characters."""
MAX_TARGET_BYTES = 60_000
"""Bytes of a request's path and query: the longest question fits (20,000 characters, most of them not encoded)."""
TIMEOUT_S = 20.0
"""Seconds that the work on an answer may take before the request ends with 408."""
QUEUE_S = 60.0
"""Seconds that a request waits for a worker before it is told to come back."""
MAX_WAITING = 512
"""Requests that wait for a worker; further ones are told to come back."""
WORKERS = 4
"""Threads that ask the engine: searching is bound by the processor, more threads only wait for each other."""
RATE = 500.0
"""Requests a second that one client may send on average; it may send as many at once."""
EDITOR = "vscode://file/{path}:{line}"


@dataclass(frozen=True, slots=True)
class ServeOptions:
    """What ``fourfold serve`` was told.

    `host` is the address to bind; `token` guards everything where it is not empty; `hosts` are further names that the
    server may be called by; `read_only` refuses every write and leaves the index as it is; `editor` is the link that
    opens a file, with ``{path}`` and ``{line}`` ("" for none). `services` are the names (or patterns) of the services
    that are served instead of one project, `allow_register` lets clients add some, `webhook_secret` is what webhooks
    are signed with ("" where none are expected).
    """

    host: str = "127.0.0.1"
    port: int = DEFAULT_PORT
    token: str = ""
    hosts: tuple[str, ...] = ()
    read_only: bool = False
    editor: str = EDITOR
    rate: float = RATE
    timeout_s: float = TIMEOUT_S
    services: tuple[str, ...] = ()
    allow_register: bool = False
    webhook_secret: str = ""

    @property
    def loopback(self) -> bool:
        """True where only this machine can reach the server."""
        return is_loopback(self.host)

    @property
    def any_address(self) -> bool:
        """True where the server listens on every address of the machine."""
        return self.host in ("", "0.0.0.0", "::")

    @property
    def cookie(self) -> str:
        """Name of the session's cookie: cookies are shared by the ports of a host, so it holds the port."""
        return f"fourfold_{self.port}"


def is_loopback(host: str) -> bool:
    """True for a name or address of this machine that no other can reach."""
    if host in LOOPBACK_NAMES:
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
