"""What the Ask page shows: the question and those before it, the answer, its sources."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from markupsafe import Markup

from fourfold.interfaces.http.asking import Asking, Event
from fourfold.interfaces.web.highlight import line_html, tokens
from fourfold.interfaces.web.links import file_address
from fourfold.interfaces.web.prose import prose
from fourfold.model.answer import AskResult, Turn

if TYPE_CHECKING:
    from fourfold.interfaces.web.render import Renderer


@dataclass(frozen=True, slots=True)
class Source:
    """One citation: its mark's number, where it stands, and the quoted lines as (number, HTML)."""

    n: int
    path: str
    place: str
    url: str
    symbol: str
    lines: tuple[tuple[int, Markup], ...]


@dataclass(frozen=True, slots=True)
class ShownAnswer:
    """An answer, ready to be shown. `thread` holds the turns a follow-up sends, this one included."""

    result: AskResult
    html: Markup
    sources: tuple[Source, ...]
    thread: tuple[Turn, ...]


def shown(asked: Asking, result: AskResult) -> ShownAnswer:
    """The answer to what the page asked."""
    languages = {item.path: item.language for item in result.items}
    sources = []
    for one in result.answer.citations:
        span = f"{one.start_line}" if one.start_line == one.end_line else f"{one.start_line}-{one.end_line}"
        lines = map(line_html, tokens(one.quote, languages.get(one.path, "")))
        numbered = tuple(enumerate(lines, one.start_line))
        url = file_address(one.path, one.start_line)
        sources.append(Source(one.n, one.path, f"{one.path}:{span}", url, one.symbol, numbered))
    html = prose(result.answer.text, result.answer.citations)
    return ShownAnswer(result, html, tuple(sources), (*asked.thread, result.turn))


async def parts(events: AsyncIterator[Event], asked: Asking, renderer: Renderer) -> AsyncIterator[str]:
    """The events of an answer as HTML for the page: ``piece`` to be added, ``answer`` and ``error`` in place of all."""
    async for name, value in events:
        if name == "piece":
            html = str(prose(value["text"], ()))
        elif name == "answer":
            html = renderer.html("_answer.html", asked=asked, shown=shown(asked, value))
        else:
            html = renderer.html("_error.html", error=value["error"])
        yield f"event: {name}\ndata: {json.dumps({'html': html})}\n\n"
