"""``index_status`` and ``reindex``: what the index holds, why a path is not in it, and bringing it up to date."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

from fourfold.interfaces.mcp.call import Call
from fourfold.interfaces.mcp.fence import code, plain
from fourfold.interfaces.mcp.missing import path_reason
from fourfold.interfaces.mcp.reply import Answer, Entry, Reply, plain_dict, reply
from fourfold.interfaces.mcp.service import indexing
from fourfold.model.counting import count
from fourfold.model.errors import FourfoldError
from fourfold.model.report import PathStatus, RefreshReport, Status
from fourfold.model.result import Meta

if TYPE_CHECKING:
    from fourfold.interfaces.mcp.service import Service

REASONS = 8
"""Kinds of skipped files and of languages named."""


def index_status(call: Call) -> Reply:
    """The state of each service, or what is known of one path."""
    path = call.arguments["path"]
    if path:
        service, inside = call.workspace.locate(path)
        found = service.index().status_of(inside)
        meta = _meta(service, service.index().status())
        return _reply(call, "Index status", [(service, meta)], [_path_entry(service, found)])
    metas, entries = [], []
    for service in call.workspace.services:
        try:
            status = service.index().status()
        except FourfoldError as error:
            entries.append(_failed(service, error))
            continue
        metas.append((service, _meta(service, status)))
        entries.append(_status_entry(service, status))
    return _reply(call, "Index status", metas, entries)


def reindex(call: Call) -> Reply:
    """Refresh each service now."""
    metas, entries = [], []
    for service in call.workspace.chosen(call.arguments["service"]):
        report = service.refresh(call.arguments["force"], call.cancelled)
        metas.append((service, _meta(service, service.index().status())))
        entries.append(_report_entry(service, report))
    return _reply(call, "Index refreshed", metas, entries)


def _reply(call: Call, title: str, metas: list[tuple[Service, Meta]], entries: list[Entry]) -> Reply:
    named = [(service.name, meta) for service, meta in metas]
    return reply(Answer(title=f"# {title}", query={"text": ""}, metas=named, entries=entries), call.arguments)


def _meta(service: Service, status: Status) -> Meta:
    moment = service.progress
    return Meta(
        fusion_strategy="direct",
        preset="status",
        indexed_commit=status.indexed_commit,
        live_commit=status.live_commit,
        branch=status.branch,
        dirty_files=status.dirty_files,
        stale=bool(status.stale_files) or not status.exists,
        degraded=indexing(moment) if moment is not None else None,
        generation=status.generation,
    )


def _path_entry(service: Service, found: PathStatus) -> Entry:
    if found.status == "indexed":
        language = found.language or "no known language"
        said = f"is indexed: {plain(language)}, {count(found.lines, 'line')}, {count(found.chunks, 'chunk')}"
    else:
        said = f"is not indexed because: {plain(path_reason(found))}"
    note = f" ({plain(found.note)})" if found.note else ""
    return Entry(f"{code(found.path)} {said}{note}", {**plain_dict(asdict(found)), "service": service.name})


def _status_entry(service: Service, status: Status) -> Entry:
    data = {**plain_dict(asdict(status)), "service": service.name}
    if not status.exists:
        return Entry(f"{code(service.name)} is not indexed yet; it is built in the background", data)
    lines = [
        f"## {code(service.name)}",
        f"- root: {code(status.root)}",
        f"- holds: {count(status.files, 'file')}, {count(status.lines, 'line')}, {count(status.chunks, 'chunk')}, "
        f"{count(status.symbols, 'symbol')}",
        f"- languages: {_counts(status.languages)}",
        f"- not indexed: {_counts(status.skipped) or 'nothing'} (ask with a path for the exact reason)",
        f"- changed since: {count(status.stale_files, 'file')} (each tool refreshes them before it answers)",
        f"- on disk: {status.bytes_on_disk / 1e6:,.1f} MB at {code(status.location)}, model {plain(status.model)}",
    ]
    if status.writer:
        lines.append(f"- being written by: {plain(status.writer)}")
    return Entry("\n".join(lines), data)


def _counts(counts: dict[str, int]) -> str:
    largest = sorted(counts.items(), key=lambda item: -item[1])
    shown = ", ".join(f"{plain(name)} {count:,}" for name, count in largest[:REASONS])
    return shown + (f" and {len(largest) - REASONS} more" if len(largest) > REASONS else "")


def _failed(service: Service, error: FourfoldError) -> Entry:
    text = f"{code(service.name)}: error {error.code}: {error.message}. {error.hint}".rstrip()
    return Entry(text, {"service": service.name, "error": {"code": error.code, "message": error.message}})


def _report_entry(service: Service, report: RefreshReport) -> Entry:
    text = (
        f"{code(service.name)}: {report.added:,} added, {report.changed:,} changed, {report.removed:,} removed, "
        f"{report.unchanged:,} unchanged; {report.seconds:.1f} s, generation {report.generation:,}"
    )
    warnings = "".join(f"\n- warning: {plain(warning)}" for warning in report.warnings)
    return Entry(text + warnings, {**plain_dict(asdict(report)), "service": service.name})
