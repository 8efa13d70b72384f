"""Fetch corpora: ``python -m benchmarks.prepare tuning long mined speed``.

Git repositories are fetched at their commit, packages by ``pip download`` and ``npm pack`` at their version.
With ``--from DIR`` local copies are taken where there are any: ``NAME.git``, ``OWNER+NAME/repo``, ``NAME``
for a git repository, archives by their usual file name. What is there already is left alone. For ``mined`` the
questions are made as well (see benchmarks/mined.py).
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from benchmarks.dataset import corpora_dir
from benchmarks.manifest import GROUPS, Corpus, corpora_for
from benchmarks.obtain import obtain


def prepare(corpora: Path, groups: list[str], sources: Path | None = None) -> list[Path]:
    """Fetch every corpus of `groups` that is missing; returns the new folders.

    Raises FetchError with the tool's own message where something cannot be had.
    """
    made = []
    for corpus in _wanted(groups):
        folder = corpora / corpus.place
        if folder.is_dir():
            continue
        print(f"{corpus.name} {corpus.version} -> {folder}", file=sys.stderr)
        obtain(corpus, folder, sources)
        made.append(folder)
    return made


def _wanted(groups: list[str]) -> list[Corpus]:
    """Each corpus once, though several groups may use it."""
    found = {corpus.place: corpus for group in groups for corpus in corpora_for(group)}
    return list(found.values())


def main(arguments: list[str] | None = None) -> None:
    """The command."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.prepare", description=__doc__)
    parser.add_argument("groups", nargs="+", choices=GROUPS)
    parser.add_argument("--from", dest="sources", type=Path, help="folder of local copies")
    parser.add_argument("--corpora", type=Path, help="where the corpora go")
    options = parser.parse_args(arguments)
    base = corpora_dir(options.corpora)
    prepare(base, options.groups, options.sources)
    if "mined" in options.groups:
        from benchmarks.mined import mine_all

        mine_all(base)


if __name__ == "__main__":
    main()
