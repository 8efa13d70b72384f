"""A bare copy of another repository in the cache: fetched step by step, without the blobs that nobody reads.

Where the server allows it the copy is partial (``--filter=blob:none``): commit and folders come at once, and of the
blobs only those that are indexed, in one further request. No history is fetched: a service is read at its ref.
"""

from __future__ import annotations

import hashlib
import re
import shutil
import subprocess
from collections.abc import Iterable
from pathlib import Path

from fourfold.model.errors import BackendUnavailable, IndexUnavailable, UsageError
from fourfold.source.git_address import is_commit, shown
from fourfold.source.git_remote import FETCH_TIMEOUT_S, Remote
from fourfold.source.gitrun import run_git
from fourfold.source.objects import Fetched, GitObjects
from fourfold.source.small import read_small

_OWN = "refs/fourfold/"
MAX_PACKS = 40
"""Each fetch leaves a pack; above so many they are made one, which takes seconds."""


class Mirror:
    """The bare copy of `remote` in `folder`; nothing is made before the first fetch."""

    def __init__(self, folder: Path, remote: Remote) -> None:
        self.folder = folder
        self.remote = remote

    @property
    def exists(self) -> bool:
        """True once something was fetched."""
        return (self.folder / "HEAD").exists()

    @property
    def partial(self) -> bool:
        """True where blobs may be missing that the server has."""
        return b"promisor = true" in (read_small(self.folder / "config") or b"")

    def objects(self, commit: str) -> GitObjects:
        """Those of all commits: they lie side by side."""
        return GitObjects(self.folder)

    def fetch(self, ref: str) -> Fetched:
        """Bring the copy up to the newest state of `ref` ("" for the default branch).

        One small request where nothing changed. Raises UsageError where there is no such ref (what was fetched before
        stays), BackendUnavailable where the repository cannot be asked, IndexUnavailable where the cache is not to be
        written.
        """
        kind, name, commit = self._resolve(ref)
        own = _OWN + (name.removeprefix("refs/") if name else f"commits/{commit}")
        before = self._parsed(own)
        notes: list[str] = []
        if before is None or not commit or (before != commit and self._raw(own) != commit):
            self._prepare(len(commit))
            self._run(f"+{name or commit}:{own}", notes)
            self._tidy()
        after = self._parsed(own)
        if after is None:
            raise UsageError(
                f"{ref!r} of {shown(self.remote.address.url)} is no commit", hint="name a branch, a tag or a commit"
            )
        return Fetched(after, kind, after != before, tuple(notes))

    def need(self, commit: str, blobs: Iterable[str]) -> int:
        """Fetch those of the blobs of `commit` that are missing, in one request; how many they were."""
        if not self.partial:
            return 0
        listed = ("rev-list", "--objects", "--no-object-names", "--missing=print", "--no-walk", commit)
        out = self.remote.git(self.folder, *listed, timeout=FETCH_TIMEOUT_S)
        missing = {line[1:].decode("ascii") for line in out.splitlines() if line.startswith(b"?")}
        wanted = sorted(missing.intersection(blobs))
        if wanted:
            self.remote.git(
                self.folder,
                *("-c", "fetch.negotiationAlgorithm=noop", "fetch", "--quiet", "--no-tags", "--no-write-fetch-head"),
                *("--no-auto-gc", "--filter=blob:none", "--stdin", "origin"),
                timeout=FETCH_TIMEOUT_S,
                given="".join(f"{name}\n" for name in wanted).encode("ascii"),
            )
        return len(wanted)

    def remove(self) -> None:
        """Delete the copy."""
        shutil.rmtree(self.folder, ignore_errors=True)
        shutil.rmtree(self.folder.with_suffix(".lock"), ignore_errors=True)

    def _resolve(self, ref: str) -> tuple[str, str, str]:
        """(kind, full name of the ref there, hash); the name is "" for a commit."""
        if is_commit(ref):
            return "commit", "", ref
        wanted = [f"refs/heads/{ref}", f"refs/tags/{ref}"] if ref else ["HEAD"]
        found = self.remote.ls_remote(*wanted)
        for name, kind in zip(wanted, ("branch", "tag") if ref else ("default branch",), strict=True):
            if name in found:
                return kind, name, found[name]
        where = shown(self.remote.address.url)
        if not ref:
            raise UsageError(f"{where} is empty", hint="push a first commit to it")
        raise UsageError(f"{where} has no branch or tag {ref!r}", hint="see what there is: git ls-remote ADDRESS")

    def _prepare(self, length: int) -> None:
        """Make the bare repository where there is none yet; its settings name the address and no token."""
        if not self.exists:
            try:
                self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            except OSError as error:
                raise IndexUnavailable(f"{self.folder} cannot be made: {error.strerror}") from error
            form = ("--object-format=sha256",) if length == 64 else ()
            self.remote.git(None, "init", "--quiet", "--bare", "--template=", *form, str(self.folder), timeout=60)
        self.remote.git(self.folder, "config", "remote.origin.url", self.remote.address.url, timeout=60)

    def _run(self, refspec: str, notes: list[str]) -> None:
        def said(text: str) -> None:
            if "filtering not recognized" in text:
                notes.append("the server does not filter: every file of the ref was fetched")

        flags = ("--quiet", "--no-tags", "--force", "--no-write-fetch-head", "--update-shallow", "--no-auto-gc")
        try:
            self.remote.git(
                self.folder,
                *("fetch", *flags, "--no-recurse-submodules", "--depth=1", "--filter=blob:none", "origin", refspec),
                timeout=FETCH_TIMEOUT_S,
                said=said,
            )
        except BackendUnavailable as error:
            if "not our ref" in error.message or "unadvertised" in error.message:
                where = shown(self.remote.address.url)
                raise UsageError(
                    f"{where} does not have the commit {refspec[1:13]}", hint="check the hash, or name a branch"
                ) from error
            raise

    def _tidy(self) -> None:
        """Make one pack of many; where that fails the packs stay as they are."""
        packs = list((self.folder / "objects" / "pack").glob("*.pack"))
        if len(packs) > MAX_PACKS:
            self._plain("repack", "-a", "-d", "-q")

    def _raw(self, ref: str) -> str:
        return (self._plain("rev-parse", "--verify", "--quiet", ref) or "").strip()

    def _parsed(self, ref: str) -> str | None:
        """The commit that one of our own refs leads to, None where there is none."""
        out = (self._plain("rev-parse", "--verify", "--quiet", f"{ref}^{{commit}}") or "").strip()
        return out if is_commit(out) else None

    def _plain(self, *arguments: str) -> str | None:
        if not self.exists:
            return None
        try:
            out = run_git(self.folder, "--git-dir", str(self.folder), *arguments)
        except subprocess.SubprocessError:
            return None
        return out.decode("ascii", "replace") if out is not None else None


def mirror_folder(cache: Path, url: str) -> Path:
    """Where the copy of an address lies in the cache: ``mirrors/NAME-HASH.git``."""
    digest = hashlib.blake2b(url.encode("utf-8", "surrogateescape"), digest_size=8).hexdigest()
    name = re.sub(r"[^A-Za-z0-9._-]+", "_", url.rstrip("/").rpartition("/")[2].removesuffix(".git"))[:40].strip(".")
    return cache / "mirrors" / f"{name or 'repository'}-{digest}.git"
