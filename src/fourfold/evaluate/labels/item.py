"""A documented thing of a package."""

from __future__ import annotations

from dataclasses import dataclass

from fourfold.evaluate.labels.documented import Documented


@dataclass(frozen=True, slots=True)
class Item:
    """A documented thing: `kind` is ``function``, ``type`` or ``file``."""

    kind: str
    what: Documented
