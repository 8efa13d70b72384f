"""The files of a generation: their records and numbers. Fetched once, then brought up to date by what changed."""

from __future__ import annotations

import contextlib
import json
import secrets
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from fourfold.store.contract import INDEXED, FileRecord
from fourfold.store.qdrant.encode import pack_record, unpack_record
from fourfold.store.qdrant.gateway import Gateway
from fourfold.store.qdrant.manifest import Manifest
from fourfold.store.qdrant.points import Between, Condition, Found, In, Is, Where

FILE_NAME = "files.json"
_FILE_KINDS = In("point", ("file", "skipped"))
_KEYS = ("file", "record", "symbol_count")


@dataclass(frozen=True, slots=True)
class FileRow:
    """One file of a generation: the number of its version, its record, how many symbols it defines."""

    number: int
    record: FileRecord
    symbols: int


@dataclass(frozen=True, slots=True)
class Table:
    """The files of the generation `key` (incarnation, generation), by path."""

    key: tuple[int, int]
    rows: Mapping[str, FileRow] = field(default_factory=dict)

    def indexed(self) -> Iterator[FileRow]:
        """Files that have content."""
        return (row for row in self.rows.values() if row.record.status == INDEXED)


def visible(service: str, manifest: Manifest, *more: Condition) -> Where:
    """Points of a service that belong to the generation of a manifest. What a writer without its lock has begun, or has
    marked as ending, in a voided generation does not count."""
    generation, voided = manifest.generation, manifest.voided
    must = (Is("service", service), *more, Between("valid_from", lte=generation))
    if not voided:
        return Where((*must, Between("valid_to", gt=generation)))
    return Where(must, (In("valid_from", voided),), (Between("valid_to", gt=generation), In("valid_to", voided)))


def load(gateway: Gateway, service: str, manifest: Manifest, directory: Path, known: Table | None) -> Table:
    """The table of the manifest's generation.

    Starts from `known`, or from the file that an earlier process left: then only what changed since crosses the
    network. Where neither is of use, all records do (about 300 bytes a file).
    """
    if known is None or known.key[0] != manifest.incarnation:
        known = _read(directory / FILE_NAME)
    if known is not None and known.key == manifest.key:
        return known
    base = None
    if known is not None and known.key[0] == manifest.incarnation:
        base = known if manifest.horizon <= known.key[1] < manifest.generation else None
    rows = dict(base.rows) if base is not None else {}
    if base is not None:
        gone = {found.payload["file"] for found in _ended(gateway, service, base.key[1], manifest)}
        rows = {path: row for path, row in rows.items() if row.number not in gone}
    since = base.key[1] if base is not None else -1
    where = visible(service, manifest, _FILE_KINDS, Between("changed", gt=since))
    for found in gateway.scroll(where, _KEYS):
        record = unpack_record(str(found.payload["record"]))
        rows[record.path] = FileRow(int(found.payload["file"]), record, int(found.payload.get("symbol_count", 0)))
    table = Table(manifest.key, rows)
    _write(directory / FILE_NAME, table)
    return table


def _ended(gateway: Gateway, service: str, after: int, manifest: Manifest) -> Iterator[Found]:
    ended = Between("valid_to", gt=after, lte=manifest.generation)
    voided = (In("valid_to", manifest.voided),) if manifest.voided else ()
    return gateway.scroll(Where((Is("service", service), _FILE_KINDS, ended), voided), ("file",))


def _read(path: Path) -> Table | None:
    try:
        incarnation, generation, rows = json.loads(path.read_bytes())
        made = [FileRow(int(number), unpack_record(record), int(symbols)) for number, record, symbols in rows]
    except (OSError, ValueError, TypeError):
        return None
    return Table((incarnation, generation), {row.record.path: row for row in made})


def _write(path: Path, table: Table) -> None:
    cells = [[row.number, pack_record(row.record), row.symbols] for row in table.rows.values()]
    temporary = path.with_name(f"{path.name}.{secrets.token_hex(4)}.tmp")
    with contextlib.suppress(OSError):  # a cache that cannot be written: the next process fetches again
        path.parent.mkdir(parents=True, exist_ok=True)
        temporary.write_text(json.dumps([*table.key, cells]), encoding="ascii")
        temporary.replace(path)
