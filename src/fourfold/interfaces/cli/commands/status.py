"""``fourfold status``: what the index holds, or what it says of one path."""

from __future__ import annotations

import click

from fourfold.interfaces.cli.options import json_option
from fourfold.interfaces.cli.output import print_report
from fourfold.interfaces.cli.session import Session
from fourfold.interfaces.cli.table import facts
from fourfold.interfaces.cli.width import safe_name
from fourfold.interfaces.cli.words import count, counted, size, skipped_words
from fourfold.model.errors import IndexUnavailable
from fourfold.model.report import PathStatus, Status, VectorStatus

INDEXED = "indexed"


@click.command(short_help="What the index holds; whether, and why not, a path is in it.")
@click.argument("path", required=False)
@json_option
@click.pass_obj
def command(session: Session, path: str | None, as_json: bool) -> int:
    """Show the state of the index, or with PATH whether that file is indexed and, if not, why.

    Exit code 3 where there is no index yet; 1 where PATH is not indexed.
    """
    with session.open() as index:
        if path is None:
            status = index.status()
            if as_json:
                print_report(status, session.out)
            elif status.exists:
                session.out.line("\n".join(facts(status_facts(status), session.out)))
            if not status.exists:
                raise IndexUnavailable(
                    f"there is no index of {status.root} yet",
                    hint="`fourfold index` builds it, as does the first search",
                )
            return 0
        from fourfold.index.status import path_inside

        inside = path_inside(index.root, path, session.directory.resolve())
        found = index.status_of(inside)
        if as_json:
            print_report(found, session.out)
        else:
            session.out.line(path_line(found))
        return 0 if found.status == INDEXED else 1


def status_facts(status: Status) -> list[tuple[str, str]]:
    """The state of an index as (name, value)."""
    rows = [
        ("root", safe_name(status.root)),
        ("index", f"{safe_name(status.location)}, {size(status.bytes_on_disk)}"),
        ("state", _state(status)),
        ("commit", _commit(status)),
        (
            "holds",
            f"{count(status.files, 'file')}, {count(status.lines, 'line')}, {count(status.chunks, 'chunk')}",
        ),
        ("symbols", f"{status.symbols:,}"),
        ("languages", counted(status.languages, most=8)),
        ("skipped", skipped_words(status.skipped)),
        ("model", safe_name(status.model) or "none"),
        ("vectors", _vectors(status.vectors) if status.vectors is not None else ""),
        ("storage", _storage(status)),
        ("writer", safe_name(status.writer)),
    ]
    return [(name, value) for name, value in rows if value]


def path_line(found: PathStatus) -> str:
    """What the index says of one path, in one line."""
    if found.status == INDEXED:
        language = found.language or "no known language"
        text = f"indexed, {language}, {count(found.lines, 'line')}, {count(found.chunks, 'chunk')}"
    else:
        words = {"not-yet": "not indexed yet", "absent": "not there"}.get(found.status, found.status)
        text = f"{words}: {found.reason}" if found.reason else words
    extras = [safe_name(extra) for extra in (found.detail, found.note) if extra]
    return f"{safe_name(found.path)}: {safe_name(text)}" + (f" ({'; '.join(extras)})" if extras else "")


def _state(status: Status) -> str:
    if not status.stale_files:
        return f"fresh, generation {status.generation:,}"
    changed = f"{count(status.stale_files, 'file')} changed since"
    return f"stale, {changed}, generation {status.generation:,}; the next search refreshes it"


def _commit(status: Status) -> str:
    """The commit that is indexed, and the one checked out where that is another."""
    if not status.indexed_commit:
        return ""
    parts = [f"{status.indexed_commit[:12]} {safe_name(status.branch or '(no branch)')}"]
    if status.live_commit and status.live_commit != status.indexed_commit:
        parts.append(f"the tree is at {status.live_commit[:12]}")
    if status.dirty_files:
        parts.append(f"{count(status.dirty_files, 'file')} dirty")
    return ", ".join(parts)


def _vectors(vectors: VectorStatus) -> str:
    """``voyage-code-3 (voyage), 1,024 dimensions, proprietary: 13,799 of 13,799 chunks; code is sent to ...``."""
    parts = [f"{safe_name(vectors.model)} ({vectors.provider})"]
    if vectors.dimension:
        parts.append(f"{vectors.dimension:,} dimensions")
    if vectors.licence:
        parts.append(safe_name(vectors.licence))
    text = f"{', '.join(parts)}: {vectors.made:,} of {vectors.made + vectors.missing:,} chunks"
    return f"{text}; code is sent to {safe_name(vectors.server)}" if vectors.server else text


def _storage(status: Status) -> str:
    parts = [f"format {status.format_version}", count(status.segments, "segment")]
    if status.dead_chunks:
        share = status.dead_chunks / max(status.dead_chunks + status.chunks, 1)
        parts.append(f"{count(status.dead_chunks, 'dead chunk')} ({share:.0%})")
    return ", ".join(parts)
