"""The two settings of git that decide what it ignores: the global excludes file, and case."""

from __future__ import annotations

import os
import re
from pathlib import Path

from fourfold.source.gitdir import GitDir
from fourfold.source.gitrun import run_git
from fourfold.source.small import read_small

_EXCLUDES = re.compile(rb"^[ \t]*(?:\[core\][ \t]*)?excludes?file[ \t]*=", re.IGNORECASE | re.MULTILINE)
_INCLUDE = re.compile(rb"^[ \t]*\[include", re.IGNORECASE | re.MULTILINE)
_IGNORE_CASE = re.compile(
    rb"^[ \t]*(?:\[core\][ \t]*)?ignorecase[ \t]*(?:=[ \t]*(?:true|yes|on|1)\b|$)",
    re.IGNORECASE | re.MULTILINE,
)
_SYSTEM = ("/etc/gitconfig", "/usr/local/etc/gitconfig", "/opt/homebrew/etc/gitconfig")


def excludes_file(root: Path, git: GitDir | None) -> Path | None:
    """The global excludes file: ``core.excludesFile``, else ``git/ignore`` in the user's config folder.

    ``~/.gitignore`` is not it: that one belongs to a repository in the home directory. git is run only where
    a config file mentions the setting or includes other files.
    """
    if any(_EXCLUDES.search(data) or _INCLUDE.search(data) for data in _config_files(git)):
        out = run_git(root, "config", "--type=path", "--get", "core.excludesFile")
        if out is not None:
            named = os.fsdecode(out.rstrip(b"\n"))
            return root / named if named else None
    folder = _config_home()
    return folder / "git" / "ignore" if folder else None


def ignores_case(git: GitDir | None) -> bool:
    """``core.ignoreCase`` of the repository; git sets it where the file system takes any case."""
    data = read_small(Path(git.common, "config")) if git else None
    return bool(data and _IGNORE_CASE.search(data))


def _config_files(git: GitDir | None) -> list[bytes]:
    home, folder = _home(), _config_home()
    system = os.environ.get("GIT_CONFIG_SYSTEM")
    user = os.environ.get("GIT_CONFIG_GLOBAL")
    paths = [Path(system)] if system else [Path(path) for path in _SYSTEM]
    if user is not None:
        paths.append(Path(user))
    else:
        paths += [home / ".gitconfig"] if home else []
        paths += [folder / "git" / "config"] if folder else []
    if git is not None:
        paths += [Path(git.common, "config"), Path(git.own, "config.worktree")]
    # The user's own files may be links (dotfiles managers), hence the resolution.
    return [data for path in paths if (data := read_small(os.path.realpath(path)))]


def _home() -> Path | None:
    try:
        return Path.home()
    except RuntimeError:
        return None


def _config_home() -> Path | None:
    named = os.environ.get("XDG_CONFIG_HOME")
    if named:
        return Path(named)
    home = _home()
    return home / ".config" if home else None
