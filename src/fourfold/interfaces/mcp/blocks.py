"""Markdown blocks of results, and the same as data."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from fourfold.interfaces.mcp.excerpt import SYMBOL_CHARS, excerpt, search_chars
from fourfold.interfaces.mcp.fence import Line, code, fenced, plain
from fourfold.interfaces.mcp.reply import Entry, plain_dict
from fourfold.model.result import ResultItem
from fourfold.model.structure import SymbolItem

DETAILED = 10
"""Results of a search whose block tells language, parent, why they are there, and further places of their file. The
data beside the text have these of all results."""


def search_entry(
    item: ResultItem, rank: int, service: str, several: bool, code_of: str = "", *, again: bool = False
) -> Entry:
    """A result of a search; `code_of` is shown where its own code is too little to understand it. With `again` an
    earlier result was of the same file."""
    chars = search_chars(rank, again=again)
    lines = excerpt(code_of or item.snippet, item.start_line, () if code_of else item.matched_lines, chars)
    name = item.symbol or item.parent or item.path.rsplit("/", 1)[-1]
    facts = _facts(service if several else "", item.language, item.parent)
    why = _why(item.why.modalities)
    detailed = rank <= DETAILED
    block = [
        f"### {rank}. {code(name)} ({item.kind}) - score {item.score:.3f}",
        f"**Location**: {code(item.location)}",
        " | ".join(part for part in (facts, why) if part) if detailed else "",
        fenced(lines, item.language),
    ]
    if item.more and detailed:
        places = ", ".join(f"{start}-{end}{f' {code(name)}' if name else ''}" for start, end, name in item.more[:3])
        block.append(f"Also in this file: {places}")
    data = plain_dict(asdict(item))
    data.update(rank=rank, service=service, **shown_lines(lines))
    data["why"] = {key: value for key, value in data["why"].items() if value}
    return Entry("\n".join(part for part in block if part), data)


def symbol_entry(item: SymbolItem, rank: int, service: str, several: bool) -> Entry:
    """A definition."""
    lines = excerpt(item.snippet, item.start_line, (), SYMBOL_CHARS) if item.snippet else []
    routes = ", ".join(item.routes)
    block = [
        f"### {rank}. {code(item.symbol)} ({item.kind}) - {item.match or 'definition'} match",
        f"**Location**: {code(item.location)}",
        _facts(service if several else "", item.language, item.parent, item.package),
        f"**Annotations**: {', '.join(code(text) for text in item.decorators)}" if item.decorators else "",
        f"**Route**: {plain(routes)}" if routes else "",
        f"**Doc**: {plain(item.doc)}" if item.doc and not lines else "",
        f"**Signature**: {code(item.signature)}" if item.signature and not lines else "",
        fenced(lines, item.language) if lines else "",
    ]
    data = {key: value for key, value in plain_dict(asdict(item)).items() if value not in ("", [], 0.0)}
    data.update(rank=rank, service=service, **(shown_lines(lines) if lines else {}))
    return Entry("\n".join(part for part in block if part), data)


def _facts(service: str, language: str, parent: str, package: str = "") -> str:
    named = (("Service", service), ("Language", language), ("In", parent), ("Package", package))
    return " | ".join(f"**{name}**: {plain(value)}" for name, value in named if value)


def _why(modalities: Mapping[str, int]) -> str:
    found = ", ".join(f"{name} {rank}" for name, rank in sorted(modalities.items(), key=lambda item: item[1]))
    return f"**Why**: {found}" if found else ""


def shown_lines(lines: Iterable[Line]) -> dict[str, Any]:
    """The shown lines as data: their text, and their numbers in the file."""
    kept = list(lines)
    return {"snippet": "\n".join(text for _, text in kept), "snippet_lines": [number for number, _ in kept]}


def grouped(entries: Sequence[Entry], between: str = "\n\n") -> str:
    """Blocks under a heading for each group, in order."""
    parts: list[str] = []
    group, newline = "", "\n" if between == "\n" else ""
    for entry in entries:
        if entry.group != group:
            group = entry.group
            parts.append(f"{newline if parts else ''}## {group}")
        parts.append(entry.block)
    return between.join(parts)
