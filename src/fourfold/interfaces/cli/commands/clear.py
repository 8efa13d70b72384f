"""``fourfold clear``: delete an index, or those whose repository is gone."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import click

from fourfold.interfaces.cli.options import json_option
from fourfold.interfaces.cli.output import print_json
from fourfold.interfaces.cli.session import Session
from fourfold.interfaces.cli.width import safe_name
from fourfold.interfaces.cli.words import count, size
from fourfold.model.errors import FourfoldError
from fourfold.model.result import SCHEMA

if TYPE_CHECKING:
    from fourfold.config.settings import Settings


@click.command(short_help="Delete the index, or those whose repository is gone.")
@click.option("--orphans", is_flag=True, help="Delete the indexes whose repository no longer exists.")
@json_option
@click.pass_obj
def command(session: Session, orphans: bool, as_json: bool) -> int:
    """Delete the index of the repository you are in. The next search builds it anew."""
    deleted = _delete_orphans(session.load().settings) if orphans else _delete_own(session)
    freed = sum(number for _, number in deleted)
    if as_json:
        listed = [{"path": str(folder), "bytes": number} for folder, number in deleted]
        print_json({"schema": SCHEMA, "deleted": listed, "bytes": freed}, session.out)
        return 0
    for folder, number in deleted:
        session.out.line(f"deleted {safe_name(str(folder))}, {size(number)}")
    if not deleted:
        session.note("there is no orphaned index" if orphans else "there is no index to delete")
    elif len(deleted) > 1:
        session.note(f"{count(len(deleted), 'index')}, {size(freed)} freed")
    return 0


def _delete_own(session: Session) -> list[tuple[Path, int]]:
    """Clear the index of this root, under its lock."""
    from fourfold.config.places import size_of

    with session.open(allow_wide=True) as index:
        try:
            there = index.status().exists
        except FourfoldError:
            there = True  # one that cannot be read is what there is most reason to clear
        if not there:
            return []
        before = size_of(index.location)
        index.clear()
        return [(index.location, before)]


def _delete_orphans(settings: Settings) -> list[tuple[Path, int]]:
    """Remove the folders of indexes whose root is gone."""
    from fourfold.config.places import orphans, size_of

    deleted = []
    for folder in orphans(settings):
        freed = size_of(folder)
        shutil.rmtree(folder)
        deleted.append((folder, freed))
    return deleted
