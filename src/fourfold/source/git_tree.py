"""The files of a commit, read from a repository without a work tree.

What git tracks is source, so only our own rules apply (options, ``.fourfoldignore``, secrets, names, sizes, content). A
blob's hash stands in the stat values of what is found: equal hashes are equal files, and no other file is read again.
"""

from __future__ import annotations

import hashlib
import posixpath
from collections.abc import Container, Iterator
from dataclasses import dataclass

from fourfold.source import found as reasons
from fourfold.source import policy
from fourfold.source.found import Found, Skip, WalkOptions, WalkResult
from fourfold.source.git import GitState
from fourfold.source.ignore import OWN_IGNORE
from fourfold.source.objects import LINK, SUBMODULE, Entry, Folder, Objects
from fourfold.source.read import SourceText, text_of
from fourfold.source.ref_judge import RefJudge
from fourfold.source.scope import Scope
from fourfold.source.secrets import is_secret_path

_MAX_LINK_BYTES = 4_096
_MAX_LINKS = 8
_DIGITS = 15
"""Hex digits of a hash in one stat value (60 bits, below the 63 of a database's integer)."""
_MAX_DIGITS = 3 * _DIGITS
"""Digits kept of a longer hash (SHA-256): git finds an object by any unambiguous beginning."""


@dataclass(frozen=True, slots=True)
class GitTree:
    """The folder `root` ("" for all) of `commit` (a whole hash), out of `objects`.

    `label` names the repository and `ref` the branch or tag for people.
    """

    objects: Objects
    commit: str
    ref: str = ""
    root: str = ""
    label: str = ""

    def __str__(self) -> str:
        inside = f":{self.root}" if self.root else ""
        return f"{self.label or self.objects.place}@{self.ref or self.commit[:12]}{inside}"

    @property
    def origin(self) -> str:
        """``main at 1a2b3c4d5e6f``."""
        return f"{self.ref} at {self.commit[:12]}" if self.ref else f"commit {self.commit[:12]}"

    def walk(self, options: WalkOptions, known: Container[str] | None = None, fingerprint: str = "") -> WalkResult:
        """List the files of the commit. Raises UsageError where the root is not in it."""
        try:
            return _RefWalk(self, options).run()
        finally:
            self.close()

    def fingerprint(self, options: WalkOptions) -> str:
        """Stands for the commit and the options: nothing else decides."""
        key = repr((self.commit, self.root, options, policy.POLICY_VERSION))
        return "ref-" + hashlib.blake2b(key.encode("utf-8", "surrogateescape"), digest_size=12).hexdigest()

    def read(self, found: Found, options: WalkOptions) -> SourceText | Skip:
        """Read a blob."""
        try:
            data = self.objects.read(hash_of(found, len(self.commit)), options.max_file_bytes)
        except OSError as error:
            return _skip(found, reasons.UNREADABLE, error.strerror or str(error))
        if data is None:
            return _skip(found, reasons.UNREADABLE, "the repository does not have its content")
        if len(data) > options.max_file_bytes:
            return _skip(found, reasons.TOO_LARGE, f"the cap is {options.max_file_bytes:,} bytes")
        return text_of(found, data, options)

    def look(self, path: str) -> Found:
        """The file at a path. Raises OSError where the commit has none."""
        listing = self.listing()
        path = _followed(self, listing, path) or path
        entry = _at(listing, path)
        if not isinstance(entry, Entry) or entry.mode == SUBMODULE:
            raise FileNotFoundError(2, "the commit has no such file", path)
        return _found(path, entry, self.objects.sizes([entry.hash]).get(entry.hash, 0))

    def has(self, path: str) -> bool:
        """A commit never loses a file."""
        return True

    def head(self) -> GitState | None:
        """The commit and the ref."""
        return GitState(self.objects.place, self.commit, self.ref or None)

    def dirty(self) -> int:
        """A commit has no changes."""
        return 0

    def why_not(self, path: str, options: WalkOptions) -> Skip | None:
        """The judgment of the walk."""
        entry = _at(self.listing(), path)
        if entry is None:
            return Skip(path, reasons.ABSENT, f"there is none at {self.origin}")
        if not isinstance(entry, Entry):
            return Skip(path, reasons.DIRECTORY, "a folder is not indexed itself, what lies in it is")
        walked = self.walk(options)
        if any(found.path == path for found in walked.found):
            return None
        named = next((skip for skip in walked.skipped if skip.path == path), None)
        return named or Skip(path, reasons.IGNORED, reasons.REASONS[reasons.IGNORED])

    def close(self) -> None:
        """Let go of what reads blobs."""
        self.objects.close()

    def listing(self) -> Folder:
        """All entries below the root, by folder. Raises UsageError where the root is not in the commit."""
        return self.objects.listing(self.commit, self.root)

    def telling_blobs(self) -> list[str]:
        """Hashes of the blobs that say what is to be read: links, and our own ignore files."""
        return [entry.hash for name, entry in _entries(self.listing()) if entry.mode == LINK or name == OWN_IGNORE]

    def blobs(self, options: WalkOptions) -> list[str]:
        """Hashes of the blobs that reading the tree needs, as far as names tell."""
        try:
            return [entry.hash for _, _, entry in _RefWalk(self, options).kept()]
        finally:
            self.close()


