"""``fourfold search``: a question in plain words, answered with ranked places."""

from __future__ import annotations

import re
from typing import Any

import click

from fourfold.config.option import nearest
from fourfold.interfaces.cli.filters import build_filters
from fourfold.interfaces.cli.group import COMMANDS, IMPLIED, mistyped
from fourfold.interfaces.cli.options import (
    MAX_LIMIT,
    PresetName,
    Whole,
    filter_options,
    json_option,
    no_refresh_option,
    reaching,
)
from fourfold.interfaces.cli.output import one_format, print_json, print_jsonl
from fourfold.interfaces.cli.services import with_services
from fourfold.interfaces.cli.session import Session, refuse_stale
from fourfold.interfaces.cli.width import safe_name
from fourfold.interfaces.cli.words import count
from fourfold.model.errors import BadQuery, UsageError
from fourfold.model.record import record
from fourfold.model.result import SearchResult

RANKED = "weighted_rrf"
_NEGATED_FILTER = re.compile(r"-(lang|language|path|kind):.")


class SearchCommand(click.Command):
    """Lets ``-path:tests`` stand among the words of the question although it begins like an option, and a
    quoted question begin with a dash."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Move what is no option behind the question, where no option parser reads it."""
        stop = args.index("--") if "--" in args else len(args)
        moved = [arg for arg in args[:stop] if self._is_question(ctx, arg)]
        if not moved:
            return super().parse_args(ctx, args)
        kept = [arg for arg in args[:stop] if not self._is_question(ctx, arg)] + args[stop:]
        return super().parse_args(ctx, [*kept, *([] if "--" in kept else ["--"]), *moved])

    def _is_question(self, ctx: click.Context, arg: str) -> bool:
        """True for a negated filter, and for a text of several words that begins like no option of ours."""
        if _NEGATED_FILTER.match(arg):
            return True
        if not arg.startswith("-") or len(arg.split()) < 2:
            return False
        known = {name for option in self.get_params(ctx) for name in option.opts}
        return (arg.partition("=")[0] if arg.startswith("--") else arg[:2]) not in known


@record(frozen=True, slots=True)
class _Shown:
    """How the answer is printed."""

    as_json: bool
    as_jsonl: bool
    files: bool
    full: bool
    explain: bool
    context: int


@click.command(cls=SearchCommand, short_help="Ask in plain words (the default command).")
@click.argument("question", nargs=-1, metavar="QUESTION...")
@click.option("-n", "--limit", type=Whole(1, MAX_LIMIT), help="Results at most (setting search.limit: 10).")
@filter_options
@click.option("-k", "--kind", "kinds", multiple=True, metavar="KIND", help="Only function, class, method, section ...")
@click.option("--preset", type=PresetName(), help="How to retrieve (setting search.preset).")
@click.option("--explain", is_flag=True, help="Show why each result stands where it stands.")
@click.option("-C", "--context", type=Whole(0, 1000), default=0, help="Lines around each line shown.")
@click.option("--full", is_flag=True, help="Show whole chunks.")
@click.option("-l", "--files-with-matches", "files", is_flag=True, help="Print the paths only.")
@click.option(
    "--open", "open_result", type=Whole(1, MAX_LIMIT), help="Open result N at its line: $VISUAL, else $EDITOR."
)
@no_refresh_option
@json_option
@click.option("--jsonl", "as_jsonl", is_flag=True, help="Print one JSON object a result, then one with the rest.")
@click.pass_context
def command(ctx: click.Context, /, question: tuple[str, ...], **options: Any) -> int:
    """Answer a question with ranked places of the code.

    The question may hold filters: lang:py path:src -path:tests kind:class. The index is built or brought up
    to date first, unless --no-refresh is given.
    """
    session: Session = ctx.obj.asking(options["services"], options["scope"])
    text = " ".join(question)
    if not text.strip():
        raise BadQuery("no question was given", hint='for instance: fourfold "where is the config parsed"')
    shown = _Shown(
        as_json=options["as_json"],
        as_jsonl=options["as_jsonl"],
        files=options["files"],
        full=options["full"],
        explain=options["explain"],
        context=options["context"],
    )
    one_format(json=shown.as_json, jsonl=shown.as_jsonl, **{"files-with-matches": shown.files})
    result = _answer(session, text, options)
    near = _meant(session, question, ctx.meta.get(IMPLIED, ""), result)
    if near:
        session.note(f"did you mean `fourfold {near}`?")
    if not result.items:
        _nothing_found(session, text, "" if near else ctx.meta.get(IMPLIED, ""), result.meta.suggestion or "")
    _print(session, result, shown)
    if result.items and options["open_result"]:
        _open(session, result, options["open_result"])
    return 0 if result.items else 1


