"""Asking the helper how it is, and telling it to leave."""

from __future__ import annotations

import json
import os
import time
from typing import Any

from fourfold.interfaces.helper import place, wire
from fourfold.interfaces.helper.client import connect

TALK_S = 5.0
"""How long a helper may take; it answers one command at a time, and this may have to wait for one."""


def report() -> dict[str, Any] | None:
    """What the helper of this user and cache tells of itself, None where none answers.

    ``process``, ``version``, ``since``, ``answered`` (commands), ``indexes`` (roots), ``memory_mb`` and ``idle_s``.
    """
    said = _said(wire.STATUS, wire.REPORT)
    if said is None:
        return None
    told: dict[str, Any] = json.loads(said)
    return told


def stop() -> bool:
    """Tell the helper to leave and wait until it has; False where there was none, or it has not left."""
    if _said(wire.STOP, wire.LEAVING) is None:
        return False
    path = place.socket(place.folder(os.environ))
    deadline = time.monotonic() + TALK_S
    while os.path.lexists(path):
        if time.monotonic() > deadline:
            return False
        time.sleep(0.01)
    return True


def _said(question: bytes, answer: bytes) -> bytes | None:
    connection = connect(place.folder(os.environ))
    if connection is None:
        return None
    try:
        connection.settimeout(TALK_S)
        connection.sendall(wire.pack(question))
        return wire.Frames(connection).expect(answer)
    except (wire.Broken, OSError):
        return None
    finally:
        connection.close()
