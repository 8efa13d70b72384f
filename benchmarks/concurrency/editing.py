"""Somebody who edits without rest: writes, renames, deletes, moves folders, commits, switches branches."""

from __future__ import annotations

import os
import random
import subprocess
import time
from pathlib import Path

from benchmarks.concurrency.chronicle import Chronicle
from benchmarks.concurrency.texts import text_of, version_of

FILES = 300
FOLDERS = ("src/net", "src/auth", "src/store", "tools", "docs/samples")
BRANCHES = ("main", "other")
BURST = 40


class Editor:
    """Edits the repository at `root`, and notes in the chronicle what each path became."""

    def __init__(self, root: Path, chance: random.Random, files: int = FILES) -> None:
        self.root = root
        self.chronicle = Chronicle()
        self._chance = chance
        self._number = 0
        self._paths: dict[str, int] = {}
        self._branch = BRANCHES[0]
        self.done: dict[str, int] = {}
        root.mkdir(parents=True)
        self._git("init", "-q", "-b", BRANCHES[0])
        with self.chronicle.changing() as made:
            for number in range(files):
                self._put(f"{FOLDERS[number % len(FOLDERS)]}/m{number}.py", made)
        self._commit()
        self._git("branch", BRANCHES[1])

    def step(self) -> None:
        """One edit of a random kind."""
        kinds = (
            (self._write, 40),
            (self._write_in_place, 15),
            (self._create, 8),
            (self._delete, 7),
            (self._rename, 8),
            (self._move_folder, 2),
            (self._touch, 6),
            (self._burst, 3),
            (self._commit, 5),
            (self._switch, 6),
        )
        (kind,) = self._chance.choices([kind for kind, _ in kinds], [weight for _, weight in kinds])
        kind()
        name = kind.__name__.strip("_").replace("_", " ")
        self.done[name] = self.done.get(name, 0) + 1

    def _any(self) -> str:
        return self._chance.choice(sorted(self._paths))

    def _put(self, path: str, made: dict[str, int | None]) -> None:
        """A new version beside the file, then in its place: as editors save."""
        self._number += 1
        place = self.root / path
        place.parent.mkdir(parents=True, exist_ok=True)
        aside = place.with_suffix(".part")
        aside.write_text(text_of(self._number))
        aside.replace(place)
        self._paths[path] = made[path] = self._number

    def _write(self) -> None:
        with self.chronicle.changing() as made:
            self._put(self._any(), made)

    def _write_in_place(self) -> None:
        path = self._any()
        with self.chronicle.changing() as made:
            self._number += 1
            (self.root / path).write_text(text_of(self._number))
            self._paths[path] = made[path] = self._number

    def _create(self) -> None:
        with self.chronicle.changing() as made:
            self._put(f"{self._chance.choice(FOLDERS)}/n{self._number}.py", made)

    def _delete(self) -> None:
        path = self._any()
        with self.chronicle.changing() as made:
            (self.root / path).unlink()
            del self._paths[path]
            made[path] = None

    def _rename(self) -> None:
        old = self._any()
        self._move(old, f"{self._chance.choice(FOLDERS)}/r{self._number}_{Path(old).name}"[:80])

    def _move(self, old: str, new: str) -> None:
        if new in self._paths:
            return
        with self.chronicle.changing() as made:
            (self.root / new).parent.mkdir(parents=True, exist_ok=True)
            (self.root / old).rename(self.root / new)
            self._paths[new] = made[new] = self._paths.pop(old)
            made[old] = None

    def _move_folder(self) -> None:
        """A few files of one folder into a new one below it."""
        folder = self._chance.choice(FOLDERS)
        inside = [path for path in sorted(self._paths) if path.startswith(f"{folder}/")][:5]
        for path in inside:
            self._move(path, f"{folder}/deep{self._number % 7}/{Path(path).name}")

    def _touch(self) -> None:
        at = time.time() - self._chance.randrange(100_000)
        os.utime(self.root / self._any(), (at, at))

    def _burst(self) -> None:
        for path in self._chance.sample(sorted(self._paths), min(BURST, len(self._paths))):
            with self.chronicle.changing() as made:
                self._put(path, made)

    def _commit(self) -> None:
        self._git("add", "-A")
        self._git("commit", "-q", "--allow-empty", "-m", f"state {self._number}")

    def _switch(self) -> None:
        """Commit, then the other branch: hundreds of files become what they were."""
        self._commit()
        self._branch = BRANCHES[1 - BRANCHES.index(self._branch)]
        with self.chronicle.changing() as made:
            self._git("checkout", "-q", self._branch)
            there = {
                path.relative_to(self.root).as_posix(): version
                for path in self.root.rglob("*.py")
                if (version := version_of(path.read_text())) is not None
            }
            made.update({path: None for path in self._paths if path not in there})
            made.update({path: version for path, version in there.items() if self._paths.get(path) != version})
            self._paths = there

    def _git(self, *arguments: str) -> None:
        identity = ("-c", "user.name=x", "-c", "user.email=x@example.org", "-c", "gc.auto=0")
        subprocess.run(["git", *identity, *arguments], cwd=self.root, check=True, capture_output=True)
