"""``fourfold history``: which commits did what."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from fourfold.interfaces.cli.filters import root_path
from fourfold.interfaces.cli.options import MAX_LIMIT, Whole, json_option, no_refresh_option, reaching
from fourfold.interfaces.cli.output import one_format, print_json, print_jsonl
from fourfold.interfaces.cli.progress import ProgressLine
from fourfold.interfaces.cli.session import Session, refuse_stale
from fourfold.interfaces.cli.snippet import marker
from fourfold.interfaces.cli.structure import view_of
from fourfold.interfaces.cli.structure_rows import wrapped
from fourfold.interfaces.cli.styled import styled_line
from fourfold.interfaces.cli.width import cut, safe_name, width
from fourfold.interfaces.cli.words import count, milliseconds, seconds
from fourfold.model.errors import UsageError
from fourfold.model.query import Filters
from fourfold.model.report import Progress

if TYPE_CHECKING:
    from fourfold.engine.history import HistoryItem, HistoryResult
    from fourfold.interfaces.cli.render import View

LIMIT = 10
SHOWN_LINES = 2
"""Lines of a message's body that are shown; --full shows all that --json has."""
SHOWN_FILES = 4
"""Files of a commit that are shown, those that answer the question first."""
ABBREVIATED = 9
"""Digits of a commit that are shown: enough for a million commits."""


@click.command(short_help="Which commits did what.")
@click.argument("question", nargs=-1, metavar="[QUESTION]...")
@click.option("-n", "--limit", type=Whole(1, MAX_LIMIT), default=LIMIT, help=f"Commits at most (default: {LIMIT}).")
@click.option("--path", "paths", multiple=True, metavar="PATH", help="Only commits that touch this path, or a glob.")
@click.option("--not-path", "not_paths", multiple=True, metavar="PATH", help="Files that do not count as touched.")
@click.option("--author", metavar="TEXT", default="", help="Only commits whose author's name or e-mail holds this.")
@click.option("--since", metavar="DATE", default="", help="Only commits since a date (2024-05-31, 3 weeks, 6m).")
@click.option("--until", metavar="DATE", default="", help="Only commits until a date.")
@click.option("--symbol", metavar="NAME", default="", help="Instead of words: commits that changed this definition.")
@click.option("--full", is_flag=True, help="Show the whole part of the message and every file that --json has.")
@no_refresh_option
@json_option
@click.option("--jsonl", "as_jsonl", is_flag=True, help="Print one JSON object a line, then one with the rest.")
@click.pass_obj
def command(session: Session, /, question: tuple[str, ...], **options: Any) -> int:
    """Show the commits whose message and files answer QUESTION best, or with filters alone the newest ones.

    The history that leads to the commit you are on is read when it is first asked for, later only what is new. The
    first 7 to 40 digits of a commit find that commit. Paths are those that a file had at the time.
    """
    one_format(json=options["as_json"], jsonl=options["as_jsonl"])
    text = " ".join(question)
    if options["symbol"] and (text or any(options[name] for name in ("not_paths", "author", "since", "until"))):
        raise UsageError("--symbol goes with --path, --limit and nothing else", hint="which of several: --path FILE")
    result = _ask(session, text, options)
    if options["as_json"]:
        print_json(result.to_dict(), session.out)
    elif options["as_jsonl"]:
        print_jsonl(result.to_dict(), session.out)
    elif result.items:
        for line in history_lines(result, view_of(session), full=options["full"]):
            session.out.line(line)
    else:
        session.warn(_nothing(result, text))
    _say(session, result, options)
    return 0 if result.items else 1


def _nothing(result: HistoryResult, text: str) -> str:
    """What is said where no commit is shown."""
    query = result.query
    if "symbol" not in query:
        return f"no commit answers {text[:80]!r}" if text else "no commit satisfies the filters"
    name = safe_name(str(query["symbol"])[:80])
    if "end_line" in query:
        return f"the lines of {name} are in no commit yet"
    near = ", ".join(map(safe_name, query["near"]))
    return f"there is no definition of {name}" + (f"; names like it: {near}" if near else "")


