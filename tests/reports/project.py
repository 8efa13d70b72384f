"""A project as a person has it, for field reports that are acted out from end to end."""

from __future__ import annotations

import contextlib
import subprocess
from collections.abc import Mapping
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass, field
from io import BytesIO, TextIOWrapper
from pathlib import Path
from typing import Any

from fourfold import Index
from fourfold.config.load import load_settings
from fourfold.interfaces.cli.main import run


@dataclass
class Project:
    """A folder, and what can be done with it. Every index opened is closed after the test."""

    root: Path
    opened: list[Index] = field(default_factory=list)

    def write(self, files: Mapping[str, str | bytes]) -> Project:
        """Write files by their path in the project; texts as UTF-8 with the line ends given."""
        for name, content in files.items():
            path = self.root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content if isinstance(content, bytes) else content.encode("utf-8"))
        return self

    def git(self, *arguments: str, at: str = ".") -> str:
        """Run git in the project (or in a folder of it) as nobody in particular."""
        identity = ("-c", "user.name=x", "-c", "user.email=x@example.org", "-c", "init.defaultBranch=main")
        ran = subprocess.run(
            ["git", *identity, *arguments], cwd=self.root / at, check=True, capture_output=True, text=True
        )
        return ran.stdout.strip()

    def index(self, path: str = ".", root: Path | None = None, **settings: object) -> Index:
        """The index of the project, opened in a folder of it, under settings by dotted key."""
        loaded = load_settings(root or self.root, settings)
        self.opened.append(Index.open(self.root / path, root=root, settings=loaded.settings))
        return self.opened[-1]

    def run(self, *arguments: str, at: str | Path = ".", encoding: str = "utf-8") -> Ran:
        """The program, run in a folder of the project with streams of its own that are no terminal."""
        out, err = (TextIOWrapper(BytesIO(), encoding, newline="\n") for _ in range(2))
        with contextlib.chdir(self.root / at), redirect_stdout(out), redirect_stderr(err):
            code = run(arguments)
        return Ran(code, written(out), written(err))


@dataclass(frozen=True)
class Ran:
    """What a run of the program printed and how it ended."""

    code: int
    out: str
    err: str


def written(stream: TextIOWrapper) -> str:
    """Everything written to a stream over memory."""
    stream.flush()
    raw = stream.buffer
    assert isinstance(raw, BytesIO)
    return raw.getvalue().decode(stream.encoding)


def paths(answer: Any) -> list[str]:
    """The paths of an answer to a search or a grep, each once, in order."""
    return list(dict.fromkeys(item.path for item in answer.items))
