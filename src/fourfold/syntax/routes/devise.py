"""``devise_for`` of Rails: sessions, passwords, registrations."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from fourfold.model.route import RawRoute
from fourfold.syntax.routes.calls import Call, items_of, pairs_of, text_of
from fourfold.syntax.routes.paths import join_paths
from fourfold.syntax.routes.values import Values

if TYPE_CHECKING:
    from tree_sitter import Node

_MODULES: dict[str, tuple[tuple[str, str, str], ...]] = {
    "sessions": (
        ("GET", "sign_in", "new"),
        ("POST", "sign_in", "create"),
        ("DELETE", "sign_out", "destroy"),
    ),
    "passwords": (
        ("GET", "password/new", "new"),
        ("GET", "password/edit", "edit"),
        ("PATCH", "password", "update"),
        ("PUT", "password", "update"),
        ("POST", "password", "create"),
    ),
    "registrations": (
        ("GET", "cancel", "cancel"),
        ("GET", "sign_up", "new"),
        ("GET", "edit", "edit"),
        ("PATCH", "", "update"),
        ("PUT", "", "update"),
        ("DELETE", "", "destroy"),
        ("POST", "", "create"),
    ),
}
"""Method, path and action by module; those of confirmable, lockable and omniauthable depend on the model."""


def devise_routes(call: Call, resource: str, prefix: str, values: Values) -> Iterator[RawRoute]:
    """The routes of ``devise_for :users``."""
    path = values.text(call.named["path"]) if "path" in call.named else resource
    names = _texts(call.named.get("path_names"), values)
    controllers = _texts(call.named.get("controllers"), values)
    base = join_paths(prefix, f"/{path}".rstrip("/"))
    for module, listed in _MODULES.items():
        if not _is_wanted(call, module, values):
            continue
        for method, below, action in listed:
            first, _, rest = below.partition("/")
            named = "/".join(part for part in (names.get(first, first), rest) if part)
            handler = f"{controllers.get(module, f'devise/{module}')}#{action}"
            yield RawRoute(method, join_paths(base, named), handler, call.line, "rails")


def _texts(node: Node | None, values: Values) -> dict[str, str]:
    return {key: values.text(one) or "" for key, one in pairs_of(node).items()} if node is not None else {}


def _is_wanted(call: Call, module: str, values: Values) -> bool:
    if "only" in call.named:
        return module in _names(call.named["only"], values)
    return "skip" not in call.named or not {module, "all"} & _names(call.named["skip"], values)


def _names(node: Node, values: Values) -> set[str]:
    items = items_of(node) if node.type in ("array", "symbol_array") else [node]
    return {values.text(one) or text_of(one) for one in items}
