"""What the commands of ``fourfold eval`` share: the index of the whole root, brought up to date, and its questions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from fourfold.interfaces.cli.session import Session

if TYPE_CHECKING:
    from fourfold.engine import Index
    from fourfold.evaluate.evaluation import Labels

GROUPS = ("docs", "tests", "commits", "names", "callers")
"""As :data:`fourfold.evaluate.labels.miner.GROUPS`, which is not loaded for the help."""


def opened(session: Session) -> Index:
    """The index of the whole root, wherever in it the person is."""
    return replace(session, directory=session.found_root()).open()


def refreshed(session: Session, index: Index) -> None:
    """Bring the index up to date, with progress. Raises KeyboardInterrupt where that was interrupted."""
    progress = session.progress(index.root.name)
    try:
        report = index.refresh(progress=progress, wait_s=index.settings.index.lock_wait_s)
    finally:
        progress.clear()
    progress.finish()
    if report.interrupted:
        raise KeyboardInterrupt


def labels_of(
    session: Session, index: Index, file: Path | None, count: int, seed: int, groups: Sequence[str] = GROUPS
) -> Labels:
    """The questions of a file, or mined ones. Raises UsageError for a faulty file."""
    from fourfold.evaluate.evaluation import mined_labels, own_labels

    if file is not None:
        return own_labels(index, session.directory / file)
    return mined_labels(index, count=count, seed=seed, groups=groups)
