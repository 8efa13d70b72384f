"""Serving one client over standard input and output."""

from __future__ import annotations

import logging
import os
import signal
import sys
import threading
import time
from typing import Any

import anyio
from mcp.server.stdio import stdio_server

from fourfold.interfaces.mcp.lines import Lines, taken_from_stdin
from fourfold.interfaces.mcp.server import McpServer
from fourfold.interfaces.mcp.service import IDLE_S
from fourfold.interfaces.mcp.unreadable import Answering
from fourfold.interfaces.mcp.workspace import Workspace

logger = logging.getLogger("fourfold.mcp")

WATCH_S = 5.0
"""How often the server looks whether the process that started it is still there."""


def serve(server: McpServer) -> int:
    """Serve until the client closes the connection or its process ends; the exit code.

    The wire is moved away from descriptors 0 and 1: what any library, or a child process, prints goes to standard
    error, and nobody else reads the client's messages.
    """
    _end_at_interrupt(server.workspace)
    threading.Thread(target=_watch, args=(server.workspace, os.getppid()), name="fourfold-watch", daemon=True).start()
    try:
        anyio.run(_serve, server)
    except KeyboardInterrupt:
        logger.info("interrupted")
    _leave(server.workspace, 0)
    return 0


def _end_at_interrupt(workspace: Workspace) -> None:
    """End at the first Ctrl-C: the SDK would wait for the client's next line before it noticed."""
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGINT, lambda *_: _leave(workspace, 0))


async def _serve(server: McpServer) -> None:
    lines: Any = Lines(taken_from_stdin())
    async with stdio_server(stdin=lines) as (read, write):
        messages: Any = Answering(read, write.send)
        await server.sdk.run(messages, write, server.sdk.create_initialization_options())


def _watch(workspace: Workspace, parent: int) -> None:
    """End with the parent; give memory back where nobody asks."""
    while True:
        time.sleep(WATCH_S)
        if os.name == "posix" and parent > 1 and os.getppid() != parent:
            logger.info("the process that started the server has gone")
            _leave(workspace, 0)
        for service in workspace.services:
            if service.give_back(IDLE_S):
                logger.info("%s: memory given back", service.name)


def _leave(workspace: Workspace, code: int) -> None:
    """End the process at once: worker threads may be inside a long question that nobody waits for."""
    workspace.stop()
    logging.shutdown()
    sys.stderr.flush()
    os._exit(code)
