"""Where evaluations lie: below the folder of the index, outside the repository."""

from __future__ import annotations

from pathlib import Path

from fourfold.config.places import EVALUATION


def work_dir(location: Path) -> Path:
    """The folder of the copies and indexes made for evaluations of the index at `location`."""
    return location / EVALUATION / "work"


def reports_dir(location: Path) -> Path:
    """The folder of the stored reports of the index at `location`."""
    return location / EVALUATION / "reports"
