"""The entry point of the ``fourfold`` command: the helper answers where there is one, else the program runs here.

It imports next to nothing: of an answer by the helper, loading this is most of the time.
"""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import MutableMapping, Sequence

from fourfold.interfaces.cli.interrupts import as_usual, quietly
from fourfold.interfaces.helper import place
from fourfold.interfaces.helper.client import Asked, ask
from fourfold.interfaces.helper.commands import is_handed_over

GARBAGE_THRESHOLD = 250_000
"""New objects between two looks for cyclic garbage: at Python's 700 those looks are a tenth of a short command, and one
look at all that a command has imported takes 20 to 40 ms. A search makes some 100,000."""


def run(arguments: Sequence[str]) -> int:
    """Run the program in this process; returns its exit code (:func:`fourfold.interfaces.cli.program.run`)."""
    from fourfold.interfaces.cli import program

    return program.run(arguments)


def spare_threads(environ: MutableMapping[str, str]) -> None:
    """Let linear algebra run on one thread, unless the person's environment says otherwise.

    The products of a search are small: starting the threads costs more than they save.
    """
    for name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
        environ.setdefault(name, "1")


def main() -> None:
    """``fourfold``: run with the process's arguments and exit."""
    quietly()
    gc.set_threshold(GARBAGE_THRESHOLD)
    arguments = sys.argv[1:]
    asked = Asked() if "_FOURFOLD_COMPLETE" in os.environ else _ask(arguments)
    if asked.code is not None:
        os._exit(asked.code)
    code = _run_here()
    if asked.start:
        _start_helper()
    if is_handed_over(arguments) and _is_written():
        # A question leaves nothing behind that wants an end, and taking the modules down is a seventh of the whole.
        os._exit(code)
    sys.exit(code)


def _is_written() -> bool:
    """True where nothing waits to be written any more."""
    try:
        for stream in (sys.stdout, sys.stderr):
            if stream is not None:
                stream.flush()
    except (OSError, ValueError):
        return False
    return True


def _run_here() -> int:
    from fourfold.interfaces.cli.streams import abandon, set_up_streams

    set_up_streams()
    spare_threads(os.environ)
    if asked := os.environ.get("_FOURFOLD_COMPLETE"):
        from fourfold.interfaces.cli.commands.completion import complete
        from fourfold.interfaces.cli.program import cli

        return complete(cli, asked)
    code = _interruptible(sys.argv[1:])
    try:
        sys.stderr.flush()
    except OSError:
        abandon(2)
    return code


def _interruptible(arguments: list[str]) -> int:
    """Run the program; Ctrl-C is its own while it does, and until it is loaded ends it quietly."""
    from fourfold.interfaces.cli import program

    try:
        as_usual()
        return run(arguments)
    except KeyboardInterrupt:
        return program.interrupted()
    finally:
        quietly()


def _ask(arguments: list[str]) -> Asked:
    """The helper's answer. Ctrl-C meanwhile ends the command as it does later."""
    try:
        as_usual()
        return ask(arguments)
    except KeyboardInterrupt:
        from fourfold.interfaces.cli.program import interrupted

        return Asked(interrupted())
    finally:
        quietly()


def _start_helper() -> None:
    """Start the helper that was missed, unless the user wants none."""
    from fourfold.config.load import load_settings
    from fourfold.interfaces.helper.start import start
    from fourfold.model.errors import FourfoldError

    try:
        wanted = load_settings(None).settings.helper.enabled
    except FourfoldError:
        return
    if wanted:
        start(place.folder(os.environ))


if __name__ == "__main__":
    main()
