"""The packages that questions are mined from, and where they lie."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.manifest import KINDS, Corpus

HERE = Path(__file__).resolve().parent
PLACE = "ranker"
"""Folder below the corpora directory: ``NAME`` are the copies to index, ``questions.jsonl`` beside them."""
SOURCES = "ranker-sources"
"""Folder below the corpora directory: the packages as they came."""


@dataclass(frozen=True, slots=True)
class Package:
    """One package: where it comes from, and `root`, the folder of it that becomes the tree's top ("" for all)."""

    corpus: Corpus
    root: str = ""

    @property
    def name(self) -> str:
        return self.corpus.name

    @property
    def language(self) -> str:
        return self.corpus.language


def load_packages(names: list[str] | None = None, path: Path = HERE / "manifest.toml") -> list[Package]:
    """The packages of the manifest, or those of `names`. Raises ValueError for an unknown name or kind."""
    entries = tomllib.loads(path.read_text(encoding="utf-8"))["package"]
    found = {str(entry["name"]): _package(entry) for entry in entries}
    unknown = [name for name in names or () if name not in found]
    if unknown:
        raise ValueError(f"unknown package {unknown[0]!r}: choose from {', '.join(found)}")
    return [package for name, package in found.items() if not names or name in names]


def excluded_names(path: Path = HERE / "excluded.toml") -> dict[str, str]:
    """Each name that no package may have (lower case), with why."""
    groups = tomllib.loads(path.read_text(encoding="utf-8"))
    return {name.lower(): group for group, names in groups.items() for name in names.split()}


def _package(entry: dict[str, Any]) -> Package:
    if entry["kind"] not in KINDS:
        raise ValueError(f"package {entry['name']}: kind must be one of {', '.join(KINDS)}")
    corpus = Corpus(
        name=entry["name"],
        kind=entry["kind"],
        version=entry["version"],
        licence=entry["licence"],
        uses=("ranker",),
        place=f"{SOURCES}/{entry['name']}",
        url=entry.get("url", ""),
        keep=tuple(entry.get("keep", ())),
        language=entry["language"],
    )
    return Package(corpus, entry.get("root", ""))
