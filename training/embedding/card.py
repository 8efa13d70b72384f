"""The tables of docs/model.md that name the packages a model saw: ``python -m training.embedding.card WORK``."""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from training.embedding.packages import KINDS, Package, load_packages
from training.embedding.pair import load_pairs
from training.embedding.translations import load_translations

TITLES: dict[str, str] = {
    "pypi": "PyPI wheels and source packages",
    "npm": "npm packages",
    "source": "Debian 12 upstream sources",
    "deb": "Debian 12 packages that ship source",
    "git": "Repositories, by commit",
}


def seen(work: Path) -> tuple[list[Package], Counter[str], Counter[str]]:
    """Packages with at least one pair or translation, pairs by language of the code, translations by language."""
    used: Counter[str] = Counter()
    code: Counter[str] = Counter()
    for pair in load_pairs(work / "pairs"):
        used[pair.package] += 1
        code[pair.language] += 1
    voices: Counter[str] = Counter()
    for one in load_translations(work / "translations.jsonl"):
        used[one.package] += 1
        voices[one.language] += 1
    return [package for package in load_packages() if used[package.key]], code, voices


def tables(packages: Iterable[Package]) -> str:
    """One Markdown table for each kind of source."""
    lines = []
    listed = list(packages)
    for kind in KINDS:
        rows = [package for package in listed if package.kind == kind]
        if rows:
            lines += ["", f"### {TITLES[kind]}", "", "| package | version | licence as its metadata states it |"]
            lines += ["|---|---|---|"]
            lines += [f"| {one.name} | {one.version[:12]} | {one.licence.replace('|', '/')} |" for one in rows]
    return "\n".join(lines[1:])


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(prog="python -m training.embedding.card", description=__doc__)
    parser.add_argument("work", type=Path, help="the working folder of the build")
    packages, code, voices = seen(parser.parse_args().work)
    print(f"{len(packages)} packages.\n")
    print("Pairs:", ", ".join(f"{name} {count:,}" for name, count in code.most_common()) + ".")
    print("Translations:", ", ".join(f"{name} {count:,}" for name, count in voices.most_common()) + ".\n")
    print(tables(packages))


if __name__ == "__main__":
    main()
