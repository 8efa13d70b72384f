"""HTTP routes against hand-checked ones: ``python -m benchmarks.routes --corpora DIR [--sources DIR] [--missed]``.

The truth is ``structure/routes.jsonl``: one project a line (repository, commit, framework, and whether a reader was
written or mended with a look at it), with its routes by file as ``METHOD path``. For each file that it names, it names
all routes. The lists were drafted by the readers, then checked by hand against the declarations in the source and
corrected there; routes that a library adds at run time without a word in the source are not in them. A route counts as
found where method, whole path and file agree; what is found in those files and not in the truth counts against
precision.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from benchmarks.dataset import HERE
from benchmarks.manifest import Corpus
from benchmarks.obtain import FetchError, obtain
from fourfold.syntax.languages import language_of
from fourfold.syntax.parse import parse_file
from fourfold.syntax.routes import READERS
from fourfold.syntax.routes.constants import Constants
from fourfold.syntax.routes.join import join_routes

TRUTH = HERE / "structure" / "routes.jsonl"
SKIPPED = frozenset({"node_modules", "vendor", ".git", "dist"})
MAX_BYTES = 1_000_000

Triple = tuple[str, str, str]
"""Method, path, file."""


@dataclass(frozen=True, slots=True)
class Project:
    """One project with its routes. `is_seen`: a reader was written or mended with a look at it."""

    repo: str
    commit: str
    framework: str
    is_seen: bool
    routes: frozenset[Triple]

    @property
    def corpus(self) -> Corpus:
        """Where its source comes from."""
        name = self.repo.replace("/", "+")
        url = f"https://github.com/{self.repo}.git"
        return Corpus(name, "git", self.commit, "", ("routes",), f"routes/{name}", url)


@dataclass(slots=True)
class Count:
    """Routes of a group of projects."""

    expected: int = 0
    found: int = 0
    extra: int = 0

    def add(self, other: Count) -> None:
        """Add the counts of another group."""
        self.expected += other.expected
        self.found += other.found
        self.extra += other.extra

    @property
    def recall(self) -> float:
        """Share of the expected that was found."""
        return self.found / self.expected if self.expected else 0.0

    @property
    def precision(self) -> float:
        """Share of what was found that was expected."""
        told = self.found + self.extra
        return self.found / told if told else 0.0


def load_truth(path: Path = TRUTH) -> list[Project]:
    """The projects of a truth file."""
    return [_project(json.loads(line)) for line in path.read_text(encoding="utf-8").split("\n") if line.strip()]


def _project(record: dict[str, object]) -> Project:
    files = record["files"]
    assert isinstance(files, dict)
    routes = frozenset(
        (method, path, file)
        for file, listed in files.items()
        for method, _, path in (route.partition(" ") for route in listed)
    )
    return Project(str(record["repo"]), str(record["commit"]), str(record["framework"]), bool(record["seen"]), routes)


def found_routes(root: Path) -> frozenset[Triple]:
    """All routes of a source tree."""
    parsed = {path: parse_file(path, text, language) for path, text, language in _sources(root)}
    constants = Constants((path, one.symbols) for path, one in parsed.items())
    routes = join_routes((one.routes for one in parsed.values() if one.routes), constant=constants)
    return frozenset((one.method, one.path, one.file) for one in routes)


def _sources(root: Path) -> Iterator[tuple[str, str, str]]:
    for path in sorted(root.rglob("*")):
        if not path.is_file() or SKIPPED & set(path.parts) or path.stat().st_size > MAX_BYTES:
            continue
        text = path.read_bytes().decode("utf-8", "replace").replace("\r\n", "\n")
        language = language_of(path.name, text[:500])
        if language in READERS:
            yield path.relative_to(root).as_posix(), text, language


def compare(project: Project, found: Iterable[Triple]) -> tuple[Count, list[Triple], list[Triple]]:
    """The count of one project, what was missed, and what was found in its files that is not there."""
    files = {file for _, _, file in project.routes}
    told = {route for route in found if route[2] in files}
    missed, extra = sorted(project.routes - told), sorted(told - project.routes)
    return Count(len(project.routes), len(project.routes & told), len(extra)), missed, extra


def main(arguments: list[str] | None = None) -> None:
    """Print recall and precision by framework."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.routes", description=__doc__.split("\n")[0])
    parser.add_argument("--corpora", type=Path, required=True, help="folder of the source trees")
    parser.add_argument("--sources", type=Path, help="folder with local copies of the repositories")
    parser.add_argument("--missed", action="store_true", help="list what is missed and what is too much")
    options = parser.parse_args(arguments)
    groups: dict[str, Count] = {}
    for project in load_truth():
        folder = options.corpora / project.corpus.place
        try:
            if not folder.is_dir():
                obtain(project.corpus, folder, options.sources)
        except FetchError as error:
            print(f"{project.repo}: not measured: {error}")
            continue
        count, missed, extra = compare(project, found_routes(folder))
        for group in (
            project.framework,
            "all",
            "all, not looked at before" if not project.is_seen else "all, looked at",
        ):
            groups.setdefault(group, Count()).add(count)
        for route in missed if options.missed else ():
            print(f"{project.repo}: missed {' '.join(route)}")
        for route in extra if options.missed else ():
            print(f"{project.repo}: not there {' '.join(route)}")
    print(f"{'framework':28}{'routes':>8}{'recall':>9}{'precision':>11}")
    for group, count in sorted(groups.items(), key=lambda item: (item[0].startswith("all"), item[0])):
        print(f"{group:28}{count.expected:8}{count.recall:9.3f}{count.precision:11.3f}")


if __name__ == "__main__":
    main()
