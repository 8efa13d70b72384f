"""The entry point of the ``fourfold`` command."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import MutableMapping, Sequence
from pathlib import Path

import click

from fourfold import __version__
from fourfold.interfaces.cli.failure import report
from fourfold.interfaces.cli.group import CommandGroup
from fourfold.interfaces.cli.session import Session, existing_folder
from fourfold.interfaces.cli.streams import OutputFailed, abandon, set_up_streams, soften
from fourfold.interfaces.cli.terminal import terminal_of

EPILOG = """\b
Exit codes: 0 results, 1 nothing found, 2 usage or bad query, 3 no index or cannot
build, 4 lock held, 5 model or backend unavailable, 74 output failed, 130 interrupted.
"""


@click.group(
    cls=CommandGroup,
    invoke_without_command=True,
    epilog=EPILOG,
    context_settings={
        "help_option_names": ["-h", "--help"],
        "ignore_unknown_options": True,
        "max_content_width": 100,
    },
)
@click.option(
    "-C",
    "directory",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="Work as if started in DIR (before the command).",
)
@click.option("--root", type=click.Path(path_type=Path), metavar="DIR", help="The root, instead of the nearest .git.")
@click.option("--no-color", is_flag=True, help="No colour and no links (as NO_COLOR=1 does).")
@click.option("-v", "--verbose", is_flag=True, help="Log what is done; show where an error arose.")
@click.version_option(__version__, "-V", "--version", message="fourfold %(version)s")
@click.pass_context
def cli(ctx: click.Context, directory: Path | None, root: Path | None, no_color: bool, verbose: bool) -> None:
    """Find code: by meaning, by words, by structure, in one ranked answer.

    \b
      fourfold "where is the retry back-off computed"
      fourfold grep "ECONNREFUSED"

    The first search builds the index of the repository you are in; each later one brings it up to date first.
    A question needs no command: what is no command's name is searched for. One that begins with a dash needs
    two before it: fourfold -- -Wall
    """
    out, err = (terminal_of(stream, color=not no_color) for stream in (sys.stdout, sys.stderr))
    here = existing_folder(directory, "-C") if directory is not None else Path()
    if root is not None:
        root = existing_folder(here / root, "--root")
    ctx.obj = Session(directory=here, root=root, out=out, err=err, verbose=verbose)
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())


def run(arguments: Sequence[str]) -> int:
    """Run the program; returns its exit code. Never raises for what people or repositories bring about."""
    soften(sys.stdout)
    soften(sys.stderr)
    verbose = False
    try:
        with cli.make_context("fourfold", list(arguments)) as context:
            verbose = bool(context.params.get("verbose"))
            code = cli.invoke(context)
            sys.stdout.flush()
            return code if isinstance(code, int) else 0
    except click.exceptions.Exit as leave:
        return leave.exit_code
    except BrokenPipeError:
        abandon()
        return 0
    except (Exception, KeyboardInterrupt) as error:
        return _fail(error, verbose)


def _fail(error: BaseException, verbose: bool) -> int:
    """Report an error after the output that came before it; where that cannot be written, report this."""
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        abandon()
        return 0
    except OutputFailed as fault:
        error = fault
    if isinstance(error, OutputFailed):
        abandon()
    return report(error, terminal_of(sys.stderr, color="--no-color" not in sys.argv), verbose=verbose)


def spare_threads(environ: MutableMapping[str, str]) -> None:
    """Let linear algebra run on one thread, unless the person's environment says otherwise.

    The products of a search are small: starting the threads costs more than they save.
    """
    for name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
        environ.setdefault(name, "1")


GARBAGE_THRESHOLD = 50_000
"""New objects between two looks for cyclic garbage: at Python's 700 those looks are a tenth of a short command."""


def main() -> None:
    """``fourfold``: run with the process's arguments and exit."""
    gc.set_threshold(GARBAGE_THRESHOLD)
    set_up_streams()
    spare_threads(os.environ)
    if asked := os.environ.get("_FOURFOLD_COMPLETE"):
        from fourfold.interfaces.cli.commands.completion import complete

        sys.exit(complete(cli, asked))
    code = run(sys.argv[1:])
    try:
        sys.stderr.flush()
    except OSError:
        abandon(2)
    sys.exit(code)


if __name__ == "__main__":
    main()
