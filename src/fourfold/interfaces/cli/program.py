"""The program: its options, its commands, and how a run of it ends."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from fourfold import __version__
from fourfold.interfaces.cli.failure import report
from fourfold.interfaces.cli.group import CommandGroup
from fourfold.interfaces.cli.session import Session, existing_folder
from fourfold.interfaces.cli.streams import OutputFailed, abandon, soften
from fourfold.interfaces.cli.terminal import terminal_of
from fourfold.model.errors import IndexUnavailable

if TYPE_CHECKING:
    from fourfold.engine.kept import KeptIndexes

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
@click.option("--no-helper", is_flag=True, help="Do the work in this process, without the background helper.")
@click.option("-v", "--verbose", is_flag=True, help="Log what is done; show where an error arose.")
@click.version_option(__version__, "-V", "--version", message="fourfold %(version)s")
@click.pass_context
def cli(
    ctx: click.Context, directory: Path | None, root: Path | None, no_color: bool, no_helper: bool, verbose: bool
) -> None:
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
    ctx.obj = Session(directory=here, root=root, out=out, err=err, verbose=verbose, kept=ctx.obj)
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())


def run(arguments: Sequence[str], kept: KeptIndexes | None = None) -> int:
    """Run the program; returns its exit code. Never raises for what people or repositories bring about.

    Indexes are opened through `kept` where that is given, and stay open.
    """
    soften(sys.stdout)
    soften(sys.stderr)
    verbose = False
    try:
        with cli.make_context("fourfold", list(arguments), obj=kept) as context:
            verbose = bool(context.params.get("verbose"))
            code = cli.invoke(context)
            sys.stdout.flush()
            code = code if isinstance(code, int) else 0
            partial = code in (0, 1) and isinstance(context.obj, Session) and context.obj.told_of_a_part
            return IndexUnavailable.exit_code if partial else code
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


def output_failed(error: OSError) -> int:
    """Standard output took no more of an answer that the helper gave: report it; the exit code."""
    return _fail(OutputFailed(error), verbose=False)


def interrupted() -> int:
    """Ctrl-C before the work began: report it; the exit code."""
    return _fail(KeyboardInterrupt(), verbose=False)
