"""Translated documents beside their English originals, paragraph by paragraph."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from xml.etree import ElementTree

MAX_CHARS = 400
"""Longer paragraphs are left out: what of them corresponds is not told."""
_XLIFF = "{urn:oasis:names:tc:xliff:document:1.2}"
_PREAMBLE = re.compile(r"\A---\n.*?\n---\n", re.S)
_UNSPOKEN = re.compile(r"```.*?```|<!--.*?-->", re.S)
_BREAK = re.compile(r"\n\s*\n|\n(?=\s*[-*] |\s*\d+\. |#)")
_LINK = re.compile(r"!?\[([^\]]*)\]\([^)]*\)")
_MARKS = re.compile(r"`[^`]*`|<[^>]*>|\{#[^}]*\}|[*_#>|]+|^[-\d.]+ ")


def aligned(english: str, foreign: str) -> Iterator[tuple[str, str]]:
    """Paragraphs of two Markdown texts that stand at the same place: nothing where their headings do not correspond,
    only the heading of a section whose paragraphs do not."""
    ours, theirs = _sections(english), _sections(foreign)
    if len(ours) != len(theirs):
        return
    for one, other in zip(ours, theirs, strict=True):
        pairs = zip(one, other, strict=True) if len(one) == len(other) else zip(one[:1], other[:1], strict=False)
        for first, second in pairs:
            yield from _kept(_plain(first), _plain(second))


def notebook_cells(english: str, foreign: str) -> Iterator[tuple[str, str]]:
    """The same of two notebooks, cell by cell; cells are the same where their identifiers are."""
    ours, theirs = _cells(english), _cells(foreign)
    for key in ours.keys() & theirs.keys():
        yield from aligned(ours[key], theirs[key])


def xliff_units(text: str) -> Iterator[tuple[str, str]]:
    """Source and target of every translated unit of an XLIFF 1.2 file."""
    for unit in ElementTree.fromstring(text).iter(_XLIFF + "trans-unit"):
        source, target = unit.find(_XLIFF + "source"), unit.find(_XLIFF + "target")
        if source is not None and target is not None and target.get("state") != "new":
            yield from _kept(source.text or "", target.text or "")


def _kept(english: str, foreign: str) -> Iterator[tuple[str, str]]:
    fits = 2 <= len(english) <= MAX_CHARS and 1 <= len(foreign) <= MAX_CHARS
    if fits and english.lower() != foreign.lower() and re.search("[A-Za-z]{3}", english):
        yield english, foreign


def _sections(text: str) -> list[list[str]]:
    """Paragraphs by section, the heading first; code is left out."""
    found: list[list[str]] = [[]]
    for block in _BREAK.split(_UNSPOKEN.sub("\n\n", _PREAMBLE.sub("", text))):
        if block.strip().startswith("#"):
            found.append([])
        if block.strip():
            found[-1].append(block.strip())
    return found


def _plain(block: str) -> str:
    return " ".join(_MARKS.sub("  ", _LINK.sub(r"\1", " ".join(block.split()))).split())


def _cells(text: str) -> dict[str, str]:
    try:
        cells = json.loads(text)["cells"]
    except (ValueError, KeyError):
        return {}
    return {
        cell.get("metadata", {}).get("id") or str(number): "".join(cell["source"])
        for number, cell in enumerate(cells)
        if cell["cell_type"] == "markdown"
    }
