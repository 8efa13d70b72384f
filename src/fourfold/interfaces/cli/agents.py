"""What ``install`` and ``uninstall`` share: their arguments, the clients meant, and showing what is done."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import click

from fourfold.interfaces.agents.clients import CLIENTS, PROJECT, USER, Client, Scope, found
from fourfold.interfaces.agents.plan import Change
from fourfold.interfaces.agents.record import Records
from fourfold.interfaces.cli.session import Session
from fourfold.interfaces.cli.width import safe_name
from fourfold.model.errors import UsageError


def agent_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """The arguments of both commands."""
    for wrap in (
        click.option("--dry-run", is_flag=True, help="Show what would be written; write nothing."),
        click.option("--user", "kind", flag_value=USER, help="For all your projects: files in your home folder."),
        click.option("--project", "kind", flag_value=PROJECT, help="For this project: files in its root (default)."),
        click.argument("clients", nargs=-1, metavar="[CLIENT]..."),
    ):
        command = wrap(command)
    return command


def scope_of(session: Session) -> Scope:
    """The folders that places are taken from."""
    return Scope(session.found_root(), Path.home(), os.environ)


def chosen(names: Sequence[str], kind: str, scope: Scope) -> list[Client]:
    """The clients named, or those that this machine has. Raises UsageError."""
    known = ", ".join(CLIENTS)
    for name in names:
        if name not in CLIENTS:
            raise UsageError(f"there is no client {name!r}", hint=f"choose among: {known}")
        if kind not in CLIENTS[name].config:
            raise UsageError(
                f"{CLIENTS[name].title} keeps no servers in a {kind} file", hint=f"fourfold install --user {name}"
            )
    clients = [CLIENTS[name] for name in dict.fromkeys(names)] if names else found(scope)
    if not clients:
        raise UsageError("no coding agent was found on this machine", hint=f"name one: {known}")
    return [client for client in clients if kind in client.config]


def records_of(session: Session) -> Records:
    """What earlier installations wrote."""
    from fourfold.config.places import cache_dir

    return Records(cache_dir(session.load().settings) / "agents")


def command_of(kind: str) -> str:
    """How a client starts the program: by its name in a project's file, which others share, else by its full path."""
    if kind == PROJECT:
        return "fourfold"
    started = Path(sys.argv[0])
    if started.name.startswith("fourfold") and started.exists():
        return str(started.absolute())
    return shutil.which("fourfold") or "fourfold"


def show(session: Session, changes: Sequence[Change], done: str, *, dry_run: bool) -> int:
    """One line a file, and with a dry run the text; the exit code: 1 where a file was left alone."""
    for change in changes:
        who = ", ".join(CLIENTS[name].title for name in change.clients)
        if change.refused:
            session.out.line(f"left alone  {safe_name(str(change.path))}: {safe_name(change.refused)}")
            continue
        state = "unchanged" if change.done else f"would be {done}" if dry_run else done
        session.out.line(f"{state}  {safe_name(str(change.path))}  {change.what} for {who}")
        if not change.done and (dry_run or change.what == "server"):
            sign = "-" if done == "removed" else "+"
            for line in change.text.strip("\r\n").split("\n"):
                session.out.line(session.out.style("dim", f"  {sign} {safe_name(line.rstrip())}"))
    return 1 if any(change.refused for change in changes) else 0
