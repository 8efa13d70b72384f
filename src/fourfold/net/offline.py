"""Whether any server may be asked at all."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fourfold.config.settings import Settings

_OFF = frozenset({"", "0", "false", "no", "off"})


def is_offline(settings: Settings, environ: Mapping[str, str] | None = None) -> bool:
    """True where the settings (``offline``, ``FOURFOLD_OFFLINE``) or ``HF_HUB_OFFLINE`` forbid it."""
    environ = os.environ if environ is None else environ
    return settings.offline or environ.get("HF_HUB_OFFLINE", "").strip().lower() not in _OFF
