"""What a collection holds, service by service."""

from __future__ import annotations

from dataclasses import dataclass

from fourfold.store.qdrant import lease, table
from fourfold.store.qdrant.gateway import Gateway
from fourfold.store.qdrant.manifest import KEYS, from_payload
from fourfold.store.qdrant.points import Is, Where


@dataclass(frozen=True, slots=True)
class ServiceState:
    """One service: its generation, how many files it holds, and who writes it now ("" where nobody does)."""

    name: str
    generation: int
    files: int
    writer: str


def services(gateway: Gateway) -> list[ServiceState]:
    """All services, sorted by name."""
    found: list[ServiceState] = []
    if not gateway.exists():
        return found
    for point in gateway.scroll(Where((Is("point", "manifest"),)), (*KEYS, "service")):
        name = str(point.payload["service"])
        manifest = from_payload(point.payload, gateway.address)
        files = gateway.count(table.visible(name, manifest, Is("point", "file")))
        held = lease.holder(gateway, name)
        found.append(ServiceState(name, manifest.generation, files, held.words if held is not None else ""))
    return sorted(found, key=lambda one: one.name)
