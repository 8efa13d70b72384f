"""A small project, its index made undisturbed, and what the program says of it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from fourfold import Index
from fourfold.config.load import load_settings
from fourfold.model.errors import FourfoldError

FILES = 60
QUESTIONS = ("where is the delay of attempt 7 computed", "worker of module 31", "retry back-off")
EXITS = range(6)
"""Exit codes that docs/errors.md has for searching and indexing."""
TIMEOUT_S = 120.0
"""Nothing takes nearly as long: what does hangs."""


class Project:
    """`FILES` modules below `folder`/code. `pristine` is their index, `answers` what it answers."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.root = folder / "code"
        self.cache = folder / "cache"
        self.pristine = folder / "pristine"
        (self.root / ".git").mkdir(parents=True)
        for number in range(FILES):
            (self.root / f"m{number}.py").write_text(module(number))
        self._settings = load_settings(self.root, {"embedding.model": "hash"}).settings
        self.run("index")
        self.answers = self.ask()
        assert all(":" in answer for answer in self.answers), self.answers
        shutil.copytree(self.cache, self.pristine, symlinks=True)

    def fresh(self) -> None:
        """The undisturbed index again."""
        shutil.rmtree(self.cache, ignore_errors=True)
        shutil.copytree(self.pristine, self.cache, symlinks=True)

    def start(self, *arguments: str, limit: Callable[[], None] | None = None) -> subprocess.Popen[str]:
        """Start the program in the project, with a process group of its own."""
        environment = os.environ | {
            "FOURFOLD_CACHE_DIR": str(self.cache),
            "FOURFOLD_CONFIG": str(self.folder / "none.toml"),
            "FOURFOLD_EMBEDDING_MODEL": "hash",
            "FOURFOLD_HELPER_ENABLED": "false",
        }
        (self.folder / "none.toml").touch()
        return subprocess.Popen(
            [sys.executable, "-m", "fourfold.interfaces.cli.main", *arguments],
            cwd=self.root,
            env=environment,
            text=True,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
            preexec_fn=limit,
        )

    def run(self, *arguments: str, limit: Callable[[], None] | None = None) -> tuple[int, str, str]:
        """Exit code, output and errors; subprocess.TimeoutExpired where it hangs."""
        with self.start(*arguments, limit=limit) as process:
            try:
                out, err = process.communicate(timeout=TIMEOUT_S)
            except subprocess.TimeoutExpired:
                process.kill()
                raise
        return process.returncode, out, err

    def ask(self) -> list[str]:
        """What each question finds, with score and place; or in one word the error that there was. In this process,
        from an index opened anew: starting the program each time would take longer than all the rest."""
        os.environ["FOURFOLD_CACHE_DIR"] = str(self.cache)
        try:
            with Index.open(self.root, root=self.root, settings=self._settings) as index:
                results = [index.search(question) for question in QUESTIONS]
        except FourfoldError as error:
            return [f"{error.code} {error.message}"]
        return [
            f"{item.path}:{item.start_line} {item.score:.4f} {item.snippet!r}"
            for result in results
            for item in result.items
        ]


def module(number: int) -> str:
    """The text of one module."""
    body = "\n\n".join(
        f"def delay_{number}_{part}(attempt):\n    '''Delay of attempt {part}, retry back-off.'''\n"
        f"    return attempt * {number} + {part}"
        for part in range(12)
    )
    return f'"""Worker of module {number}."""\n\n{body}\n'
