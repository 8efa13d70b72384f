"""Where more translated texts come from than the embedding was taught with: the repositories of ``sources.toml``."""

from __future__ import annotations

import re
import subprocess
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from training.lexicon.documents import aligned, notebook_cells, xliff_units

HERE = Path(__file__).resolve().parent


@dataclass(frozen=True, slots=True)
class Source:
    """A repository of translations. `foreign` is a pattern over paths whose group ``language`` says the language and
    whose other text stays; `english` is what a path becomes in the original, which `original` (a repository, at
    `original_commit`) holds where it is not the same; XLIFF files hold both and have none."""

    name: str
    commit: str
    licence: str
    foreign: str
    languages: dict[str, str]
    english: str = ""
    original: str = ""
    original_commit: str = ""

    def pairs(self, repositories: Path) -> Iterator[tuple[str, str, str]]:
        """(language, English, foreign); `repositories` holds bare clones as ``OWNER+NAME/repo``."""
        own = Repository(repositories, self.name, self.commit)
        other = Repository(repositories, self.original, self.original_commit) if self.original else own
        for path in own.paths():
            match = re.fullmatch(self.foreign, path)
            if match is None or match["language"] not in self.languages:
                continue
            language = self.languages[match["language"]]
            yield from ((language, *pair) for pair in self._of_file(own, other, path, match))

    def _of_file(
        self, own: Repository, other: Repository, path: str, match: re.Match[str]
    ) -> Iterator[tuple[str, str]]:
        text = own.text(path)
        if path.endswith(".xlf"):
            return xliff_units(text)
        original = other.text(match.expand(self.english))
        return (notebook_cells if path.endswith(".ipynb") else aligned)(original, text)


@dataclass(frozen=True, slots=True)
class Repository:
    """A commit of a bare clone: its files of any size, by name."""

    folder: Path
    name: str
    commit: str

    def paths(self) -> list[str]:
        """Every file."""
        return self._git("ls-tree", "-r", "-z", "--name-only", self.commit).rstrip("\0").split("\0")

    def text(self, path: str) -> str:
        """What a file holds, "" where there is none."""
        return self._git("cat-file", "-p", f"{self.commit}:{path}", check=False)

    def _git(self, *arguments: str, check: bool = True) -> str:
        clone = self.folder / self.name.replace("/", "+") / "repo"
        done = subprocess.run(["git", f"--git-dir={clone}", *arguments], capture_output=True, check=check)
        return done.stdout.decode("utf-8", "replace")


def load_sources(path: Path = HERE / "sources.toml") -> list[Source]:
    """The repositories of the list."""
    return [Source(**entry) for entry in tomllib.loads(path.read_text(encoding="utf-8"))["source"]]
