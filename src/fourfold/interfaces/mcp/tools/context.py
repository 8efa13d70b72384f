"""``get_code_context``: a file, a range of its lines, or one symbol with what stands around it."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Any

from fourfold.answer.tokens import estimate
from fourfold.interfaces.mcp.blocks import shown_lines
from fourfold.interfaces.mcp.call import Call
from fourfold.interfaces.mcp.excerpt import around
from fourfold.interfaces.mcp.fence import Line, clean, code, fenced, plain
from fourfold.interfaces.mcp.missing import path_reason
from fourfold.interfaces.mcp.reply import Answer, Entry, Reply, plain_dict, reply
from fourfold.model.counting import count
from fourfold.model.errors import BadQuery, UsageError
from fourfold.model.query import Filters
from fourfold.model.structure import ContextResult, SymbolItem, UsageItem

if TYPE_CHECKING:
    from fourfold.engine import Index
    from fourfold.index.reading import FileText
    from fourfold.interfaces.mcp.service import Service
    from fourfold.model.result import Meta

OUTLINE = 40
"""Definitions named where a file does not fit."""
MINOR = frozenset({"constant", "variable", "field", "property", "attribute"})
"""Kinds that an outline can do without."""
RELATED = 8
"""Callers, callees and tests named of a symbol."""
OVERHEAD_TOKENS = 260
"""Kept free for the header, the outline's head and the footer."""


def get_code_context(call: Call) -> Reply:
    """Numbered lines as they are in the working tree; the reason where the file is not for reading."""
    asked = call.arguments
    service, path = call.workspace.locate(asked["file_path"])
    context = call.ask(service, lambda index, refresh: _known(index, path, refresh))
    file = service.index().read(path)
    if file.text is None:
        raise BadQuery(
            f"{path} is not indexed because: {path_reason(file.status)}",
            hint="index_status says more; search_code finds what is indexed",
        )
    lines = file.text.split("\n")
    if len(lines) > 1 and not lines[-1]:
        lines.pop()
    if asked["symbol_name"]:
        return _symbol(call, service, file, lines, context.meta)
    return _lines(call, service, file, lines, context)


def _known(index: Index, path: str, refresh: bool) -> ContextResult:
    """What the index knows of the file; nothing where it is not indexed."""
    return index.context(path, limit=RELATED, refresh=refresh)


