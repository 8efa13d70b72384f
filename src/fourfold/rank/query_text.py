"""Filters written inside the query: ``lang:py path:src -path:tests kind:class``, the same in every interface.

A filter is ``key:value`` or ``-key:value`` at the start of a word, with a key of :data:`KEYS` in lower case.
A value with blanks is quoted (``path:"my dir"``); ``lang:`` and ``kind:`` take several values with commas.
What is quoted or escaped (``\\lang:py``) is text, and so is any other key (``std::vector``, ``https://x``,
``C:\\x``) and a key before a word of its own (``kind: Deployment``).
"""

from __future__ import annotations

import difflib
import re
import unicodedata
from collections.abc import Callable, Iterable

from fourfold.model.chunk import KINDS
from fourfold.model.errors import BadFilter, BadQuery
from fourfold.model.query import MAX_QUERY_CHARS, Filters

KEYS: dict[str, str] = {"lang": "languages", "language": "languages", "path": "paths", "kind": "kinds"}
"""Filter keys and the field of :class:`Filters` that each one fills."""

KIND_ALIASES: dict[str, str] = {
    "func": "function",
    "fn": "function",
    "def": "function",
    "fun": "function",
    "cls": "class",
    "iface": "interface",
    "protocol": "interface",
    "const": "constant",
    "var": "variable",
    "property": "field",
    "attribute": "field",
    "namespace": "module",
    "package": "module",
    "typealias": "type",
    "heading": "section",
}
"""Common other names of kinds."""

_TOKEN = re.compile(
    r"""(?<!\S)(?P<escape>\\?)(?P<not>-?)(?P<key>lang|language|path|kind):
        (?P<value>"[^"\n]*"|'[^'\n]*'|[^\s"'][^\s]*)
      | (?<!\w)(?P<quoted>"[^"\n]*"|'[^'\n]*'|`[^`\n]*`)(?!\w)""",
    re.VERBOSE,
)
"""A filter, or a quoted text to be stepped over."""

_EMPTY = re.compile(r"(?<!\S)-?(?P<key>lang|language|path|kind):(?=\s*\Z|\s+-?(?:lang|language|path|kind):\S)")
"""A filter whose value was forgotten: nothing follows, or the next filter. Before a word it is text (``kind: Pod``)."""
_EXAMPLES = {"lang": "lang:py", "language": "language:python", "path": "path:src", "kind": "kind:function"}


def parse_query(text: str, resolve_language: Callable[[str], str] | None = None) -> tuple[str, Filters]:
    """Split a query into its text and its filters.

    `resolve_language` maps a name or alias to the canonical one and raises :class:`BadFilter` for an unknown
    one; without it names are lower-cased only. Raises :class:`BadQuery` for a blank or overlong query and for
    one of filters alone, :class:`BadFilter` for an unknown kind or language or a path that leaves the root.
    """
    text = _checked(text)
    if (empty := _EMPTY.search(text)) is not None:
        raise BadFilter(
            f"The filter {empty[0].strip()} has no value.",
            hint=f"A filter needs one, as in: {_EXAMPLES[empty['key']]}; as text it is written \\{empty['key']}:",
        )
    found: dict[str, list[str]] = {}
    kept: list[str] = []
    position = 0
    for match in _TOKEN.finditer(text):
        if match["quoted"] is not None:
            continue
        if match["escape"]:
            kept.append(text[position : match.start()])
            position = match.start() + 1
            continue
        field = ("not_" if match["not"] else "") + KEYS[match["key"]]
        found.setdefault(field, []).append(match["value"])
        kept.append(text[position : match.start()].rstrip(" "))
        position = match.end()
    kept.append(text[position:])
    rest = "".join(kept).strip()
    filters = _filters(found, resolve_language)
    if not rest:
        raise BadQuery(
            "The query holds filters only.",
            hint="Add what to look for, as in: lang:py parse config",
        )
    return rest, filters


def make_filters(
    *,
    languages: Iterable[str] = (),
    not_languages: Iterable[str] = (),
    paths: Iterable[str] = (),
    not_paths: Iterable[str] = (),
    kinds: Iterable[str] = (),
    not_kinds: Iterable[str] = (),
    only_paths: Iterable[str] | None = None,
    resolve_language: Callable[[str], str] | None = None,
) -> Filters:
    """Filters from options (flags, arguments of a tool), checked and normalised as those inside a query
    are."""
    found = {
        "languages": list(languages),
        "not_languages": list(not_languages),
        "paths": list(paths),
        "not_paths": list(not_paths),
        "kinds": list(kinds),
        "not_kinds": list(not_kinds),
    }
    filters = _filters(found, resolve_language)
    return filters if only_paths is None else _with_only(filters, frozenset(only_paths))


