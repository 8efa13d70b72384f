"""Where the ``fourfold`` command begins: before anything else is loaded Ctrl-C is taken care of."""

from __future__ import annotations

from fourfold.interfaces.cli.interrupts import quietly

quietly()

from fourfold.interfaces.cli.main import main  # noqa: E402

__all__ = ["main"]
