"""The packages that pairs are mined from: ``manifest.tsv``, and where their archives lie."""

from __future__ import annotations

import csv
import re
import subprocess
import tarfile
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from io import BytesIO
from pathlib import Path

from training.embedding.archives import members, repository_members, tar_members

HERE = Path(__file__).resolve().parent
SOURCES = "embedding-sources"
"""Folder below the corpora directory: ``pypi``, ``npm``, ``source``, ``deb`` hold archives as their registries name
them, ``git`` bare repositories as ``OWNER+NAME/repo``."""
KINDS: tuple[str, ...] = ("pypi", "npm", "source", "deb", "git")
"""A wheel or sdist, a tarball, a Debian source package, a Debian package that ships source, a repository."""
_COMMON_WORDS = frozenset({"json", "framework", "effect", "http"})
"""Names of excluded repositories that are everyday names of folders too: only the package itself is left out."""
_INSTALLED = re.compile(
    r"^\./?(usr/)?(share/cargo/registry/[^/]+|share/gocode/src|lib/ruby/vendor_ruby|"
    r"share/rubygems-integration/all/gems/[^/]+|share/php|share/lua/[\d.]+|include|share)/"
)


@dataclass(frozen=True, slots=True)
class Package:
    """One line of the manifest. `version` is a full commit for git; `language` is what most of it is written in."""

    kind: str
    name: str
    version: str
    licence: str
    language: str

    @property
    def key(self) -> str:
        """What its pairs are filed under."""
        return f"{self.kind}--" + re.sub(r"[^A-Za-z0-9.+-]+", "-", self.name).strip("-")


def load_packages(path: Path = HERE / "manifest.tsv") -> list[Package]:
    """Every package of the manifest. Raises ValueError for an unknown kind."""
    with path.open(encoding="utf-8", newline="") as file:
        found = [Package(**row) for row in csv.DictReader(file, delimiter="\t")]
    for package in found:
        if package.kind not in KINDS:
            raise ValueError(f"package {package.name}: kind must be one of {', '.join(KINDS)}")
    return found


@cache
def excluded_names() -> frozenset[str]:
    """Lower-case names of repositories that no package may be: benchmarks, exams, packages held out, the ranking's."""
    from training.ranker.packages import HERE as RANKER
    from training.ranker.packages import load_packages as ranker_packages

    groups = tomllib.loads((RANKER / "excluded.toml").read_text(encoding="utf-8"))
    barred = {name.lower() for group, names in groups.items() if group != "trial_embedding" for name in names.split()}
    return frozenset(barred | {package.name.lower() for package in ranker_packages()})


def excluded_folders() -> frozenset[str]:
    """Names of folders and files that are left out of every package: copies of excluded repositories."""
    return excluded_names() - _COMMON_WORDS


def files_of(package: Package, corpora: Path) -> Iterator[tuple[str, bytes]]:
    """(path, content) of every file; ``debian/copyright`` first, where there is one. Raises FileNotFoundError."""
    folder = corpora / SOURCES / package.kind
    if package.kind == "git":
        owner, name = package.name.split("/")
        yield from repository_members(folder / f"{owner}+{name}" / "repo", package.version)
        return
    archives = archives_of(package, folder)
    if not archives:
        raise FileNotFoundError(f"{package.name} {package.version} is not in {folder}: run the step fetch")
    for archive in archives:
        if package.kind == "deb":
            yield from _installed(archive)
        elif ".debian.tar." in archive.name:
            yield from ((f"debian/{path}", content) for path, content in members(archive) if path == "copyright")
        else:
            yield from members(archive)


def archives_of(package: Package, folder: Path) -> list[Path]:
    """The archives of a package in a folder, Debian's own part first; empty where there are none."""
    version = package.version
    if package.kind == "npm":
        return [
            path for path in [folder / f"{package.name.lstrip('@').replace('/', '-')}-{version}.tgz"] if path.is_file()
        ]
    if package.kind == "pypi":
        start = _plain(f"{package.name}-{version}-")
        return [path for path in sorted(folder.iterdir()) if _plain(path.name).startswith(start)]
    plain = version.partition(":")[2] or version
    if package.kind == "deb":
        named = (version.replace(":", "%3a"), plain)  # apt writes the epoch into the file's name, mirrors do not
        return sorted({path for one in named for path in folder.glob(f"{package.name}_{one}_*.deb")})
    upstream = plain.rpartition("-")[0] or plain
    own = sorted(folder.glob(f"{package.name}_{plain}.debian.tar.*"))
    return own + [
        path for path in sorted(folder.glob(f"{package.name}_{upstream}.orig*.tar.*")) if path.suffix != ".asc"
    ]


def _plain(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name.lower())


def _installed(archive: Path) -> Iterator[tuple[str, bytes]]:
    """Files of a binary package, by their path in the project as far as it can be told; the copyright first."""
    done = subprocess.run(["dpkg-deb", "--fsys-tarfile", str(archive)], capture_output=True, check=True)
    found = []
    with tarfile.open(fileobj=BytesIO(done.stdout)) as packed:
        for path, content in tar_members(packed):
            if path.startswith("./usr/share/doc/") and path.endswith("/copyright"):
                yield "debian/copyright", content
            else:
                found.append((_INSTALLED.sub("", path), content))
    yield from found
