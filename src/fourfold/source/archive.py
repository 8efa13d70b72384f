"""A repository as zip archives of its commits in the cache: what a forge gives where git is not wanted.

An archive is kept as it came and never unpacked: files are read out of it one by one, so no name in it can lead
anywhere. Beside it stands a listing with the hash that git would give each file, by which equal files of two commits
are known.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import shutil
import stat
import threading
import zipfile
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from functools import lru_cache
from pathlib import Path

from fourfold.config.whole_file import aside_of, replace_text
from fourfold.model.errors import BackendUnavailable, IndexUnavailable
from fourfold.source.forge import Asked, Forge
from fourfold.source.git_address import is_commit, shown
from fourfold.source.objects import FILE, LINK, Entry, Fetched, Folder, no_folder, put

REFS_FILE = "refs.json"
MAX_MEMBER_BYTES = 64 << 20
"""Larger files are no source: they are listed by size alone and never read."""
_DAMAGED = (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, ValueError)
"""What reading a zip that is none, or is damaged, encrypted or packed in another way, may raise."""


@dataclass(frozen=True, slots=True)
class Member:
    """A file or link: its path below the archive's top folder, its mode, its hash as git's, its bytes."""

    path: str
    mode: str
    hash: str
    size: int


@dataclass(frozen=True, slots=True)
class ArchiveObjects:
    """The archive of one commit in `file`, and its listing beside it."""

    file: Path

    @property
    def place(self) -> Path:
        """The archive."""
        return self.file

    def listing(self, commit: str, root: str) -> Folder:
        """The entries of the commit that it is of."""
        here: Folder | Entry | None = _listed(self.file)
        for part in root.split("/") if root else ():
            here = here.get(part) if isinstance(here, dict) else None
        if not isinstance(here, dict):
            raise no_folder(commit, root)
        return here

    def sizes(self, names: Iterable[str]) -> dict[str, int]:
        """Bytes of each file, by hash."""
        known = {member.hash: member.size for member in _members(self.file)}
        return {name: known[name] for name in names if name in known}

    def read(self, name: str, limit: int) -> bytes | None:
        """A file out of the archive."""
        return _open(self.file).read(name, limit)

    def close(self) -> None:
        """Close the archive."""
        with _guard:
            opened = _opened.pop((os.getpid(), self.file), None)
        if opened is not None:
            opened.close()


class Archive:
    """The archives of one repository, in `folder`; nothing is made before the first fetch."""

    def __init__(self, folder: Path, forge: Forge) -> None:
        self.folder = folder
        self.forge = forge
        self._came: frozenset[str] = frozenset()

    def objects(self, commit: str) -> ArchiveObjects:
        """Those of one commit."""
        return ArchiveObjects(self._file(commit))

    def fetch(self, ref: str) -> Fetched:
        """Ask for the commit of `ref`, and for its archive where that is not here. See :class:`Copy`."""
        refs = self._refs()
        known = refs.get(ref)
        if is_commit(ref) and self._has(ref):
            return Fetched(ref, "commit", False)
        asked = self.forge.commit_of(ref, known if known is not None and self._has(known.commit) else None)
        if not self._has(asked.commit):
            self._bring(asked.commit)
        if asked != known:
            self._note({**refs, ref: asked})
            self._tidy({one.commit for one in (*refs.values(), asked)})
        kind = "commit" if is_commit(ref) else "branch or tag" if ref else "default branch"
        return Fetched(asked.commit, kind, known is None or known.commit != asked.commit)

    def need(self, commit: str, blobs: Iterable[str]) -> int:
        """Nothing is missing: an archive comes whole. How many of the blobs the last one brought."""
        return len(self._came.intersection(blobs))

    def remove(self) -> None:
        """Delete the archives."""
        shutil.rmtree(self.folder, ignore_errors=True)
        shutil.rmtree(self.folder.with_suffix(".lock"), ignore_errors=True)

    def _file(self, commit: str) -> Path:
        return self.folder / f"{commit}.zip"

    def _has(self, commit: str) -> bool:
        return is_commit(commit) and self._file(commit).exists() and _listing_file(self._file(commit)).exists()

    def _bring(self, commit: str) -> None:
        """Download, list, and only then put both in their places: the listing last."""
        before = {member.hash for one in self._refs().values() for member in self._known(one.commit)}
        file = self._file(commit)
        part = aside_of(file)
        try:
            self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            with part.open("wb") as out:
                out.writelines(self.forge.archive(commit))
            members = list(_read_members(part))
            part.replace(file)
            listing = [list(asdict(member).values()) for member in members]
            replace_text(_listing_file(file), json.dumps(listing))
        except _DAMAGED as error:
            raise BackendUnavailable(
                f"{shown(self.forge.address.url)} sent an archive that cannot be read", hint="try again later"
            ) from error
        except OSError as error:
            raise IndexUnavailable(
                f"{self.folder} cannot be written: {error.strerror}", hint="free some space, or check its permissions"
            ) from error
        finally:
            part.unlink(missing_ok=True)
        self._came = frozenset(member.hash for member in members) - before

    def _known(self, commit: str) -> tuple[Member, ...]:
        return _members(self._file(commit)) if self._has(commit) else ()

    def _refs(self) -> dict[str, Asked]:
        """What the last fetch of each ref was told."""
        try:
            data = json.loads((self.folder / REFS_FILE).read_text(encoding="utf-8"))
            return {str(ref): Asked(str(commit), str(etag)) for ref, (commit, etag) in data.items()}
        except (OSError, ValueError, TypeError, AttributeError):
            return {}

    def _note(self, refs: dict[str, Asked]) -> None:
        known = {ref: [asked.commit, asked.etag] for ref, asked in refs.items()}
        replace_text(self.folder / REFS_FILE, json.dumps(known))

    def _tidy(self, kept: set[str]) -> None:
        """Delete archives of commits that no ref is at now or was before this fetch: one may still be read."""
        for file in self.folder.glob("*.zip"):
            if file.stem not in kept:
                for one in (_listing_file(file), file):
                    with contextlib.suppress(OSError):
                        one.unlink()


class _OpenArchive:
    """An archive that is being read. Safe to share between threads: ``zipfile`` locks each read."""

    def __init__(self, file: Path) -> None:
        self._zip = zipfile.ZipFile(file)
        self._names = {one.path: name for name, one in _placed(self._zip)}
        self._paths = {member.hash: member.path for member in _members(file)}

    def read(self, name: str, limit: int) -> bytes | None:
        """At most `limit` + 1 bytes. Raises OSError where the archive is damaged."""
        inside = self._names.get(self._paths.get(name, ""))
        if inside is None:
            return None
        try:
            with self._zip.open(inside) as stream:
                return stream.read(limit + 1)
        except _DAMAGED as error:
            raise OSError(5, "the archive is damaged", str(self._zip.filename)) from error

    def close(self) -> None:
        """Close the file."""
        self._zip.close()


_opened: dict[tuple[int, Path], _OpenArchive] = {}
"""By process too: a forked one shares the position in an open file with the one that it comes from."""
_guard = threading.Lock()


def _open(file: Path) -> _OpenArchive:
    key = (os.getpid(), file)
    with _guard:
        if key not in _opened:
            try:
                _opened[key] = _OpenArchive(file)
            except _DAMAGED as error:
                raise OSError(5, "the archive is damaged", str(file)) from error
        return _opened[key]


@dataclass(frozen=True, slots=True)
class _Placed:
    path: str
    mode: str
    size: int


def _placed(archive: zipfile.ZipFile) -> Iterator[tuple[str, _Placed]]:
    """(name in the archive, path and kind) of files and links below the top folder, which is the first one: an archive
    of a commit has no other. Names that lead anywhere but down are left out."""
    seen: set[str] = set()
    only = ""
    for info in archive.infolist():
        mode = info.external_attr >> 16  # as the file system has it
        top, _, path = info.filename.partition("/")
        only = only or top
        if top != only:
            continue
        if info.is_dir() or stat.S_ISDIR(mode) or not top or not path or path in seen:
            continue
        if "\0" in path or "\\" in path or any(part in ("", ".", "..") for part in path.split("/")):
            continue
        seen.add(path)
        yield info.filename, _Placed(path, LINK if stat.S_ISLNK(mode) else FILE, info.file_size)


def _read_members(file: Path) -> Iterator[Member]:
    """Files and links of an archive with their hashes; reading them checks what the archive says of each."""
    with zipfile.ZipFile(file) as archive:
        for name, placed in _placed(archive):
            if placed.size > MAX_MEMBER_BYTES:
                number = hashlib.sha1(f"{placed.path}\0{placed.size}".encode(), usedforsecurity=False).hexdigest()
            else:
                number = _blob_hash(archive.read(name))
            yield Member(placed.path, placed.mode, number, placed.size)


def _blob_hash(data: bytes) -> str:
    """The name that git gives a blob of this content: the SHA-1 of ``blob SIZE`` , a zero byte and the content."""
    return hashlib.sha1(b"blob %d\0" % len(data) + data, usedforsecurity=False).hexdigest()


def _listing_file(file: Path) -> Path:
    return file.with_suffix(".json")


@lru_cache(maxsize=4)
def _members(file: Path) -> tuple[Member, ...]:
    """The listing beside an archive: it never changes. Raises OSError where it cannot be read."""
    try:
        rows = json.loads(_listing_file(file).read_text(encoding="utf-8"))
        return tuple(Member(str(path), str(mode), str(number), int(size)) for path, mode, number, size in rows)
    except (ValueError, TypeError) as error:
        raise OSError(5, "the listing of the archive is damaged", str(file)) from error


@lru_cache(maxsize=4)
def _listed(file: Path) -> Folder:
    top: Folder = {}
    for member in _members(file):
        put(top, member.path.split("/"), Entry(member.mode, member.hash))
    return top


def archive_folder(mirror: Path) -> Path:
    """Where archives lie, beside where the git copy of the same address would."""
    return mirror.with_suffix(".archives")
