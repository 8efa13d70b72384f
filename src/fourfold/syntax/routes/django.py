"""Django: lists of ``path``, ``re_path`` and ``url``, ``include``, and the routers of its REST framework."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from fourfold.model.route import ANY, Mount, RawRoute
from fourfold.syntax.routes.calls import Call, read_call, text_of
from fourfold.syntax.routes.paths import join_paths
from fourfold.syntax.routes.source import RouteFact, RouteSource
from fourfold.syntax.routes.values import Values

if TYPE_CHECKING:
    from tree_sitter import Node

_PATHS = frozenset({"path", "re_path", "url"})
_AS_VIEW = re.compile(r"\.as_view\(.*\)$")


def applies(text: str) -> bool:
    """Whether `text` may hold URLs of Django."""
    if "urlpatterns" in text or (".register(" in text and "Router(" in text):
        return True
    return "django.urls" in text or "django.conf.urls" in text


def routes(source: RouteSource) -> Iterator[RouteFact]:
    """What `source` says of routes."""
    return _Reader(source).run()


class _Reader:
    def __init__(self, source: RouteSource) -> None:
        self._source = source
        self._values = Values(source.root)
        self._slash: dict[str, str] = {}

    def run(self) -> Iterator[RouteFact]:
        stack = list(reversed(self._source.root.named_children))
        while stack:
            node = stack.pop()
            if node.type in ("assignment", "augmented_assignment"):
                name = text_of(node.child_by_field_name("left"))
                right = node.child_by_field_name("right")
                if right is not None:
                    self._note_router(name, right)
                    yield from self._listed(right, name, "")
            elif node.type == "call":
                yield from self._registered(node)
                yield from self._extended(node)
            elif node.type in ("expression_statement", "if_statement", "block", "else_clause", "try_statement"):
                stack += reversed(node.named_children)

    def _listed(self, node: Node, router: str, prefix: str) -> Iterator[RouteFact]:
        """Routes in an expression that makes a list of URLs."""
        if node.type == "call":
            call = read_call(node)
            if call is not None and call.name in _PATHS and call.args:
                yield from self._path(call, router, prefix)
                return
            if call is not None and call.name == "include" and call.args:
                yield from self._included(call, router, prefix)
                return
            if call is not None and call.name not in ("i18n_patterns", "patterns", "format_suffix_patterns", "list"):
                return
        elif node.type in ("attribute", "identifier") and prefix == "":
            name = text_of(node)
            if name.endswith(("urls", "urlpatterns", "patterns")) and name != router:
                yield Mount(router, name, prefix, node.start_point.row + 1, "django")
            return
        elif node.type not in (
            "list",
            "tuple",
            "binary_operator",
            "list_splat",
            "argument_list",
            "parenthesized_expression",
        ):
            return
        for child in node.named_children:
            yield from self._listed(child, router, prefix)

    def _path(self, call: Call, router: str, prefix: str) -> Iterator[RouteFact]:
        text = self._values.text(call.args[0])
        view = call.args[1] if len(call.args) > 1 else call.named.get("view")
        if text is None or view is None:
            return
        whole = _joined(prefix, text if call.name == "path" else _plain(text))
        inner = read_call(view) if view.type == "call" else None
        if inner is not None and inner.name == "include" and inner.args:
            yield from self._included(inner, router, whole)
            return
        handler = _AS_VIEW.sub("", text_of(view))
        yield RawRoute(ANY, whole, handler[:120], call.node.start_point.row + 1, "django", router)

    def _included(self, call: Call, router: str, prefix: str) -> Iterator[RouteFact]:
        what = call.args[0]
        if what.type == "tuple" and what.named_child_count:
            what = what.named_children[0]
        if what.type in ("list", "binary_operator"):
            yield from self._listed(what, router, prefix)
            return
        module = self._values.literal(what)
        target = module if module is not None else text_of(what)
        yield Mount(router, target, prefix, call.node.start_point.row + 1, "django")

    def _extended(self, node: Node) -> Iterator[RouteFact]:
        call = read_call(node)
        if call is not None and call.name in ("append", "extend") and text_of(call.receiver) == "urlpatterns":
            for one in call.args:
                yield from self._listed(one, "urlpatterns", "")

    def _note_router(self, name: str, value: Node) -> None:
        call = read_call(value) if value.type == "call" else None
        if call is not None and call.name.endswith("Router"):
            no_slash = text_of(call.named.get("trailing_slash")) == "False"
            self._slash[name] = "" if no_slash else "/"

    def _registered(self, node: Node) -> Iterator[RouteFact]:
        """``router.register("articles", ArticleViewSet)``: a list and a detail URL."""
        call = read_call(node)
        router = text_of(call.receiver) if call is not None else ""
        if call is None or call.name != "register" or router not in self._slash or not call.args:
            return
        text = self._values.text(call.args[0])
        view = text_of(call.args[1] if len(call.args) > 1 else call.named.get("viewset"))
        if text is not None:
            line = call.node.start_point.row + 1
            for path in (text, join_paths(text, "{pk}")):
                yield RawRoute(ANY, path + self._slash[router], view, line, "django", f"{router}.urls")


def _joined(prefix: str, path: str) -> str:
    """Django puts the parts of a URL together as they are."""
    return prefix + path


def _plain(pattern: str) -> str:
    """A regular expression without its anchors."""
    return pattern.removeprefix("^").removesuffix("$")
