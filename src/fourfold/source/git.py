"""Facts that git knows of a root: commit and branch, what is tracked, what changed.

Commit, branch and the tracked names are read from git's own files; only what needs a comparison runs git.
"""

from __future__ import annotations

import os
from collections import OrderedDict
from pathlib import Path

from fourfold.model.errors import UsageError
from fourfold.model.record import record
from fourfold.source.gitdir import GitDir, find_gitdir, read_head
from fourfold.source.gitindex import index_names
from fourfold.source.gitrun import git_program, run_git
from fourfold.source.secrets import without_tokens
from fourfold.source.small import read_small

_MAX_INDEX_BYTES = 1 << 30
_CACHED_ROOTS = 16


@record(frozen=True, slots=True)
class GitState:
    """Commit (None before the first) and branch (None where HEAD is detached; without tokens in its name) of a work
    tree."""

    root: Path
    commit: str | None
    branch: str | None

    @property
    def dirty(self) -> int:
        """How many files below the root differ from the commit, untracked ones included. Runs git at each
        access."""
        return dirty_count(self.root)


def head(root: Path) -> GitState | None:
    """The state of the repository at or above `root`, or None where there is none. Well under a
    millisecond."""
    git = find_gitdir(root)
    if git is None:
        return None
    read = read_head(git)
    if read is None:
        commit = _one_line(root, "rev-parse", "--verify", "--quiet", "HEAD")
        branch = _one_line(root, "symbolic-ref", "--quiet", "--short", "HEAD")
        read = (commit or None, branch or None)
    return GitState(root, read[0], read[1] and without_tokens(read[1]))


def dirty_count(root: Path) -> int:
    """Changed, added, deleted and untracked (not ignored) files below `root`; 0 where git cannot tell."""
    out = run_git(
        root,
        *("status", "--porcelain", "-z", "--no-renames"),
        *("--ignore-submodules=all", "--untracked-files=all", "--", "."),
        extra=_without_filters(root),
    )
    return len([entry for entry in (out or b"").split(b"\0") if entry])


def index_key(git: GitDir) -> str:
    """Changes whenever the index of the repository does; "" where there is none."""
    try:
        status = os.stat(os.path.join(git.own, "index"))  # noqa: PTH116, PTH118
    except OSError:
        return ""
    return f"{status.st_mtime_ns}.{status.st_size}.{status.st_ino}"


_tracked: OrderedDict[tuple[str, str], tuple[str, tuple[str, ...]]] = OrderedDict()


def tracked(root: Path, git: GitDir | None = None) -> tuple[str, ...]:
    """Sorted paths below `root`, relative to it, that git tracks; a submodule counts as one path.

    Kept in memory until the repository's index changes. Empty where there is no repository.
    """
    folder = os.path.realpath(root)
    git = git or find_gitdir(folder)
    if git is None:
        return ()
    place, key = (folder, git.own), index_key(git)
    cached = _tracked.get(place)
    if cached is not None and cached[0] == key:
        _tracked.move_to_end(place)
        return cached[1]
    paths = _names(Path(folder), git)
    _tracked[place] = (key, paths)
    while len(_tracked) > _CACHED_ROOTS:
        _tracked.popitem(last=False)
    return paths


def _names(folder: Path, git: GitDir) -> tuple[str, ...]:
    data = read_small(Path(git.own, "index"), _MAX_INDEX_BYTES)
    if data is None:
        return ()
    names = None if _has_long_hashes(git) else index_names(data)
    if names is None:
        out = run_git(folder, "ls-files", "-z", "--cached")
        return tuple(sorted({os.fsdecode(name) for name in (out or b"").split(b"\0") if name}))
    above = folder.relative_to(os.path.realpath(git.top)).as_posix()
    prefix = b"" if above == "." else os.fsencode(above) + b"/"
    return tuple(sorted({os.fsdecode(name[len(prefix) :]) for name in names if name.startswith(prefix)}))


def _has_long_hashes(git: GitDir) -> bool:
    config = read_small(Path(git.common, "config")) or b""
    return b"sha256" in config.lower()


def changed_files(root: Path, since: str | None = None) -> frozenset[str]:
    """Files below `root` that differ from HEAD or, with `since`, from where this branch left that commit.

    Untracked files count, deleted ones do not. Paths are relative to the root. Raises :class:`UsageError`
    where there is no repository, no git, or no such commit.
    """
    if find_gitdir(root) is None:
        raise UsageError(f"{root} is not in a git repository", hint="changed files are known to git only")
    if git_program() is None:
        raise UsageError("git is not installed", hint="--changed and --since compare with git's history")
    base = _base(root, since)
    untracked = run_git(root, "ls-files", "-z", "--others", "--exclude-standard", "--full-name", "--", ".")
    above = run_git(root, "rev-parse", "--show-prefix")
    if base is None:
        changed = run_git(root, "ls-files", "-z", "--cached", "--full-name", "--", ".")
    else:
        changed = run_git(
            root,
            *("diff", "--name-only", "-z", "--no-renames", "--no-ext-diff", "--no-textconv"),
            *("--diff-filter=d", "--ignore-submodules=all", base, "--", "."),
            extra=_without_filters(root),
        )
    if changed is None or untracked is None or above is None:
        raise UsageError(f"git cannot compare {root}", hint="run `git status` there to see what is wrong")
    prefix = len(above.rstrip(b"\n"))
    return frozenset(os.fsdecode(name[prefix:]) for name in (changed + untracked).split(b"\0") if name)


def _base(root: Path, since: str | None) -> str | None:
    """The commit to compare with; None where there is no commit yet."""
    commit = _one_line(root, "rev-parse", "--verify", "--quiet", "HEAD^{commit}")
    if since is None:
        return commit or None
    named = ""
    if since and not since.startswith("-") and "\0" not in since and "\n" not in since:
        named = _one_line(root, "rev-parse", "--verify", "--quiet", "--end-of-options", since + "^{commit}")
    if not named:
        raise UsageError(f"git knows no commit {since!r}", hint="name a branch, a tag or a commit: --since main")
    return _one_line(root, "merge-base", named, commit) or named if commit else named


def _one_line(root: Path, *arguments: str) -> str:
    out = run_git(root, *arguments)
    return out.decode("utf-8", "replace").strip() if out else ""


def _without_filters(root: Path) -> tuple[tuple[str, str], ...]:
    """Settings that switch off the content filters which the repository's own config defines.

    Comparing contents runs them, and they are programs. Those of the user's config (git-lfs) stay.
    """
    out = run_git(root, "config", "--local", "--includes", "--null", "--name-only", "--get-regexp", r"^filter\.")
    keys = {os.fsdecode(key) for key in (out or b"").split(b"\0") if key}
    names = {key.removeprefix("filter.").rpartition(".")[0] for key in keys}
    return tuple(
        (f"filter.{name}.{setting}", value)
        for name in sorted(names)
        for setting, value in (("clean", ""), ("smudge", ""), ("process", ""), ("required", "false"))
    )
