"""Where a service is: the collection, its name in it, and the folder of what is cached here."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from fourfold.store.qdrant.columns import Columns
from fourfold.store.qdrant.gateway import Gateway
from fourfold.store.qdrant.layout import Layout

if TYPE_CHECKING:
    from collections.abc import Callable


@dataclass(frozen=True)
class Place:
    """`service` in the collection behind `gateway`, cached below `directory`. `layout` says what a missing collection
    is made with; it is asked only then. `read_only`: nothing is written to the server."""

    gateway: Gateway
    service: str
    directory: Path
    layout: Callable[[], Layout]
    read_only: bool = False

    @property
    def words(self) -> str:
        """The place in words."""
        return f"{self.service} at {self.gateway.address}"

    @cached_property
    def columns(self) -> Columns:
        """The columns of the service."""
        return Columns(self.gateway, self.service, self.directory)
