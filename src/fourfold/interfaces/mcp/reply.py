"""A reply: Markdown for reading, and the same as structured content, both within the budget."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from fourfold.answer.tokens import estimate
from fourfold.interfaces.mcp.budget import MAX_TOKENS
from fourfold.interfaces.mcp.cursor import make_cursor
from fourfold.interfaces.mcp.fence import code
from fourfold.model.result import SCHEMA, Meta
from fourfold.model.result import plain as plain_data


@dataclass(frozen=True, slots=True)
class Entry:
    """One item of an answer: `block` is its Markdown, `data` its structured form; entries of one `group` are shown
    together."""

    block: str
    data: dict[str, Any]
    group: str = ""


@dataclass(frozen=True, slots=True)
class Reply:
    """What a tool answers."""

    text: str
    data: dict[str, Any]


@dataclass(slots=True)
class Answer:
    """What a tool has found, before it is fitted into the budget.

    `title` is the first line; `metas` the state of each service asked; `entries` the items from `offset` on, one or
    more beyond `limit` where there are more; `notes` lines for the footer; `extra` further structured fields.
    """

    title: str
    query: dict[str, Any]
    metas: Sequence[tuple[str, Meta]]
    entries: Sequence[Entry]
    offset: int = 0
    limit: int = 1000
    lead: str = ""
    notes: list[str] = field(default_factory=list)
    extra: dict[str, Any] = field(default_factory=dict)
    render: Callable[[Sequence[Entry]], str] = lambda entries: "\n\n".join(entry.block for entry in entries)


def reply(answer: Answer, arguments: Mapping[str, Any]) -> Reply:
    """The answer within ``max_tokens``: items that do not fit are left for the next page, and that is said."""
    budget = int(arguments.get("max_tokens") or MAX_TOKENS)
    head = "\n".join(part for part in (answer.title, header(answer.metas)) if part)
    if answer.lead:
        head = f"{head}\n\n{answer.lead}"
    page = answer.entries[: answer.limit]
    shown = _fitting(page, budget - estimate(head) - _FOOTER_TOKENS, answer.render)
    notes = list(answer.notes)
    cursor = None
    if len(shown) < len(answer.entries):
        cursor = make_cursor(answer.offset + len(shown), arguments) if "cursor" in arguments else None
        left = len(page) - len(shown)
        cut = "More exist"
        if left:
            cut = f"{left:,} of {_count(len(page), 'result')} cut to stay within {budget:,} tokens"
        after = f'for more, repeat the call with cursor="{cursor}"' if cursor else "raise max_tokens for more"
        notes.insert(0, f"{cut}; {after}.")
    body = answer.render(shown) if shown else ""
    footer = "\n".join(f"- {note}" for note in notes)
    text = "\n\n".join(part for part in (head, body, f"---\n{footer}" if footer else "") if part)
    meta = merged(answer.metas)
    meta["next_cursor"] = cursor
    if len(shown) < len(page):
        meta["truncated"] = True
        meta["dropped"] = meta["dropped"] + len(page) - len(shown)
    data = {"schema": SCHEMA, "query": answer.query, "items": [entry.data for entry in shown], "meta": meta}
    return Reply(text, {**data, **plain_data(answer.extra)})


_FOOTER_TOKENS = 90
"""Kept free for the footer."""


def _fitting(entries: Sequence[Entry], budget: int, render: Callable[[Sequence[Entry]], str]) -> list[Entry]:
    """As many entries from the start as fit; the first always (it is cut to a few hundred characters already).

    The Markdown keeps to the budget; the structured form, which is what some clients show instead, to the ceiling.
    """
    shown: list[Entry] = []
    used = structured = 0
    group = ""
    for entry in entries:
        cost = estimate(entry.block) + 2
        if entry.group != group:
            cost += estimate(entry.group) + 12
            group = entry.group
        data = estimate(json.dumps(entry.data, ensure_ascii=False))
        if shown and (used + cost > budget or structured + data > MAX_TOKENS):
            break
        shown.append(entry)
        used += cost
        structured += data
    return shown


def header(metas: Sequence[tuple[str, Meta]]) -> str:
    """Of which state the answer speaks: commit, branch, dirty files, fresh or not; one line for each service."""
    return "\n".join(_state(name, meta) for name, meta in metas)


def _state(name: str, meta: Meta) -> str:
    parts = [f"Service {code(name)}"]
    commit = meta.indexed_commit or meta.live_commit
    if commit:
        branch = f" on {code(meta.branch)}" if meta.branch else ""
        parts.append(f"commit {commit[:12]}{branch}")
        if meta.live_commit and meta.live_commit != commit:
            parts.append(f"the tree is at {meta.live_commit[:12]}")
        parts.append(_count(meta.dirty_files, "dirty file"))
    parts.append("index stale" if meta.stale else "index fresh")
    if meta.degraded:
        parts.append(f"**degraded**: {meta.degraded}")
    return " | ".join(parts)


def merged(metas: Sequence[tuple[str, Meta]]) -> dict[str, Any]:
    """One structured meta of several services: the first's, with what is true of any of them."""
    first = asdict(metas[0][1]) if metas else asdict(Meta())
    first.pop("root", None)
    several = len(metas) > 1
    degraded = [f"{name}: {meta.degraded}" if several else meta.degraded for name, meta in metas if meta.degraded]
    first.update(
        services=[name for name, _ in metas],
        dirty_files=sum(meta.dirty_files for _, meta in metas),
        stale=any(meta.stale for _, meta in metas),
        truncated=any(meta.truncated for _, meta in metas),
        dropped=sum(meta.dropped for _, meta in metas),
        degraded="; ".join(text for text in degraded if text) or None,
        took_ms=round(sum(meta.took_ms for _, meta in metas), 2),
    )
    if several:
        first.update(indexed_commit=None, live_commit=None, branch=None)
        first["states"] = [
            {"service": name, "indexed_commit": meta.indexed_commit, "branch": meta.branch, "stale": meta.stale}
            for name, meta in metas
        ]
    return plain_dict(first)


def plain_dict(data: dict[str, Any]) -> dict[str, Any]:
    """A dict whose tuples are lists, all the way down."""
    out: dict[str, Any] = plain_data(data)
    return out


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"
