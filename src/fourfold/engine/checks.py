"""Checks of arguments that every interface shares."""

from __future__ import annotations

from collections.abc import Sequence

from fourfold.config.settings import PRESETS
from fourfold.model.errors import UsageError
from fourfold.model.query import DIRECTIONS

MAX_LIMIT = 1000
MAX_DEPTH = 10


def check_preset(preset: str) -> None:
    """Raise UsageError unless the preset is a shipped one or the user's own, BadConfig where its file is faulty."""
    if preset not in PRESETS:
        from fourfold.pipeline.loader import load_preset

        load_preset(preset)


def check_limit(limit: int) -> None:
    """Raise UsageError unless 1 <= limit <= 1000."""
    if not 1 <= limit <= MAX_LIMIT:
        raise UsageError(f"limit must be between 1 and {MAX_LIMIT}, not {limit}", hint="for example: --limit 10")


def check_depth(depth: int) -> None:
    """Raise UsageError unless 1 <= depth <= 10."""
    if not 1 <= depth <= MAX_DEPTH:
        raise UsageError(f"depth must be between 1 and {MAX_DEPTH}, not {depth}", hint="for example: --depth 3")


def check_direction(direction: str, known: Sequence[str] = DIRECTIONS) -> None:
    """Raise UsageError unless the direction is one of those that can be asked for."""
    if direction not in known:
        raise UsageError(f"there is no direction {direction!r}", hint=f"choose one of: {', '.join(known)}")
