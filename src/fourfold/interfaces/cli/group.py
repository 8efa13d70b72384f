"""The command group: commands loaded when needed, and a question without a command is a search."""

from __future__ import annotations

from importlib import import_module

import click

COMMANDS: tuple[str, ...] = ("search", "grep", "index", "status", "clear", "config", "doctor")
"""Names of the commands, in the order of the help; each is a module of ``interfaces/cli/commands``."""


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

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command that the first word names, else ``search`` with all words."""
        found = self.get_command(ctx, args[0])
        if found is not None:
            return args[0], found, args[1:]
        ctx.meta["fourfold.implied"] = args[0]
        return "search", self.get_command(ctx, "search"), args
