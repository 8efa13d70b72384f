"""Checks that everything an index needs is there and whole."""

from __future__ import annotations

import os
import shutil
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from fourfold.model.errors import FourfoldError
from fourfold.model.report import Check

if TYPE_CHECKING:
    from fourfold.config.settings import Settings
    from fourfold.store.local.store import LocalStore

LOW_SPACE_BYTES = 200_000_000


def doctor(root: Path, store: LocalStore, settings: Settings) -> list[Check]:
    """All checks, in order; none of them changes anything."""
    steps: list[tuple[str, Callable[[], Check]]] = [
        ("root", lambda: _root(root)),
        ("cache folder", lambda: _cache(store.directory)),
        ("sqlite", _sqlite),
        ("model", lambda: _model(settings.embedding.base)),
        *([("provider", lambda: _provider(settings))] if settings.embedding.external else []),
        ("grammars", _grammars),
        ("git", _git),
        ("index", lambda: _index(store)),
    ]
    found = []
    for name, step in steps:
        try:
            found.append(step())
        except FourfoldError as error:
            found.append(Check(name, False, error.message, error.hint))
        except OSError as error:
            found.append(Check(name, False, str(error.strerror or error)))
    return found


def _root(root: Path) -> Check:
    readable = os.access(root, os.R_OK | os.X_OK)
    return Check("root", readable, str(root) if readable else f"{root} cannot be read")


def _cache(directory: Path) -> Check:
    place = directory
    while not place.exists():
        place = place.parent
    if not os.access(place, os.W_OK):
        return Check("cache folder", False, f"{place} is not writable", "set FOURFOLD_CACHE_DIR to a folder of yours")
    free = shutil.disk_usage(place).free
    detail = f"{directory} ({free / 1e9:,.1f} GB free)"
    return Check("cache folder", free >= LOW_SPACE_BYTES, detail, "" if free >= LOW_SPACE_BYTES else "make room")


def _sqlite() -> Check:
    with sqlite3.connect(":memory:") as connection:
        try:
            connection.execute("CREATE VIRTUAL TABLE t USING fts5(body, tokenize='trigram', detail='none')")
        except sqlite3.OperationalError as error:
            return Check("sqlite", False, f"{sqlite3.sqlite_version}: {error}", "use a Python whose SQLite has FTS5")
    connection.close()
    return Check("sqlite", True, f"{sqlite3.sqlite_version} with FTS5 trigrams")


def _model(name: str) -> Check:
    from fourfold.embed.load import load_embedder

    embedder = load_embedder(name)
    if embedder is None:
        return Check("model", True, "none: search works without meaning")
    identity = embedder.identity
    detail = f"{identity.name} {identity.revision}, {identity.dimension} dimensions, {identity.licence}"
    return Check("model", True, detail)


def _provider(settings: Settings) -> Check:
    """Load the configured model and give it one word: that asks its server, where it has one."""
    from fourfold.embed.providers.load import load_provider
    from fourfold.embed.providers.spec import spec_of

    spec = spec_of(settings.embedding)
    embedder = load_provider(settings)
    embedder.queries(["doctor"])
    facts = embedder.facts
    reads = f"reads {facts.max_tokens:,} tokens" if facts.max_tokens else "reads texts of any length"
    where = f"code is sent to {spec.endpoint}" if facts.remote else f"revision {facts.revision}, on this machine"
    detail = f"{facts.name} ({facts.provider}), {facts.dimension} dimensions, {reads}, licence {facts.licence}; {where}"
    return Check("provider", True, detail)


def _grammars() -> Check:
    from fourfold.syntax.grammars import GrammarError, load_grammar
    from fourfold.syntax.languages import LANGUAGES

    broken = {}
    for language in LANGUAGES.values():
        if language.grammar is not None:
            try:
                load_grammar(language.grammar)
            except GrammarError as error:
                broken[language.name] = str(error)
    if broken:
        names = ", ".join(f"{name} ({reason})" for name, reason in sorted(broken.items()))
        hint = "these languages are cut by lines; reinstall fourfold"
        return Check("grammars", False, f"cannot be loaded: {names}", hint)
    return Check("grammars", True, "all load")


def _git() -> Check:
    found = shutil.which("git")
    return Check("git", True, found or "not installed: commits and tracked files are not known")


def _index(store: LocalStore) -> Check:
    if not store.exists:
        return Check("index", True, "none yet", "it is built by the first search")
    faults = store.faults()
    if faults:
        return Check("index", False, "; ".join(faults), "run: fourfold clear, then search again")
    snapshot = store.snapshot()
    info = snapshot.info()
    total = info.chunks + info.dead_chunks
    dead = f"{100 * info.dead_chunks / total:.0f} % dead" if total else "empty"
    return Check("index", True, f"generation {info.generation}, {info.files:,} files, {info.chunks:,} chunks, {dead}")
