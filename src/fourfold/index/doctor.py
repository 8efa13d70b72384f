"""Checks that everything an index needs is there and whole."""

from __future__ import annotations

import os
import platform
import shutil
import sqlite3
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from fourfold import __version__
from fourfold.model.counting import count
from fourfold.model.errors import FourfoldError, IndexDamaged
from fourfold.model.report import Check, Progress
from fourfold.store.contract import FORMAT_VERSION

if TYPE_CHECKING:
    from fourfold.config.settings import Settings
    from fourfold.store.local.check import Tell
    from fourfold.store.local.store import LocalStore

LOW_SPACE_BYTES = 200_000_000
OTHERS = 0o077
"""What a folder of ours must not allow: anything to anybody else."""
REPAIR_HINT = "run: fourfold doctor --repair"

ProgressCallback = Callable[[Progress], None]


def doctor(
    root: Path, store: LocalStore, settings: Settings, progress: ProgressCallback = lambda progress: None
) -> list[Check]:
    """All checks, in order; none of them changes anything. `progress` is told of each, and of the steps of the last and
    longest, which reads the whole index."""
    steps: list[tuple[str, Callable[[], Check]]] = [
        ("version", _version),
        ("root", lambda: _root(root)),
        ("cache folder", lambda: _cache(store.directory)),
        ("permissions", lambda: _permissions(store.directory)),
        ("sqlite", _sqlite),
        ("model", lambda: _model(settings.embedding.base)),
        *([("provider", lambda: _provider(settings))] if settings.embedding.external else []),
        ("grammars", _grammars),
        ("git", _git),
        ("history", lambda: history(store.directory)),
    ]
    began = time.monotonic()

    def tell(done: int, total: int) -> None:
        progress(Progress("check", done, total, seconds=time.monotonic() - began))

    steps.append(("index", lambda: _index(store, lambda done, total: tell(len(steps) - 1 + done, len(steps) + total))))
    found = []
    for done, (name, step) in enumerate(steps):
        tell(done, len(steps))
        try:
            found.append(step())
        except FourfoldError as error:
            found.append(Check(name, False, error.message, error.hint))
        except OSError as error:
            found.append(Check(name, False, str(error.strerror or error)))
    return found


def _version() -> Check:
    python = f"Python {platform.python_version()}, {platform.system()} {platform.machine()}"
    return Check("version", True, f"fourfold {__version__}, index format {FORMAT_VERSION}, {python}")


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


def _permissions(directory: Path) -> Check:
    """Nobody else may enter the folder of the index, which holds the text of the files."""
    if os.name != "posix" or not directory.is_dir():
        return Check("permissions", True, "nothing to look at yet")
    state = directory.stat()
    if state.st_uid != os.geteuid():
        return Check("permissions", False, f"{directory} belongs to another user", "set FOURFOLD_CACHE_DIR")
    if state.st_mode & OTHERS:
        return Check("permissions", False, f"others may enter {directory}", REPAIR_HINT)
    return Check("permissions", True, "the index is its owner's alone")


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


def history(directory: Path) -> Check:
    """The index of commits in the folder of an index."""
    from fourfold.index.history import FILE_NAME, FOLDER

    path = directory / FOLDER / FILE_NAME
    if not path.exists():
        return Check("history", True, "not read; the first `fourfold history` does that")
    with sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True) as connection:
        try:
            found = str(connection.execute("PRAGMA quick_check(1)").fetchone()[0])
        except sqlite3.DatabaseError as error:
            found = str(error)
    connection.close()
    return Check("history", found == "ok", "whole" if found == "ok" else f"damaged: {found}", REPAIR_HINT)


def _index(store: LocalStore, tell: Tell) -> Check:
    if not store.exists:
        return Check("index", True, "none yet", "it is built by the first search")
    try:
        faults = store.faults(tell)
    except IndexDamaged as error:
        faults = [error.message]
    if faults:
        return Check("index", False, "; ".join(faults), f"{REPAIR_HINT}; or fourfold clear, then search again")
    snapshot = store.snapshot()
    info = snapshot.info()
    total = info.chunks + info.dead_chunks
    dead = f"{100 * info.dead_chunks / total:.0f} % dead" if total else "empty"
    held = f"{count(info.files, 'file')}, {count(info.chunks, 'chunk')}"
    return Check("index", True, f"generation {info.generation}, {held}, {dead}")
