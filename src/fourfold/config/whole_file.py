"""Files that are replaced as a whole: who reads meanwhile sees the old text or the new one."""

from __future__ import annotations

import os
from pathlib import Path


def aside_of(path: Path) -> Path:
    """Where this process writes what is to become `path`: a hidden file beside it."""
    return path.with_name(f".{path.name}.{os.getpid()}")


def replace_text(path: Path, text: str) -> None:
    """Put `text` in the place of what a file holds; its folder is there. Raises OSError, and then nothing has changed
    and nothing is left beside it."""
    aside = aside_of(path)
    try:
        aside.write_text(text, encoding="utf-8", newline="\n")
        aside.replace(path)
    except OSError:
        aside.unlink(missing_ok=True)
        raise
