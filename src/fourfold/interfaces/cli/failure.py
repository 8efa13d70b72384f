"""Errors as people see them: ``error F203: sentence  hint: what to do``, and an exit code."""

from __future__ import annotations

import os
import re

import click

from fourfold.interfaces.cli.group import IMPLIED, mistyped
from fourfold.interfaces.cli.terminal import Terminal
from fourfold.interfaces.cli.width import safe
from fourfold.model.errors import FourfoldError, IndexUnavailable, UsageError

INTERRUPTED = 130
INTERNAL = 70
"""Exit code of a fault in the program itself (EX_SOFTWARE of sysexits.h)."""
NO_THREAD = "can't start new thread"
"""How Python says that there is no room for the stack of one more thread."""


class InternalError(FourfoldError):
    """A fault in the program itself."""

    code = "F999"
    exit_code = INTERNAL


def as_known(error: BaseException) -> FourfoldError:
    """Any exception as one of ours, with a sentence and a hint."""
    if isinstance(error, FourfoldError):
        return error
    if isinstance(error, click.ClickException):
        return _usage(error)
    if isinstance(error, FileNotFoundError) and not _is_somewhere():
        return UsageError("the current folder no longer exists", hint="go to another folder, or name one with -C")
    if isinstance(error, OSError):
        place = f": {error.filename}" if error.filename else ""
        return IndexUnavailable(
            f"{(error.strerror or str(error) or 'input or output failed').lower()}{place}",
            hint="check the folder and its space, or name another cache with FOURFOLD_CACHE_DIR",
        )
    if isinstance(error, MemoryError) or (isinstance(error, RuntimeError) and str(error) == NO_THREAD):
        return IndexUnavailable("not enough memory", hint="use fewer processes: FOURFOLD_INDEX_WORKERS=1")
    return InternalError(
        f"unexpected {type(error).__name__}: {str(error)[:200]}",
        hint="this is a fault in fourfold; run it with --verbose and report what it prints",
    )


def _is_somewhere() -> bool:
    """False where the folder that the process is in was deleted."""
    try:
        os.getcwd()  # noqa: PTH109
    except FileNotFoundError:
        return False
    return True


def report(error: BaseException, terminal: Terminal, *, verbose: bool = False) -> int:
    """Write one line about `error` (and, if `verbose`, its traceback); returns the exit code."""
    if isinstance(error, (KeyboardInterrupt, click.Abort)):
        terminal.line("interrupted; what was indexed so far is kept")
        return INTERRUPTED
    known = as_known(error)
    if verbose and not isinstance(error, click.ClickException):
        import traceback

        terminal.line(safe_lines("".join(traceback.format_exception(error))))
    label = terminal.style("error", f"error {known.code}:")
    hint = f"  {terminal.style('dim', 'hint:')} {safe(known.hint)}" if known.hint else ""
    terminal.line(f"{label} {safe(known.message)}{hint}")
    return known.exit_code


def safe_lines(text: str) -> str:
    """Several lines made safe to print one by one."""
    return "\n".join(safe(line) for line in text.rstrip("\n").split("\n"))


def _usage(error: click.ClickException) -> UsageError:
    """A message of the argument parser in our words."""
    context = getattr(error, "ctx", None)
    command = context.command_path if context is not None else "fourfold"
    hint = f"see `{command} --help`"
    implied = mistyped(context.meta.get(IMPLIED, "")) if context is not None else ""
    if isinstance(error, click.exceptions.NoArgsIsHelpError):
        return UsageError(f"`{command}` needs a command", hint=hint)
    if isinstance(error, click.NoSuchOption):
        if implied:
            hint = f"did you mean `fourfold {implied}`?"
        elif error.possibilities:
            hint = "did you mean " + " or ".join(sorted(error.possibilities)[:3]) + "?"
        elif command.endswith(("search", "grep")):
            hint = f"to look for it put -- before it: {command} -- {safe(error.option_name)}"
        return UsageError(f'there is no option "{error.option_name}"', hint=hint)
    if isinstance(error, click.MissingParameter):
        name = error.param.human_readable_name.upper() if error.param is not None else ""
        return UsageError(f"{name or 'an argument'} is missing", hint=hint)
    if isinstance(error, click.BadParameter) and error.param is not None:
        name = error.param.opts[-1] if error.param.param_type_name == "option" else error.param.human_readable_name
        return UsageError(f"{name} {_tidy(error.message)}", hint=hint)
    return UsageError(_tidy(error.format_message()), hint=hint)


def _tidy(message: str) -> str:
    """Without the final full stop, and beginning in lower case unless it begins with an option."""
    text = re.sub(r"\s+", " ", message).strip().rstrip(".")
    return text[:1].lower() + text[1:] if text[:2].istitle() or text[1:2] == " " else text
