"""Opening a result in the person's editor, at its line."""

from __future__ import annotations

import os
import shlex
import subprocess
from collections.abc import Mapping
from pathlib import Path

from fourfold.model.errors import UsageError

_PLUS_LINE = frozenset("vi vim nvim gvim view nano pico emacs emacsclient kak micro joe jed ne mg ed kate".split())
_COLON_LINE = frozenset("subl hx helix zed lapce mate".split())
_GOTO = frozenset("code code-insiders codium cursor windsurf".split())
_LINE_OPTION = frozenset("idea pycharm webstorm goland clion rider rubymine phpstorm".split())
"""Editors by how they take a line number; any other is given the file alone."""


def editor_command(path: Path, line: int, environ: Mapping[str, str] | None = None) -> list[str]:
    """The arguments that open `path` at `line` with ``$VISUAL`` or ``$EDITOR``.

    Only the person's environment names the program, and no shell reads the path. Raises :class:`UsageError`
    where neither variable is set or it cannot be split into words.
    """
    environ = os.environ if environ is None else environ
    wanted = environ.get("VISUAL") or environ.get("EDITOR") or ""
    try:
        words = shlex.split(wanted, posix=os.name != "nt")
    except ValueError:
        raise UsageError(f"the editor {wanted!r} has an open quote", hint="correct $VISUAL or $EDITOR") from None
    if not words:
        raise UsageError("no editor is set", hint="set $VISUAL or $EDITOR, for instance: export EDITOR=vim")
    file = str(path.absolute())
    name = Path(words[0].strip('"')).name.lower().removesuffix(".exe").removesuffix(".cmd")
    if name in _PLUS_LINE:
        return [*words, f"+{line}", file]
    if name in _GOTO:
        return [*words, "--goto", f"{file}:{line}"]
    if name in _COLON_LINE:
        return [*words, f"{file}:{line}"]
    if name in _LINE_OPTION:
        return [*words, "--line", str(line), file]
    return [*words, file]


def open_in_editor(path: Path, line: int) -> None:
    """Run the editor and wait for it. Raises :class:`UsageError` where it is missing or fails."""
    command = editor_command(path, line)
    if not path.is_file():
        raise UsageError(f"{path} is no longer there", hint="search again")
    try:
        code = subprocess.run(command, check=False).returncode
    except OSError as error:
        raise UsageError(
            f"the editor {command[0]} cannot be started: {error.strerror}", hint="correct $VISUAL or $EDITOR"
        ) from None
    if code != 0:
        raise UsageError(f"the editor {command[0]} ended with code {code}", hint="correct $VISUAL or $EDITOR")
