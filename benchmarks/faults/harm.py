"""Damage to each file of an index, and systems that do not let it write."""

from __future__ import annotations

import os
import random
import resource
import shutil
import sqlite3
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.faults.project import EXITS, Project

FAILS = ("Traceback", "F999")
OFFSETS = 4
"""Places in each file at which a byte is changed: begin, end, and between."""


@dataclass(slots=True)
class Outcome:
    """Counts of one kind of fault. Detected: the program said of it something that it does not say undisturbed."""

    injected: int = 0
    detected: int = 0
    survived: int = 0
    failures: list[str] = field(default_factory=list)

    def judge(self, project: Project, what: str, *, detected: bool | None = None) -> None:
        """Run the next command, then ask; `detected` None: as that command's errors tell."""
        self.injected += 1
        code, out, err = project.run("index")
        said = out + err
        self.detected += ("damaged" in said or "rebuilt" in said) if detected is None else detected
        answers = project.ask()
        if code not in EXITS or any(word in said for word in FAILS):
            self.failures.append(f"{what}: exit {code}: {said[-200:]!r}")
        elif answers != project.answers:
            self.failures.append(f"{what}: other answers: {answers[0][:200]!r}; {said[-200:]!r}")
        else:
            self.survived += 1


Fault = Callable[[Project, random.Random, Outcome], None]


def change_bytes(project: Project, chance: random.Random, outcome: Outcome) -> None:
    """A byte of each file of the index becomes another."""
    for name in files_of(project):
        size = (project.pristine / name).stat().st_size
        if not size:
            continue
        for at in (0, size - 1, *(chance.randrange(size) for _ in range(OFFSETS - 2))):
            project.fresh()
            with (project.cache / name).open("r+b") as file:
                file.seek(at)
                old = file.read(1)[0]
                file.seek(at)
                file.write(bytes([old ^ chance.randrange(1, 256)]))
            outcome.judge(project, f"byte {at} of {name}")


def truncate(project: Project, chance: random.Random, outcome: Outcome) -> None:
    """Each file is cut."""
    for name in files_of(project):
        project.fresh()
        path = project.cache / name
        os.truncate(path, chance.randrange(max(1, path.stat().st_size)))
        outcome.judge(project, f"cut {name}")


def remove(project: Project, chance: random.Random, outcome: Outcome) -> None:
    """Each file is missing."""
    for name in files_of(project):
        project.fresh()
        (project.cache / name).unlink()
        outcome.judge(project, f"missing {name}")


def other_format(project: Project, chance: random.Random, outcome: Outcome) -> None:
    """An index of an older format is made anew."""
    for version in (0, 1):
        project.fresh()
        for path in project.cache.rglob("index.sqlite"):
            connection = sqlite3.connect(path)
            connection.execute(f"PRAGMA user_version = {version}")
            connection.close()
        outcome.judge(project, f"format {version}")


def full_disk(project: Project, chance: random.Random, outcome: Outcome) -> None:
    """No file may grow beyond a limit while the index is made."""
    for limit in (0, 4_096, chance.randrange(8_192, 200_000)):
        project.fresh()
        project.run(
            "clear",
        )

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
    code, out, err = ended
    if code not in EXITS or any(word in out + err for word in FAILS):
        outcome.injected += 1
        outcome.failures.append(f"{what}: exit {code}: {err[-200:]!r}")
        return
    outcome.judge(project, what, detected=code != 0)


def files_of(project: Project) -> list[Path]:
    """Every file of the undisturbed cache, relative to it."""
    return sorted(path.relative_to(project.pristine) for path in project.pristine.rglob("*") if path.is_file())


DAMAGES: dict[str, Fault] = {
    "a byte changed": change_bytes,
    "a file cut": truncate,
    "a file missing": remove,
    "an older format": other_format,
}
HINDRANCES: dict[str, Fault] = {"disk full": full_disk, "no folder to write to": no_folder, "clock": clock}
