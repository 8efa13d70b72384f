"""Whether the files of the code that a process has loaded are still those that it loaded."""

from __future__ import annotations

import os
import sys


class LoadedCode:
    """The files behind the modules of this process, with their size and time when they were first seen here.

    A helper that was started before the program, or a library of it, was changed must not answer for the new one.
    """

    def __init__(self) -> None:
        self._seen: dict[str, tuple[int, int] | None] = {}
        self.take_in()

    def is_unchanged(self) -> bool:
        """Compare all files that were taken in. About 1 ms for 600 files."""
        return all(_stamp(file) == stamp for file, stamp in self._seen.items())

    def take_in(self) -> None:
        """Remember the files of modules that were loaded since: to be called after every command, before their files
        can change."""
        for module in list(sys.modules.values()):
            file = getattr(module, "__file__", None)
            if file and file not in self._seen:
                self._seen[file] = _stamp(file)


def _stamp(file: str) -> tuple[int, int] | None:
    try:
        state = os.stat(file)  # noqa: PTH116
    except OSError:
        return None
    return state.st_mtime_ns, state.st_size
