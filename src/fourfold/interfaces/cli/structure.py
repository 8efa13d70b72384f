"""What the commands about structure share: their options, how they ask, and what they say beside the answer."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

import click

from fourfold.interfaces.cli.filters import build_filters, root_path
from fourfold.interfaces.cli.options import MAX_LIMIT, Whole, filter_options, json_option, no_refresh_option, reaching
from fourfold.interfaces.cli.output import print_json
from fourfold.interfaces.cli.render import View, index_state
from fourfold.interfaces.cli.services import with_services
from fourfold.interfaces.cli.session import Session, refuse_stale
from fourfold.interfaces.cli.structure_rows import wrapped
from fourfold.interfaces.cli.width import safe
from fourfold.interfaces.cli.words import milliseconds
from fourfold.model.query import Filters

if TYPE_CHECKING:
    from fourfold.model.result import Meta

Decorated = TypeVar("Decorated", bound=Callable[..., Any])
Answer = TypeVar("Answer")


def structure_options(limit: int, *, filters: bool = True, kinds: bool = True) -> Callable[[Decorated], Decorated]:
    """``-n`` (default `limit`), the filters, ``--no-refresh`` and ``--json``, in this order."""

    def apply(function: Decorated) -> Decorated:
        function = json_option(no_refresh_option(function))
        if kinds:
            function = click.option(
                "-k", "--kind", "kinds", multiple=True, metavar="KIND", help="Only definitions of this kind."
            )(function)
        if filters:
            function = filter_options(function)
        return click.option(
            "-n", "--limit", type=Whole(1, MAX_LIMIT), default=limit, help=f"Results at most (default: {limit})."
        )(function)

    return apply


def ask(session: Session, options: dict[str, Any], question: Callable[..., Answer]) -> Answer:
    """Put a question to the engine: ``question(index, **keywords)`` with filters, refresh and progress.

    Shows progress while the index is brought up to date; raises as the engine does, and where a stale answer is
    not wanted.
    """
    overrides = {"search.refresh": False} if options.get("no_refresh") else {}
    keywords: dict[str, Any] = {}
    if "languages" in options:
        keywords["filters"] = filters_of(session, options)
    with session.asking(options.get("services", ()), options.get("scope", "project")).open(overrides) as index:
        progress = session.progress(index.root.name)
        refresh = index.settings.search.refresh
        try:
            answer = question(index, refresh=refresh, progress=progress, **keywords)
        finally:
            progress.clear()
        progress.finish()
        meta: Meta = answer.meta  # type: ignore[attr-defined]
        refuse_stale(meta, index.settings.search)
        session.warn_of_state(meta)  # here, that an answer which found nothing says it too
        return answer if options.get("as_json") else with_services(answer)


def filters_of(session: Session, options: dict[str, Any]) -> Filters:
    """The filters that the options of a command ask for."""
    return build_filters(
        session.asking(options.get("services", ()), options.get("scope", "project")),
        languages=options["languages"],
        paths=options["paths"],
        not_paths=options["not_paths"],
        kinds=options.get("kinds", ()),
        changed=options["changed"],
        since=options["since"],
    )


def file_or_name(session: Session, text: str) -> str:
    """`text` as a path from the root where it names a file, taken from the folder the person is in; else as it is."""
    root = session.found_root()
    for base in (session.directory, root):
        try:
            if (base / text).is_file():
                return root_path(session, root, text, as_pattern=False)
        except (OSError, ValueError):
            continue
    return text


def view_of(session: Session) -> View:
    """How results are shown in this run."""
    root = session.found_root()
    return View(session.out, root, lambda path: session.shown_path(root, path))


def finish(session: Session, options: dict[str, Any], answer: Any, lines: Callable[[View], Sequence[str]]) -> None:
    """Print an answer as JSON or as `lines`, then what is to be said of it and what was cut."""
    if options["as_json"]:
        print_json(answer.to_dict(), session.out)
    else:
        for line in lines(view_of(session)):
            session.out.line(line)
    say_state(session, answer.meta, shown=not options["as_json"], limit=options.get("limit", MAX_LIMIT))


def say_state(session: Session, meta: Meta, *, shown: bool, limit: int) -> None:
    """Say what is to be said of an answer; where it is `shown` as text, also what was left out."""
    if meta.suggestion:
        session.warn(meta.suggestion)
    if shown and meta.dropped:
        advice = reaching(limit, meta.dropped) or "; narrow it with --path or --lang"
        session.note(f"{meta.dropped:,} more{advice}")


def no_symbol(session: Session, name: str, near: Sequence[str], options: dict[str, Any], said: str = "") -> int:
    """Say that nothing has a name, and which names are like it; returns the exit code. `said` is what the answer says
    of its filters."""
    like = f"; near: {', '.join(near)}" if near else ""
    session.warn(f"no symbol {name[:80]}{like}")
    if said:
        session.note(said)
    elif any(options.get(key) for key in ("languages", "paths", "not_paths", "kinds", "changed", "since")):
        session.note("only what the filters leave was looked at")
    return 1


def head_lines(parts: Sequence[str], meta: Meta, view: View) -> list[str]:
    """The dimmed first line of an answer (more where the terminal is narrow) and a blank one: what it holds, the time
    it took, the state of the tree it speaks of."""
    facts = [*(safe(part) for part in parts if part), milliseconds(meta.took_ms), index_state(meta)]
    dimmed = [view.terminal.style("dim", line) for line in wrapped(facts, view.terminal.columns)]
    return [*dimmed, ""]
