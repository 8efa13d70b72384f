"""``fourfold install``: register with coding agents."""

from __future__ import annotations

import click

from fourfold.interfaces.cli.agents import agent_options, chosen, command_of, records_of, scope_of, show
from fourfold.interfaces.cli.session import Session


@click.command(short_help="Register with coding agents (Claude Code, Codex, Cursor, ...).")
@agent_options
@click.pass_obj
def command(session: Session, clients: tuple[str, ...], kind: str | None, dry_run: bool) -> int:
    """Register the MCP server with coding agents, and tell them in a short block when to use it.

    CLIENT is claude-code, codex, cursor, vscode, opencode, gemini, zed or windsurf; without, those found here. Files
    keep their comments, order and other entries, and each is backed up. Exit code 1 where a file was left alone.
    """
    from fourfold.interfaces.agents.clients import PROJECT
    from fourfold.interfaces.agents.plan import carry_out, plan_install

    kind = kind or PROJECT
    scope = scope_of(session)
    changes = plan_install(chosen(clients, kind, scope), kind, scope, command_of(kind))
    if not dry_run:
        carry_out(changes, records_of(session), installing=True)
    code = show(session, changes, "written", dry_run=dry_run)
    if not dry_run and any(change.open for change in changes):
        session.note("restart the agent to load the server; `fourfold uninstall` takes exactly this away")
    return code
