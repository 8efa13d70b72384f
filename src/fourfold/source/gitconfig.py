"""The two settings of git that decide what it ignores: the global excludes file, and case."""

from __future__ import annotations

import os
import re
from pathlib import Path

from fourfold.source.gitdir import GitDir
from fourfold.source.gitrun import run_git
from fourfold.source.small import read_linked, read_small

_EXCLUDES = re.compile(rb"^[ \t]*(?:\[core\][ \t]*)?excludes?file[ \t]*=", re.IGNORECASE | re.MULTILINE)
_INCLUDE = re.compile(rb"^[ \t]*\[include", re.IGNORECASE | re.MULTILINE)
_IGNORE_CASE = re.compile(
    rb"^[ \t]*(?:\[core\][ \t]*)?ignorecase[ \t]*(?:=[ \t]*(?:true|yes|on|1)\b|$)",
    re.IGNORECASE | re.MULTILINE,
)
_SYSTEM = ("/etc/gitconfig", "/usr/local/etc/gitconfig", "/opt/homebrew/etc/gitconfig")


def excludes_file(root: Path, git: GitDir | None) -> str:
    """The global excludes file: ``core.excludesFile``, else ``git/ignore`` in the user's config folder; "" for none.

    ``~/.gitignore`` is not it: that one belongs to a repository in the home directory. git is run only where
    a config file mentions the setting or includes other files.
    """
    folder = _config_home()
    if any(_EXCLUDES.search(data) or _INCLUDE.search(data) for data in _config_files(git, folder)):
        out = run_git(root, "config", "--type=path", "--get", "core.excludesFile")
        if out is not None:
            named = os.fsdecode(out.rstrip(b"\n"))
            return str(root / named) if named else ""
    return f"{folder}/git/ignore" if folder else ""


def ignores_case(git: GitDir | None) -> bool:
    """``core.ignoreCase`` of the repository; git sets it where the file system takes any case."""
    data = read_small(Path(git.common, "config")) if git else None
    return bool(data and _IGNORE_CASE.search(data))


def _config_files(git: GitDir | None, folder: str) -> list[bytes]:
    """What the configuration files hold that there are; `folder` is the user's config folder. Each look at a tree asks
    for them, hence names as plain strings."""
    system = os.environ.get("GIT_CONFIG_SYSTEM")
    user = os.environ.get("GIT_CONFIG_GLOBAL")
    paths = [system] if system else list(_SYSTEM)
    if user is not None:
        paths.append(user)
    else:
        home = _home()
        paths += [f"{home}/.gitconfig"] if home else []
        paths += [f"{folder}/git/config"] if folder else []
    if git is not None:
        paths += [f"{git.common}/config", f"{git.own}/config.worktree"]
    return [data for path in paths if (data := read_linked(path))]


def _home() -> str:
    """The home directory, "" where there is none."""
    home = os.path.expanduser("~")  # noqa: PTH111 (a path object raises where there is none)
    return "" if home == "~" else home


def _config_home() -> str:
    """The user's config folder, "" where there is none."""
    home = _home()
    return os.environ.get("XDG_CONFIG_HOME") or (f"{home}/.config" if home else "")
