"""``fourfold mcp``: serve coding agents."""

from __future__ import annotations

from pathlib import Path

import click

from fourfold.interfaces.cli.options import service_option
from fourfold.interfaces.cli.session import Session
from fourfold.model.errors import BackendUnavailable, UsageError


@click.command(short_help="Serve coding agents over MCP (stdio, or HTTP with --http).")
@click.option(
    "--root",
    "roots",
    type=click.Path(path_type=Path),
    multiple=True,
    metavar="DIR",
    help="A folder to answer for; several make several services. Without: the client's folders, else this one.",
)
@service_option
@click.option("--http", is_flag=True, help="Serve streamable HTTP instead of standard input and output.")
@click.option("--host", default="127.0.0.1", show_default=True, help="Address of --http.")
@click.option("--port", default=8001, show_default=True, type=click.IntRange(0, 65535), help="Port of --http.")
@click.option("--token", envvar="FOURFOLD_MCP_TOKEN", help="Bearer token of --http; needed off this machine.")
@click.option("--allow-write", is_flag=True, help="Offer the tool that refreshes the index on demand.")
@click.pass_obj
def command(
    session: Session,
    roots: tuple[Path, ...],
    services: tuple[str, ...],
    http: bool,
    host: str,
    port: int,
    token: str | None,
    allow_write: bool,
) -> int:
    """Serve coding agents: search, definitions, usages, impact and code as MCP tools.

    Clients start it themselves (see `fourfold install`). It answers at once and indexes in the background; the log
    is in the cache folder. It ends with its client.
    """
    if not http and token:
        raise UsageError("--token is for --http", hint="fourfold mcp --http --token TOKEN")
    try:
        from fourfold.interfaces.mcp.run import run
    except ImportError as error:
        raise BackendUnavailable(f"the MCP SDK is not installed: {error}", hint="pip install 'mcp>=2,<3'") from error
    if services and roots:
        raise UsageError("--service and --root exclude each other", hint="add the folder as a service")
    named = [session.directory / root for root in roots] or ([session.root] if session.root else [])
    return run(
        roots=named or [session.directory],
        fixed=bool(named) or http,
        http=(host, port, token or "") if http else None,
        allow_write=allow_write,
        verbose=session.verbose,
        services=services,
        project=session.found_root(),
    )
