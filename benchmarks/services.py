"""Many services in one workspace: ``python -m benchmarks.services --corpora DIR --sources DIR[,DIR ...]``.

Every repository of the tuning set and the sub-folders of the sources become repositories of a git server on loopback
and services of one workspace, 40 or more. Timed: fetching and indexing all; a sync with nothing new; a sync after
commits that touch one file in a hundred of each; and of the tuning set's questions, asked over all services at once,
how often the right repository comes first and the right file among ten. Processor time counts all processes of this
one, git's server included. Nothing outside of the scratch folder is written.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import shutil
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.services.git_server import GitServer, Repository, git

from benchmarks.dataset import HERE, Question, asked_root, corpora_dir, load_questions, questions_file
from benchmarks.growth import SUFFIXES
from benchmarks.machine import circumstances
from benchmarks.tables import table
from fourfold.config.services import ServiceConfig
from fourfold.engine.service import SyncReport
from fourfold.engine.workspace import Workspace

WANTED = 40
TOUCHED = 100
"""One file in so many is edited."""
ASKED = 60
SLOWEST = 3


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the table; 1 where a service failed."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.services", description=__doc__)
    parser.add_argument("--corpora", type=Path)
    parser.add_argument("--sources", default="", help="comma list of folders whose sub-folders are repositories")
    parser.add_argument("--services", type=int, default=WANTED, help=f"how many (default: {WANTED})")
    parser.add_argument("--no-save", action="store_true", help="print only")
    options = parser.parse_args(arguments)
    corpora = corpora_dir(options.corpora)
    questions = load_questions(questions_file("tuning", corpora))
    folders = chosen(questions, corpora, [Path(name) for name in options.sources.split(",") if name], options.services)
    if len(folders) < options.services:
        parser.error(f"there are {len(folders)} repositories of {options.services}: name more sources")
    with tempfile.TemporaryDirectory(prefix="fourfold-services-") as scratch, served(Path(scratch)) as server:
        record = measure(server, folders, questions)
    for label, said in record["table"]:
        print(f"{label:62} {said}")
    print(table(["the slowest first syncs", "s"], record.pop("slowest")))
    if not options.no_save:
        content = {**circumstances("python -m benchmarks.services"), **record}
        (HERE / "results" / "services.json").write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")
    return int(record["failed"] > 0)


def chosen(questions: Sequence[Question], corpora: Path, sources: Sequence[Path], count: int) -> dict[str, Path]:
    """Folders by name: those of the tuning set, then those of the sources, in order of their names."""
    found = {question.repo_name: asked_root("tuning", question, corpora) for question in questions}
    others = sorted(
        (path for source in sources for path in source.iterdir() if path.is_dir()), key=lambda one: one.name
    )
    for path in others:
        if len(found) < count and path.name not in found:
            found[path.name] = path
    return found


@contextmanager
def served(scratch: Path) -> Iterator[GitServer]:
    """A git server, and a cache and a configuration of its own."""
    kept = dict(os.environ)
    (scratch / "config.toml").touch()
    os.environ |= {
        "FOURFOLD_CACHE_DIR": str(scratch / "cache"),
        "FOURFOLD_CONFIG": str(scratch / "config.toml"),
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_CONFIG_SYSTEM": os.devnull,
    }
    server = GitServer(scratch / "server")
    try:
        yield server
    finally:
        server.stop()
        os.environ.clear()
        os.environ.update(kept)


def measure(server: GitServer, folders: dict[str, Path], questions: Sequence[Question]) -> dict[str, Any]:
    """Everything, in order."""
    repositories = {name: committed(server, name, folder) for name, folder in folders.items()}
    configs = [ServiceConfig(name, git=repository.url) for name, repository in repositories.items()]
    with Workspace(configs) as workspace:
        first, spent, cpu = timed(workspace.sync)
        done, failed = first
        nothing, idle, idle_cpu = timed(workspace.sync)
        edited = sum(edit(repository) for repository in repositories.values())
        server.sent = 0
        after, changed, changed_cpu = timed(workspace.sync)
        asked = [question for question in questions if question.repo_name in repositories]
        asked = asked[:: max(1, len(asked) // ASKED)]
        right, among, times = ask(workspace, asked)
    lines = sum(_lines(folder) for folder in folders.values())
    rows = [
        ("services", f"{len(configs)} ({len(failed)} failed)"),
        ("files, lines", f"{sum(_files(report) for report in done):,}, {lines:,}"),
        ("fetch and index all", f"{spent:.1f} s, {cpu:.1f} s of processor time"),
        ("nothing new, a service", f"{1000 * idle / len(configs):.0f} ms, {1000 * idle_cpu / len(configs):.0f} ms"),
        (f"after commits that touch {edited} files", f"{changed:.1f} s, {changed_cpu:.1f} s of processor time"),
        ("  read again, and sent by the server", f"{_changed(after[0])} files, {server.sent / 1000:.0f} kB"),
        (f"{len(asked)} questions over all: the first result is of the right service", f"{right:.2f}"),
        ("  a right file among the first ten", f"{among:.2f}"),
        ("  time of an answer: the first, the median of the others", f"{times[0]:.0f} ms, {times[1]:.0f} ms"),
    ]
    seconds = sorted(((report.report.seconds, report.service) for report in done), reverse=True)
    return {
        "failed": len(failed) + len(nothing[1]) + len(after[1]),
        "table": rows,
        "slowest": [[name, f"{took:.1f}"] for took, name in seconds[:SLOWEST]],
    }


def committed(server: GitServer, name: str, folder: Path) -> Repository:
    """A repository that holds what a folder holds."""
    repository = server.repository(name, {"README.md": f"# {name}\n"})
    shutil.copytree(folder, repository.work, dirs_exist_ok=True, ignore=shutil.ignore_patterns(".git"), symlinks=True)
    git(repository.work, "add", "-A", "-f")
    git(repository.work, "commit", "-q", "-m", "all of it")
    repository.push("HEAD:main")
    return repository


def edit(repository: Repository) -> int:
    """Add a line to one source file in :data:`TOUCHED` (at least one), commit and push; how many they were."""
    files = sorted(path for path in repository.work.rglob("*") if path.suffix in SUFFIXES and path.is_file())
    files = [path for path in files if not path.is_symlink()][::TOUCHED]
    for path in files:
        with path.open("a", encoding="utf-8") as out:
            out.write("\n")
    git(repository.work, "commit", "-q", "-a", "-m", "touch")
    repository.push("HEAD:main")
    return len(files)


def ask(workspace: Workspace, questions: Sequence[Question]) -> tuple[float, float, tuple[float, float]]:
    """Share of the questions whose first result is of the right service, share with a right file among ten, and
    milliseconds of the first answer and of the others at the median."""
    right = among = 0
    times = []
    joined = workspace.index()
    for question in questions:
        began = time.perf_counter()
        items = joined.search(question.text, limit=10, refresh=False).items
        times.append(1000 * (time.perf_counter() - began))
        prefix = f"{question.root}/" if question.root else ""
        wanted = {target.path.removeprefix(prefix) for target in question.targets}
        right += bool(items) and items[0].service == question.repo_name
        among += any(item.service == question.repo_name and item.path in wanted for item in items)
    return right / len(questions), among / len(questions), (times[0], statistics.median(times[1:]))


def timed(call: Callable[[], tuple[list[SyncReport], dict[str, Any]]]) -> tuple[Any, float, float]:
    """What a call gives, its seconds, and processor seconds of this process and its children."""
    began, before = time.perf_counter(), _cpu()
    found = call()
    return found, time.perf_counter() - began, _cpu() - before


def _cpu() -> float:
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in used)


def _files(report: SyncReport) -> int:
    return report.report.added + report.report.changed + report.report.unchanged


def _changed(reports: Sequence[SyncReport]) -> int:
    return sum(report.report.changed + report.report.added for report in reports)


def _lines(folder: Path) -> int:
    files = (path for path in folder.rglob("*") if path.suffix in SUFFIXES and path.is_file() and not path.is_symlink())
    return sum(path.read_bytes().count(b"\n") for path in files)


if __name__ == "__main__":
    raise SystemExit(main())
