"""A small project, its index made undisturbed, and what the program says of it."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from fourfold import Index
from fourfold.config.load import load_settings
from fourfold.config.settings import Settings
from fourfold.model.errors import FourfoldError

HOME = Path(__file__).resolve().parents[2]
FILES = 60
LATE = 5
"""Files that come with each later refresh of the layered index."""
QUESTIONS = ("where is the delay of attempt 7 computed", "worker of module 31", "retry back-off")
EXITS = range(6)
"""Exit codes that docs/errors.md has for searching and indexing."""
TIMEOUT_S = 120.0
"""Nothing takes nearly as long: what does hangs."""


class Project:
    """`FILES` modules below `folder`/code, a git repository. `pristine` is their index, `answers` what it answers;
    `layered` is another index of them, of as many segments as are left alone."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.root = folder / "code"
        self.cache = folder / "cache"
        self.pristine = folder / "pristine"
        self.layered = folder / "layered"
        (folder / "none.toml").touch()
        self.root.mkdir()
        self._git("init", "-q")
        for late in reversed(range(0, 4 * LATE, LATE)):
            for number in range(FILES - late):
                (self.root / f"m{number}.py").write_text(module(number))
            self._git("add", "-A")
            self._git("commit", "-q", "-m", f"Workers up to module {FILES - late}: retry with back-off")
            self.run("index")
        shutil.copytree(self.cache, self.layered, symlinks=True)
        self.run("index", "--force")
        self.answers = self.ask()
        assert all(":" in answer for answer in self.answers), self.answers
        shutil.copytree(self.cache, self.pristine, symlinks=True)

    def fresh(self, index: Path | None = None) -> None:
        """The undisturbed index again, and the files as they were."""
        shutil.rmtree(self.cache, ignore_errors=True)
        shutil.copytree(index or self.pristine, self.cache, symlinks=True)
        self.restore()

    def forget(self) -> None:
        """No index."""
        shutil.rmtree(self.cache / "indexes", ignore_errors=True)

    def faults(self) -> list[str]:
        """What the check of the whole index finds."""
        with Index.open(self.root, root=self.root, settings=self.settings()) as index:
            return [check.detail for check in index.doctor() if not check.ok]

    def restore(self) -> None:
        """The files as they were, if they are others."""
        for number in range(FILES):
            place = self.root / f"m{number}.py"
            if place.read_text() != module(number):
                place.write_text(module(number))

    def start(
        self, *arguments: str, plan: Mapping[str, Any] | None = None, under: Sequence[str] = (), **more: Any
    ) -> subprocess.Popen[str]:
        """Start the program in the project, with a process group of its own: by a plan of
        :mod:`benchmarks.faults.launch`, and as the last part of the command `under`, where these are given. `limit` is
        called in the new process, `environment` is added to that of this one, with the cache for ``{cache}``."""
        limit: Callable[[], None] | None = more.pop("limit", None)
        environment = os.environ | {
            "FOURFOLD_CACHE_DIR": str(self.cache),
            "FOURFOLD_CONFIG": str(self.folder / "none.toml"),
            "FOURFOLD_EMBEDDING_MODEL": "hash",
            "FOURFOLD_HELPER_ENABLED": "false",
            "PYTHONPATH": os.pathsep.join([str(HOME), os.environ.get("PYTHONPATH", "")]).strip(os.pathsep),
            **{name: text.format(cache=self.cache) for name, text in more.pop("environment", {}).items()},
        }
        program = ["fourfold"] if plan is None else ["benchmarks.faults.launch", json.dumps(plan), "--"]
        return subprocess.Popen(
            [*under, sys.executable, "-P", "-m", *program, *arguments],
            cwd=self.root,
            env=environment,
            text=True,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
            preexec_fn=limit,
            **more,
        )

    def run(self, *arguments: str, **more: Any) -> tuple[int, str, str]:
        """Exit code, output and errors of what `start` starts; subprocess.TimeoutExpired where it hangs."""
        with self.start(*arguments, **more) as process:
            try:
                out, err = process.communicate(timeout=TIMEOUT_S)
            except subprocess.TimeoutExpired:
                process.kill()
                raise
        return process.returncode, out, err

    def ask(self, **changed: object) -> list[str]:
        """What each question finds, with score and place; or in one word the error that there was. In this process,
        from an index opened anew: starting the program each time would take longer than all the rest. `changed` are
        settings by their dotted names."""
        try:
            with Index.open(self.root, root=self.root, settings=self.settings(**changed)) as index:
                results = [index.search(question) for question in QUESTIONS]
        except FourfoldError as error:
            return [f"{error.code} {error.message}"]
        return [
            f"{item.path}:{item.start_line} {item.score:.4f} {item.snippet!r}"
            for result in results
            for item in result.items
        ]

    def settings(self, **changed: object) -> Settings:
        """Those that the project is asked with in this process."""
        os.environ["FOURFOLD_CACHE_DIR"] = str(self.cache)
        return load_settings(self.root, {"embedding.model": "hash", **changed}).settings

    def _git(self, *arguments: str) -> None:
        identity = ("-c", "user.name=x", "-c", "user.email=x@example.org")
        subprocess.run(["git", *identity, *arguments], cwd=self.root, check=True, capture_output=True)


def module(number: int) -> str:
    """The text of one module."""
    body = "\n\n".join(
        f"def delay_{number}_{part}(attempt):\n    '''Delay of attempt {part}, retry back-off.'''\n"
        f"    return attempt * {number} + {part}"
        for part in range(12)
    )
    return f'"""Worker of module {number}."""\n\n{body}\n'
