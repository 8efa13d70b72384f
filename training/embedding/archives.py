"""The text files of a package's archives, read without unpacking and without running anything of it."""

from __future__ import annotations

import subprocess
import tarfile
import zipfile
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

MAX_BYTES = 1_000_000
"""Larger files are generated, data, or bundles ..."""
LARGE_BYTES, LARGE = 30_000_000, (".po", "dist/docs.json", ".noun", ".verb", ".adj", ".adv", "cntlist.rev")
"""... but for catalogues of translations, and for WordNet's files."""


def members(archive: Path) -> Iterator[tuple[str, bytes]]:
    """(path below the archive's top folder, content) of every regular file that is not too large."""
    if archive.suffix in (".whl", ".zip"):
        with zipfile.ZipFile(archive) as packed:
            for info in packed.infolist():
                if not info.is_dir() and _fits(info.filename, info.file_size):
                    yield info.filename, packed.read(info)
        return
    with tarfile.open(archive) as packed:
        yield from ((name.removeprefix("./").partition("/")[2], content) for name, content in tar_members(packed))


def repository_members(repository: Path, commit: str) -> Iterator[tuple[str, bytes]]:
    """The same of a commit of a git repository; files whose content is not in it are left out.

    Raises CalledProcessError where it has no such commit.
    """
    git = ["git", f"--git-dir={repository}"]
    listed = subprocess.run([*git, "ls-tree", "-r", "-z", commit], capture_output=True, check=True).stdout
    entries = [entry.split(b"\t", 1) for entry in listed.split(b"\0") if entry]
    blobs = [(head.split()[2], path.decode("utf-8", "replace")) for head, path in entries if b" blob " in head]
    asked = b"\n".join(name for name, _ in blobs) + b"\n"
    answer = BytesIO(subprocess.run([*git, "cat-file", "--batch"], input=asked, capture_output=True, check=True).stdout)
    for _, path in blobs:
        head = answer.readline().split()
        if head[-1] != b"missing":
            content = answer.read(int(head[2]))
            answer.read(1)
            if _fits(path, len(content)):
                yield path, content


def tar_members(packed: tarfile.TarFile) -> Iterator[tuple[str, bytes]]:
    """(path as stored, content) of every regular file that is not too large."""
    for member in packed:
        if member.isfile() and _fits(member.name, member.size):
            content = packed.extractfile(member)
            if content is not None:
                yield member.name, content.read()


def _fits(path: str, size: int) -> bool:
    return size <= (LARGE_BYTES if path.endswith(LARGE) else MAX_BYTES)


def text_of(content: bytes) -> str | None:
    """The text with ``\\n`` line ends, None for a binary or undecodable file."""
    if b"\0" in content:
        return None
    try:
        return content.decode("utf-8").replace("\r\n", "\n").replace("\r", "\n")
    except UnicodeDecodeError:
        return None
