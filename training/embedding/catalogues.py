"""Texts and their translations, from the formats in which software carries them.

``.po`` catalogues (https://www.gnu.org/software/gettext/manual/html_node/PO-Files.html) and what JupyterLab makes of
them, JSON files of one language each beside ``en.json``, the localisation files of TypeScript (``.lcl``), the pages of
tldr, and Electron's documentation.
"""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterator
from typing import Any

_ENTRY = re.compile(
    r"(?P<comments>(?:^#[^\n]*\n)*)(?:^msgctxt .*\n)?^msgid (?P<id>\"(?:.*\"\n)+)(?:^msgid_plural \"(?:.*\"\n)+)?"
    r"^msgstr(?:\[0\])? (?P<text>\"(?:.*\"(?:\n|$))+)",
    re.M,
)
_LCL = re.compile(
    r"<Str Cat=\"Text\">\s*<Val><!\[CDATA\[(?P<id>.*?)\]\]></Val>.*?<Val><!\[CDATA\[(?P<text>.*?)\]\]></Val>", re.S
)
_ESCAPES = {"n": "\n", "t": "\t", '"': '"', "\\": "\\"}


def po_messages(text: str) -> Iterator[tuple[str, str]]:
    """(message, translation) of every translated entry that is not marked fuzzy."""
    for entry in _ENTRY.finditer(text):
        flags = [line for line in entry["comments"].split("\n") if line.startswith("#,")]
        message, translation = _joined(entry["id"]), _joined(entry["text"])
        if message and translation and not any("fuzzy" in line for line in flags):
            yield message, translation


def _joined(quoted: str) -> str:
    inner = "".join(line.strip()[1:-1] for line in quoted.strip().split("\n"))
    return re.sub(r"\\(.)", lambda found: _ESCAPES.get(found[1], found[1]), inner)


def json_messages(english: str, translated: str) -> Iterator[tuple[str, str]]:
    """Texts that stand at the same place of both files; nothing where one is no JSON object."""
    try:
        first, second = json.loads(english), json.loads(translated)
    except ValueError:
        return
    yield from _paired(first, second)


def _paired(first: Any, second: Any) -> Iterator[tuple[str, str]]:
    if isinstance(first, str) and isinstance(second, str):
        yield first, second
    elif isinstance(first, dict) and isinstance(second, dict):
        for key in first:
            if key in second:
                yield from _paired(first[key], second[key])


def jed_messages(text: str) -> Iterator[tuple[str, str]]:
    """(message, translation) of a JSON catalogue: messages, some after their context and a mark, with their forms."""
    for message, forms in json.loads(text).items():
        if message and isinstance(forms, list) and forms and isinstance(forms[0], str) and forms[0]:
            yield message.rpartition("\x04")[2], forms[0]


def document_messages(text: str, codes: dict[str, str]) -> Iterator[tuple[str, str, str]]:
    """(language, English, translation) of the blocks of documents that have as many in both languages.

    `text` is a JSON object: documents as HTML by place, by the names of languages that `codes` knows and by ``en-US``.
    """
    documents = json.loads(text)
    for name, translated in documents.items():
        for place, document in translated.items() if name.lower() in codes else ():
            first, second = (_blocks(one["html"]) for one in (documents["en-US"].get(place, document), document))
            if len(first) == len(second):
                yield from ((codes[name.lower()], one, other) for one, other in zip(first, second, strict=True))


def _blocks(document: str) -> list[str]:
    """The paragraphs, items, cells and headings of an HTML document, without code blocks and tags."""
    shown = re.sub(r"<pre.*?</pre>", " ", document, flags=re.S)
    found = re.findall(r"<(?:p|li|h\d|td)\b[^>]*>(.*?)</(?:p|li|h\d|td)>", shown, flags=re.S)
    return [html.unescape(re.sub(r"<[^>]+>", "", block)).strip() for block in found]


def lcl_messages(text: str) -> Iterator[tuple[str, str]]:
    """(message, translation) of a TypeScript localisation file."""
    for entry in _LCL.finditer(text):
        yield entry["id"], entry["text"]


def tldr_messages(english: str, translated: str) -> Iterator[tuple[str, str]]:
    """What a page says of its command and of each example; nothing where the examples do not correspond."""
    first, second = _tldr_parts(english), _tldr_parts(translated)
    if [command for command, _ in first] == [command for command, _ in second] or len(first) == len(second):
        for (_, one), (_, other) in zip(first, second, strict=True):
            yield one, other


def _tldr_parts(page: str) -> list[tuple[str, str]]:
    intro = [line[2:] for line in page.split("\n") if line.startswith("> ") and "http" not in line]
    examples = re.findall(r"^- (.*?):?\n\n`([^`\n]*)`", page, re.M)
    return [("", said) for said in intro[:1]] + [
        (command.split(" ")[0], said.rstrip(":：")) for said, command in examples
    ]
