"""Running git so that nothing in a repository's configuration runs with it."""

from __future__ import annotations

import os
import shutil
from functools import lru_cache
from pathlib import Path

from fourfold.source.words import words

TIMEOUT_S = 20.0

SAFE_CONFIG = (
    ("core.fsmonitor", "false"),
    ("core.hooksPath", os.devnull),
    ("core.pager", "cat"),
    ("gc.auto", "0"),
    ("maintenance.auto", "false"),
)
"""Settings of a repository that would start a program or write to it."""

OFFLINE = {"GIT_NO_LAZY_FETCH": "1", "GIT_ALLOW_PROTOCOL": "none"}
"""Objects that a partial copy lacks are not fetched (by whichever of the two this git knows). In the environment, which
wins over every file: a hostile repository may name a program as its remote (``ext::``), allow that in its own settings,
and then lack an object that git asks for."""

_DROPPED_PREFIXES = ("GIT_TRACE", "GIT_CONFIG")
_DROPPED = words(
    """
    GIT_DIR GIT_WORK_TREE GIT_INDEX_FILE GIT_PREFIX GIT_NAMESPACE GIT_COMMON_DIR GIT_OBJECT_DIRECTORY
    GIT_EXTERNAL_DIFF GIT_PAGER GIT_ALTERNATE_OBJECT_DIRECTORIES GIT_LITERAL_PATHSPECS GIT_GLOB_PATHSPECS
    GIT_NOGLOB_PATHSPECS GIT_ICASE_PATHSPECS
    """
)
_KEPT = frozenset({"GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM", "GIT_CONFIG_NOSYSTEM"})


@lru_cache(maxsize=1)
def git_program() -> str | None:
    """The git program, or None where there is none."""
    return shutil.which("git")


def run_git(root: Path, *arguments: str, extra: tuple[tuple[str, str], ...] = ()) -> bytes | None:
    """Standard output of a git command run in `root`, or None where it fails, takes too long or git is
    missing.

    `extra` are further settings for this run. Arguments are this program's own; what comes from outside
    stands after ``--`` or ``--end-of-options``.
    """
    import subprocess

    program = git_program()
    if program is None:
        return None
    try:
        done = subprocess.run(
            [program, "--no-pager", *arguments],
            cwd=root,
            env=environment((*SAFE_CONFIG, *extra)) | OFFLINE,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            timeout=TIMEOUT_S,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout if done.returncode == 0 else None


def environment(config: tuple[tuple[str, str], ...]) -> dict[str, str]:
    """The environment with the settings in it: there they win over every file, and need no quoting."""
    env = {
        name: value
        for name, value in os.environ.items()
        if name in _KEPT or not (name in _DROPPED or name.startswith(_DROPPED_PREFIXES))
    }
    env.update(GIT_OPTIONAL_LOCKS="0", GIT_TERMINAL_PROMPT="0", GIT_PAGER="cat", LC_ALL="C")
    env["GIT_CONFIG_COUNT"] = str(len(config))
    for number, (key, value) in enumerate(config):
        env[f"GIT_CONFIG_KEY_{number}"] = key
        env[f"GIT_CONFIG_VALUE_{number}"] = value
    return env
