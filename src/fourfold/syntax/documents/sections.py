"""Prose and configuration cut by section: a heading, a table, a top-level key, and what stands under it."""

from __future__ import annotations

import re
from dataclasses import dataclass

from fourfold.model.chunk import Chunk
from fourfold.syntax.documents.headings import Heading, markdown_headings, rst_headings
from fourfold.syntax.pages import Page
from fourfold.syntax.split import too_long
from fourfold.syntax.windows import TARGET_CHARS, make_chunk, window_runs

MAX_TITLE_CHARS = 200
"""Titles and keys are cut here."""

_TABLE = re.compile(r"\s*\[{1,2}\s*([^\]]+?)\s*\]{1,2}\s*(?:[#;].*)?$")
_KEY = re.compile(r"\s*[\"']?([^\s\"':=#{}\[\],][^\"':=]*?)[\"']?\s*[:=]")


@dataclass(slots=True)
class _Section:
    first: int
    last: int
    level: int
    title: str
    parent: str


def prose_chunks(page: Page, family: str) -> tuple[list[Chunk], str]:
    """Chunks of kind ``section`` by heading, and the title of the document ("" where it has none).

    `symbol` is the heading, `parent` the headings above it, outermost first, joined by `` / ``. A section
    takes in the short sections below it; a long one is cut at blank lines.
    """
    headings = rst_headings(page) if family == "rst" else markdown_headings(page)
    sections = _prose_sections(page, headings)
    return _chunks(page, _gather(page, sections), "section"), headings[0].title[:MAX_TITLE_CHARS] if headings else ""


def config_chunks(page: Page, language: str) -> list[Chunk]:
    """Chunks of kind ``config`` by top-level key (YAML, JSON) or table (TOML, INI); small neighbours
    together."""
    rows = _table_rows(page) if language in ("toml", "ini") else _key_rows(page)
    sections = []
    starts = [row for row, _ in rows]
    if not starts or starts[0] > 0:
        sections.append(_Section(0, (starts[0] if starts else len(page)) - 1, 1, "", ""))
    for (row, title), end in zip(rows, [*starts[1:], len(page)], strict=True):
        sections.append(_Section(row, end - 1, 1, title[:MAX_TITLE_CHARS], ""))
    return _chunks(page, _pack(page, sections), "config")


def _prose_sections(page: Page, headings: list[Heading]) -> list[_Section]:
    sections: list[_Section] = []
    trail: list[Heading] = []
    if not headings or headings[0].row > 0:
        sections.append(_Section(0, (headings[0].row if headings else len(page)) - 1, 0, "", ""))
    for heading, end in zip(headings, [*(one.row for one in headings[1:]), len(page)], strict=True):
        while trail and trail[-1].level >= heading.level:
            trail.pop()
        parent = " / ".join(one.title for one in trail)[:MAX_TITLE_CHARS]
        sections.append(_Section(heading.row, end - 1, heading.level, heading.title[:MAX_TITLE_CHARS], parent))
        trail.append(heading)
    return sections


def _gather(page: Page, sections: list[_Section]) -> list[_Section]:
    """Let each section take in the ones below it while both together are small."""
    gathered: list[_Section] = []
    for section in sections:
        before = gathered[-1] if gathered else None
        inside = before is not None and (section.level > before.level or not before.title)
        if before is not None and inside and page.chars(before.first, section.last) <= TARGET_CHARS:
            before.last = section.last
            if not before.title:
                before.title, before.level = section.title, section.level
        else:
            gathered.append(section)
    return gathered


def _pack(page: Page, sections: list[_Section]) -> list[_Section]:
    """Join small neighbours; a joined run is named by its first titled section."""
    packed: list[_Section] = []
    for section in sections:
        if packed and page.chars(packed[-1].first, section.last) <= TARGET_CHARS:
            packed[-1].last = section.last
            packed[-1].title = packed[-1].title or section.title
        else:
            packed.append(section)
    return packed


def _chunks(page: Page, sections: list[_Section], kind: str) -> list[Chunk]:
    chunks = []
    for one in sections:
        runs = [(one.first, one.last)]
        if too_long(page, one.first, one.last):
            runs = window_runs(page, one.first, one.last)
        for run in runs:
            chunk = make_chunk(page, *run, kind, one.title, one.parent)
            if chunk:
                chunks.append(chunk)
    return chunks


def _table_rows(page: Page) -> list[tuple[int, str]]:
    """Rows of ``[table]`` lines, with the comments directly above them, and their names."""
    rows: list[tuple[int, str]] = []
    for row, line in enumerate(page.lines):
        found = _TABLE.match(line) if "[" in line and not line.startswith((" ", "\t")) else None
        if found:
            rows.append((_with_comments(page, row, rows[-1][0] + 1 if rows else 0), found.group(1)))
    return rows


def _key_rows(page: Page) -> list[tuple[int, str]]:
    """Rows of the outermost keys and their names: those of least indentation below the opening bracket."""
    base = _base_indent(page)
    rows: list[tuple[int, str]] = []
    for row, line in enumerate(page.lines):
        text = line.lstrip()
        if not text or len(line) - len(text) != base or text[0] in "#}]":
            continue
        found = _KEY.match(text)
        name = found.group(1) if found else ""
        if found or text.startswith(("- ", "{", "[")):
            rows.append((_with_comments(page, row, rows[-1][0] + 1 if rows else 0), name))
    return rows


def _base_indent(page: Page) -> int:
    """Indentation of top-level keys: 0, or that of the first line after a lone opening bracket."""
    opened = False
    for line in page.lines:
        text = line.strip()
        if text in ("{", "[", "[{"):
            opened = True
        elif text and not text.startswith(("#", "//", "---")):
            return len(line) - len(line.lstrip()) if opened else 0
    return 0


def _with_comments(page: Page, row: int, floor: int) -> int:
    while row > floor and page.lines[row - 1].lstrip().startswith(("#", ";", "//")):
        row -= 1
    return row
