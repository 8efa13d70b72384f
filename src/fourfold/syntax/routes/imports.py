"""Import statements, as far as routers travel over them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from fourfold.model.route import RouteImport

_PY_FROM = re.compile(r"^[ \t]*from[ \t]+([.\w]+)[ \t]+import[ \t]+(?:\(([^)]*)\)|([^\n]*))", re.MULTILINE)
_PY_IMPORT = re.compile(r"^[ \t]*import[ \t]+([\w., \t]+)$", re.MULTILINE)
_JS_FROM = re.compile(r"^\s*(?:import|export)\s+(?:type\s+)?([^;'\"]*?)\s*from\s*['\"]([^'\"]+)['\"]", re.MULTILINE)
_JS_REQUIRE = re.compile(
    r"(?:const|let|var|,)\s*([\w$]+|\{[^}]*\})\s*(?::\s*[\w.]+\s*)?=\s*require\(\s*['\"]([^'\"]+)['\"]\s*\)(?:\.(\w+))?"
)
_JS_EQUALS = re.compile(r"^\s*import\s+([\w$]+)\s*=\s*require\(\s*['\"]([^'\"]+)['\"]", re.MULTILINE)
_GO = re.compile(r"^[ \t]*(?:import[ \t]+)?([\w.]+[ \t]+)?\"([\w./~-]+)\"[ \t]*(?://.*)?$", re.MULTILINE)
_RUST = re.compile(r"^[ \t]*(?:pub(?:\([^)]*\))?[ \t]+)?use[ \t]+([^;]+);", re.MULTILINE)
_RUST_MOD = re.compile(r"^[ \t]*(?:pub(?:\([^)]*\))?[ \t]+)?mod[ \t]+(\w+)[ \t]*;", re.MULTILINE)
_COMMENT = re.compile(r"#.*")
_MAX_CHARS = 40_000
"""Imports stand at the start of a file."""


def imports_of(text: str, language: str) -> list[RouteImport]:
    """The imports of a file, one for each local name."""
    read = _READERS.get(language)
    return list(read(text[:_MAX_CHARS])) if read is not None else []


def _python(text: str) -> Iterator[RouteImport]:
    for found in _PY_FROM.finditer(text):
        module, bracketed, plain = found.groups()
        names = _COMMENT.sub("", bracketed if bracketed is not None else plain)
        for name, local in _aliases(names, " as "):
            yield RouteImport(local, module, name)
    for found in _PY_IMPORT.finditer(text):
        for name, local in _aliases(found.group(1), " as "):
            yield RouteImport(local, name)


def _ecmascript(text: str) -> Iterator[RouteImport]:
    for found in _JS_FROM.finditer(text):
        names, module = found.groups()
        yield from _clause(names, module, " as ")
    for found in _JS_REQUIRE.finditer(text):
        names, module, member = found.groups()
        if member and not names.startswith("{"):
            yield RouteImport(names, module, member)
        else:
            yield from _clause(names, module, ":")
    for found in _JS_EQUALS.finditer(text):
        yield RouteImport(found.group(1), found.group(2))


def _clause(names: str, module: str, between: str) -> Iterator[RouteImport]:
    default, brace, listed = names.partition("{")
    for name, local in _aliases(listed.rstrip("} \n"), between) if brace else ():
        yield RouteImport(local, module, "" if name == "default" else name)
    for part in default.split(","):
        local = part.strip().removeprefix("* as ").strip()
        if local:
            yield RouteImport(local, module)


def _go(text: str) -> Iterator[RouteImport]:
    head = text.partition("\nfunc ")[0]
    for found in _GO.finditer(head):
        alias, module = found.groups()
        yield RouteImport((alias or "").strip() or module.rsplit("/", 1)[-1], module)


def _rust(text: str) -> Iterator[RouteImport]:
    for found in _RUST_MOD.finditer(text):
        yield RouteImport(found.group(1), f"self::{found.group(1)}")
    for found in _RUST.finditer(text):
        yield from _use("", "".join(found.group(1).split(" ")) if " as " not in found.group(1) else found.group(1))


def _use(prefix: str, tree: str) -> Iterator[RouteImport]:
    head, brace, inner = tree.strip().partition("{")
    if brace:
        for part in _split(inner.rpartition("}")[0]):
            yield from _use(prefix + head.strip(), part)
        return
    path, _, alias = (prefix + tree.strip()).partition(" as ")
    module, _, name = path.strip().rpartition("::")
    if name == "self":
        module, _, name = module.rpartition("::")
    if name:
        yield RouteImport(alias.strip() or name, module, name)


def _split(text: str) -> list[str]:
    """The parts of `text` between commas that stand outside braces."""
    parts, depth, start = [], 0, 0
    for position, char in enumerate(text):
        depth += (char == "{") - (char == "}")
        if char == "," and depth == 0:
            parts.append(text[start:position])
            start = position + 1
    return [part for part in (*parts, text[start:]) if part.strip()]


def _aliases(names: str, between: str) -> Iterator[tuple[str, str]]:
    for part in names.replace("\\", " ").split(","):
        name, _, alias = part.strip().removeprefix("type ").partition(between)
        if name.strip():
            yield name.strip(), alias.strip() or name.strip()


_READERS = {
    "python": _python,
    "javascript": _ecmascript,
    "typescript": _ecmascript,
    "go": _go,
    "rust": _rust,
}
