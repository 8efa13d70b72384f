"""Where a platform wants caches and configuration, as :mod:`platformdirs` says, without the 10 ms to load it where the
answer is a matter of one variable."""

from __future__ import annotations

import os
import sys
from pathlib import Path

NAME = "fourfold"


def cache_folder() -> Path:
    """The platform's folder for caches of this program (it need not exist)."""
    found = _xdg("XDG_CACHE_HOME", "~/.cache")
    if found is not None:
        return found
    from platformdirs import user_cache_dir

    return Path(user_cache_dir(NAME, appauthor=False))


def config_folder() -> Path:
    """The platform's folder for the user's configuration of this program (it need not exist)."""
    found = _xdg("XDG_CONFIG_HOME", "~/.config")
    if found is not None:
        return found
    from platformdirs import user_config_dir

    return Path(user_config_dir(NAME, appauthor=False))


def _xdg(variable: str, default: str) -> Path | None:
    """By the XDG Base Directory Specification; None on systems that have folders of their own."""
    if not sys.platform.startswith("linux") or "ANDROID_DATA" in os.environ:
        return None
    named = os.environ.get(variable, "")  # the specification has relative paths ignored
    return Path(named if os.path.isabs(named) else os.path.expanduser(default)) / NAME  # noqa: PTH111, PTH117
