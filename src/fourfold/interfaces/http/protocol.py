"""How bytes become requests: uvicorn's h11 protocol, which answers what is no HTTP in the one shape of errors, too."""

from __future__ import annotations

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from fourfold.interfaces.http import failures
from fourfold.interfaces.http.guard import SECURITY_HEADERS


class Protocol(H11Protocol):
    """A connection. What h11 refuses (no Host header, two of them, a malformed line) never becomes a request, so that
    no application can answer it."""

    def send_400_response(self, msg: str) -> None:
        """Answer what is no request, and hang up."""
        data = failures.body_bytes(400, "this is no valid HTTP request", "HTTP/1.1 needs a Host header")
        headers = [
            (b"content-type", b"application/json"),
            (b"content-length", str(len(data)).encode()),
            (b"connection", b"close"),
            *SECURITY_HEADERS,
        ]
        for event in (
            h11.Response(status_code=400, headers=headers, reason=b"Bad Request"),
            h11.Data(data=data),
            h11.EndOfMessage(),
        ):
            self.transport.write(self.conn.send(event) or b"")
        self.transport.close()
