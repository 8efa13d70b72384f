"""Packages that are installed for a project: which there are, and the files of each. Nothing of them is run."""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Container, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from fourfold.model.errors import UsageError
from fourfold.source import policy
from fourfold.source.entry import look_at
from fourfold.source.found import ABSENT, REASONS, UNREADABLE, Found, Skip, WalkOptions, WalkResult
from fourfold.source.read import SourceText, read_file
from fourfold.source.small import read_small

if TYPE_CHECKING:
    from fourfold.source.git import GitState

ENVIRONMENTS = (".venv", "venv")
"""Folders of a project that may be its virtual environment."""
MAX_MANIFEST_BYTES = 8 << 20
_NOT_CODE = (".dist-info/", ".egg-info/", "__pycache__/")


@dataclass(frozen=True, slots=True)
class PackageTree:
    """The files of an installed package, fixed by its version. `base` is the folder that `files` are told from;
    `digest` stands for their list: the same package elsewhere has the same."""

    name: str
    version: str
    base: Path
    files: tuple[str, ...]
    digest: str

    def __str__(self) -> str:
        return f"{self.name}@{self.version}"

    @property
    def origin(self) -> str:
        """``requests 2.31.0, as installed``."""
        return f"{self.name} {self.version}, as installed"

    def walk(self, options: WalkOptions, known: Container[str] | None = None, fingerprint: str = "") -> WalkResult:
        """The files that its own list names; what lies beside them belongs to others."""
        result = WalkResult(fingerprint=self.fingerprint(options))
        real = os.path.realpath(self.base)
        for path in self.files:
            try:
                status = os.lstat(os.path.join(real, path))  # noqa: PTH118
            except OSError:
                result.skipped.append(Skip(path, UNREADABLE, "it is listed and not there"))
                continue
            looked = look_at(real, path, path.rpartition("/")[2], status, options)
            (result.found if isinstance(looked, Found) else result.skipped).append(looked)  # type: ignore[arg-type]
        return result

    def fingerprint(self, options: WalkOptions) -> str:
        """Stands for the version and the options: an installed version does not change."""
        key = repr((self.name, self.version, self.digest, options, policy.POLICY_VERSION))
        return "pkg-" + hashlib.blake2b(key.encode("utf-8", "surrogateescape"), digest_size=12).hexdigest()

    def read(self, found: Found, options: WalkOptions) -> SourceText | Skip:
        """Read a file from where it is installed."""
        return read_file(self.base, found, options)

    def look(self, path: str) -> Found:
        """The stat of a file of the package. Raises OSError."""
        if path not in self.files:
            raise FileNotFoundError(2, "the package has no such file", path)
        state = os.stat(self.base / path)  # noqa: PTH116
        return Found(path, state.st_size, state.st_mtime_ns, state.st_ctime_ns, state.st_ino)

    def has(self, path: str) -> bool:
        """A version never loses a file."""
        return True

    def head(self) -> GitState | None:
        """Packages have no commit."""
        return None

    def dirty(self) -> int:
        """Nothing is compared."""
        return 0

    def why_not(self, path: str, options: WalkOptions) -> Skip | None:
        """The judgment of the walk."""
        if path not in self.files:
            return Skip(path, ABSENT, REASONS[ABSENT])
        return next((skip for skip in self.walk(options).skipped if skip.path == path), None)

    def close(self) -> None:
        """Nothing is open."""


def site_folder(root: Path, python: str = "") -> Path:
    """The folder of installed packages: of the environment or interpreter `python`, else of the project's own
    ``.venv``. Raises UsageError where there is none."""
    tried = [Path(python)] if python else [root / name for name in ENVIRONMENTS]
    for path in tried:
        home = path.absolute()
        # .venv/bin/python: not resolved, since the link leads to the interpreter that the environment was made with.
        home = home.parent.parent if home.is_file() else home
        for found in (*sorted(home.glob("lib/python3*/site-packages")), home / "Lib" / "site-packages"):
            if found.is_dir():
                return found
    what = f"{python} is no Python environment" if python else f"{root} has no .venv"
    raise UsageError(what, hint="name one: --python PATH (an interpreter or the folder of an environment)")


def distributions(site: Path) -> tuple[list[PackageTree], list[str]]:
    """The distributions installed in a folder of packages, by name; and those left out with the reason."""
    from importlib.metadata import Distribution, distributions

    kept: dict[str, PackageTree] = {}
    left: list[str] = []
    listed: Iterator[Distribution] = iter(distributions(path=[str(site)]))
    for found in listed:
        name = re.sub(r"[-_.]+", "-", str(found.metadata["Name"] or "")).lower()
        version = str(found.metadata["Version"] or "")
        if not re.fullmatch(r"[a-z0-9][a-z0-9-]*", name) or not re.fullmatch(r"[A-Za-z0-9.+!_-]+", version):
            continue
        files = [path.as_posix() for path in found.files or ()]
        code = sorted({path for path in files if _is_code(path)})
        if not code:
            left.append(f"{name} {version}: it lists no files here (installed from its source tree?)")
            continue
        kept[name] = PackageTree(name, version, site, tuple(code), _digest(code))
    return [kept[name] for name in sorted(kept)], left


def node_packages(root: Path) -> tuple[list[PackageTree], list[str]]:
    """The packages that ``package.json`` of a project names, as they lie in its ``node_modules``."""
    from fourfold.source.walk import walk

    manifest = _json(root / "package.json")
    wanted = sorted(
        {
            name
            for key in ("dependencies", "devDependencies")
            for name in _table(manifest.get(key))
            if _is_node_name(name)
        }
    )
    kept, left = [], []
    modules = os.path.realpath(root / "node_modules")
    for name in wanted:
        base = Path(os.path.realpath(root / "node_modules" / name))
        version = _json(base / "package.json").get("version")
        if not isinstance(version, str) or not re.fullmatch(r"[A-Za-z0-9.+_-]+", version):
            left.append(f"{name}: it is not installed")
        elif not base.is_relative_to(modules):
            left.append(f"{name}: it is a link to a folder elsewhere")
        else:
            files = [found.path for found in walk(base, WalkOptions(ignore_files=False)).found]
            kept.append(PackageTree(name, version, base, tuple(files), _digest(files)))
    return kept, left


def _is_code(path: str) -> bool:
    outside = path.startswith(("/", "../")) or "/../" in path or "\\" in path
    return not outside and not any(part in path for part in _NOT_CODE) and not path.endswith(".pth")


def _is_node_name(name: str) -> bool:
    return re.fullmatch(r"(?:@[a-z0-9~-][a-z0-9._~-]*/)?[A-Za-z0-9~-][A-Za-z0-9._~-]*", name) is not None


def _digest(files: list[str]) -> str:
    return hashlib.blake2b("\0".join(files).encode("utf-8", "surrogateescape"), digest_size=8).hexdigest()


def _json(path: Path) -> dict[str, object]:
    try:
        data = json.loads(read_small(path, MAX_MANIFEST_BYTES) or b"{}")
    except (ValueError, RecursionError):
        return {}
    return data if isinstance(data, dict) else {}


def _table(value: object) -> dict[str, object]:
    return value if isinstance(value, dict) else {}
