"""Rebuilding a collection under other settings (shards, copies, quantisation) while it serves.

All points are copied, with their vectors, into a new collection; then the alias names that one, in one step. Readers
see the old collection until then and the new one after; indexers wait. A copy that was cut short goes on where it
stopped.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from itertools import islice

from fourfold.model.errors import IndexUnavailable
from fourfold.store.qdrant.client import ClientGateway
from fourfold.store.qdrant.layout import Layout
from fourfold.store.qdrant.lease import Lease
from fourfold.store.qdrant.points import Found, Is, Point, Where

_CODE = Where((), (Is("point", "lease"),))
_AT_ONCE = 100
Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class Reshaped:
    """The collection that the alias names now, and how many points it holds."""

    name: str
    points: int


def reshape(gateway: ClientGateway, layout: Layout, progress: Progress = lambda done, total: None) -> Reshaped:
    """Copy the collection into one laid out as `layout` says, and switch the alias to it; then delete the old one.

    The dimension stays that of the old one. Raises IndexUnavailable where there is no collection behind the alias,
    LockHeld where a service is being written.
    """
    old = gateway.physical()
    if not old:
        raise IndexUnavailable(f"there is no collection behind {gateway.address}", hint="run: fourfold index")
    new = _next_name(gateway.collection, old)
    with _held(gateway):
        gateway.create_physical(new, replace(layout, dimension=gateway.dimension()))
        target = gateway.named(new)
        total = gateway.count(_CODE)
        done = 0
        for page in _pages(gateway.scroll(_CODE, (), vectors=True)):
            present = {found.id for found in target.get([point.id for point in page], ("service",))}
            target.put([Point(one.id, one.payload, one.vectors) for one in page if one.id not in present])
            done += len(page)
            progress(done, total)
        counted = target.count(_CODE)
        if counted != total:
            raise IndexUnavailable(
                f"the copy of {old} holds {counted} points instead of {total}", hint="run the command again"
            )
        gateway.switch(new)
    gateway.drop_physical(old)
    return Reshaped(new, counted)


@contextmanager
def _held(gateway: ClientGateway) -> Iterator[None]:
    """The leases of all services: nobody writes what is being copied."""
    with ExitStack() as stack:
        found = list(gateway.scroll(Where((Is("point", "manifest"),)), ("service",)))
        for service in sorted(str(point.payload["service"]) for point in found):
            lease = Lease(gateway, service, "reshape")
            lease.acquire(0.0)
            stack.callback(lease.release)
        yield


def _pages(found: Iterator[Found]) -> Iterator[Sequence[Found]]:
    while page := list(islice(found, _AT_ONCE)):
        yield page


def _next_name(alias: str, old: str) -> str:
    """``fourfold-1`` is followed by ``fourfold-2``."""
    number = old.removeprefix(f"{alias}-")
    return f"{alias}-{int(number) + 1 if number.isdigit() else 2}"
