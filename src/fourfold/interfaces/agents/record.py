"""What was written where, so that it can be taken back exactly; kept in the cache folder with a backup of each file."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
from dataclasses import asdict, dataclass
from pathlib import Path

FILE = "installed.json"


@dataclass(frozen=True, slots=True)
class Written:
    """One insertion: the text put into a file, whether we made the file, the folders made for it, and the backup."""

    path: str
    inserted: str
    created: bool
    folders: tuple[str, ...] = ()
    backup: str = ""


class Records:
    """The insertions of this user, by file. A record that cannot be read counts as none: edits are then taken back by
    looking for them."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._found = self._load()

    def get(self, path: Path) -> Written | None:
        """What was inserted into a file."""
        return self._found.get(str(path))

    def put(self, written: Written) -> None:
        """Remember an insertion."""
        self._found[written.path] = written
        self._save()

    def forget(self, path: Path) -> None:
        """Forget a file."""
        if self._found.pop(str(path), None) is not None:
            self._save()

    def back_up(self, path: Path, text: str) -> str:
        """Keep a copy of a file as it was; returns its place."""
        digest = hashlib.blake2b(f"{path}\0{text}".encode(), digest_size=6).hexdigest()
        target = self.folder / "backups" / f"{digest}-{path.name}"
        target.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        handle = os.open(target, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(handle, "wb") as file:
            file.write(text.encode("utf-8"))
        return str(target)

    def _load(self) -> dict[str, Written]:
        with contextlib.suppress(OSError, ValueError, TypeError, KeyError):
            rows = json.loads((self.folder / FILE).read_text(encoding="utf-8"))["items"]
            return {row["path"]: Written(**{**row, "folders": tuple(row["folders"])}) for row in rows}
        return {}

    def _save(self) -> None:
        self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        rows = [asdict(written) for written in self._found.values()]
        aside = self.folder / f"{FILE}.new"
        aside.write_text(json.dumps({"items": rows}, indent=1), encoding="utf-8")
        aside.replace(self.folder / FILE)
