"""Roots that the client names, where none were named at the start."""

from __future__ import annotations

import logging
import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote, urlsplit

import anyio

from fourfold.interfaces.mcp.workspace import Workspace

if TYPE_CHECKING:
    from mcp.server.context import ServerRequestContext

logger = logging.getLogger("fourfold.mcp")

WAIT_S = 5.0
"""How long the client may take to name its roots; then the folder that the server was started in stands."""


class ClientRoots:
    """Asks the client once for its roots and starts the indexing."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self._lock = anyio.Lock()
        self._learnt = False

    async def learn(self, ctx: ServerRequestContext[Any, Any], *, again: bool = False) -> None:
        """Ask (once, or `again`) and begin to index in the background."""
        async with self._lock:
            if self._learnt and not again:
                return
            self._learnt = True
            if not self._workspace.fixed:
                folders = await _asked(ctx)
                if folders:
                    self._workspace.set_roots(folders)
            self._workspace.start()


async def _asked(ctx: ServerRequestContext[Any, Any]) -> list[Path]:
    """The client's folders; none where it has no roots to give."""
    capabilities = ctx.session.client_capabilities
    if capabilities is None or capabilities.roots is None or not ctx.session.can_send_request:
        return []
    try:
        with anyio.fail_after(WAIT_S), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            result = await ctx.session.list_roots()
    except Exception as error:
        logger.warning("the client did not name its roots: %s", error)
        return []
    paths = [folder_of(str(root.uri)) for root in result.roots]
    return [path for path in paths if path is not None and path.is_dir()]


def folder_of(uri: str) -> Path | None:
    """The path of a ``file://`` URI of this machine, or None."""
    parts = urlsplit(uri)
    if parts.scheme != "file" or parts.netloc not in ("", "localhost"):
        return None
    text = unquote(parts.path)
    if len(text) > 2 and text[0] == "/" and text[2] == ":":  # /C:/project
        text = text[1:]
    return Path(text) if text and "\0" not in text else None
