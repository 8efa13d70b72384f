"""``fourfold completion``: the script that makes a shell complete commands and options."""

from __future__ import annotations

import click

from fourfold.interfaces.cli.session import Session

SHELLS = ("bash", "zsh", "fish")
VARIABLE = "_FOURFOLD_COMPLETE"
"""Set by the script when the shell asks the program for completions."""


@click.command(short_help="Print the completion script of a shell.")
@click.argument("shell", type=click.Choice(SHELLS))
@click.pass_context
def command(ctx: click.Context, shell: str) -> int:
    """Print the script that completes commands and options. To have it in every new shell:

    \b
      bash  echo 'eval "$(fourfold completion bash)"' >> ~/.bashrc
      zsh   echo 'eval "$(fourfold completion zsh)"' >> ~/.zshrc
      fish  fourfold completion fish > ~/.config/fish/completions/fourfold.fish
    """
    from click.shell_completion import ShellComplete, get_completion_class

    session: Session = ctx.obj
    kind = get_completion_class(shell)
    assert kind is not None
    # Of the base class: that of bash starts a bash to ask for its version.
    script = ShellComplete.source(kind(ctx.find_root().command, {}, "fourfold", VARIABLE))
    session.out.line(script.strip("\n"))
    return 0


def complete(cli: click.Command, asked: str) -> int:
    """Answer the shell: `asked` is the variable's value, for instance ``bash_complete``."""
    from click.shell_completion import shell_complete

    return shell_complete(cli, {}, "fourfold", VARIABLE, asked)
