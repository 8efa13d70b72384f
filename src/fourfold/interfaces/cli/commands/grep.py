"""``fourfold grep``: every line that matches a regular expression or a text, in path order."""

from __future__ import annotations

import re
from typing import Any

import click

from fourfold.interfaces.cli import grep_lines
from fourfold.interfaces.cli.filters import build_filters
from fourfold.interfaces.cli.options import Whole, json_option, no_refresh_option, scope_option, service_option
from fourfold.interfaces.cli.output import one_format, print_json, print_jsonl
from fourfold.interfaces.cli.services import with_services
from fourfold.interfaces.cli.session import Session, refuse_stale
from fourfold.interfaces.cli.words import count
from fourfold.model.errors import BadPattern, TimedOut
from fourfold.model.query import Filters
from fourfold.model.result import GrepResult

_ESCAPE = re.compile(r"\\(?:x\{?[0-9A-Fa-f]+\}?|[pP]\{[^}]*\}|.)", re.DOTALL)


@click.command(short_help="List every line that matches a pattern.")
@click.argument("pattern")
@click.argument("where", nargs=-1, metavar="[PATH]...")
@click.option("-F", "--fixed-strings", "literal", is_flag=True, help="The pattern is the text itself.")
@click.option("-i", "--ignore-case", is_flag=True, help="Upper and lower case are the same.")
@click.option("-S", "--smart-case", is_flag=True, help="As -i, unless the pattern holds an upper-case letter.")
@click.option("-w", "--word-regexp", "word", is_flag=True, help="Only whole words.")
@click.option("-A", "--after-context", "after", type=Whole(0, 1000), help="Lines after each match.")
@click.option("-B", "--before-context", "before", type=Whole(0, 1000), help="Lines before each match.")
@click.option("-C", "--context", type=Whole(0, 1000), help="Lines before and after each match.")
@click.option("-l", "--files-with-matches", "files", is_flag=True, help="Print the paths only.")
@click.option("-c", "--count", "counts", is_flag=True, help="Print the number of matching lines a file.")
@click.option("-o", "--only-matching", "only", is_flag=True, help="Print the matching parts only.")
@click.option("-n/-N", "--line-number/--no-line-number", "numbers", default=True, help="Line numbers (default: on).")
@click.option("-m", "--max-count", "per_file", type=Whole(1), help="Matching lines a file at most.")
@click.option("--limit", type=Whole(1), help="Matching lines at most, in all (default: every one).")
@click.option("-g", "--glob", "globs", multiple=True, metavar="GLOB", help="Only paths like this; !GLOB: none like it.")
@click.option(
    "-t", "--type", "--lang", "languages", multiple=True, metavar="LANG", help="Only this language (py, ts, go ...)."
)
@click.option("--changed", is_flag=True, help="Only files with changes that are not committed.")
@click.option("--since", metavar="REF", help="Only files changed since a commit, branch or tag.")
@service_option
@scope_option
@click.option("--vimgrep", is_flag=True, help="Print path:line:column:text, one line a match.")
@no_refresh_option
@json_option
@click.option("--jsonl", "as_jsonl", is_flag=True, help="Print one JSON object a line, then one with the rest.")
@click.pass_obj
def command(session: Session, /, pattern: str, where: tuple[str, ...], **options: Any) -> int:
    """List every line that matches PATTERN, a regular expression (RE2 syntax) or with -F the text itself.

    What is searched is what is indexed: fourfold status PATH tells whether, and why not, a file is. Control
    characters are printed escaped; --json has lines as they are.

    A search ends after five seconds, later where it keeps finding lines, and then says that it was cut: exit
    code 2 where nothing was found until then.
    """
    if not pattern:
        raise BadPattern("the pattern is empty", hint="say what to look for")
    session = session.asking(options["services"], options["scope"])
    formats = {"json": options["as_json"], "jsonl": options["as_jsonl"], "vimgrep": options["vimgrep"]}
    shapes = {
        "files-with-matches": options["files"],
        "count": options["counts"],
        "only-matching": options["only"],
    }
    one_format(**formats, **shapes)
    filters = build_filters(
        session,
        languages=options["languages"],
        changed=options["changed"],
        since=options["since"],
        paths=where,
        globs=[glob for glob in options["globs"] if not glob.startswith("!")],
        not_paths=[glob[1:] for glob in options["globs"] if glob.startswith("!")],
    )
    result = _matches(session, pattern, filters, options)
    _print(session, result, options)
    session.warn_of_state(result.meta)
    return _ending(session, result)


def _ending(session: Session, result: GrepResult) -> int:
    """Say what was cut; returns the exit code. Raises TimedOut where time ran out before anything was found."""
    if not result.meta.truncated:
        if result.meta.suggestion:
            session.warn(result.meta.suggestion)
        return 0 if result.items else 1
    found = count(len(result.items), "line")
    reason, _, advice = (result.meta.suggestion or "").partition("; ")
    if not reason:
        session.note(f"cut at {found}; more match")
    elif result.items:
        session.warn(f"{reason}; {found} found until then, more may match; {advice}")
    else:
        raise TimedOut(reason, hint=advice)
    return 0


def _matches(session: Session, pattern: str, filters: Filters, options: dict[str, Any]) -> GrepResult:
    """Ask the engine, with progress while it brings the index up to date."""
    around = options["context"] or 0
    plain = options["files"] or options["counts"] or options["only"] or options["vimgrep"]
    overrides = {"search.refresh": False} if options["no_refresh"] else {}
    with session.open(overrides) as index:
        search = index.settings.search
        progress = session.progress(index.root.name)
        try:
            result = index.grep(
                pattern,
                literal=options["literal"],
                ignore_case=options["ignore_case"] or (options["smart_case"] and is_lower(pattern, options["literal"])),
                word=options["word"],
                filters=filters,
                before=0 if plain else _first(options["before"], around),
                after=0 if plain else _first(options["after"], around),
                limit=options["limit"],
                max_per_file=1 if options["files"] else options["per_file"],
                refresh=search.refresh,
                progress=progress,
            )
        finally:
            progress.clear()
        progress.finish()
        refuse_stale(result.meta, search)
        return result


def _print(session: Session, result: GrepResult, options: dict[str, Any]) -> None:
    """Print the matches in the shape asked for."""
    if options["as_json"]:
        return print_json(result.to_dict(), session.out)
    if options["as_jsonl"]:
        return print_jsonl(result.to_dict(), session.out)
    result = with_services(result)
    root = session.found_root()
    spaced = any(options[name] for name in ("context", "before", "after"))
    view = grep_lines.GrepView(
        session.out, root, lambda path: session.shown_path(root, path), options["numbers"], spaced
    )
    shapes = {
        "files": grep_lines.files,
        "counts": grep_lines.counts,
        "only": grep_lines.only_matching,
        "vimgrep": grep_lines.vimgrep,
    }
    shape = next((made for name, made in shapes.items() if options[name]), grep_lines.matching_lines)
    for line in shape(result.items, view):
        session.out.line(line)
    return None


def is_lower(pattern: str, literal: bool) -> bool:
    """True where a pattern holds no upper-case letter of its own (``\\S`` and ``\\W`` are not letters)."""
    text = pattern if literal else _ESCAPE.sub("", pattern)
    return text == text.lower()


def _first(value: int | None, otherwise: int) -> int:
    return otherwise if value is None else value
