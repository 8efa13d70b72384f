"""Every language by name, alias, extension, file name and interpreter."""

from __future__ import annotations

import difflib
from functools import cache

from fourfold.model.errors import BadFilter
from fourfold.syntax.languages.first_class import FIRST_CLASS
from fourfold.syntax.languages.plain import PLAIN
from fourfold.syntax.languages.record import Language

LANGUAGES: dict[str, Language] = {language.name: language for language in (*FIRST_CLASS, *PLAIN)}
"""All languages by canonical name, first-class ones first."""


@cache
def aliases() -> dict[str, str]:
    """What a person may type -> canonical name. A canonical name wins over an alias."""
    table = {alias: language.name for language in LANGUAGES.values() for alias in language.aliases}
    return {**table, **{name: name for name in LANGUAGES}}


@cache
def by_extension() -> dict[str, str]:
    """Lower-case extension with its dot -> canonical name; the first language to claim one keeps it."""
    table: dict[str, str] = {}
    for language in LANGUAGES.values():
        for extension in language.extensions:
            table.setdefault(extension, language.name)
    return table


@cache
def by_filename() -> dict[str, str]:
    """Lower-case file name -> canonical name."""
    table: dict[str, str] = {}
    for language in LANGUAGES.values():
        for filename in language.filenames:
            table.setdefault(filename, language.name)
    return table


@cache
def by_interpreter() -> dict[str, str]:
    """Interpreter name without version -> canonical name."""
    table: dict[str, str] = {}
    for language in LANGUAGES.values():
        for shebang in language.shebangs:
            table.setdefault(shebang, language.name)
    return table


def resolve_language(name: str) -> str:
    """The canonical name for what a person typed (``py``, ``C++``, ``.ts``).

    Raises :class:`~fourfold.model.errors.BadFilter` naming the nearest language where there is none.
    """
    wanted = name.strip().lower()
    table = aliases()
    found = table.get(wanted) or table.get(wanted.lstrip(".")) or by_extension().get("." + wanted.lstrip("."))
    if found:
        return found
    near = difflib.get_close_matches(wanted, table, n=1, cutoff=0.5)
    hint = f"Did you mean {table[near[0]]}?" if near else "Known: " + ", ".join(list(LANGUAGES)[:12]) + ", ..."
    raise BadFilter(f"There is no language called {name.strip()[:40]!r}.", hint=hint)