def _ask(session: Session, text: str, options: dict[str, Any]) -> HistoryResult:
    """Put the question, with progress while commits are read."""
    root = session.found_root()

    def inside(paths: Sequence[str]) -> tuple[str, ...]:
        return tuple(root_path(session, root, path, must_exist=False) for path in paths)

    filters = Filters(paths=inside(options["paths"]), not_paths=inside(options["not_paths"]))
    overrides = {"search.refresh": False} if options["no_refresh"] else {}
    with session.open(overrides) as index:
        progress = CommitLine(session.err, index.root.name)
        refresh = index.settings.search.refresh
        try:
            if options["symbol"]:
                place = filters.paths[0] if filters.paths else ""
                return index.touched(options["symbol"], path=place, limit=options["limit"], refresh=refresh)
            result = index.history(
                text,
                options["limit"],
                filters=filters,
                **{name: options[name] for name in ("author", "since", "until")},
                refresh=refresh,
                progress=progress,
            )
        finally:
            progress.clear()
        progress.finish()
        refuse_stale(result.meta, index.settings.search)
        return result


def _say(session: Session, result: HistoryResult, options: dict[str, Any]) -> None:
    """What must be said beside the answer."""
    meta = result.meta
    if meta.degraded:
        session.warn(meta.degraded)
    elif meta.stale:
        session.warn("commits that are new were not read; leave out --no-refresh to read them")
    if meta.dropped and not options["as_json"] and not options["as_jsonl"]:
        advice = reaching(options["limit"], meta.dropped) or "; narrow them with --path, --author, --since"
        session.note(f"{count(meta.dropped, 'more commit')}{advice}")


class CommitLine(ProgressLine):
    """A progress line that counts commits."""

    def finish(self) -> None:
        """Remove the line and, where the work took long enough to be noticed, say what was done."""
        self.clear()
        work = self._work
        if not self._quiet and work is not None and work.total and work.seconds >= 1.0:
            read = f"read the history of {self._name}: {count(work.done, 'commit')}"
            self._terminal.line(f"{read} in {seconds(work.seconds)}")

    def _draw(self, progress: Progress) -> None:
        done = f"{progress.done:,}/{progress.total:,} commits" if progress.total else "looking for commits"
        text = cut(f"reading history  {self._name}  {done}", (self._terminal.columns or 80) - 1)
        self._terminal.stream.write("\r" + text + "\x1b[K")
        self._terminal.stream.flush()
        self._drawn = True


def history_lines(result: HistoryResult, view: View, *, full: bool = False) -> list[str]:
    """The lines of an answer: for each commit its day, digits, subject and author, telling lines, files."""
    meta, terminal = result.meta, view.terminal
    commit = f"history up to {meta.indexed_commit[:ABBREVIATED]}" if meta.indexed_commit else "history"
    facts = [count(len(result.items) + meta.dropped, "commit"), milliseconds(meta.took_ms), commit]
    lines = [terminal.style("dim", line) for line in wrapped(facts, terminal.columns)]
    lines.append("")
    marks = marker(str(result.query["text"]))
    digits = len(str(len(result.items)))
    for item in result.items:
        lines.append(_head(item, digits, view, marks))
        indent = " " * (digits + 2)
        room = None if terminal.columns is None else max(terminal.columns - len(indent), 10)
        told = [line for line in item.snippet.split("\n") if line.strip()]
        for line in told if full else told[:SHOWN_LINES]:
            spans = [match.span() for match in marks.finditer(line)] if marks else []
            lines.append((indent + styled_line(line.rstrip(), spans, terminal, room, role="bold")).rstrip())
        if item.files:
            lines.append(indent + terminal.style("dim", cut(_files(item, view, full), room)))
    return lines


def _head(item: HistoryItem, digits: int, view: View, marks: Any) -> str:
    """``1  2024-05-31  3f2a1b4c9  Fix the reaper  Jane Doe``."""
    terminal = view.terminal
    number = f"{item.rank:>{digits}}"
    start = f"{number}  {item.date[:10]}  "
    short = item.commit[:ABBREVIATED]
    author = safe_name(item.author)
    room = None
    if terminal.columns is not None:
        author = cut(author, max(terminal.columns // 5, 8))
        room = max(terminal.columns - len(start) - len(short) - 4 - width(author), 10)
    spans = [match.span() for match in marks.finditer(item.subject)] if marks else []
    subject = styled_line(item.subject, spans, terminal, room, role="bold")
    named = terminal.style("symbol", short)
    return f"{start}{named}  {subject}  {terminal.style('dim', author)}".rstrip()


def _files(item: HistoryItem, view: View, full: bool) -> str:
    """``src/pool.py, tests/test_pool.py and 3 more``."""
    shown = item.files if full else item.files[:SHOWN_FILES]
    left = item.files_total - len(shown)
    named = ", ".join(safe_name(view.path_of(path)) for path in shown)
    return f"{named} and {left:,} more" if left > 0 else named
