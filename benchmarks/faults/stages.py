"""What is killed: a command that writes, what precedes it, and how it is judged after the kill."""

from __future__ import annotations

import json
import os
import random
import sqlite3
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from benchmarks.faults.harm import Outcome, failed, files_of
from benchmarks.faults.project import FILES, QUESTIONS, Project, module

Settle = Callable[[Project, Outcome, str], None]


def by_answers(project: Project, outcome: Outcome, what: str) -> None:
    """The next question brings the index up to date and is answered as before, and the index is found whole."""
    answers = project.ask()
    other = f"other answers: {answers[0][:200]}" if answers != project.answers else "; ".join(project.faults())
    outcome.count(what, other)


@dataclass(frozen=True, slots=True)
class Stage:
    """`prepare` sets the scene for `command`, which runs in `environment` ("{cache}" is its cache); `settle` judges.
    `endless`: the command goes on until it is killed, and so is killed by the clock only."""

    command: tuple[str, ...]
    prepare: Callable[[Project, random.Random], None] = lambda project, chance: project.fresh()
    environment: Mapping[str, str] = field(default_factory=dict)
    settle: Settle = by_answers
    endless: bool = False


def _nothing_yet(project: Project, chance: random.Random) -> None:
    project.fresh()
    project.forget()


def _edited(project: Project, chance: random.Random, *, layered: bool = False) -> None:
    project.fresh(project.layered if layered else None)
    for number in chance.sample(range(FILES), min(5, FILES)):
        (project.root / f"m{number}.py").write_text(module(number + FILES))


def _older(project: Project, chance: random.Random) -> None:
    project.fresh()
    for path in project.cache.rglob("index.sqlite"):
        connection = sqlite3.connect(path)
        connection.execute("PRAGMA user_version = 1")
        connection.close()


def _damaged(project: Project, chance: random.Random) -> None:
    project.fresh()
    stored = [name for name in files_of(project) if name.suffix in (".seg", ".sqlite")]
    path = project.cache / chance.choice(stored)
    os.truncate(path, path.stat().st_size // 2)


ENGINE = {"FOURFOLD_QDRANT_URL": "edge:{cache}/engine", "FOURFOLD_QDRANT_EXACT": "true"}
"""Qdrant's engine in the process, in a folder of the cache: in one of the project it would be indexed."""


LOCKED = 4
"""Exit code where another process writes: a copier that was killed cannot give its lease back, which ends by itself."""


def _moved(project: Project, outcome: Outcome, what: str) -> None:
    """Started again when the lease of the dead has ended, the copy comes to its end, and the copy answers what the
    original does."""
    command = ("store", "migrate", "--to", "qdrant")
    ended = project.run(*command, environment=ENGINE)
    there = {"store": "qdrant", "qdrant.url": f"edge:{project.cache}/engine", "qdrant.exact": True}
    if ended[0] == LOCKED:
        _end_lease(project, there)
        ended = project.run(*command, environment=ENGINE)
    found = project.ask(**there)
    _close_engine()
    same = [line.split(" ")[0] for line in found] == [line.split(" ")[0] for line in project.answers]
    outcome.count(what, failed(ended) or ("" if same else f"other answers: {found[:1]}"[:200]))


def _end_lease(project: Project, there: Mapping[str, object]) -> None:
    """As if the time of the lease had passed."""
    from fourfold.store.qdrant.opening import open_gateway
    from fourfold.store.qdrant.points import Is, Where

    open_gateway(project.settings(**there)).set_payload(Where((Is("point", "lease"),)), {"until": 0})
    _close_engine()


def _close_engine() -> None:
    """Let go of the engine's folder, which is made anew for the next kill."""
    from fourfold.store.qdrant.opening import _in_process

    _in_process.cache_clear()


def _told(project: Project, *command: str) -> str:
    """What a question of the command line finds, without the times; or how it failed."""
    ended = project.run(*command, "--json")
    if why := failed(ended):
        return why
    items = json.loads(ended[1])["items"]
    return json.dumps([{**item, "score": round(item["score"], 4)} for item in items])


def _same_as(question: tuple[str, ...], *before: tuple[str, ...]) -> Settle:
    """Commands that must work, then a question that must be answered as it is from a cache that knows nothing."""
    wanted: dict[Project, str] = {}

    def settle(project: Project, outcome: Outcome, what: str) -> None:
        why = next((told for one in before if (told := failed(project.run(*one)))), "")
        found = _told(project, *question)
        if project not in wanted:
            project.fresh()
            for one in before:
                project.run(*one)
            wanted[project] = _told(project, *question)
        outcome.count(what, why or ("" if found == wanted[project] else f"other answers: {found[:200]}"))

    return settle


def _listed(project: Project, chance: random.Random) -> None:
    project.fresh()
    if not (project.folder / "services.toml").exists():
        project.run("service", "add", "code", str(project.root), "--ref", "HEAD")


STAGES: dict[str, Stage] = {
    "indexing": Stage(("index",), _nothing_yet),
    "indexing with workers": Stage(("index",), _nothing_yet, {"FOURFOLD_INDEX_WORKERS": "2"}),
    "searching for the first time": Stage(("search", QUESTIONS[0]), _nothing_yet),
    "refreshing": Stage(("index",), _edited),
    "merging": Stage(("index",), lambda project, chance: _edited(project, chance, layered=True)),
    "rebuilding": Stage(("index", "--force")),
    "wiping an older format": Stage(("index",), _older),
    "repairing damage": Stage(("doctor", "--repair"), _damaged),
    "changing the model": Stage(("index",), environment={"FOURFOLD_EMBEDDING_MODEL": "static"}),
    "clearing": Stage(("clear",)),
    "watching": Stage(("watch",), _edited, endless=True),
    "migrating": Stage(("store", "migrate", "--to", "qdrant"), environment=ENGINE, settle=_moved),
    "reading history": Stage(("history", "retry"), settle=_same_as(("history", "retry"))),
    "syncing a service": Stage(
        ("service", "sync", "code"),
        _listed,
        settle=_same_as(("search", "--service", "code", QUESTIONS[1]), ("service", "sync", "code")),
    ),
}
