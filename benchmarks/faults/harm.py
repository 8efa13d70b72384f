"""What became of a fault, and damage to each file of an index."""

from __future__ import annotations

import os
import random
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

    def count(self, what: str, wrong: str) -> None:
        """One more fault; `wrong` says why it was not survived, "" where it was."""
        self.injected += 1
        if wrong:
            self.failures.append(f"{what}: {wrong}")
        else:
            self.survived += 1

    def judge(self, project: Project, what: str, *, detected: bool | None = None) -> None:
        """Run the next command, then ask; `detected` None: as that command's errors tell."""
        ended = project.run("index")
        said = ended[1] + ended[2]
        self.detected += ("damaged" in said or "rebuilt" in said) if detected is None else detected
        answers = project.ask()
        other = f"other answers: {answers[0][:200]!r}; {said[-200:]!r}" if answers != project.answers else ""
        self.count(what, failed(ended) or other)


def failed(ended: tuple[int, str, str]) -> str:
    """What is wrong with how a command ended (exit code, output, errors); "" where that is as it should be."""
    code, out, err = ended
    said = out + err
    wrong = code not in EXITS or any(word in said for word in FAILS)
    return f"exit {code}: {said[-200:]!r}" if wrong else ""


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


def files_of(project: Project) -> list[Path]:
    """Every file of the undisturbed cache, relative to it."""
    return sorted(path.relative_to(project.pristine) for path in project.pristine.rglob("*") if path.is_file())


DAMAGES: dict[str, Fault] = {
    "a byte changed": change_bytes,
    "a file cut": truncate,
    "a file missing": remove,
    "an older format": other_format,
}
