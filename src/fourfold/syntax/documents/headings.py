"""Headings of Markdown, AsciiDoc and reStructuredText."""

from __future__ import annotations

import re
from dataclasses import dataclass

from fourfold.syntax.pages import Page

_ATX = re.compile(r" {0,3}(#{1,6})(?:\s+(.*?))?(?:\s+#+)?\s*$")
_ADOC = re.compile(r"(={1,6})\s+(\S.*)$")
_FENCE = re.compile(r"\s*(`{3,}|~{3,}|-{4,}$|\.{4,}$)")
_SETEXT = re.compile(r" {0,3}(=+|-+)\s*$")
_RST_LINE = re.compile(r"([=\-`:'\"~^_*+#<>.])\1{2,}\s*$")
_MARKUP = re.compile(r"[*_`]{1,3}|!?\[([^\]]*)\]\([^)]*\)|<[^>]+>")
_LIST_OR_QUOTE = ("-", "*", "+", ">", "|", "#")


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading: the row (from 0) where it begins, its level (1 is the top) and its bare title."""

    row: int
    level: int
    title: str


def markdown_headings(page: Page) -> list[Heading]:
    """ATX (``# Title``), setext (underlined) and AsciiDoc (``== Title``) headings outside code fences."""
    headings: list[Heading] = []
    fence = ""
    first = _after_front_matter(page)
    for row in range(first, len(page)):
        line = page.lines[row]
        mark = _fence_mark(line)
        if fence:
            fence = "" if mark.startswith(fence) else fence
        elif mark and not _is_setext(page, row):
            fence = mark[:3]
        else:
            heading = _markdown_heading(page, row, first)
            if heading and heading.title:
                headings.append(heading)
    return headings


def rst_headings(page: Page) -> list[Heading]:
    """Underlined titles, with or without an overline; levels in the order in which their marks appear."""
    headings: list[Heading] = []
    levels: dict[str, int] = {}
    for row in range(1, len(page)):
        found = _RST_LINE.match(page.lines[row])
        title = page.lines[row - 1]
        if not found or not title.strip() or _RST_LINE.match(title) or len(title.rstrip()) > len(page.lines[row]) + 1:
            continue
        over = row >= 2 and page.lines[row - 2].rstrip() == page.lines[row].rstrip()
        if title[0].isspace() and not over:
            continue
        mark = found.group(1) + ("^" if over else "")
        level = levels.setdefault(mark, len(levels) + 1)
        headings.append(Heading(row - 2 if over else row - 1, level, title.strip()))
    return headings


def _markdown_heading(page: Page, row: int, first: int) -> Heading | None:
    line = page.lines[row]
    found = _ATX.match(line) or _ADOC.match(line)
    if found:
        return Heading(row, len(found.group(1)), _bare(found.group(2) or ""))
    if row > first and _is_setext(page, row):
        return Heading(row - 1, 1 if "=" in line else 2, _bare(page.lines[row - 1]))
    return None


def _is_setext(page: Page, row: int) -> bool:
    if row == 0 or not _SETEXT.match(page.lines[row]):
        return False
    above = page.lines[row - 1].strip()
    alone = row < 2 or page.is_blank(row - 2)
    return bool(above) and alone and not above.startswith(_LIST_OR_QUOTE)


def _fence_mark(line: str) -> str:
    found = _FENCE.match(line)
    return found.group(1) if found else ""


def _after_front_matter(page: Page) -> int:
    """The row after a leading ``---`` ... ``---`` block, 0 where there is none."""
    if page.lines[0].strip() != "---":
        return 0
    for row in range(1, min(len(page), 200)):
        if page.lines[row].strip() in ("---", "..."):
            return row + 1
    return 0


def _bare(title: str) -> str:
    return " ".join(_MARKUP.sub(lambda found: found.group(1) or "", title).split())
