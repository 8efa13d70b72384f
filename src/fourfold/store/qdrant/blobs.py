"""Things kept whole on the server in parts: the columns of a batch, statistics, arrays that a reader derived."""

from __future__ import annotations

import base64
import hashlib
import zlib
from collections.abc import Iterator

from fourfold.store.qdrant.gateway import Gateway
from fourfold.store.qdrant.points import Is, Point, Where, point_id

PART_BYTES = 1_500_000
"""Bytes of a part before base64: two or three parts fill a request."""
_LEVEL = 1
"""zlib level: postings shrink to about half, int8 vectors not at all, whatever the level."""


def digest_of(data: bytes) -> str:
    """What a blob's content is checked with: BLAKE2b-128 in hex."""
    return hashlib.blake2b(data, digest_size=16).hexdigest()


def parts(service: str, name: str, data: bytes) -> Iterator[Point]:
    """The points of one blob."""
    packed = zlib.compress(data, _LEVEL)
    count = max(1, -(-len(packed) // PART_BYTES))
    for number in range(count):
        body = base64.b64encode(packed[number * PART_BYTES : (number + 1) * PART_BYTES]).decode("ascii")
        payload = {"point": "blob", "service": service, "name": name, "part": number, "parts": count, "data": body}
        yield Point(point_id(service, "blob", name, number), payload)


def upload(gateway: Gateway, service: str, name: str, data: bytes) -> None:
    """Store a blob, a few parts at a time."""
    held: list[Point] = []
    for point in parts(service, name, data):
        held.append(point)
        if len(held) == 8:
            gateway.put(held)
            held = []
    gateway.put(held)


def download(gateway: Gateway, service: str, name: str) -> bytes | None:
    """A blob, None where it is not there whole."""
    first = gateway.get([point_id(service, "blob", name, 0)], ("parts", "data"))
    if not first:
        return None
    count = int(first[0].payload["parts"])
    found = {0: str(first[0].payload["data"])}
    for number in range(1, count):
        for part in gateway.get([point_id(service, "blob", name, number)], ("part", "data")):
            found[number] = str(part.payload["data"])
    if len(found) < count:
        return None
    try:
        return zlib.decompress(b"".join(base64.b64decode(found[number]) for number in range(count)))
    except (zlib.error, ValueError):
        return None


def delete(gateway: Gateway, service: str, name: str) -> None:
    """Forget a blob."""
    gateway.delete(Where((Is("service", service), Is("point", "blob"), Is("name", name))))


def stored_names(gateway: Gateway, service: str) -> set[str]:
    """Names of all blobs of a service."""
    where = Where((Is("service", service), Is("point", "blob")))
    return {str(found.payload["name"]) for found in gateway.scroll(where, ("name",))}
