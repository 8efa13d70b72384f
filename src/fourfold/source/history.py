"""Commits as git tells them: what was written, by whom, when, and which files were touched.

Only plumbing is run (``rev-list``, ``diff-tree``), which reads none of a repository's ``log.*`` settings, and no object
is fetched: a partial clone's missing ones are an error, never a connection.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from fourfold.model.errors import IndexUnavailable
from fourfold.source.git import head
from fourfold.source.gitdir import GitDir, find_gitdir
from fourfold.source.gitrun import OFFLINE, SAFE_CONFIG, environment, git_program
from fourfold.source.small import read_small

LIST_TIMEOUT_S = 300.0
"""Listing 99,000 commits took 1.2 s of processor time (4 to 8 s on a busy machine); this leaves room for a million."""
READ_TIMEOUT_S = 600.0
"""For one batch of commits. Only a repository with very large trees comes near."""

_HASH = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")
_CONFIG = (*SAFE_CONFIG, ("diff.renames", "false"), ("diff.relative", "false"), ("color.ui", "false"))
_OFFLINE = OFFLINE | {"GIT_NO_REPLACE_OBJECTS": "1"}
"""No object is fetched, and hashes mean what they say."""

_FIELDS = ("%H", "%at", "%an", "%ae", "%B")
_FORMAT = "%x00" + "%x00".join(_FIELDS)
"""A record begins with an empty field, which no file name can be; a message holds no NUL."""


@dataclass(frozen=True, slots=True)
class Commit:
    """One commit. `date` is the author's, in seconds since the epoch; `files` are relative to the root that was asked
    for, none for a merge."""

    hash: str
    date: int
    author: str
    email: str
    subject: str
    body: str
    files: tuple[str, ...] = ()


def repository(root: Path) -> GitDir:
    """The repository of `root`. Raises IndexUnavailable where there is none, or no git to read it with."""
    if git_program() is None:
        raise IndexUnavailable("git is not installed", hint="the history is read with git")
    found = find_gitdir(root)
    if found is None:
        raise IndexUnavailable(f"{root} is not in a git repository", hint="only git knows a history")
    return found


def tip(root: Path) -> str:
    """The commit that is checked out. Raises IndexUnavailable where there is none yet."""
    state = head(root)
    if state is None or state.commit is None:
        raise IndexUnavailable(f"{root} has no commit yet", hint="its history begins with the first one")
    return state.commit


def depth_mark(git: GitDir) -> str:
    """Changes whenever a shallow clone is deepened; "" where the history is whole."""
    data = read_small(os.path.join(git.common, "shallow"), 1 << 26)  # noqa: PTH118
    if not data:
        return ""
    import hashlib

    return hashlib.blake2b(data, digest_size=8).hexdigest()


def below_top(root: Path, git: GitDir) -> str:
    """Where `root` lies in its work tree: "" at the top, else ``folder/`` with a slash at its end."""
    inside = Path(os.path.realpath(root)).relative_to(os.path.realpath(git.top)).as_posix()
    return "" if inside == "." else inside + "/"


def reachable(root: Path, commit: str) -> list[str]:
    """Hashes of all commits that lead to `commit`, newest first. Raises IndexUnavailable where git fails."""
    out = _git(root, "rev-list", _checked(commit), "--", timeout=LIST_TIMEOUT_S)
    return out.decode("ascii").split()


def moved(root: Path, old: str, new: str) -> tuple[list[str], list[str]] | None:
    """(commits that lead to `old` and not to `new`, those that lead to `new` and not to `old`).

    None where git no longer has `old`: a rewritten history whose old commits were collected.
    """
    try:
        out = _git(root, "rev-list", "--left-right", f"{_checked(old)}...{_checked(new)}", "--", timeout=LIST_TIMEOUT_S)
    except IndexUnavailable:
        return None
    lines = out.decode("ascii").split()
    return [line[1:] for line in lines if line[0] == "<"], [line[1:] for line in lines if line[0] == ">"]


def read_commits(root: Path, hashes: Sequence[str], prefix: str = "") -> Iterator[Commit]:
    """The commits of these hashes, in order.

    With a `prefix` (see :func:`below_top`) files are told relative to it, and commits that touch none below it are left
    out. Raises IndexUnavailable where git fails.
    """
    out = _git(
        root,
        *("diff-tree", "--stdin", "--always", "-z", "-r", "--root", "--name-only", "--no-renames", "--no-ext-diff"),
        *("--no-textconv", "--no-color", "--no-notes", "--encoding=UTF-8", f"--format={_FORMAT}"),
        given="".join(_checked(name) + "\n" for name in hashes).encode("ascii"),
        timeout=READ_TIMEOUT_S,
    )
    for commit in _parsed(out.split(b"\0")):
        if not prefix:
            yield commit
            continue
        inside = tuple(name.removeprefix(prefix) for name in commit.files if name.startswith(prefix))
        if inside:
            yield Commit(commit.hash, commit.date, commit.author, commit.email, commit.subject, commit.body, inside)


def _parsed(fields: list[bytes]) -> Iterator[Commit]:
    at, end = 0, len(fields)
    while at + len(_FIELDS) < end:
        if fields[at]:  # what git wrote is not what this reader knows
            raise IndexUnavailable("git's answer cannot be read", hint="a newer git may be needed: 2.25 or later")
        record = [field.decode("utf-8", "replace") for field in fields[at + 1 : at + 1 + len(_FIELDS)]]
        at += 1 + len(_FIELDS)
        names = []
        while at < end and fields[at]:
            names.append(fields[at].decode("utf-8", "replace"))
            at += 1
        if names:
            names[0] = names[0].removeprefix("\n")  # stands between message and names
        yield _commit(record, tuple(names))


def _commit(record: list[str], names: tuple[str, ...]) -> Commit:
    name, date, author, email, message = record
    paragraph, _, body = message.replace("\r\n", "\n").strip("\n").partition("\n\n")
    subject = " ".join(line.strip() for line in paragraph.split("\n") if line.strip())
    seconds = int(date) if date.lstrip("-").isdecimal() else 0
    return Commit(name, seconds, author, email, subject, body.strip(), names)


def _checked(commit: str) -> str:
    if not _HASH.fullmatch(commit):
        raise IndexUnavailable(f"{commit[:80]!r} is no commit", hint="run `git fsck` to see what is wrong")
    return commit


def _git(root: Path, *arguments: str, timeout: float, given: bytes | None = None) -> bytes:
    """Standard output of git; raises IndexUnavailable with what git said."""
    import subprocess

    program = git_program()
    if program is None:
        raise IndexUnavailable("git is not installed", hint="the history is read with git")
    try:
        done = subprocess.run(
            [program, "--no-pager", *arguments],
            cwd=root,
            env=environment(_CONFIG) | _OFFLINE,
            input=given if given is not None else b"",
            capture_output=True,
            timeout=timeout,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise IndexUnavailable(
            f"git took more than {timeout:.0f} s to read the history of {root}",
            hint="what was read is kept; run it again",
        ) from None
    except OSError as error:
        raise IndexUnavailable(f"git cannot be run: {error.strerror}", hint="the history is read with git") from error
    if done.returncode != 0:
        said = done.stderr.decode("utf-8", "replace").strip().split("\n")[0][:300] or f"exit code {done.returncode}"
        raise IndexUnavailable(f"git cannot read the history of {root}: {said}", hint="run `git log` there")
    return done.stdout
