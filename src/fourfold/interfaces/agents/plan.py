"""What to install and what to take away: one change a file, planned before anything is written."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from fourfold.interfaces.agents import edit, files
from fourfold.interfaces.agents.clients import NAME, PROJECT, Client, Scope
from fourfold.interfaces.agents.edit import Insertion, Refused
from fourfold.interfaces.agents.instructions import BLOCK, SUB_AGENT
from fourfold.interfaces.agents.record import Records, Written

SERVER = "server"
INSTRUCTIONS = "instructions"
SUB_AGENT_FILE = "sub-agent"


@dataclass(slots=True)
class Change:
    """One file to be changed. `text` is what is inserted (or removed), `new` the whole new text (None: the file goes);
    `refused` says why it is left alone; `done` is true where nothing needs to be done."""

    path: Path
    what: str
    clients: list[str] = field(default_factory=list)
    old: str | None = None
    new: str | None = None
    text: str = ""
    refused: str = ""
    done: bool = False

    @property
    def open(self) -> bool:
        """True where there is something to write."""
        return not self.refused and not self.done


def plan_install(clients: Sequence[Client], kind: str, scope: Scope, command: str) -> list[Change]:
    """The changes that register the server with clients in a scope ("project" or "user")."""
    changes: dict[Path, Change] = {}
    for client, what, path in _targets(clients, kind, scope):
        known = changes.get(path)
        if known is not None:  # several clients share AGENTS.md
            known.clients.append(client.name)
            continue
        change = changes[path] = Change(path, what, [client.name])
        try:
            change.path = files.real_place(path, scope.project if kind == PROJECT else None)
            change.old = files.read(change.path)
            insertion = _insertion(client, what, change.old or "", kind, command)
            files.check_writable(change.path)
        except Refused as error:
            change.refused = str(error)
            continue
        change.text = insertion.text
        change.done = not insertion.text
        change.new = insertion.into(change.old or "")
    return list(changes.values())


def plan_uninstall(clients: Sequence[Client], kind: str, scope: Scope, records: Records) -> list[Change]:
    """The changes that take away what an installation wrote: exactly the recorded text where it still stands there,
    else what looks like it."""
    changes: dict[Path, Change] = {}
    for client, what, path in _targets(clients, kind, scope):
        if path in changes:
            changes[path].clients.append(client.name)
            continue
        change = changes[path] = Change(path, what, [client.name])
        try:
            change.path = files.real_place(path, scope.project if kind == PROJECT else None)
            change.old = files.read(change.path)
            if change.old is None:
                change.done = True
                continue
            change.new = _without(client, what, change.old, records.get(change.path))
            change.done = change.new == change.old
            if not change.done:
                files.check_writable(change.path)
        except Refused as error:
            change.refused = str(error)
            continue
        change.text = _difference(change.old, change.new)
    return list(changes.values())


def carry_out(changes: Iterable[Change], records: Records, *, installing: bool) -> None:
    """Write the open changes; a file that cannot be written is marked as refused, the others are written."""
    folders: set[str] = set()
    for change in changes:
        if not change.open:
            continue
        try:
            if installing:
                _install(change, records)
            else:
                folders.update(_uninstall(change, records))
        except (Refused, OSError) as error:
            change.refused = str(error)
    for folder in sorted(folders, key=len, reverse=True):  # made for our files: they go once nothing is in them
        with contextlib.suppress(OSError):
            Path(folder).rmdir()


def _install(change: Change, records: Records) -> None:
    assert change.new is not None
    backup = records.back_up(change.path, change.old) if change.old is not None else ""
    folders = [str(folder) for folder in change.path.parents if not folder.exists()]
    files.write(change.path, change.new)
    records.put(Written(str(change.path), change.text, change.old is None, tuple(folders), backup))


def _uninstall(change: Change, records: Records) -> tuple[str, ...]:
    """Write or remove the file; returns the folders that were made for it."""
    written = records.get(change.path)
    if change.new is None or (written is not None and written.created and not change.new.strip("\ufeff \t\r\n")):
        files.remove(change.path)
    else:
        files.write(change.path, change.new)
    records.forget(change.path)
    return written.folders if written is not None else ()


def _targets(clients: Sequence[Client], kind: str, scope: Scope) -> Iterable[tuple[Client, str, Path]]:
    for client in clients:
        if kind in client.config:
            yield client, SERVER, client.config[kind](scope)
        if kind in client.instructions:
            yield client, INSTRUCTIONS, client.instructions[kind](scope)
        if client.agent is not None and kind in client.agent:
            yield client, SUB_AGENT_FILE, client.agent[kind](scope)


def _insertion(client: Client, what: str, old: str, kind: str, command: str) -> Insertion:
    if what == INSTRUCTIONS:
        return edit.block_insertion(old, BLOCK)
    if what == SUB_AGENT_FILE:
        if old and old != SUB_AGENT:
            raise Refused("there is a sub-agent of that name already")
        return edit.NOTHING if old else Insertion(0, SUB_AGENT)
    entry = client.entry(command, kind)
    if client.kind == "toml":
        return edit.toml_insertion(old, client.keys[0], NAME, entry)
    return edit.json_insertion(old, _keys(client, old), NAME, entry)


def _without(client: Client, what: str, old: str, written: Written | None) -> str | None:
    if written is not None and written.inserted and old.count(written.inserted) == 1:
        rest = old.replace(written.inserted, "")
        return None if written.created and not rest else rest
    if what == INSTRUCTIONS:
        return edit.block_removal(old)
    if what == SUB_AGENT_FILE:
        return None if old == SUB_AGENT else old
    if client.kind == "toml":
        return edit.toml_removal(old, client.keys[0], NAME)
    return edit.json_removal(old, _keys(client, old), NAME)


def _keys(client: Client, old: str) -> tuple[str, ...]:
    """OpenCode 2 also has its servers one level deeper; a file that is written so is kept so."""
    if client.style != "opencode" or not old.strip("\ufeff \t\r\n"):
        return client.keys
    held = edit.json_root(old).data.get("mcp")
    nested = held.get("servers") if isinstance(held, dict) else None
    return (*client.keys, "servers") if isinstance(nested, dict) and "type" not in nested else client.keys


def _difference(old: str, new: str | None) -> str:
    """What is taken away: the part between the common beginning and the common end."""
    if new is None:
        return old
    start = 0
    while start < min(len(old), len(new)) and old[start] == new[start]:
        start += 1
    size = len(old) - len(new)
    if size <= 0:
        return old[start:]
    while start and old[start - 1] == old[start - 1 + size] and old[start] not in "\r\n":
        start -= 1  # the same text, taken from where its line begins
    return old[start : start + size]