class _RefWalk:
    """One pass over the entries of a commit."""

    def __init__(self, tree: GitTree, options: WalkOptions) -> None:
        self._tree = tree
        self._options = options
        self._listing = tree.listing()
        self._judge = RefJudge(options, self._content)
        self._result = WalkResult(fingerprint=tree.fingerprint(options))

    def run(self) -> WalkResult:
        result = self._result
        kept = list(self.kept())
        known = self._tree.objects.sizes(entry.hash for _, _, entry in kept)
        for path, target, entry in kept:
            size = known.get(entry.hash, 0)
            found = _found(path, entry, size)
            if size > self._options.max_file_bytes:
                detail = f"{size:,} bytes, the cap is {self._options.max_file_bytes:,}"
                result.skipped.append(_skip(found, reasons.TOO_LARGE, detail))
            elif target != path and is_secret_path(target):
                result.skipped.append(_skip(found, reasons.LINK_OUTSIDE, f"it leads to {target}, which is never read"))
            else:
                result.found.append(found)
        result.found.sort(key=lambda found: found.path)
        result.skipped.sort(key=lambda skip: skip.path)
        result.warnings = self._judge.warnings
        return result

    def kept(self) -> Iterator[tuple[str, str, Entry]]:
        """(path, path of the file that it leads to, entry of that file) of everything that names do not rule out."""
        stack: list[tuple[str, Folder, Scope]] = [("", self._listing, self._judge.start(self._listing))]
        while stack:
            prefix, folder, scope = stack.pop()
            for name, entry in folder.items():
                path = prefix + name
                if not isinstance(entry, Entry):
                    inside = self._judge.folder(scope, name, path)
                    if isinstance(inside, Scope):
                        stack.append((path + "/", entry, self._judge.within(path + "/", inside, entry)))
                    else:
                        self._result.ignored_dirs += 1
                elif self._judge.file(scope, name, path) is not None:
                    self._result.ignored_files += 1
                else:
                    looked = self._look(path, name, entry)
                    if isinstance(looked, Skip):
                        self._result.skipped.append(looked)
                    else:
                        yield looked

    def _look(self, path: str, name: str, entry: Entry) -> tuple[str, str, Entry] | Skip:
        printable = path.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")
        if printable != path:
            return Skip(printable, reasons.BAD_NAME, "its name is not valid Unicode")
        if entry.mode == SUBMODULE:
            return _skip(_found(path, entry), reasons.SUBMODULE, f"a submodule at {entry.hash[:12]}")
        if is_secret_path(path):
            return _skip(_found(path, entry), reasons.SECRET, f"{name} may hold keys or passwords")
        by_name = policy.skip_by_name(name)
        if by_name is not None:
            return _skip(_found(path, entry), *by_name)
        if entry.mode != LINK:
            return path, path, entry
        target = _followed(self._tree, self._listing, path)
        if target is None:
            return _skip(_found(path, entry), reasons.LINK_OUTSIDE, "it leads out of the root")
        reached = _at(self._listing, target)
        if isinstance(reached, Entry) and reached.mode not in (LINK, SUBMODULE):
            return path, target, reached
        if isinstance(reached, dict):
            return _skip(_found(path, entry), reasons.LINK_TO_DIRECTORY, f"it leads to {target}")
        return _skip(_found(path, entry), reasons.LINK_BROKEN, "it leads to nothing, or round in a circle")

    def _content(self, path: str) -> bytes:
        entry = _at(self._listing, path)
        if not isinstance(entry, Entry) or entry.mode == LINK:
            return b""
        return self._tree.objects.read(entry.hash, self._judge.max_bytes) or b""


def _entries(folder: Folder) -> Iterator[tuple[str, Entry]]:
    """Name and entry of everything below a folder."""
    stack = [folder]
    while stack:
        for name, entry in stack.pop().items():
            if isinstance(entry, Entry):
                yield name, entry
            else:
                stack.append(entry)


def _at(listing: Folder, path: str) -> Entry | Folder | None:
    here: Entry | Folder | None = listing
    for part in path.split("/"):
        if not isinstance(here, dict):
            return None
        here = here.get(part)
    return here


def _followed(tree: GitTree, listing: Folder, path: str) -> str | None:
    """Where a link leads, at most so many links far; None where that is outside of the root."""
    for _ in range(_MAX_LINKS):
        entry = _at(listing, path)
        if not isinstance(entry, Entry) or entry.mode != LINK:
            return path
        data = tree.objects.read(entry.hash, _MAX_LINK_BYTES) or b""
        target = data.decode("utf-8", "surrogateescape")
        path = posixpath.normpath(posixpath.join(posixpath.dirname(path), target))
        if not target or path.startswith(("/", "../")) or path in (".", ".."):
            return None
    return path


def _found(path: str, entry: Entry, size: int = 0) -> Found:
    """The stat values that stand for a blob."""
    digits = entry.hash[:_MAX_DIGITS]
    first, second, third = (digits[at : at + _DIGITS] for at in range(0, _MAX_DIGITS, _DIGITS))
    return Found(path, size, int(first, 16), int(second, 16), int(third, 16))


def hash_of(found: Found, length: int) -> str:
    """The hash (or the beginning that is kept of a long one) out of stat values; `length` is that of whole hashes."""
    digits = min(length, _MAX_DIGITS)
    last = digits - 2 * _DIGITS
    return f"{found.mtime_ns:0{_DIGITS}x}{found.ctime_ns:0{_DIGITS}x}{found.inode:0{last}x}"


def _skip(found: Found, reason: str, detail: str) -> Skip:
    return Skip(found.path, reason, detail, found.size, found.mtime_ns, found.ctime_ns, found.inode)
