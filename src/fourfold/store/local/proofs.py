"""What vouches for the files of an index: each is checked once, then its stat values stand for that check.

A file is checked again where its device, inode, size or times differ from those under which it passed, and once
after every start of the machine (where the system does not tell its start: once a day). What that cannot see until
then: rot of the disk below a file whose stat values stay, and a change within the clock tick of the file's last
change (some milliseconds on Linux).
"""

from __future__ import annotations

import contextlib
import json
import os
import secrets
import time
from collections.abc import Mapping
from functools import cache
from pathlib import Path

FILE_NAME = "verified.json"

_BOOT_FILE = "/proc/sys/kernel/random/boot_id"
_DAY_S = 86_400

Stamp = tuple[int, ...]


class Proofs:
    """The checks that files below `directory` have passed. Names are relative to it.

    Kept in one small file that any process replaces as a whole. A note that is lost to another process's costs one
    more check; where the folder cannot be written nothing is kept, and each process checks for itself.
    """

    def __init__(self, directory: Path) -> None:
        self._directory = directory

    def stamp(self, name: str) -> Stamp:
        """The stat values that tell this state of a file from every other; empty where there is no such file.

        To be taken before the file is checked: a change meanwhile must not be vouched for.
        """
        try:
            found = os.stat(self._directory / name)  # noqa: PTH116
        except OSError:
            return ()
        return (found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns, found.st_ctime_ns)

    def unproven(self, stamps: Mapping[str, Stamp]) -> list[str]:
        """Those of the names that no check vouches for in this state."""
        known = self._read()
        return [name for name, stamp in stamps.items() if not stamp or known.get(name) != stamp]

    def record(self, stamps: Mapping[str, Stamp]) -> None:
        """Note that these files have passed their check; forgets files that are gone."""
        known = {name: stamp for name, stamp in self._read().items() if (self._directory / name).exists()}
        content = json.dumps({"boot": _boot(), "files": {**known, **stamps}})
        path = self._directory / FILE_NAME
        temporary = path.with_name(f"{FILE_NAME}.{secrets.token_hex(4)}.tmp")
        with contextlib.suppress(OSError):
            try:
                temporary.write_text(content, encoding="utf-8")
                temporary.replace(path)
            finally:
                temporary.unlink(missing_ok=True)

    def forget(self) -> None:
        """Delete what is kept."""
        for path in self._directory.glob(f"{FILE_NAME}*"):
            path.unlink(missing_ok=True)

    def _read(self) -> dict[str, Stamp]:
        try:
            content = json.loads((self._directory / FILE_NAME).read_bytes())
            if content["boot"] != _boot():
                return {}
            return {name: tuple(stamp) for name, stamp in content["files"].items()}
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            return {}


@cache
def _boot() -> str:
    """What tells this run of the machine from the one before."""
    try:
        return Path(_BOOT_FILE).read_text(encoding="ascii").strip()
    except (OSError, ValueError):
        return f"day {int(time.time()) // _DAY_S}"
