"""The manifest: the one point that says which generation of a service is published, and what belongs to it."""

from __future__ import annotations

import json
import secrets
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from fourfold.model.errors import IndexUnavailable, NewerFormat
from fourfold.store.contract import FORMAT_VERSION
from fourfold.store.qdrant.layout import SCHEMA_VERSION
from fourfold.store.qdrant.points import Point, point_id

KEPT_VOIDED = 100
"""Voided generations that are remembered: each takes one writer that died."""
FILES_LEFT_OUT = 1_000_000
"""File numbers that a successor leaves out: more than a batch holds."""


@dataclass(frozen=True, slots=True)
class SegmentEntry:
    """The columns of one batch: the name of their blob, its digest and length, and how many rows they have."""

    name: str
    digest: str
    size: int
    chunks: int
    files: int


@dataclass(frozen=True, slots=True)
class Means:
    """Mean lengths that term saturations are computed with: of chunks by raw words and stems, of files by field."""

    raw: float
    stems: float
    fields: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Manifest:
    """One published state of a service.

    `content` is the generation that last changed rows or segments. `horizon` is the newest generation in which a swept
    version ended: older readers have expired. `published` lists (generation, seconds since the epoch) of what is not
    swept yet. `next_file` is the number of the next file version. `statistics` are stored for the content of that
    number. `stamp` tells two manifests of one number apart. `voided` are generations that will never be published: a
    writer that lost its lock may have written for them, and may still.
    """

    incarnation: int
    format: int = FORMAT_VERSION
    generation: int = 0
    content: int = 0
    meta: Mapping[str, str] = field(default_factory=dict)
    segments: tuple[SegmentEntry, ...] = ()
    horizon: int = 0
    published: tuple[tuple[int, float], ...] = ()
    next_file: int = 1
    means: Means | None = None
    statistics: int = -1
    stamp: str = ""
    voided: tuple[int, ...] = ()

    @classmethod
    def fresh(cls) -> Manifest:
        """The state of a service before anything is published."""
        return cls(incarnation=secrets.randbits(62), stamp=secrets.token_hex(8))

    @property
    def key(self) -> tuple[int, int]:
        """What tells this state from every other one of the service."""
        return (self.incarnation, self.generation)

    def taken_over(self) -> Manifest:
        """The same state, for a writer whose predecessor did not end as it should: what that one has written, or writes
        when it wakes up, is for the next generation and for the next file numbers. Neither is ever used."""
        voided = (*self.voided, self.generation + 1)[-KEPT_VOIDED:]
        return replace(self, voided=voided, next_file=self.next_file + FILES_LEFT_OUT)

    def following(self, now: float, *, content: bool, **changes: object) -> Manifest:
        """The next generation; `content`: rows or segments change with it."""
        number = self.generation + (2 if self.generation + 1 in self.voided else 1)
        made = replace(self, **changes)  # type: ignore[arg-type]
        return replace(
            made,
            generation=number,
            content=number if content else self.content,
            published=(*made.published, (number, now)),
            stamp=secrets.token_hex(8),
        )


KEYS = ("body", "schema")


def manifest_id(service: str) -> str:
    """The id of a service's manifest point."""
    return point_id(service, "manifest")


def to_point(service: str, manifest: Manifest) -> Point:
    """The point that publishes a manifest."""
    payload = {
        "point": "manifest",
        "service": service,
        "schema": SCHEMA_VERSION,
        "generation": manifest.generation,
        "stamp": manifest.stamp,
        "body": json.dumps(asdict(manifest)),
    }
    return Point(manifest_id(service), payload)


def from_payload(payload: Mapping[str, object], address: str) -> Manifest:
    """The manifest of a point. Raises NewerFormat for a later layout, IndexUnavailable for what cannot be read."""
    schema = payload.get("schema")
    if schema != SCHEMA_VERSION:
        if isinstance(schema, int) and schema > SCHEMA_VERSION:
            raise NewerFormat(
                f"the collection at {address} has layout {schema}, this version of Fourfold reads {SCHEMA_VERSION}",
                hint="upgrade fourfold, or name another collection in qdrant.collection",
            )
        raise IndexUnavailable(
            f"the collection at {address} is not one of Fourfold's", hint="name another in qdrant.collection"
        )
    try:
        return _read(json.loads(str(payload["body"])), address)
    except (LookupError, TypeError, ValueError) as error:
        raise IndexUnavailable(
            f"the manifest at {address} cannot be read", hint="run `fourfold clear`, then index again"
        ) from error


def _read(cells: dict[str, Any], address: str) -> Manifest:
    if cells["format"] > FORMAT_VERSION:
        raise NewerFormat(
            f"the index at {address} has format {cells['format']}, this version of Fourfold reads {FORMAT_VERSION}",
            hint="upgrade fourfold, or run `fourfold clear` and index again",
        )
    means = cells["means"]
    return Manifest(
        **{
            **cells,
            "segments": tuple(SegmentEntry(**entry) for entry in cells["segments"]),
            "voided": tuple(cells["voided"]),
            "published": tuple((int(number), float(at)) for number, at in cells["published"]),
            "means": Means(means["raw"], means["stems"], tuple(means["fields"])) if means else None,
        }
    )
