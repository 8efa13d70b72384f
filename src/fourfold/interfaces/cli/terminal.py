"""Where text goes: a stream with what it can show (colour, links, width). Decided once a command."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TextIO

from fourfold.model.record import record

STYLES: dict[str, str] = {
    "dim": "2",
    "bold": "1",
    "path": "35",
    "symbol": "1",
    "line": "32",
    "match": "1;31",
    "error": "1;31",
    "warning": "33",
    "good": "32",
}
"""SGR parameters by role. Only the sixteen base colours, so that they follow the person's own theme."""

UNKNOWN_WIDTH = 80
"""Columns of a terminal that does not tell."""

_LINK_PROGRAMS = frozenset({"iTerm.app", "WezTerm", "vscode", "ghostty", "Hyper", "Tabby", "rio", "mintty"})
_LINK_VARIABLES = ("WT_SESSION", "KITTY_WINDOW_ID", "KONSOLE_VERSION", "DOMTERM", "ALACRITTY_WINDOW_ID")
_VTE_WITH_LINKS = 5000
"""VTE 0.50 was the first to show OSC 8 links (VTE_VERSION 5000)."""


@record(frozen=True, slots=True)
class Terminal:
    """A stream and what it can show. `columns` is None where lines need not fit (a pipe or a file)."""

    stream: TextIO
    color: bool = False
    links: bool = False
    columns: int | None = None
    tty: bool = False

    def style(self, role: str, text: str) -> str:
        """`text` in the style of a role of :data:`STYLES`, or as it is without colour."""
        return f"\x1b[{STYLES[role]}m{text}\x1b[0m" if self.color and text else text

    def link(self, text: str, path: Path, line: int) -> str:
        """`text` as an OSC 8 link to a line of a file, where the terminal knows links."""
        if not self.links:
            return text
        return f"\x1b]8;;{path.as_uri()}#L{line}\x1b\\{text}\x1b]8;;\x1b\\"

    def line(self, text: str = "") -> None:
        """Write one line. Standard error that takes nothing is no reason to fail: the results may still arrive."""
        try:
            self.stream.write(text + "\n")
        except OSError:
            if self.stream is not sys.stderr:
                raise


def terminal_of(stream: TextIO, *, color: bool = True, environ: Mapping[str, str] | None = None) -> Terminal:
    """What `stream` can show. `color` False turns colour and links off, as ``NO_COLOR`` does."""
    environ = os.environ if environ is None else environ
    tty = _is_tty(stream) and environ.get("TERM") != "dumb"
    colored = color and tty and not environ.get("NO_COLOR")
    if sys.platform == "win32":
        colored = colored and any(name in environ for name in ("WT_SESSION", "ANSICON", "TERM"))
    columns = (
        max(shutil.get_terminal_size((_window(stream), 24)).columns, 20) if tty or environ.get("COLUMNS") else None
    )
    return Terminal(stream, colored, colored and _shows_links(environ), columns, tty)


def _is_tty(stream: TextIO) -> bool:
    try:
        return stream.isatty()
    except (ValueError, AttributeError):
        return False


def _window(stream: TextIO) -> int:
    """Columns of the stream's terminal: what the stream says of itself, where it is that of another process."""
    told: int = getattr(stream, "window", 0)
    try:
        return told or os.get_terminal_size(stream.fileno()).columns or UNKNOWN_WIDTH
    except (AttributeError, ValueError, OSError):
        return UNKNOWN_WIDTH


def _shows_links(environ: Mapping[str, str]) -> bool:
    """True for terminals known to show OSC 8 links; others might print the escape sequence."""
    if environ.get("TERM", "").startswith(("screen", "tmux", "linux")):
        return False
    if environ.get("TERM_PROGRAM") in _LINK_PROGRAMS or any(environ.get(name) for name in _LINK_VARIABLES):
        return True
    version = environ.get("VTE_VERSION", "")
    return version.isdigit() and int(version) >= _VTE_WITH_LINKS
