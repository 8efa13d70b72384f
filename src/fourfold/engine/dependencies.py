"""Installed packages as services of their own: indexed once a version, whichever projects use it."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fourfold.config.load import load_settings
from fourfold.config.places import cache_dir, index_dir
from fourfold.config.whole_file import replace_text
from fourfold.model.errors import FourfoldError, IndexUnavailable, UsageError

if TYPE_CHECKING:
    from fourfold.config.settings import Settings
    from fourfold.engine.index import Index
    from fourfold.engine.joined import JoinedIndex
    from fourfold.model.report import Progress, RefreshReport
    from fourfold.source.installed import PackageTree

FILE_NAME = "dependencies.json"
"""Beside a project's index: the packages that it was last seen to use."""
SCOPES = ("project", "deps", "all")
PYTHON, NODE = "python", "node"


@dataclass(frozen=True, slots=True)
class DependencyReport:
    """What indexing the packages of a project did. `indexed` were read, `known` were there already in this version,
    from whatever project; `left` were not taken, with the reason; `failed` says why others failed."""

    indexed: tuple[str, ...] = ()
    known: tuple[str, ...] = ()
    left: tuple[str, ...] = ()
    failed: tuple[str, ...] = ()
    files: int = 0
    lines: int = 0
    interrupted: bool = False


class Dependencies:
    """The packages of the project whose index is `index`."""

    def __init__(self, index: Index) -> None:
        self._project = index
        self._opened: dict[str, Index] = {}

    def refresh(
        self,
        *,
        python: str = "",
        node: bool = False,
        progress: Callable[[str], Callable[[Progress], None]] | None = None,
    ) -> DependencyReport:
        """Index the distributions of the environment `python` ("": the project's ``.venv``), or with `node` the
        packages that ``package.json`` names. Raises UsageError where there is no environment."""
        from fourfold.source.installed import distributions, node_packages, site_folder

        root = self._project.root
        trees, left = node_packages(root) if node else distributions(site_folder(root, python))
        if not trees:
            raise UsageError(f"no package is installed for {root}", hint="install them first")
        indexed: list[str] = []
        known: list[str] = []
        failed: list[str] = []
        reports: list[RefreshReport] = []
        for tree in trees:
            try:
                report = self._open(tree).refresh(progress=progress(str(tree)) if progress is not None else None)
            except FourfoldError as error:
                failed.append(f"{tree}: {error.message}")
                continue
            (indexed if report.added or report.changed else known).append(str(tree))
            reports.append(report)
            if report.interrupted:
                break
        done = _report(indexed, known, left, failed, reports)
        if not done.interrupted:
            self._keep(NODE if node else PYTHON, trees)
        return done

    def indexes(self) -> dict[str, Index]:
        """The indexes of the packages, by ``name@version``. Raises IndexUnavailable where none was made."""
        found = {str(tree): self._open(tree) for tree in self._kept()}
        if not found:
            raise IndexUnavailable("no dependency is indexed", hint="run: fourfold index --deps")
        return found

    def joined(self, scope: str) -> JoinedIndex:
        """The packages as one index (scope "deps"), or the project and its packages ("all"): what the project imports
        of them is followed into them. Raises IndexUnavailable where no package is indexed."""
        from fourfold.engine.joined import JoinedIndex

        if scope not in SCOPES[1:]:
            raise UsageError(f"there is no scope {scope[:40]!r}", hint=f"choose one of: {', '.join(SCOPES)}")
        own = {self._project.root.name: self._project} if scope == "all" else {}
        return JoinedIndex(own | self.indexes(), self._project.settings)

    def close(self) -> None:
        """Let go of files and memory."""
        for index in self._opened.values():
            index.close()
        self._opened.clear()

    def _open(self, tree: PackageTree) -> Index:
        from fourfold.engine.index import Index
        from fourfold.store.opening import open_store

        name = str(tree)
        if name not in self._opened:
            settings = load_settings(None).settings  # a project's own settings say nothing of a shared package
            folder = package_folder(tree, settings)
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            self._opened[name] = Index(folder, settings, open_store(folder, settings), tree=tree)
        return self._opened[name]

    def _file(self) -> Path:
        return index_dir(self._project.root, self._project.settings) / FILE_NAME

    def _keep(self, kind: str, trees: list[PackageTree]) -> None:
        """Note the packages of a kind; those of the other kind stay."""
        rows = {key: value for key, value in self._read().items() if key in (PYTHON, NODE)}
        rows[kind] = [{**asdict(tree), "base": os.fspath(tree.base)} for tree in trees]
        path = self._file()
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        replace_text(path, json.dumps(rows))

    def _read(self) -> dict[str, Any]:
        try:
            data = json.loads(self._file().read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return {}
        return data if isinstance(data, dict) else {}

    def _kept(self) -> list[PackageTree]:
        from fourfold.source.installed import PackageTree

        try:
            return [
                PackageTree(row["name"], row["version"], Path(row["base"]), tuple(row["files"]), row["digest"])
                for kind in (PYTHON, NODE)
                for row in self._read().get(kind, [])
            ]
        except (KeyError, TypeError):
            return []


def package_folder(tree: PackageTree, settings: Settings) -> Path:
    """What stands for a version of a package in the cache, whoever has it installed where."""
    return cache_dir(settings) / "packages" / tree.digest / str(tree).replace("/", "+")


def _report(
    indexed: list[str], known: list[str], left: list[str], failed: list[str], reports: list[RefreshReport]
) -> DependencyReport:
    return DependencyReport(
        tuple(indexed),
        tuple(known),
        tuple(left),
        tuple(failed),
        files=sum(report.files for report in reports),
        lines=sum(report.lines for report in reports),
        interrupted=any(report.interrupted for report in reports),
    )
