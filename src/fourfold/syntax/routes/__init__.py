"""HTTP routes of a file, one module a framework.

A reader has two functions: ``applies(text)``, a cheap test whether a file may use the framework, and
``routes(source)``, which yields what the file says.
"""

from __future__ import annotations

from importlib import import_module
from typing import Protocol, cast

from fourfold.model.route import FileRoutes, Mount, RawRoute, Router
from fourfold.syntax.routes.imports import imports_of
from fourfold.syntax.routes.source import RouteFact, RouteSource

MAX_ROUTE_CHARS = 400_000
"""Longer files are generated and hold no routes that someone wrote."""

READERS: dict[str, tuple[str, ...]] = {
    "python": ("fastapi", "flask", "django"),
    "javascript": ("express", "nestjs"),
    "typescript": ("express", "nestjs"),
    "java": ("spring",),
    "kotlin": ("spring",),
    "csharp": ("aspnet", "aspnet_minimal"),
    "ruby": ("rails",),
    "php": ("laravel",),
    "go": ("gin", "chi", "net_http"),
    "rust": ("actix", "axum"),
}
"""Modules of this package by language."""


class _Reader(Protocol):
    def applies(self, text: str) -> bool:
        """Whether a file may use the framework."""

    def routes(self, source: RouteSource) -> list[RouteFact]:
        """What it says of routes."""


def routes_of(source: RouteSource) -> FileRoutes:
    """All that a file says of routes; empty where it says nothing, is too long, or is nested too deeply to read."""
    if len(source.text) > MAX_ROUTE_CHARS:
        return FileRoutes(source.path)
    facts: dict[RouteFact, None] = {}
    for name in READERS.get(source.language, ()):
        reader = cast(_Reader, import_module(f"{__name__}.{name}"))
        if not reader.applies(source.text):
            continue
        try:
            facts |= dict.fromkeys(reader.routes(source))
        except RecursionError:
            continue
    if not facts:
        return FileRoutes(source.path)
    return FileRoutes(
        source.path,
        tuple(fact for fact in facts if isinstance(fact, RawRoute)),
        tuple(fact for fact in facts if isinstance(fact, Mount)),
        tuple(fact for fact in facts if isinstance(fact, Router)),
        tuple(imports_of(source.text, source.language)),
    )
