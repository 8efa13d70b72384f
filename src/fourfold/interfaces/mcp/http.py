"""Serving many clients over streamable HTTP, on this machine unless a token guards it."""

from __future__ import annotations

import logging
import socket
import sys
import threading
import time

import uvicorn
from mcp.server.transport_security import TransportSecuritySettings
from starlette.types import ASGIApp

from fourfold.interfaces.mcp.guard import Guard, is_loopback
from fourfold.interfaces.mcp.server import McpServer
from fourfold.interfaces.mcp.stdio import WATCH_S
from fourfold.model.errors import BackendUnavailable, UsageError

logger = logging.getLogger("fourfold.mcp")

PATH = "/mcp"
MIN_TOKEN = 16
"""Characters of a token at least: shorter ones can be tried out."""
MAX_BODY = 1_000_000
"""Bytes of a request; a call of a tool is some hundred."""


def serve_http(server: McpServer, host: str, port: int, token: str) -> int:
    """Serve until interrupted; the exit code.

    Raises UsageError for an address off this machine without a token, BackendUnavailable where it cannot be bound.
    """
    if not is_loopback(host) and not token:
        raise UsageError(
            f"{host} can be reached from other machines, and no token was given",
            hint="give --token (or FOURFOLD_MCP_TOKEN), or serve on 127.0.0.1",
        )
    if token and len(token) < MIN_TOKEN:
        raise UsageError(f"the token is shorter than {MIN_TOKEN} characters", hint="openssl rand -hex 32 makes one")
    bound = _bind(host, port)
    shown = f"[{host}]" if ":" in host else host
    address = f"http://{shown}:{bound.getsockname()[1]}{PATH}"
    sys.stderr.write(f"fourfold mcp serves {address}\n")
    sys.stderr.flush()
    server.workspace.start()
    threading.Thread(target=_give_back, args=(server,), name="fourfold-watch", daemon=True).start()
    config = uvicorn.Config(app_of(server, host, token), log_config=None, access_log=False, lifespan="on")
    try:
        uvicorn.Server(config).run(sockets=[bound])
    except KeyboardInterrupt:
        logger.info("interrupted")
    finally:
        server.workspace.stop()
    return 0


def app_of(server: McpServer, host: str, token: str) -> ASGIApp:
    """The application, every route of it behind the guard."""
    inner = server.sdk.streamable_http_app(
        streamable_http_path=PATH,
        max_request_body_size=MAX_BODY,
        # The guard checks Host and Origin, of every route and before anything is read.
        transport_security=TransportSecuritySettings(enable_dns_rebinding_protection=False),
    )
    return Guard(inner, host, token)


def _bind(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    bound = socket.socket(family, socket.SOCK_STREAM)
    try:
        bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        bound.bind((host, port))
    except OSError as error:
        bound.close()
        raise BackendUnavailable(
            f"cannot listen on {host}:{port}: {error.strerror or error}", hint="choose another --port"
        ) from None
    return bound


def _give_back(server: McpServer) -> None:
    while True:
        time.sleep(WATCH_S)
        for service in server.workspace.services:
            service.give_back()
