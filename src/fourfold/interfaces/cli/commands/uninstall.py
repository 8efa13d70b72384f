"""``fourfold uninstall``: take away what ``install`` wrote."""

from __future__ import annotations

import click

from fourfold.interfaces.cli.agents import agent_options, chosen, records_of, scope_of, show
from fourfold.interfaces.cli.session import Session


@click.command(short_help="Take away what `install` wrote, and nothing else.")
@agent_options
@click.pass_obj
def command(session: Session, clients: tuple[str, ...], kind: str | None, dry_run: bool) -> int:
    """Take away what `fourfold install` wrote: the server's entry, the marked block, the sub-agent file.

    All else stays as it is, byte for byte. Exit code 1 where a file was left alone.
    """
    from fourfold.interfaces.agents.clients import CLIENTS, PROJECT
    from fourfold.interfaces.agents.plan import carry_out, plan_uninstall

    kind = kind or PROJECT
    scope = scope_of(session)
    records = records_of(session)
    # An agent may have gone from this machine since: without names, all places are looked at.
    names = clients or tuple(name for name, client in CLIENTS.items() if kind in client.config)
    changes = plan_uninstall(chosen(names, kind, scope), kind, scope, records)
    if not clients:
        changes = [change for change in changes if not change.done]
    if not dry_run:
        carry_out(changes, records, installing=False)
    if not changes:
        session.note(f"nothing of fourfold was found in the {kind} files of any client")
    return show(session, changes, "removed", dry_run=dry_run)