def _lines(call: Call, service: Service, file: FileText, lines: list[str], context: ContextResult) -> Reply:
    asked = call.arguments
    start = asked["start_line"] or 1
    end = min(asked["end_line"] or len(lines), len(lines))
    if start > len(lines):
        raise UsageError(
            f"{file.path} has {count(len(lines), 'line')}, so none at {start:,}", hint="give a smaller start_line"
        )
    if end < start:
        raise UsageError(f"end_line {end:,} is before start_line {start:,}", hint="give the range in order")
    outline = [item for item in context.items if item.path == file.path and item.end_line > 0]
    budget = asked["max_tokens"] - OVERHEAD_TOKENS
    shown, cut = _fit(((number, lines[number - 1]) for number in range(start, end + 1)), budget)
    lead = ""
    if cut:
        named = _outline(outline, shown[-1][0], budget // 3)
        shown, cut = _fit(iter(shown), budget - estimate(named))
        lead = named
    last = shown[-1][0]
    whole = start == 1 and last == len(lines)
    part = f"whole file, {count(len(lines), 'line')}" if whole else f"lines {start:,}-{last:,} of {len(lines):,}"
    notes = []
    if last < end:
        notes.append(
            f"Cut at line {last:,} to stay within {asked['max_tokens']:,} tokens; go on with start_line={last + 1}."
        )
    entry = Entry(fenced(shown, _language(context, file)), _data(service, file, shown, "file"))
    answer = Answer(
        title=f"# {code(file.path)}, {part} ({file.origin})",
        query={"text": file.path, "start_line": start, "end_line": end},
        metas=[(service.name, _cut(context.meta, last < end, end - last))],
        entries=[entry],
        lead=lead,
        notes=notes,
        extra={"next_start_line": last + 1 if last < end else None},
    )
    return reply(answer, {key: value for key, value in asked.items() if key != "max_tokens"})


def _cut(meta: Meta, cut: bool, dropped: int) -> Meta:
    return replace(meta, truncated=True, dropped=dropped) if cut else meta


def _symbol(call: Call, service: Service, file: FileText, lines: list[str], meta: Meta) -> Reply:
    """A symbol of the file, its callers, callees and tests; the lines with its name where it is not indexed."""
    asked = call.arguments
    name = asked["symbol_name"]
    filters = Filters(paths=(file.path,))
    index = service.index()
    found = index.symbol(name, limit=5, filters=filters, refresh=False)
    # Only a name met as written, in another case or by its end is this symbol; a look-alike would mislead.
    best = next((item for item in found.items if item.match in ("exact", "case", "qualified")), None)
    if best is None:
        return _text(call, service, file, lines, meta, [item.symbol for item in found.items])
    budget = asked["max_tokens"] - OVERHEAD_TOKENS - 400
    span = ((number, lines[number - 1]) for number in range(best.start_line, min(best.end_line, len(lines)) + 1))
    shown, cut = _fit(span, budget)
    around_it = index.context(best.symbol, limit=RELATED, refresh=False)
    if not any(item.path == best.path and item.start_line == best.start_line for item in around_it.items):
        around_it = replace(around_it, callers=(), callees=(), inherits=(), tests=())
    facts = [
        f"**Signature**: {code(best.signature)}" if best.signature else "",
        f"**Annotations**: {', '.join(code(text) for text in best.decorators)}" if best.decorators else "",
        f"**Route**: {plain(', '.join(best.routes))}" if best.routes else "",
        _related("Callers", around_it.callers),
        _related("Calls", around_it.callees),
        _related("Bases", around_it.inherits),
        _related("Tests", around_it.tests),
    ]
    notes = []
    if cut:
        notes.append(
            f"Cut at line {shown[-1][0]:,}; go on with start_line={shown[-1][0] + 1} end_line={best.end_line}."
        )
    data = {**_data(service, file, shown, best.kind), "symbol": best.symbol, "signature": best.signature}
    answer = Answer(
        title=f"# {code(best.symbol)} ({best.kind}) {code(best.location)} ({file.origin})",
        query={"text": name, "file_path": file.path},
        metas=[(service.name, _cut(meta, cut, best.end_line - shown[-1][0]))],
        entries=[Entry(fenced(shown, best.language), data)],
        lead="\n".join(fact for fact in facts if fact),
        notes=notes,
        extra={
            part: [_brief(item) for item in getattr(around_it, part)]
            for part in ("callers", "callees", "inherits", "tests")
        },
    )
    return reply(answer, {key: value for key, value in asked.items() if key != "max_tokens"})


def _text(call: Call, service: Service, file: FileText, lines: list[str], meta: Meta, near: list[str]) -> Reply:
    """Where the name stands in the file as a word, with lines around each place."""
    name = call.arguments["symbol_name"]
    word = re.compile(rf"(?<!\w){re.escape(re.split(r'[.:#>]+', name.strip())[-1] or name)}(?!\w)")
    places = [number for number, line in enumerate(lines, 1) if word.search(line)]
    numbered: dict[int, str] = {}
    for number in places[:20]:
        numbered.update(around(lines, number, 3))
    shown, cut = _fit(iter(sorted(numbered.items())), call.arguments["max_tokens"] - OVERHEAD_TOKENS)
    said = f"No definition of {code(name[:200])} is indexed in {code(file.path)}; "
    there = f"the text has the word on {count(len(places), 'line')}."
    said += there if places else "the text does not have the word either."
    if near:
        said += f" Near names there: {', '.join(code(text) for text in near[:5])}."
    answer = Answer(
        title=f"# {code(name[:200])} in {code(file.path)} ({file.origin})",
        query={"text": name, "file_path": file.path},
        metas=[(service.name, meta)],
        entries=[Entry(fenced(shown, file.status.language), _data(service, file, shown, "text"))] if shown else [],
        lead=said,
        notes=["Only a part of the places is shown; read further with start_line."] if cut or len(places) > 20 else [],
        extra={"near": near},
    )
    return reply(answer, {key: value for key, value in call.arguments.items() if key != "max_tokens"})


def _fit(lines: Iterable[Line], budget: int) -> tuple[list[Line], bool]:
    """As many lines as fit a budget of tokens, at least one; whether some were left."""
    shown: list[Line] = []
    used = 0
    for number, text in lines:
        used += estimate(f"{number} {clean(text)}\n")
        if shown and used > budget:
            return shown, True
        shown.append((number, text))
    return shown, False


def _outline(items: list[SymbolItem], after: int, budget: int) -> str:
    """The definitions that lie behind a line, constants only where there is nothing else."""
    left = [item for item in items if item.start_line > after]
    left = [item for item in left if item.kind not in MINOR] or left
    named: list[str] = []
    for item in left[:OUTLINE]:
        named.append(f"{code(item.symbol)} {item.start_line}-{item.end_line}")
        if estimate(", ".join(named)) > budget:
            named.pop()
            break
    return f"**Further definitions in this file**: {', '.join(named)}" if named else ""


def _related(name: str, items: Iterable[UsageItem]) -> str:
    shown = ", ".join(f"{code(item.symbol or item.path)} {code(item.location)}" for item in list(items)[:RELATED])
    return f"**{name}**: {shown}" if shown else ""


def _brief(item: UsageItem) -> dict[str, Any]:
    return {key: value for key, value in plain_dict(asdict(item)).items() if value not in ("", 0)}


def _language(context: ContextResult, file: FileText) -> str:
    """The language of a file, for its fence."""
    return file.status.language or next((item.language for item in context.items), "")


def _data(service: Service, file: FileText, shown: list[Line], kind: str) -> dict[str, Any]:
    return {
        "path": file.path,
        "service": service.name,
        "language": file.status.language,
        "kind": kind,
        "start_line": shown[0][0] if shown else 0,
        "end_line": shown[-1][0] if shown else 0,
        "origin": file.origin,
        **shown_lines(shown),
    }
