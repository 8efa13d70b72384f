"""Ctrl-C while the program is still loading, or is about to end: no traceback, exit code 130."""

from __future__ import annotations

import _signal  # type: ignore[import-not-found]  # signal itself makes enums, which takes milliseconds
import os

EXIT = 130


def quietly() -> None:
    """From now on Ctrl-C ends the process at once and without a word; unless it is ignored, as in the background of
    some shells."""
    _exchange(_signal.default_int_handler, _leave)


def as_usual() -> None:
    """From now on it raises KeyboardInterrupt again."""
    _exchange(_leave, _signal.default_int_handler)


def _exchange(present: object, wanted: object) -> None:
    """Another handler in the place of the one that is expected; any other is left alone."""
    try:
        if _signal.getsignal(_signal.SIGINT) == present:
            _signal.signal(_signal.SIGINT, wanted)
    except ValueError:  # not the main thread, which alone hears of signals
        return


def _leave(*_: object) -> None:
    os._exit(EXIT)
