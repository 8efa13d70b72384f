"""``fourfold store``: moving an index between this machine and Qdrant, and looking after the collection."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import click

from fourfold.interfaces.cli.options import json_option
from fourfold.interfaces.cli.output import print_json
from fourfold.interfaces.cli.session import Session
from fourfold.interfaces.cli.table import aligned
from fourfold.interfaces.cli.width import safe_name
from fourfold.interfaces.cli.words import count
from fourfold.model.errors import UsageError
from fourfold.model.report import Progress
from fourfold.model.result import SCHEMA

if TYPE_CHECKING:
    from collections.abc import Callable

    from fourfold.interfaces.cli.progress import ProgressLine
    from fourfold.store.qdrant.client import ClientGateway

STORES = ("local", "qdrant")


@click.group(short_help="Move an index between this machine and Qdrant.")
def command() -> None:
    """Where indexes live is the setting store; the Qdrant server is described in the section qdrant."""


@command.command(short_help="Copy the index of this repository to the other store.")
@click.option("--to", "target", type=click.Choice(STORES), required=True, help="The store to copy to.")
@json_option
@click.pass_obj
def migrate(session: Session, target: str, as_json: bool) -> int:
    """Copy the index of this repository from the one store to the other; no file of it is read again.

    Interrupted, it goes on where it stopped when it is started again. The index that was copied stays.
    """
    from fourfold.config.places import prepare_index_dir
    from fourfold.store.migrate import migrate as copy
    from fourfold.store.opening import open_store

    source = STORES[1 - STORES.index(target)]
    root = session.found_root()
    loaded = [session.load({"store": name}).settings for name in (source, target)]
    prepare_index_dir(root, loaded[1])
    stores = [open_store(root, settings) for settings in loaded]
    line = session.progress(root.name, quiet=as_json)
    try:
        done = copy(stores[0], stores[1], _telling(line))
    finally:
        line.clear()
        for store in stores:
            store.close()
    if as_json:
        counts = {"copied": done.copied, "kept": done.kept, "removed": done.removed}
        print_json({"schema": SCHEMA, "from": source, "to": target, **counts}, session.out)
        return 0
    parts = [f"{done.copied:,} copied"] + [f"{n:,} {word}" for n, word in ((done.kept, "there already"),) if n]
    parts += [f"{done.removed:,} removed"] if done.removed else []
    session.out.line(f"{safe_name(root.name)}: {', '.join(parts)}, from {source} to {target}")
    session.note(f'the setting store = "{target}" (FOURFOLD_STORE={target}) makes searches use it')
    return 0


@command.command("list", short_help="List the services of the Qdrant collection.")
@json_option
@click.pass_obj
def list_(session: Session, as_json: bool) -> int:
    """List the services that the configured Qdrant collection holds, with their generations."""
    from fourfold.store.qdrant import listing
    from fourfold.store.qdrant.opening import open_gateway

    gateway = open_gateway(session.load().settings)
    try:
        found = listing.services(gateway)
    finally:
        gateway.close()
    if as_json:
        records = [_record(one) for one in found]
        print_json({"schema": SCHEMA, "address": gateway.address, "services": records}, session.out)
        return 0
    rows = [
        (safe_name(one.name), f"generation {one.generation}", count(one.files, "file"), one.writer) for one in found
    ]
    session.out.line("\n".join(aligned(rows)) if rows else f"no service at {gateway.address}")
    return 0 if rows else 1


@command.command(short_help="Rebuild the Qdrant collection under the present settings while it serves.")
@json_option
@click.pass_obj
def reshape(session: Session, as_json: bool) -> int:
    """Copy the collection into one with the shards, replicas and quantisation that are configured now, then switch.

    Searches go on meanwhile; indexing waits. Interrupted, it goes on where it stopped when it is started again.
    """
    from fourfold.store.qdrant.opening import layout_of, open_gateway
    from fourfold.store.qdrant.reshape import reshape as rebuild

    settings = session.load().settings
    gateway: Any = open_gateway(settings)
    line = session.progress(settings.qdrant.collection, quiet=as_json)
    try:
        done = rebuild(_with_aliases(gateway), layout_of(settings), _telling(line))
    finally:
        line.clear()
        gateway.close()
    if as_json:
        print_json({"schema": SCHEMA, "collection": done.name, "points": done.points}, session.out)
    else:
        session.out.line(f"{gateway.address}: {count(done.points, 'point')} now in {done.name}")
    return 0


def _with_aliases(gateway: Any) -> ClientGateway:
    from fourfold.store.qdrant.client import ClientGateway

    if not isinstance(gateway, ClientGateway):
        raise UsageError(f"{gateway.address} has no aliases to switch", hint="this needs a server: see qdrant.url")
    return gateway


def _record(one: Any) -> dict[str, Any]:
    return {"name": one.name, "generation": one.generation, "files": one.files, "writer": one.writer}


def _telling(line: ProgressLine) -> Callable[[int, int], None]:
    started = time.monotonic()
    return lambda done, total: line(Progress("copy", done, total, 0, 0, time.monotonic() - started))
