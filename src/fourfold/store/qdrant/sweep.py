"""Deleting what no generation in use can see, and what a writer left that died before it published."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from secrets import token_hex
from typing import TYPE_CHECKING

from fourfold.store.local.sweep import GRACE_S
from fourfold.store.qdrant import blobs
from fourfold.store.qdrant.layout import LIVE
from fourfold.store.qdrant.points import Between, Condition, In, Is, Where

if TYPE_CHECKING:
    from fourfold.store.qdrant.gateway import Gateway
    from fourfold.store.qdrant.manifest import Manifest
    from fourfold.store.qdrant.place import Place


def remove_debris(gateway: Gateway, own: Is, manifest: Manifest) -> None:
    """Undo what was written for a generation that was never published: no reader has seen any of it."""
    later, voided = manifest.generation, manifest.voided
    begun: tuple[Condition, ...] = (Between("valid_from", gt=later),)
    ended: tuple[Condition, ...] = (Between("valid_to", gt=later, lt=LIVE),)
    if voided:
        begun, ended = (*begun, In("valid_from", voided)), (*ended, In("valid_to", voided))
    gateway.delete(Where((own,), should=begun))
    gateway.set_payload(Where((own,), should=ended), {"valid_to": LIVE})


def sweep(place: Place, manifest: Manifest, now: float, announce: Callable[[Manifest], Manifest]) -> Manifest:
    """Delete versions that ended more than the grace period ago, and blobs that nothing names. Returns the manifest
    that says so; it is announced before anything goes, so that no reader trusts what is being deleted."""
    due = [number for number, at in manifest.published if at <= now - GRACE_S]
    horizon = max(due, default=0)
    own = Is("service", place.service)
    voided = (In("valid_to", manifest.voided),) if manifest.voided else ()
    ended = Where((own, Between("valid_to", lte=horizon)), voided)
    if horizon > manifest.horizon and place.gateway.count(ended):
        kept = tuple(one for one in manifest.published if one[0] >= horizon)
        manifest = announce(replace(manifest, horizon=horizon, published=kept, stamp=token_hex(8)))
        place.gateway.delete(ended)
    _sweep_blobs(place, manifest)
    place.columns.keep(entry.name for entry in manifest.segments)
    return manifest


def _sweep_blobs(place: Place, manifest: Manifest) -> None:
    """Forget columns and shared arrays that the manifest does not name. A reader that has them mapped keeps them; one
    that still wants them takes the next generation."""
    named = {entry.name for entry in manifest.segments}
    suffix = f"-{manifest.incarnation}-{manifest.content}"
    for name in blobs.stored_names(place.gateway, place.service):
        if name not in named and not name.endswith(suffix):
            blobs.delete(place.gateway, place.service, name)
