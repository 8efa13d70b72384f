"""Bring one corpus to a folder: git at a commit, PyPI and npm at a version."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from pathlib import Path

from benchmarks.manifest import Corpus

BINARY_SUFFIXES = frozenset({".so", ".pyd", ".dylib", ".dll", ".a", ".o"})


class FetchError(RuntimeError):
    """A corpus cannot be had; the message holds what the tool said."""


def obtain(corpus: Corpus, folder: Path, sources: Path | None = None) -> None:
    """Put the corpus into `folder`, which comes to be only when complete. Raises FetchError."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=".fetch-", dir=folder.parent) as scratch:
        tree = Path(scratch) / "tree"
        tree.mkdir()
        if corpus.kind == "git":
            _git(corpus, tree, Path(scratch), sources)
        else:
            archive = _local_archive(corpus, sources) or _download(corpus, Path(scratch))
            _unpack(archive, tree, corpus)
        tree.rename(folder)


def _git(corpus: Corpus, tree: Path, scratch: Path, sources: Path | None) -> None:
    """Export the commit; without a local copy only that commit is fetched."""
    repository = _local_repository(corpus, sources)
    if repository is None:
        repository = scratch / "bare"
        _run(["git", "init", "--quiet", "--bare", str(repository)])
        _run(["git", f"--git-dir={repository}", "fetch", "--quiet", "--depth=1", corpus.url, corpus.version])
    packed = scratch / "tree.tar"
    _run(["git", f"--git-dir={repository}", "archive", f"--output={packed}", corpus.version, *corpus.keep])
    with tarfile.open(packed) as archive:
        archive.extractall(tree, filter="data")


def _local_repository(corpus: Corpus, sources: Path | None) -> Path | None:
    """A local copy that has the commit."""
    if sources is None:
        return None
    owner, name = corpus.url.removesuffix(".git").rsplit("/", 2)[-2:]
    for candidate in (sources / f"{name}.git", sources / f"{owner}+{name}" / "repo", sources / name / ".git"):
        if candidate.is_dir() and _has(candidate, corpus.version):
            return candidate
    return None


def _has(repository: Path, commit: str) -> bool:
    command = ["git", f"--git-dir={repository}", "cat-file", "-e", f"{commit}^{{commit}}"]
    return subprocess.run(command, capture_output=True, check=False).returncode == 0


def _local_archive(corpus: Corpus, sources: Path | None) -> Path | None:
    """An archive of that name, version and form in `sources`."""
    if sources is None or not sources.is_dir():
        return None
    endings = {"sdist": (".tar.gz",), "wheel": (".whl",), "npm": (".tgz",)}[corpus.kind]
    wanted = f"{_plain(corpus.name)}-{corpus.version}"
    for path in sorted(sources.iterdir()):
        if path.name.endswith(endings) and _plain(path.name).startswith(wanted):
            return path
    return None


def _plain(name: str) -> str:
    return name.lower().replace("_", "-")


def _download(corpus: Corpus, scratch: Path) -> Path:
    """Ask the package's registry through its usual client."""
    target = scratch / "archive"
    target.mkdir()
    if corpus.kind == "npm":
        _run(["npm", "pack", "--silent", f"{corpus.name}@{corpus.version}"], cwd=target)
    else:
        form = ["--no-binary", corpus.name] if corpus.kind == "sdist" else ["--only-binary", ":all:"]
        command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", *form]
        _run([*command, "--dest", str(target), f"{corpus.name}=={corpus.version}"])
    return next(target.iterdir())


def _unpack(archive: Path, tree: Path, corpus: Corpus) -> None:
    """Unpack without the archive's own top folder (a wheel has none), without compiled files."""
    if archive.suffix == ".whl":
        with zipfile.ZipFile(archive) as packed:
            packed.extractall(tree, [n for n in packed.namelist() if Path(n).suffix not in BINARY_SUFFIXES])
        return
    inner = tree.with_name("unpacked")
    with tarfile.open(archive) as packed:
        packed.extractall(inner, filter="data")
    (top,) = inner.iterdir()
    for path in sorted(top.iterdir()):
        if not corpus.keep or path.name in corpus.keep:
            shutil.move(path, tree / path.name)


def _run(command: list[str], cwd: Path | None = None) -> None:
    try:
        done = subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False)
    except FileNotFoundError as error:
        raise FetchError(f"{command[0]} is not installed") from error
    if done.returncode:
        raise FetchError(f"{' '.join(command)}: {done.stderr.strip() or done.stdout.strip()}")
