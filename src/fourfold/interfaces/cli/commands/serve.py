"""``fourfold serve``: the HTTP API and the web page."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import click

from fourfold.interfaces.cli.options import Whole, gpu_option, gpu_override, service_option
from fourfold.interfaces.cli.session import Session
from fourfold.interfaces.cli.width import safe
from fourfold.model.errors import BackendUnavailable, UsageError

if TYPE_CHECKING:
    import socket

    from fourfold.engine.workspace import Workspace

SHUTDOWN_S = 5
"""Seconds that open requests have when the server is stopped."""
BACKLOG = 1024
"""Connections that may wait to be accepted."""
IDLE_S = 10
"""Seconds that a connection may stay open without a request."""


@click.command(short_help="Serve the HTTP API and the web page.")
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on.")
@click.option("--port", type=Whole(0, 65535), default=8000, help="Port to listen on; 0 takes a free one.")
@click.option("--token", metavar="TOKEN", help="Token to ask for (off loopback one is made where none is given).")
@click.option("--allow-host", "hosts", multiple=True, metavar="NAME", help="A further name the server is called by.")
@click.option("--read-only", is_flag=True, help="Refuse writes and leave the index as it is.")
@click.option("--editor", metavar="LINK", help="Link that opens a file: vscode://file/{path}:{line}; 'none' for none.")
@service_option
@click.option("--allow-register", is_flag=True, help="With --service: let clients add repositories (https, ssh).")
@click.option(
    "--webhook-secret-env", metavar="VAR", help="With --service: environment variable with the secret of webhooks."
)
@click.option("--open", "open_page", is_flag=True, help="Open the page in the browser.")
@gpu_option
@click.pass_obj
def command(
    session: Session,
    host: str,
    port: int,
    token: str | None,
    hosts: tuple[str, ...],
    read_only: bool,
    editor: str | None,
    services: tuple[str, ...],
    allow_register: bool,
    webhook_secret_env: str | None,
    open_page: bool,
    gpu: bool,
) -> int:
    """Serve the HTTP API under /api/v1, its documentation at /docs, and the web page.

    The server listens on loopback, where it needs no token; on any other address everything needs one. It is
    made anew at each start and printed once, unless --token or FOURFOLD_TOKEN gives one.
    """
    try:
        import fastapi  # noqa: F401
        import uvicorn
    except ImportError as error:
        raise BackendUnavailable(
            f"the server needs the package {error.name}", hint="pip install 'fourfold[serve]'"
        ) from None
    from fourfold.interfaces.http.app import create_app
    from fourfold.interfaces.http.options import EDITOR, ServeOptions, is_loopback
    from fourfold.interfaces.http.protocol import Protocol
    from fourfold.interfaces.memory import settle

    settle()
    chosen = token or os.environ.get("FOURFOLD_TOKEN", "")
    made = not chosen and not is_loopback(host)
    if made:
        import secrets

        chosen = secrets.token_urlsafe(24)
    if chosen and (len(chosen) < 16 or not chosen.isascii() or not chosen.isprintable()):
        raise UsageError("the token must have at least 16 ASCII characters", hint="leave it out to have one made")
    link = editor if editor is not None else (EDITOR if is_loopback(host) else "")
    listener = _listen(host, port)
    options = ServeOptions(
        host=host,
        port=listener.getsockname()[1],
        token=chosen,
        hosts=hosts,
        read_only=read_only,
        editor="" if link == "none" else link,
        services=services,
        allow_register=allow_register,
        webhook_secret=_webhook_secret(webhook_secret_env),
    )
    shown = f"[{host}]" if ":" in host else host
    address = f"http://{shown}:{options.port}/"
    session.note(f"serving {safe(session.found_root().name)} at {address} (API: {address}docs; stop: Ctrl-C)")
    if made:
        session.note(f"token, shown only now: {chosen}")
    if open_page:
        click.launch(f"{address}?token={chosen}" if chosen else address)
    workspace = _workspace(session, gpu) if services else None
    with workspace.index(services) if workspace is not None else session.open(gpu_override(gpu)) as index:
        session.set_up_logging(index.settings, logs=True)
        config = uvicorn.Config(
            create_app(index, options, workspace),
            log_level="warning",
            access_log=False,
            server_header=False,
            timeout_keep_alive=IDLE_S,
            timeout_graceful_shutdown=SHUTDOWN_S,
            limit_concurrency=1024,
            proxy_headers=False,
            http=Protocol,
            ws="none",
        )
        uvicorn.Server(config).run(sockets=[listener])
    return 0


def _workspace(session: Session, gpu: bool) -> Workspace:
    from fourfold.engine.workspace import Workspace

    return Workspace.open(project=session.found_root(), overrides=gpu_override(gpu))


def _webhook_secret(variable: str | None) -> str:
    """The secret that an environment variable holds; raises UsageError where it is not fit to be one."""
    secret = os.environ.get(variable, "") if variable else ""
    if variable and len(secret) < 16:
        raise UsageError(f"{variable} must hold at least 16 characters", hint="for instance: openssl rand -hex 32")
    return secret


def _listen(host: str, port: int) -> socket.socket:
    """A listening socket; raises UsageError in one sentence where there can be none."""
    import socket

    listener = None
    try:
        family, kind, protocol, _, place = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        listener = socket.socket(family, kind, protocol)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(place)
        # From here on who follows the address that is printed waits until the server is up.
        listener.listen(BACKLOG)
    except OSError as error:
        if listener is not None:
            listener.close()
        raise UsageError(
            f"cannot listen on {host}, port {port}: {(error.strerror or str(error)).lower()}",
            hint="choose another with --port, or 0 for a free one",
        ) from None
    listener.set_inheritable(True)
    return listener
