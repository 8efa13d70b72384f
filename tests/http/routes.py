"""Every route of the application, with a request that it answers."""

from __future__ import annotations

from typing import Any

from starlette.routing import Mount

from fourfold.interfaces.http.guard import Guard

PARAMETERS: dict[str, str] = {
    "/api/v1/search": "?q=backoff",
    "/api/v1/ask": "?q=who+calls+backoff_delay",
    "/part/ask": "?q=who+calls+backoff_delay",
    "/ask": "?q=who+calls+backoff_delay",
    "/api/v1/grep": "?pattern=backoff",
    "/api/v1/similar": "?file=src/net/retry.py&line=9",
    "/api/v1/match": "?pattern=backoff_delay($A)&in_language=python",
    "/api/v1/symbol": "?name=backoff_delay",
    "/api/v1/usages": "?name=backoff_delay",
    "/api/v1/impact": "?name=backoff_delay",
    "/api/v1/context": "?target=backoff_delay",
    "/api/v1/file": "?path=src/net/retry.py",
    "/api/v1/graph": "?name=backoff_delay",
    "/api/v1/status/path": "?path=src/app.py",
    "/part/lines": "?path=src/app.py&start=1&end=3",
    "/part/results": "?q=backoff",
    "/graph": "?symbol=backoff_delay",
    "/impact": "?symbol=backoff_delay",
}
EXTRA = [("GET", "/static/style.css"), ("GET", "/static/page.js"), ("GET", "/nowhere"), ("OPTIONS", "/docs")]


def all_routes(app: Guard) -> list[tuple[str, str]]:
    """(method, address) of every route, found by walking the application."""
    found: list[tuple[str, str]] = list(EXTRA)
    stack: list[Any] = list(app._app.routes)  # type: ignore[attr-defined]
    while stack:
        route = stack.pop()
        inner = getattr(route, "original_router", None)
        if inner is not None:
            stack += inner.routes
        elif not isinstance(route, Mount):
            path = route.path.replace("{path:path}", "src/app.py").replace("{number}", "1").replace("{forge}", "github")
            assert "{" not in path, path
            found += [(method, path + PARAMETERS.get(path, "")) for method in route.methods]
    return sorted(set(found))
