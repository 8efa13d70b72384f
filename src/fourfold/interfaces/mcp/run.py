"""Putting a server together and running it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from fourfold.interfaces.mcp.log import set_up
from fourfold.interfaces.mcp.server import McpServer, quiet_deprecations
from fourfold.interfaces.mcp.workspace import Workspace
from fourfold.interfaces.memory import settle


def run(
    *,
    roots: Sequence[Path],
    fixed: bool,
    http: tuple[str, int, str] | None = None,
    allow_write: bool = False,
    verbose: bool = False,
    services: Sequence[str] = (),
    project: Path | None = None,
) -> int:
    """Serve `roots` until the client has gone; the exit code. `http` is (host, port, token), None for stdio.

    With `fixed` the client cannot name other roots. `services` are names of the list that are served instead; the
    folder `project` may list some of its own. Raises UsageError for a name that none has.
    """
    settle()
    set_up(verbose)
    quiet_deprecations()
    listed = Workspace.listed(services, project or Path()) if services else None
    server = McpServer(listed or Workspace(roots, fixed=fixed), allow_write=allow_write)
    if http is None:
        from fourfold.interfaces.mcp.stdio import serve

        return serve(server)
    from fourfold.interfaces.mcp.http import serve_http

    return serve_http(server, *http)