def combine(first: Filters, second: Filters) -> Filters:
    """Both sets of filters as one: values of a field are alternatives; `only_paths` is what both allow."""
    only = first.only_paths
    if second.only_paths is not None:
        only = second.only_paths if only is None else only & second.only_paths
    return Filters(
        languages=_unique((*first.languages, *second.languages)),
        not_languages=_unique((*first.not_languages, *second.not_languages)),
        paths=_unique((*first.paths, *second.paths)),
        not_paths=_unique((*first.not_paths, *second.not_paths)),
        kinds=_unique((*first.kinds, *second.kinds)),
        not_kinds=_unique((*first.not_kinds, *second.not_kinds)),
        only_paths=only,
    )


def _with_only(filters: Filters, only: frozenset[str]) -> Filters:
    return combine(filters, Filters(only_paths=only))


def _checked(text: str) -> str:
    if len(text) > MAX_QUERY_CHARS:
        raise BadQuery(
            f"The query has {len(text):,} characters; the limit is {MAX_QUERY_CHARS:,}.",
            hint="Paste the part that matters; the names in it are what is searched.",
        )
    text = text.replace("\r\n", "\n").replace("\r", "\n").replace("\x00", " ")
    if not any(_visible(character) for character in text):
        raise BadQuery("The query is empty.", hint="Say what to look for, as in: where is the config parsed")
    return text


def _visible(character: str) -> bool:
    return not character.isspace() and unicodedata.category(character) not in ("Cc", "Cf", "Cs")


def _filters(found: dict[str, list[str]], resolve_language: Callable[[str], str] | None) -> Filters:
    resolve = resolve_language or str.lower

    def languages(field: str) -> tuple[str, ...]:
        return _unique(resolve(value) for raw in found.get(field, ()) for value in _split(raw))

    def kinds(field: str) -> tuple[str, ...]:
        return _unique(resolve_kind(value) for raw in found.get(field, ()) for value in _split(raw))

    def paths(field: str) -> tuple[str, ...]:
        cleaned = (clean_path(_unquoted(raw)) for raw in found.get(field, ()))
        return _unique(path for path in cleaned if path)

    return Filters(
        languages=languages("languages"),
        not_languages=languages("not_languages"),
        paths=paths("paths"),
        not_paths=paths("not_paths"),
        kinds=kinds("kinds"),
        not_kinds=kinds("not_kinds"),
    )


def _unique(values: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(values))


def _unquoted(value: str) -> str:
    if len(value) >= 2 and value[0] == value[-1] and value[0] in "\"'":
        return value[1:-1]
    return value


def _split(value: str) -> list[str]:
    return [part.strip() for part in _unquoted(value).split(",") if part.strip()]


def resolve_kind(name: str) -> str:
    """The canonical kind: aliases and plurals are understood. Raises :class:`BadFilter` naming the nearest
    kind."""
    lower = name.lower()
    singular = {"classes": "class", "properties": "property"}.get(lower, lower.removesuffix("s"))
    for candidate in (lower, singular):
        kind = KIND_ALIASES.get(candidate, candidate)
        if kind in KINDS:
            return kind
    near = difflib.get_close_matches(lower, [*KINDS, *KIND_ALIASES], n=1, cutoff=0.5)
    hint = f"Did you mean {KIND_ALIASES.get(near[0], near[0])}? " if near else ""
    raise BadFilter(f"Unknown kind: {name!r}.", hint=f"{hint}Kinds: {', '.join(KINDS)}.")


def clean_path(value: str) -> str:
    """A path filter as the index writes paths: ``/`` between components, relative to the root, no ``./``, no
    end slash.

    The empty string stands for the whole root. Raises :class:`BadFilter` where it leaves the root.
    """
    parts = [part for part in value.strip().replace("\\", "/").split("/") if part not in ("", ".")]
    if ".." in parts:
        raise BadFilter(
            f"The path filter {value!r} leaves the indexed root.",
            hint="Path filters are relative to the root, as in: path:src/core",
        )
    return "/".join(parts)
