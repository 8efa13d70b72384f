"""The command group: commands loaded when needed, and a question without a command is a search."""

from __future__ import annotations

from importlib import import_module

import click

from fourfold.interfaces.cli.names import COMMANDS as COMMANDS

IMPLIED = "fourfold.implied"
"""Key of ``Context.meta``: the first word of a question that no command was named for."""


class CommandGroup(click.Group):
    """Loads ``commands/NAME.py`` on demand; what is no command goes to ``search`` as it is."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """All command names."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of that name, or None."""
        if cmd_name not in COMMANDS:
            return None
        module = import_module(f"fourfold.interfaces.cli.commands.{cmd_name}")
        command: click.Command = module.command
        return command

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Put ``search`` before a question or an option of it that begins with a dash."""
        own = self._own(ctx, args)
        if own < len(args) and args[own].startswith("-"):
            ctx.meta[IMPLIED] = args[own]
            args = [*args[:own], "search", *args[own:]]
        return super().parse_args(ctx, args)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command that the first word names, else ``search`` with all words."""
        found = self.get_command(ctx, args[0])
        if found is not None:
            return args[0], found, args[1:]
        ctx.meta[IMPLIED] = args[0]
        return "search", self.get_command(ctx, "search"), args

    def _own(self, ctx: click.Context, args: list[str]) -> int:
        """How many of the first arguments are options of the program itself, and their values."""
        known = {
            name: not (option.is_flag or option.count)
            for option in self.get_params(ctx)
            if isinstance(option, click.Option)
            for name in option.opts
        }
        at = 0
        while at < len(args):
            word = args[at]
            long = word.startswith("--")
            name = word.partition("=")[0] if long else word[:2]
            if name not in known:
                break
            attached = "=" in word if long else len(word) > 2
            if attached and not known[name] and not all(f"-{letter}" in known for letter in word[1:]):
                break
            at += 2 if known[name] and not attached else 1
        return min(at, len(args))


def mistyped(word: str) -> str:
    """The command that `word` is one slip away from (two where it is long), or an empty text."""
    for name in COMMANDS:
        if word != name and slips(word.lower(), name) <= (1 if len(name) <= 5 else 2):
            return name
    return ""


def slips(word: str, name: str) -> int:
    """Characters to insert, delete, replace or swap with their neighbour to make `name` of `word`.

    The optimal string alignment distance; 3 stands for all that is more than 2.
    """
    if abs(len(word) - len(name)) > 2:
        return 3
    before: list[int] = []
    row = list(range(len(name) + 1))
    for i, left in enumerate(word, start=1):
        before, last, row = row, before, [i]
        for j, right in enumerate(name, start=1):
            cost = min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (left != right))
            if i > 1 and j > 1 and left == name[j - 2] and word[i - 2] == right:
                cost = min(cost, last[j - 2] + 1)
            row.append(cost)
    return min(row[-1], 3)