def _answer(session: Session, text: str, options: dict[str, Any]) -> SearchResult:
    """Ask the engine, with progress while it brings the index up to date."""
    overrides: dict[str, object] = {"search.limit": options["limit"], "search.preset": options["preset"]}
    if options["no_refresh"]:
        overrides["search.refresh"] = False
    filters = build_filters(
        session,
        languages=options["languages"],
        paths=options["paths"],
        not_paths=options["not_paths"],
        kinds=options["kinds"],
        changed=options["changed"],
        since=options["since"],
    )
    with session.open(overrides) as index:
        search = index.settings.search
        limit = max(search.limit, options["open_result"] or 0)
        progress = session.progress(index.root.name)
        try:
            result = index.search(
                text,
                limit=limit,
                filters=filters,
                preset=search.preset,
                explain=options["explain"],
                refresh=search.refresh,
                progress=progress,
            )
        finally:
            progress.clear()
        progress.finish()
        refuse_stale(result.meta, search)
        return result


def _print(session: Session, result: SearchResult, shown: _Shown) -> None:
    """Print the answer in the format asked for, then what goes beside it."""
    if shown.as_json:
        print_json(result.to_dict(), session.out)
    elif shown.as_jsonl:
        print_jsonl(result.to_dict(), session.out)
    elif result.items:
        _print_text(session, result, shown)
    session.warn_of_state(result.meta)
    if result.items and not (shown.as_json or shown.as_jsonl):
        _footer(session, result, shown)


def _print_text(session: Session, result: SearchResult, shown: _Shown) -> None:
    from fourfold.interfaces.cli.render import View, render_search

    root = session.found_root()
    result = with_services(result)

    def path_of(path: str) -> str:
        return session.shown_path(root, path)

    if shown.files:
        for path in dict.fromkeys(item.path for item in result.items):
            session.out.line(safe_name(path_of(path)))
        return
    view = View(session.out, root, path_of, shown.context, shown.full, shown.explain)
    for line in render_search(result, view):
        session.out.line(line)


def _footer(session: Session, result: SearchResult, shown: _Shown) -> None:
    """What was cut and what else can be done; only the first on a pipe."""
    parts = []
    if result.meta.dropped:
        parts.append(_further(len(result.items), result.meta.dropped, result.meta.fusion_strategy))
    if session.out.tty and not shown.files:
        parts += [] if shown.explain else ["why: --explain"]
        parts.append("open: --open 1")
    if parts:
        session.note(" · ".join(parts))


def _further(shown: int, dropped: int, strategy: str) -> str:
    """What there is beside the results shown. A ranked list goes on to whatever shares a word with the question: how
    long it is says nothing of how much is worth a look."""
    if strategy == RANKED:
        further = min(2 * shown, shown + dropped, MAX_LIMIT)
        return f"more with --limit {further}" if further > shown else "narrow it with path: or lang:"
    return f"{dropped:,} more{reaching(shown, dropped) or '; narrow it with path: or lang:'}"


def _meant(session: Session, question: tuple[str, ...], implied: str, result: SearchResult) -> str:
    """The command that the question may be a slip of: it is one word that is no name of the index, paths follow the
    word, or none of what is found holds it."""
    if not implied or question[0] != implied:
        return ""
    near = mistyped(implied)
    if not near:
        return ""
    word = implied.lower()
    if len(question) > 1 and not any(word in f"{item.path}\n{item.snippet}".lower() for item in result.items):
        return near
    paths = all((session.directory / word).exists() for word in question[1:])
    return near if paths and result.query.intent != "find_definition" else ""


def _nothing_found(session: Session, text: str, implied: str, suggestion: str) -> None:
    """Say on standard error that nothing was found, and what may help."""
    session.warn(f"nothing found for {text[:80]!r}")
    near = nearest(implied, COMMANDS) if len(text.split()) <= 2 else ""
    if near:
        session.note(f"did you mean `fourfold {near}`?")
    if suggestion:
        session.note(suggestion)
    session.note("whether a file is indexed, and if not why: fourfold status PATH")


def _open(session: Session, result: SearchResult, number: int) -> None:
    """Open the result of that number in the editor."""
    from fourfold.interfaces.cli.editor import open_in_editor
    from fourfold.source.root import relative_path

    if session.several:
        raise UsageError("--open is for the project here", hint="go to the folder of the service")
    if number > len(result.items):
        raise UsageError(f"there is no result {number}", hint=f"{count(len(result.items), 'result')} found")
    item = result.items[number - 1]
    root = session.found_root()
    session.out.stream.flush()
    open_in_editor(root / relative_path(root, item.path, root), item.start_line)
