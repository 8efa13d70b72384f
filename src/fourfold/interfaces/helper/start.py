"""Starting a helper: in the background, once the command that missed it has done its work."""

from __future__ import annotations

import os
import sys
import time

from fourfold.interfaces.helper import place

AGAIN_S = 10.0
"""After an attempt to start one nobody tries again for so long: commands side by side start one, and one that cannot
run does not cost each command."""

_KEYS = ("KEY", "TOKEN", "SECRET", "PASSW", "CREDENTIAL", "AUTH")
"""Parts of names of variables that hold what nobody else should read."""

_PROGRAM = "import sys; sys.path.append(sys.argv.pop(1)); from fourfold.interfaces.helper.server import main; main()"


def start(folder: str) -> bool:
    """Start a helper that meets its clients in `folder`; False where none can be, or one was started a moment ago.

    It has a session of its own and none of this process's streams or files, and outlives it. Nothing is raised.
    """
    code = os.path.dirname(os.path.dirname(os.path.abspath(place.__file__)))  # noqa: PTH100, PTH120
    parent = os.path.dirname(os.path.dirname(code))  # noqa: PTH120
    if not sys.executable or len(os.fsencode(place.socket(folder))) > place.LONGEST_PATH:
        return False
    try:
        os.makedirs(folder, mode=0o700, exist_ok=True)  # noqa: PTH103
        if not place.is_private(folder) or not _is_due(place.started(folder)):
            return False
        _spawn([sys.executable, "-P", "-c", _PROGRAM, parent, folder])
    except OSError:
        return False
    return True


def _is_due(stamp: str) -> bool:
    """Note an attempt; False where another was noted less than :data:`AGAIN_S` ago."""
    try:
        if abs(time.time() - os.stat(stamp).st_mtime) < AGAIN_S:  # noqa: PTH116
            return False
    except FileNotFoundError:
        pass
    os.close(os.open(stamp, os.O_WRONLY | os.O_CREAT, 0o600))
    os.utime(stamp)
    return True


def _environment() -> dict[str, str]:
    """This process's environment without what may be a key: a helper lives on, and each command brings its own."""
    return {name: value for name, value in os.environ.items() if not any(mark in name.upper() for mark in _KEYS)}


def _spawn(arguments: list[str]) -> None:
    import subprocess

    process = subprocess.Popen(
        arguments,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
        close_fds=True,
        env=_environment(),
    )
    process.returncode = 0  # it is not waited for: this process ends, and the system takes it over
