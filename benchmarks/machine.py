"""What a result must say about where it was measured."""

from __future__ import annotations

import os
import platform
import subprocess
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent


def circumstances(command: str) -> dict[str, Any]:
    """Command, commit, date, machine class: number of cores and memory in GiB, system, Python."""
    return {
        "command": command,
        "commit": commit(),
        "date": datetime.now(UTC).strftime("%Y-%m-%d"),
        "machine": f"{os.cpu_count()} cores, {memory_gib()} GiB, {platform.system()} {platform.machine()}",
        "python": platform.python_version(),
    }


def commit() -> str:
    """The short commit of this project, with ``+`` where the source differs; "unknown" outside git."""
    try:
        name = _git("rev-parse", "--short=12", "HEAD")
        return name + ("+" if _git("status", "--porcelain", "--", "../src") else "")
    except (OSError, subprocess.CalledProcessError):
        return "unknown"


def memory_gib() -> int:
    """Physical memory, rounded to GiB."""
    return round(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30)


def _git(*arguments: str) -> str:
    done = subprocess.run(["git", *arguments], cwd=HERE, capture_output=True, text=True, check=True)
    return done.stdout.strip()
