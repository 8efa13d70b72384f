"""Systems that do not let an index be written, or make it hard."""

from __future__ import annotations

import os
import random
import resource
import shutil
import sqlite3
import time
from pathlib import Path

from benchmarks.faults.harm import Fault, Outcome, failed
from benchmarks.faults.project import FILES, QUESTIONS, Project, module

AS_A_USER = (
    "setpriv",
    "--bounding-set",
    "-dac_override,-dac_read_search",
    "--inh-caps",
    "-dac_override,-dac_read_search",
)
"""The superuser writes whatever permissions say; without these capabilities no longer."""
SLOW_S = 0.02
"""An access to a network file system: up to so long more."""
JUMP_S = 86_400.0
BUSY_S = 1.5


def full_disk(project: Project, chance: random.Random, outcome: Outcome) -> None:
    """No file may grow beyond a limit while the index is made."""
    for limit in (0, 4_096, chance.randrange(8_192, 200_000)):
        project.fresh()
        project.forget()

        def lower(limit: int = limit) -> None:
            resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))

        said = project.run("index", limit=lower)
        hindered(project, outcome, f"files of {limit} bytes at most", said)


def no_folder(project: Project, chance: random.Random, outcome: Outcome) -> None:
    """A file lies where the cache should."""
    shutil.rmtree(project.cache)
    project.cache.write_text("in the way")
    said = project.run("index")
    project.cache.unlink()
    hindered(project, outcome, "a file in place of the cache", said)


def clock(project: Project, chance: random.Random, outcome: Outcome) -> None:
    """Files are from the future, or from before the index; their text is what it was."""
    for offset in (10 * 365 * 86_400, -20 * 365 * 86_400):
        project.fresh()
        for path in project.root.glob("*.py"):
            at = path.stat().st_mtime + offset
            os.utime(path, (at, at))
        outcome.judge(project, f"clock off by {offset} s", detected=False)


def hindered(project: Project, outcome: Outcome, what: str, ended: tuple[int, str, str]) -> None:
    """The command itself must say in a sentence why it could not; the next one works."""
    if why := failed(ended):
        outcome.count(what, why)
    else:
        outcome.judge(project, what, detected=ended[0] != 0)


def newer_format(project: Project, chance: random.Random, outcome: Outcome) -> None:
    """An index of a newer program is refused and left as it is."""
    project.fresh()
    (path,) = project.cache.rglob("index.sqlite")
    connection = sqlite3.connect(path)
    version = connection.execute("PRAGMA user_version").fetchone()[0]
    connection.execute("PRAGMA user_version = 99")
    connection.close()
    before = path.read_bytes()
    for command in (("index",), ("search", QUESTIONS[0]), ("status",)):
        ended = project.run(*command)
        refused = ended[0] == 3 and "F302" in ended[2] and path.read_bytes() == before
        outcome.detected += refused
        outcome.count(" ".join(command), failed(ended) or ("" if refused else f"not refused: {ended}"))
    connection = sqlite3.connect(path)
    connection.execute(f"PRAGMA user_version = {version}")
    connection.close()
    outcome.judge(project, "the newer program again", detected=True)


def read_only(project: Project, chance: random.Random, outcome: Outcome) -> None:
    """The cache cannot be written while a file has changed: the last state answers, and that is said."""
    project.fresh()
    (project.root / "m3.py").write_text(module(3 + FILES))
    _permit(project.cache, write=False)
    code, out, err = ended = project.run("search", QUESTIONS[1], under=_unprivileged())
    told = code == 0 and "stale" in err and bool(out)
    _permit(project.cache, write=True)
    project.restore()
    outcome.detected += told
    outcome.count("a search", failed(ended) or ("" if told else f"exit {code}: {err[-200:]!r}"))
    outcome.judge(project, "writable again", detected=True)


def permissions(project: Project, chance: random.Random, outcome: Outcome) -> None:
    """Meanwhile the cache becomes read-only."""
    for _ in range(5):
        project.fresh()
        project.forget()
        process = project.start("index", under=_unprivileged())
        time.sleep(chance.uniform(0.2, 1.5))
        _permit(project.cache, write=False)
        out, err = process.communicate(timeout=120.0)
        _permit(project.cache, write=True)
        hindered(project, outcome, "read-only meanwhile", (process.returncode, out, err))


def slow(project: Project, chance: random.Random, outcome: Outcome) -> None:
    """Each access to the file system takes longer, as over a network."""
    project.fresh()
    project.forget()
    ended = project.run("index", plan={"slow": SLOW_S, "seed": chance.randrange(1000)})
    hindered(project, outcome, "a slow file system", ended)


def clock_jumps(project: Project, chance: random.Random, outcome: Outcome) -> None:
    """The time of day jumps by up to a day whenever it is asked for."""
    for _ in range(3):
        project.fresh()
        (project.root / "m5.py").write_text(module(5 + FILES))
        ended = project.run("index", plan={"clock": JUMP_S, "seed": chance.randrange(1000)})
        project.restore()
        hindered(project, outcome, "a clock that jumps", ended)


def busy(project: Project, chance: random.Random, outcome: Outcome) -> None:
    """Another program holds the database: that is waited for, and taken for no damage."""
    project.fresh()
    (project.root / "m7.py").write_text(module(7 + FILES))
    (path,) = project.cache.rglob("index.sqlite")
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("BEGIN IMMEDIATE")
    process = project.start("index")
    time.sleep(BUSY_S)
    connection.execute("ROLLBACK")
    connection.close()
    out, err = process.communicate(timeout=120.0)
    project.restore()
    hindered(project, outcome, "a busy database", (process.returncode, out, err))


def memory(project: Project, chance: random.Random, outcome: Outcome) -> None:
    """Little memory for all processes: in a sentence, or by leaving files out, or not at all."""
    for megabytes in (150, 300, 500):
        project.fresh()
        project.forget()

        def lower(megabytes: int = megabytes) -> None:
            resource.setrlimit(resource.RLIMIT_AS, (megabytes << 20, megabytes << 20))

        ended = project.run("index", limit=lower, environment={"FOURFOLD_INDEX_WORKERS": "2"})
        hindered(project, outcome, f"{megabytes} MB of memory", ended)


def _unprivileged() -> tuple[str, ...]:
    """What a command is put behind so that permissions hold for it."""
    return AS_A_USER if os.geteuid() == 0 else ()


def _permit(folder: Path, *, write: bool) -> None:
    for path in [folder, *folder.rglob("*")]:
        if not path.is_symlink():
            path.chmod((0o700 if write else 0o500) if path.is_dir() else (0o600 if write else 0o400))


HINDRANCES: dict[str, Fault] = {
    "disk full": full_disk,
    "no folder to write to": no_folder,
    "a read-only cache": read_only,
    "permissions taken away meanwhile": permissions,
    "a slow file system": slow,
    "times of files": clock,
    "a clock that jumps": clock_jumps,
    "a busy database": busy,
    "little memory": memory,
    "a newer format": newer_format,
}
