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
        self.is_unchanged()

    def is_unchanged(self) -> bool:
        """Compare all files; takes in those of modules that were loaded since. About 1 ms for 600 files."""
        seen = self._seen
        if any(_stamp(file) != stamp for file, stamp in seen.items()):
            return False
        for module in list(sys.modules.values()):
            file = getattr(module, "__file__", None)
            if file and file not in seen:
                seen[file] = _stamp(file)
        return True


def _stamp(file: str) -> tuple[int, int] | None:
    try:
        state = os.stat(file)  # noqa: PTH116
    except OSError:
        return None
    return state.st_mtime_ns, state.st_size
