"""Rails: the language of ``routes.rb``."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from fourfold.model.route import ANY, Mount, RawRoute
from fourfold.syntax.routes.calls import CALL_TYPES, Call, items_of, read_call, text_of
from fourfold.syntax.routes.devise import devise_routes
from fourfold.syntax.routes.inflect import singular
from fourfold.syntax.routes.paths import join_paths
from fourfold.syntax.routes.source import RouteFact, RouteSource
from fourfold.syntax.routes.values import Values

if TYPE_CHECKING:
    from tree_sitter import Node

_VERBS = {verb: verb.upper() for verb in ("get", "post", "put", "patch", "delete", "options")}
_PLURAL = (
    ("index", ("GET",), ""),
    ("create", ("POST",), ""),
    ("new", ("GET",), "new"),
    ("edit", ("GET",), ":id/edit"),
    ("show", ("GET",), ":id"),
    ("update", ("PATCH", "PUT"), ":id"),
    ("destroy", ("DELETE",), ":id"),
)
_SINGULAR = tuple((action, methods, path.replace(":id", "").strip("/")) for action, methods, path in _PLURAL[1:])


@dataclass(frozen=True, slots=True)
class _Context:
    """Where a statement of the routes stands: `prefix` of paths, `module` of controllers, the resource around it."""

    prefix: str = ""
    module: str = ""
    controller: str = ""
    collection: str = ""
    member: str = ""
    nested: str = ""
    concerns: dict[str, Node] = field(default_factory=dict)

    def inside(self, prefix: str) -> _Context:
        """The context below `prefix`, out of any resource."""
        return replace(self, prefix=prefix, collection="", member="", nested="")


def applies(text: str) -> bool:
    """Whether `text` may hold routes of Rails."""
    return ".routes.draw" in text or ".routes.prepend" in text or ".routes.append" in text


def routes(source: RouteSource) -> Iterator[RouteFact]:
    """What `source` says of routes."""
    reader = _Reader(source)
    return reader.read(source.root, _Context())


class _Reader:
    def __init__(self, source: RouteSource) -> None:
        self._values = Values(source.root)

    def read(self, node: Node, context: _Context) -> Iterator[RouteFact]:
        """Routes of all statements below `node`."""
        for child in node.named_children:
            call = read_call(child) if child.type in CALL_TYPES else None
            if call is not None:
                yield from self._call(call, context)
            elif child.type in (
                "body_statement",
                "block_body",
                "do_block",
                "block",
                "if",
                "unless",
                "then",
                "else",
                "if_modifier",
                "unless_modifier",
                "program",
                "begin",
            ):
                yield from self.read(child, context)

    def _call(self, call: Call, context: _Context) -> Iterator[RouteFact]:
        name = call.name
        if name in _VERBS or name == "match":
            yield from self._verb(call, context)
        elif name in ("resources", "resource"):
            for one in call.args:
                resource = self._values.text(one)
                if resource is not None:
                    yield from self._resource(call, resource, context, plural=name == "resources")
        elif name in ("namespace", "scope"):
            yield from self._scope(call, context)
        elif name in ("member", "collection", "new"):
            prefix = {"member": context.member, "collection": context.collection}.get(name)
            inner = context.inside(prefix if prefix is not None else join_paths(context.collection, "new"))
            yield from self._block(call, replace(inner, controller=context.controller))
        elif name == "concern" and call.args and call.block is not None:
            context.concerns[self._values.text(call.args[0]) or ""] = call.block
        elif name == "concerns":
            yield from self._concerns(call.args, context)
        elif name == "devise_for":
            for one in call.args:
                yield from devise_routes(
                    call, self._values.text(one) or "", context.nested or context.prefix, self._values
                )
        elif name == "root":
            handler = self._handler(call.named.get("to"), call.args, context)
            yield RawRoute("GET", context.prefix or "/", handler, call.line, "rails")
        elif name == "mount":
            yield from self._mount(call, context)
        elif name == "draw" and call.receiver is None and call.args:
            yield Mount(context.prefix, f"config/routes/{self._values.text(call.args[0])}.rb", "", call.line, "rails")
        else:
            yield from self._block(call, context)

    def _block(self, call: Call, context: _Context) -> Iterator[RouteFact]:
        if call.block is not None:
            yield from self.read(call.block, context)

    def _concerns(self, names: list[Node], context: _Context) -> Iterator[RouteFact]:
        for node in names:
            for one in items_of(node) if node.type in ("array", "symbol_array", "string_array") else [node]:
                name = self._values.text(one)
                block = context.concerns.get(name if name is not None else text_of(one))
                if block is not None:
                    yield from self.read(block, context)

    def _scope(self, call: Call, context: _Context) -> Iterator[RouteFact]:
        first = self._values.text(call.args[0]) if call.args else None
        path = self._values.text(call.named["path"]) if "path" in call.named else first
        module = self._values.text(call.named.get("module"))
        if call.name == "namespace":
            module = module or first
        base = context.nested or context.prefix
        inner = context.inside(join_paths(base, _slashed(path or "")))
        module = "/".join(part for part in (context.module, module) if part)
        controller = self._values.text(call.named.get("controller")) or context.controller
        yield from self._block(call, replace(inner, module=module, controller=controller))

    def _resource(self, call: Call, name: str, context: _Context, *, plural: bool) -> Iterator[RouteFact]:
        path = self._values.text(call.named["path"]) if "path" in call.named else name
        parameter = self._values.text(call.named.get("param")) or "id"
        base = join_paths(context.nested or context.prefix, _slashed(path or ""))
        controller = self._values.text(call.named.get("controller")) or (name if plural else f"{name}s")
        module = "/".join(p for p in (context.module, self._values.text(call.named.get("module"))) if p)
        full = f"{module}/{controller}" if module else controller
        for action, methods, below in _PLURAL if plural else _SINGULAR:
            if self._is_wanted(call, action):
                whole = join_paths(base, below.replace(":id", f":{parameter}"))
                for method in methods:
                    yield RawRoute(method, whole, f"{full}#{action}", call.line, "rails")
        inner = replace(
            context,
            prefix=base,
            module=module,
            controller=controller,
            collection=base,
            member=f"{base}/:{parameter}" if plural else base,
            nested=f"{base}/:{singular(name)}_{parameter}" if plural else base,
        )
        if "concerns" in call.named:
            yield from self._concerns([call.named["concerns"]], inner)
        yield from self._block(call, inner)

    def _is_wanted(self, call: Call, action: str) -> bool:
        if "only" in call.named:
            return action in self._names(call.named["only"])
        return "except" not in call.named or action not in self._names(call.named["except"])

    def _names(self, node: Node) -> list[str]:
        if node.type in ("array", "symbol_array", "string_array"):
            return [self._values.text(one) or text_of(one) for one in items_of(node)]
        return [self._values.text(node) or ""]

    def _verb(self, call: Call, context: _Context) -> Iterator[RouteFact]:
        methods = [_VERBS[call.name]] if call.name in _VERBS else self._via(call.named.get("via"))
        where = self._values.text(call.named.get("on"))
        base = context.nested or context.prefix
        if where is not None:
            base = {"member": context.member, "collection": context.collection}.get(where, base)
        for one in call.args:
            is_pair = one.type == "pair"
            path = self._values.text(one.child_by_field_name("key") if is_pair else one)
            if path is None:
                continue
            to = one.child_by_field_name("value") if is_pair else call.named.get("to")
            handler = self._handler(to, [], context) or ("" if to is not None else self._implied(call, path, context))
            for method in methods:
                yield RawRoute(method, join_paths(base, _slashed(path)), handler, call.line, "rails")

    def _via(self, node: Node | None) -> list[str]:
        names = [name.upper() for name in self._names(node)] if node is not None else []
        return [ANY] if not names or "ALL" in names else names

    def _implied(self, call: Call, path: str, context: _Context) -> str:
        action = self._values.text(call.named.get("action")) or path.strip("/").rsplit("/", 1)[-1]
        controller = self._values.text(call.named.get("controller")) or context.controller
        if not controller and "/" in path.strip("/"):
            controller = path.strip("/").rsplit("/", 1)[0]
        full = "/".join(part for part in (context.module, controller) if part)
        return f"{full}#{action}" if controller else action

    def _handler(self, node: Node | None, args: list[Node], context: _Context) -> str:
        if node is None and args:
            first = args[0]
            node = first.child_by_field_name("value") if first.type == "pair" else first
        text = self._values.text(node)
        if text is None or text.startswith("${"):
            return ""
        return f"{context.module}/{text}" if context.module and "#" in text and not text.startswith("/") else text

    def _mount(self, call: Call, context: _Context) -> Iterator[RouteFact]:
        path, engine = call.named.get("at"), call.args[0] if call.args else None
        if path is None:
            rocket = next((one for one in _pairs(call.node) if one.child_by_field_name("key") is not None), None)
            if rocket is not None:
                engine, path = rocket.child_by_field_name("key"), rocket.child_by_field_name("value")
        text = self._values.text(path)
        if text is not None:
            yield RawRoute(ANY, join_paths(context.prefix, _slashed(text)), text_of(engine), call.line, "rails")


def _pairs(node: Node) -> list[Node]:
    arguments = node.child_by_field_name("arguments")
    return [child for child in arguments.named_children if child.type == "pair"] if arguments is not None else []


def _slashed(path: str) -> str:
    return path if not path or path.startswith("/") else f"/{path}"
