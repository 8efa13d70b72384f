"""What a reader of routes gets: one parsed file."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from fourfold.model.route import Mount, RawRoute, Router

if TYPE_CHECKING:
    from tree_sitter import Node

RouteFact = RawRoute | Mount | Router


@dataclass(frozen=True, slots=True)
class RouteSource:
    """`path` is root-relative, `language` canonical, `text` what was parsed, `root` its tree."""

    path: str
    language: str
    text: str
    root: Node
