"""Fetch the packages of the manifest: ``python -m training.ranker.prepare [NAME ...]``.

Repositories are fetched at their commit, packages by ``pip download --no-deps`` and ``npm pack`` at their version.
With ``--from DIR`` local copies are taken where there are any: ``NAME.git``, ``OWNER+NAME/repo`` or ``NAME`` for a
repository, archives by their usual file name. What is there already is left alone. Only the folders that the
manifest keeps are written; nothing of a package is run.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

from benchmarks.dataset import corpora_dir
from benchmarks.obtain import obtain
from training.ranker.packages import Package, load_packages


def prepare(corpora: Path, packages: list[Package], sources: Path | None = None) -> list[Path]:
    """Fetch every package that is missing below `corpora`; returns the new folders.

    Raises FetchError with the tool's own message where one cannot be had.
    """
    made = []
    for package in packages:
        folder = corpora / package.corpus.place
        if not folder.is_dir():
            print(f"{package.name} {package.corpus.version} -> {folder}", file=sys.stderr)
            fetch(package, folder, sources)
            made.append(folder)
    return made


def fetch(package: Package, folder: Path, sources: Path | None = None) -> None:
    """Put the package's root folder at `folder`, which comes to be only when complete. Raises FetchError."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=".root-", dir=folder.parent) as scratch:
        whole = Path(scratch) / "whole"
        obtain(package.corpus, whole, sources)
        (whole / package.root).rename(folder)


def main(arguments: list[str] | None = None) -> None:
    """The command."""
    parser = argparse.ArgumentParser(prog="python -m training.ranker.prepare", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help="packages; all where none is named")
    parser.add_argument("--from", dest="sources", type=Path, help="folder of local copies")
    parser.add_argument("--corpora", type=Path, help="where the corpora go")
    options = parser.parse_args(arguments)
    prepare(corpora_dir(options.corpora), load_packages(options.names), options.sources)


if __name__ == "__main__":
    main()
