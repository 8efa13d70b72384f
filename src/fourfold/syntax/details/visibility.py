"""Who may use a definition: by keyword, by the spelling of its name, by what the file exports."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field

from fourfold.syntax.definitions import Definition

_WORDS = frozenset({"public", "private", "protected", "internal"})
_PUBLIC_INSIDE = frozenset({"interface", "enum", "trait"})
"""Kinds whose members are as visible as themselves where no keyword says otherwise."""

_CPP_LABEL = re.compile(r"^\s*(public|protected|private)(?:\s+(?:slots|Q_SLOTS))?\s*:(?!:)")
_RUBY_LABEL = re.compile(r"^\s*(public|protected|private|module_function)\s*(?:#.*)?$")
_RUBY_NAMED = re.compile(r"^\s*(public|protected|private)(?:_class_method|_constant)?[ (]+((?::\w+[?!=]?[, )]*)+)")
_JS_EXPORTED = re.compile(
    r"^export\s*\{([^}]*)\}|^module\.exports\s*=\s*\{([^}]*)\}|^module\.exports\s*=\s*(?:new\s+)?([A-Za-z_$][\w$]*)"
    r"|^export\s+default\s+([A-Za-z_$][\w$]*)\s*;?\s*$|^export\s*=\s*([A-Za-z_$][\w$]*)",
    re.MULTILINE,
)
_HASKELL_EXPORTS = re.compile(r"^module\s+[\w.]+\s*\((.*?)\)\s*where", re.MULTILINE | re.DOTALL)
_NAME = re.compile(r"[A-Za-z_$][\w$']*")


@dataclass(slots=True)
class Around:
    """What encloses a definition: it, its visibility, and the sections of its body (row, visibility), read when
    first asked for."""

    definition: Definition
    visibility: str
    labels: list[tuple[int, str]] | None = None
    named: dict[str, str] = field(default_factory=dict)


@dataclass(slots=True)
class Source:
    """A file as lines, and the names that it exports (None where the language or the file has no such list)."""

    text: str
    lines: list[str]
    exports: frozenset[str] | None = None


Rule = Callable[[Definition, "tuple[str, ...]", "Around | None", Source], str]
"""(definition, words before its name, what encloses it, file) -> a word of ``VISIBILITIES``."""


def exports_of(text: str, language: str) -> frozenset[str] | None:
    """Names that a file of `language` exports by a list; None where it is no module or exports everything."""
    if language in ("javascript", "typescript"):
        if "export" not in text:
            return None
        names: set[str] = set()
        for found in _JS_EXPORTED.finditer(text):
            names.update(_NAME.findall(" ".join(part for part in found.groups() if part)))
        is_module = bool(names) or "\nexport " in text or text.startswith("export ") or "exports." in text
        return frozenset(names) if is_module else None
    if language == "haskell":
        listed = _HASKELL_EXPORTS.search(text)
        return frozenset(_NAME.findall(listed.group(1))) if listed else None
    return None


def _python(one: Definition, words: tuple[str, ...], around: Around | None, source: Source) -> str:
    name = one.name
    return "private" if name[0] == "_" and not (name[:2] == "__" and name[-2:] == "__") else "public"


def _underscore(one: Definition, words: tuple[str, ...], around: Around | None, source: Source) -> str:
    return "private" if one.name[0] == "_" else "public"


def _go(one: Definition, words: tuple[str, ...], around: Around | None, source: Source) -> str:
    return "public" if one.name[0].isupper() else "private"


def _rust(one: Definition, words: tuple[str, ...], around: Around | None, source: Source) -> str:
    if words and words[0].startswith("pub"):
        return "public" if words[0] == "pub" else "internal"
    if around is None:
        return "private"
    outer = around.definition
    if outer.is_scope:
        return "public" if " for " in outer.signature else "private"
    return around.visibility if outer.kind in _PUBLIC_INSIDE else "private"


def _zig(one: Definition, words: tuple[str, ...], around: Around | None, source: Source) -> str:
    if "pub" in words or "export" in words:
        return "public"
    inside = around is not None and one.kind in ("field", "constant")
    return around.visibility if inside and around else "private"


def _keywords(top: str, member: str) -> Rule:
    """The keyword, else `top` for what stands at the outermost level or in a namespace, `member` for members."""

    def rule(one: Definition, words: tuple[str, ...], around: Around | None, source: Source) -> str:
        for word in words:
            if word in _WORDS:
                return word
            if word[:8] == "private[" or word == "fileprivate":
                return "private"
            if word in ("open", "package"):
                return "public" if word == "open" else "internal"
            if word[:10] == "protected[":
                return "protected"
        if around is None or around.definition.kind == "module":
            return top
        if around.definition.kind in _PUBLIC_INSIDE:
            return around.visibility or "public"
        return member

    return rule


def _ecmascript(one: Definition, words: tuple[str, ...], around: Around | None, source: Source) -> str:
    if one.name[0] == "#":
        return "private"
    for word in words:
        if word in ("public", "private", "protected"):
            return word
        if word == "export":
            return "public"
    if around is not None and around.definition.kind != "module":
        return "public" if around.definition.is_type else ""
    if source.exports is None:
        return ""
    exported = one.name in source.exports or one.signature.startswith(("module.exports", "exports."))
    return "public" if exported else "private"


def _cpp(one: Definition, words: tuple[str, ...], around: Around | None, source: Source) -> str:
    if around is not None and around.definition.kind in ("class", "struct"):
        default = "private" if around.definition.kind == "class" else "public"
        if around.labels is None:
            around.labels = _labels(around.definition, source.lines, _CPP_LABEL)
        return _section(around.labels, one.start_row, default)
    if around is not None and around.definition.kind == "enum":
        return around.visibility
    return "private" if "static" in words else "" if one.owner else "public"


def _ruby(one: Definition, words: tuple[str, ...], around: Around | None, source: Source) -> str:
    line = source.lines[one.start_row].lstrip()
    if line.startswith(("private ", "protected ", "private_class_method ")):
        return "protected" if line.startswith("protected") else "private"
    if around is None or one.kind not in ("method", "function", "constant"):
        return "public"
    if around.labels is None:
        around.labels = _labels(around.definition, source.lines, _RUBY_LABEL)
        around.named = _named(around.definition, source.lines)
    named = around.named.get(one.name)
    if named:
        return named
    if one.kind == "constant" or "self." in one.signature[: one.signature.find(one.name) + 1]:
        return "public"
    found = _section(around.labels, one.start_row, "public")
    return "public" if found == "module_function" else found


def _lua(one: Definition, words: tuple[str, ...], around: Around | None, source: Source) -> str:
    return "private" if "local" in words or one.name[0] == "_" else "public"


def _elixir(one: Definition, words: tuple[str, ...], around: Around | None, source: Source) -> str:
    return "private" if words and words[0] in ("defp", "defmacrop", "defguardp", "@typep") else "public"


def _haskell(one: Definition, words: tuple[str, ...], around: Around | None, source: Source) -> str:
    if source.exports is None:
        return "public"
    known = one.name in source.exports
    return "public" if known or (around is not None and around.visibility == "public") else "private"


def _unknown(one: Definition, words: tuple[str, ...], around: Around | None, source: Source) -> str:
    return ""


RULES: dict[str, Rule] = {
    "python": _python,
    "javascript": _ecmascript,
    "typescript": _ecmascript,
    "go": _go,
    "rust": _rust,
    "java": _keywords("internal", "internal"),
    "kotlin": _keywords("public", "public"),
    "c": _cpp,
    "cpp": _cpp,
    "csharp": _keywords("internal", "private"),
    "ruby": _ruby,
    "php": _keywords("public", "public"),
    "swift": _keywords("internal", "internal"),
    "scala": _keywords("public", "public"),
    "bash": _underscore,
    "lua": _lua,
    "elixir": _elixir,
    "haskell": _haskell,
    "zig": _zig,
    "sql": _unknown,
    "dart": _underscore,
    "starlark": _underscore,
}


def _labels(outer: Definition, lines: list[str], pattern: re.Pattern[str]) -> list[tuple[int, str]]:
    """Rows in `outer` from which another visibility holds; rows of definitions inside are passed over."""
    found: list[tuple[int, str]] = []
    row = outer.start_row + 1
    for child in [*outer.children, None]:
        stop = child.start_row if child else outer.end_row
        for position in range(row, stop):
            label = pattern.match(lines[position])
            if label:
                found.append((position, label.group(1)))
        row = max(row, child.end_row) if child else row
    return found


def _section(labels: list[tuple[int, str]], row: int, default: str) -> str:
    visibility = default
    for start, label in labels:
        if start > row:
            break
        visibility = label
    return visibility


def _named(outer: Definition, lines: list[str]) -> dict[str, str]:
    """Names that a statement in `outer` makes private: ``private :a, :b``."""
    named: dict[str, str] = {}
    for row in range(outer.start_row + 1, outer.end_row):
        if "private" in lines[row] or "protected" in lines[row]:
            found = _RUBY_NAMED.match(lines[row])
            if found:
                names = re.findall(r":(\w+[?!=]?)", found.group(2))
                named.update(dict.fromkeys(names, found.group(1)))
    return named
