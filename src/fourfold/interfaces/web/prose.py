"""An answer's Markdown as HTML: paragraphs, lists, quotations, code, bold; ``[n]`` links to the lines it cites.

Everything is escaped first; what is not of this small set stays text. No link but those of citations is made.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from markupsafe import Markup, escape

from fourfold.interfaces.web.links import file_address
from fourfold.model.answer import Citation

_TOKEN = re.compile(
    r"(?P<ticks>`+)(?P<code>(?:.(?!(?P=ticks)(?!`)))*.?)(?P=ticks)|\*\*(?P<bold>[^*\n]+)\*\*|\[(?P<cite>\d{1,4})\]|(?P<open>\[\?\])"
)
_BULLET = re.compile(r"\s*(?:[-*+]|\d{1,3}[.)])\s+")


def prose(text: str, citations: Sequence[Citation]) -> Markup:
    """The HTML of an answer, or of a piece of one."""
    known = {one.n: one for one in citations}
    blocks: list[Markup] = []
    lines = text.split("\n")
    at = 0
    while at < len(lines):
        if lines[at].lstrip().startswith("```"):
            end = next((i for i in range(at + 1, len(lines)) if lines[i].lstrip().startswith("```")), len(lines))
            quoted = "\n".join(lines[at + 1 : end])
            blocks.append(Markup('<pre class="code"><code>{}</code></pre>').format(quoted))
            at = end + 1
        elif _BULLET.match(lines[at]):
            end = at
            while end < len(lines) and _BULLET.match(lines[end]):
                end += 1
            items = [_inline(_BULLET.sub("", line, count=1), known) for line in lines[at:end]]
            blocks.append(Markup("<ul>{}</ul>").format(Markup().join(Markup("<li>{}</li>").format(i) for i in items)))
            at = end
        else:
            if lines[at].strip():
                blocks.append(Markup("<p>{}</p>").format(_inline(lines[at], known)))
            at += 1
    return Markup("\n").join(blocks)


def cited(citation: Citation) -> Markup:
    """The mark of a citation, which opens the file at its lines."""
    place = file_address(citation.path, citation.start_line)
    return Markup('<a class="cite" href="{}" title="{}">{}</a>').format(place, citation.location, citation.n)


def _inline(text: str, known: dict[int, Citation]) -> Markup:
    pieces: list[Markup] = []
    at = 0
    for found in _TOKEN.finditer(text):
        pieces.append(escape(text[at : found.start()]))
        pieces.append(_token(found, known))
        at = found.end()
    return Markup().join([*pieces, escape(text[at:])])


def _token(found: re.Match[str], known: dict[int, Citation]) -> Markup:
    if found["ticks"]:
        return Markup("<code>{}</code>").format(found["code"].strip())
    if found["bold"]:
        return Markup("<strong>{}</strong>").format(found["bold"])
    if found["open"]:
        return Markup('<abbr class="uncited" title="the model gave no source for this sentence">?</abbr>')
    citation = known.get(int(found["cite"]))
    return cited(citation) if citation is not None else escape(found.group())
