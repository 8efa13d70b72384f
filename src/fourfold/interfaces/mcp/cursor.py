"""Cursors: where the next page of an answer begins."""

from __future__ import annotations

import base64
import binascii
import hashlib
import json
from collections.abc import Mapping
from typing import Any

from fourfold.model.errors import UsageError

PAGED = frozenset({"cursor", "max_tokens", "limit"})
"""Arguments that may change from page to page."""


def make_cursor(offset: int, arguments: Mapping[str, Any]) -> str:
    """An opaque text that names an offset into the answer to these arguments."""
    data = json.dumps([offset, _digest(arguments)], separators=(",", ":"))
    return base64.urlsafe_b64encode(data.encode()).decode().rstrip("=")


def read_cursor(cursor: str, arguments: Mapping[str, Any]) -> int:
    """The offset that a cursor names; raises UsageError where it is none, or one of another question."""
    try:
        padded = cursor + "=" * (-len(cursor) % 4)
        offset, digest = json.loads(base64.urlsafe_b64decode(padded.encode("ascii")))
        good = isinstance(offset, int) and not isinstance(offset, bool) and 0 <= offset <= 100_000
    except (ValueError, TypeError, binascii.Error):
        good, digest = False, ""
    if not good or digest != _digest(arguments):
        raise UsageError(
            "the cursor does not belong to this question",
            hint="repeat the call with the same arguments and the cursor of its last reply, or without a cursor",
        )
    return int(offset)


def _digest(arguments: Mapping[str, Any]) -> str:
    kept = {key: value for key, value in arguments.items() if key not in PAGED}
    return hashlib.blake2b(json.dumps(kept, sort_keys=True).encode(), digest_size=6).hexdigest()
