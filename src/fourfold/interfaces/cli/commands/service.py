"""``fourfold service``: the list of sources that are searched together, and bringing them up to date."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from fourfold.config.services import VIAS
from fourfold.interfaces.cli.failure import INTERRUPTED
from fourfold.interfaces.cli.options import Seconds, json_option
from fourfold.interfaces.cli.output import print_json
from fourfold.interfaces.cli.session import Session
from fourfold.interfaces.cli.table import aligned
from fourfold.interfaces.cli.width import safe_name
from fourfold.interfaces.cli.words import count, counted, seconds
from fourfold.model.errors import UsageError
from fourfold.model.result import SCHEMA

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fourfold.engine.service import Service, SyncReport
    from fourfold.model.errors import FourfoldError


@click.group(invoke_without_command=True, short_help="List sources (folders, git refs) to be searched together.")
@click.pass_context
def command(ctx: click.Context) -> int:
    """Services are named sources: folders of this machine, or refs of git repositories, each with an index.

    Ask them with --service: fourfold search --service web "where are webhooks verified", all with --service '*'.
    """
    return 0 if ctx.invoked_subcommand else ctx.invoke(list_, as_json=False)


@command.command(short_help="Add a service; nothing is fetched or indexed yet.")
@click.argument("name")
@click.argument("source", metavar="PATH|URL")
@click.option(
    "--ref", default="", metavar="REF", help="Branch, tag or commit to read; of a folder, instead of its files."
)
@click.option("--root", default="", metavar="DIR", help="Only this folder of it.")
@click.option("--include", multiple=True, metavar="GLOB", help="Index these although they are ignored by default.")
@click.option("--exclude", multiple=True, metavar="GLOB", help="Leave these out.")
@click.option("--token-env", default="", metavar="VAR", help="Environment variable that holds the token for https.")
@click.option(
    "--via",
    type=click.Choice(VIAS),
    help="Read it by git (the default), or as an archive that its GitHub or GitLab gives, without git.",
)
@click.option("--sync", "sync_now", is_flag=True, help="Fetch and index it at once.")
@click.pass_obj
def add(
    session: Session,
    name: str,
    source: str,
    ref: str,
    root: str,
    include: tuple[str, ...],
    exclude: tuple[str, ...],
    token_env: str,
    via: str | None,
    sync_now: bool,
) -> int:
    """Add the service NAME: a folder, or a repository by its https or ssh address.

    The list is services.toml beside your configuration file. A token stands in an environment variable, never in the
    list.
    """
    from fourfold.config.services import ServiceConfig, checked, save_service
    from fourfold.source.git_address import check_address, check_ref, looks_remote
    from fourfold.source.root import check_root

    if ref:
        check_ref(ref)
    remote = looks_remote(source)
    if remote:
        check_address(source)
    elif not (folder := session.directory / Path(source).expanduser()).is_dir():
        raise UsageError(f"there is no folder {source}", hint="name a folder, or an address such as https://HOST/PATH")
    elif not ref:
        check_root(folder)  # here and not at the first sync: a bare repository needs a ref
    place = {"git": source} if remote else {"path": source}
    rest = {"token_env": token_env, "via": via or "", **place}
    config = ServiceConfig(name, ref=ref, root=root, include=include, exclude=exclude, **rest)
    path = save_service(checked(config, session.directory.resolve()))
    session.note(f"added {name} to {path}")
    if sync_now:
        return _sync(session, (name,), force=False, wait=0.0, as_json=False)
    session.note(f"index it: fourfold service sync {name}")
    return 0


@command.command(short_help="Take a service out of the list, and delete its index.")
@click.argument("name")
@click.pass_obj
def remove(session: Session, name: str) -> int:
    """Take the service NAME out of services.toml, and delete its index and its copy of the repository.

    A folder's own index stays where the folder is searched by itself too.
    """
    from fourfold.config.services import drop_service
    from fourfold.engine.workspace import Workspace

    service = Workspace.open().services.get(name)
    drop_service(name)
    if service is not None:
        others = [other for other in Workspace.open().services.values() if other.config.git == service.config.git]
        service.forget(keep_copy=bool(others))
    session.note(f"removed {name}")
    return 0


@command.command(name="list", short_help="List the services and their state.")
@json_option
@click.pass_obj
def list_(session: Session, as_json: bool) -> int:
    """List the services: where each comes from, what is indexed of it, and why the last sync failed."""
    workspace = _workspace(session)
    rows = [_state(service) for service in workspace.services.values()]
    workspace.close()
    if as_json:
        print_json({"schema": SCHEMA, "items": rows}, session.out)
        return 0
    if not rows:
        session.note("no service is listed; add one: fourfold service add NAME PATH|URL")
    for line in aligned([_cells(row) for row in rows]):
        session.out.line(line)
    return 0


@command.command(short_help="Fetch services and bring their indexes up to date.")
@click.argument("names", nargs=-1, metavar="[NAME]...")
@click.option("--force", is_flag=True, help="Read every file anew, changed or not.")
@click.option("--wait", type=Seconds(), default=0.0, help="Wait for another writer this long.")
@json_option
@click.pass_obj
def sync(session: Session, names: tuple[str, ...], force: bool, wait: float, as_json: bool) -> int:
    """Fetch the services NAME (all where none is named; * stands for any characters) and index what changed.

    One that fails keeps its last index, which is still searched; the others are synced all the same.
    """
    return _sync(session, names, force=force, wait=wait, as_json=as_json)


def _sync(session: Session, names: tuple[str, ...], *, force: bool, wait: float, as_json: bool) -> int:
    workspace = _workspace(session)
    lines: list[Any] = []

    def progress(name: str) -> Any:
        for line in lines:
            line.clear()
        lines.append(session.progress(name))
        return lines[-1]

    try:
        done, failed = workspace.sync(names, force=force, progress=progress, wait_s=wait)
    finally:
        for line in lines:
            line.clear()
        workspace.close()
    if as_json:
        items = [report.to_dict() for report in done]
        errors = {name: {"code": error.code, "message": error.message} for name, error in failed.items()}
        print_json({"schema": SCHEMA, "items": items, "errors": errors}, session.out)
    for text in _told(done, failed):
        session.err.line(text)
    if any(report.report.interrupted for report in done):
        return INTERRUPTED
    return max((error.exit_code for error in failed.values()), default=0)


def _told(done: list[SyncReport], failed: Mapping[str, FourfoldError]) -> list[str]:
    """One line a service."""
    lines = []
    for report in done:
        counts = report.report
        moved = {"added": counts.added, "changed": counts.changed, "removed": counts.removed}
        what = ", ".join(f"{number:,} {word}" for word, number in moved.items() if number) or "nothing changed"
        files = counts.added + counts.changed + counts.unchanged
        at = f" at {report.commit[:7]}" if report.commit else ""
        line = f"synced  {safe_name(report.service)}{at}  {count(files, 'file')}: {what} in {seconds(counts.seconds)}"
        lines.append(line + (f" · skipped {counted(counts.skipped)}" if counts.skipped else ""))
        lines += [f"        {safe_name(note)}" for note in (*report.notes, *counts.warnings)]
    for name, error in failed.items():
        lines.append(f"failed  {safe_name(name)}: {safe_name(error.message)}")
        lines += [f"        {safe_name(error.hint)}"] if error.hint else []
    return lines


def _workspace(session: Session) -> Any:
    from fourfold.engine.workspace import Workspace

    workspace = Workspace.open(project=session.found_root())
    for warning in workspace.warnings:
        session.warn(warning)
    return workspace


def _state(service: Service) -> dict[str, Any]:
    """What is known of a service without asking anybody."""
    from fourfold.model.errors import FourfoldError

    row: dict[str, Any] = {"name": service.name, **service.config.to_table(), "listed": service.config.listed}
    row |= {"files": 0, "chunks": 0, "lines": 0, "indexed_commit": None, "synced": None, "error": None}
    try:
        state = service.state
        row |= {"synced": state.synced or None, "error": state.error or None}
        snapshot = service.open()._store.snapshot()
        info = snapshot.info() if snapshot.generation else None
    except FourfoldError as error:
        return row | {"error": row["error"] or error.message}
    if info is not None:
        row |= {"files": info.files, "chunks": info.chunks, "lines": info.lines}
        row["indexed_commit"] = info.meta.get("indexed_commit") or None
    return row


def _cells(row: dict[str, Any]) -> tuple[str, ...]:
    place = row.get("git") or row.get("path", "")
    inside = f":{row['root']}" if row.get("root") else ""
    at = f"@{row['ref']}" if row.get("ref") else ""
    commit = (row["indexed_commit"] or "")[:7]
    held = f"{count(row['files'], 'file')} {commit}".strip() if row["files"] else "not indexed"
    when = time.strftime("%Y-%m-%d %H:%M", time.localtime(row["synced"])) if row["synced"] else ""
    return (safe_name(row["name"]), safe_name(f"{place}{at}{inside}"), held, when, safe_name(row["error"] or ""))
