"""Moments as the page shows them."""

from __future__ import annotations

import time


def ago(moment: float) -> str:
    """How long a moment (seconds since the epoch) is past: ``just now``, ``5 min ago``, ``3 h ago``, then the day."""
    past = time.time() - moment
    if past < 60:
        return "just now"
    if past < 3600:
        return f"{past // 60:.0f} min ago"
    if past < 48 * 3600:
        return f"{past // 3600:.0f} h ago"
    return time.strftime("%Y-%m-%d", time.gmtime(moment))


def utc(moment: float) -> str:
    """A moment as ISO 8601 in UTC, for machines and tooltips."""
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(moment))
