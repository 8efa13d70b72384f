"""What questions are mined from: the texts and definitions of an index, and the commits of its repository."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from fourfold.evaluate.labels.tree import Definitions, Tree
from fourfold.model.errors import IndexUnavailable
from fourfold.model.symbol import Symbol

if TYPE_CHECKING:
    from fourfold.store.local.snapshot import LocalSnapshot

COMMITS = 3000
"""Newest commits read: older ones speak of code that has gone."""


@dataclass(frozen=True, slots=True)
class Defined:
    """The definitions of one indexed file."""

    language: str
    symbols: tuple[Symbol, ...]


def tree_of(snapshot: LocalSnapshot) -> Tree:
    """The texts (secrets masked, as they are indexed) and definitions of a snapshot, in path order."""
    languages = _languages(snapshot)
    texts = texts_of(snapshot)
    symbols = snapshot.symbols()
    parsed: Mapping[str, Definitions] = {
        path: Defined(languages[path], tuple(symbols[path])) for path in texts if symbols.get(path)
    }
    return Tree(texts, parsed)


def texts_of(snapshot: LocalSnapshot) -> dict[str, str]:
    """The texts of a snapshot by path, in path order."""
    found = dict(snapshot.texts(_languages(snapshot)))
    return {path: found[path] for path in sorted(found)}


def _languages(snapshot: LocalSnapshot) -> dict[str, str]:
    named = zip(snapshot.file_paths(), snapshot.file_languages(), strict=True)
    return {path: name for path, name in named if path}


def commits_of(root: Path) -> Iterator[tuple[str, tuple[str, ...]]]:
    """(subject, changed paths below `root`) of the newest commits that lead to the one that is checked out, newest
    first; nothing where there is no history or git cannot read it."""
    from fourfold.source import history

    try:
        git = history.repository(root)
        hashes = history.reachable(root, history.tip(root))[:COMMITS]
        for commit in history.read_commits(root, hashes, history.below_top(root, git)):
            yield commit.subject, commit.files
    except IndexUnavailable:
        return
