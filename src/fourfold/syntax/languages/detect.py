"""Which language a file is written in: by configuration, name, extension, first line and content."""

from __future__ import annotations

import re
from collections.abc import Mapping

from fourfold.syntax.languages.registry import aliases, by_extension, by_filename, by_interpreter

_SHEBANG = re.compile(r"#!\s*(\S+)(.*)")
_MODE_LINE = re.compile(
    r"-\*-\s*(?:.*mode:\s*)?([\w+#-]+)\s*(?:;.*)?-\*-|\bvim?:.*\b(?:ft|filetype)=(\w+)", re.IGNORECASE
)
_CPP_HEADER = re.compile(
    r"^\s*(?:class\s+\w+[^;]*(?:\{|$)|namespace\b|template\s*<|using\s+\w|public\s*:|private\s*:|protected\s*:"
    r"|#\s*include\s*<(?:string|vector|memory|map|iostream|functional|cstd\w+|utility|type_traits|optional|array)>"
    r"|(?:virtual|constexpr|explicit|friend|inline\s+constexpr)\s)",
    re.MULTILINE,
)
_OBJC_HEADER = re.compile(r"^\s*@(?:interface|protocol|class|property|end)\b|^#import\b", re.MULTILINE)
_MATLAB = re.compile(r"^\s*(?:function\b.*=|%|classdef\b|end\s*$)", re.MULTILINE)
_PERL_SHAPE = re.compile(
    r"^\s*(?:use\s+(?:strict|warnings|\w+::)|package\s+\w+.*;|sub\s+\w+)|[$@]\w+\s*=", re.MULTILINE
)


def language_of(path: str, first_line: str = "", overrides: Mapping[str, str] | None = None) -> str:
    """The canonical language name of a file, ``""`` where it is unknown.

    `path` is a POSIX path (only its last component counts). `first_line` may be the whole beginning of the
    text: its first line is read for an interpreter (``#!/usr/bin/env python3``) or an editor mode line, the
    rest only settles extensions that several languages share (``.h``). `overrides` maps an extension
    (``.kjs``), a file name or an alias of either kind to a language; it wins over everything. Never raises:
    an override naming no language is ignored.
    """
    name = path.rsplit("/", 1)[-1].lower()
    chosen = _overridden(name, overrides) or by_filename().get(name) or _by_suffix(name)
    if chosen:
        return _settle(chosen, name, first_line)
    found = _by_first_line(first_line.split("\n", 1)[0])
    return found or _by_stem(name)


def _overridden(name: str, overrides: Mapping[str, str] | None) -> str:
    for key, value in (overrides or {}).items():
        wanted = key.lower()
        matches = name == wanted or name.endswith(wanted if wanted.startswith(".") else "." + wanted)
        if matches and value.lower() in aliases():
            return aliases()[value.lower()]
    return ""


def _by_suffix(name: str) -> str:
    dot = name.rfind(".")
    return by_extension().get(name[dot:], "") if dot >= 0 else ""


def _by_stem(name: str) -> str:
    """``Dockerfile.prod``, ``requirements-dev.txt``: by the part before the first dot or dash."""
    stem = re.split(r"[.\-_]", name, maxsplit=1)[0]
    return by_filename().get(stem, "")


def _by_first_line(line: str) -> str:
    shebang = _SHEBANG.match(line)
    if shebang:
        words = [shebang.group(1), *shebang.group(2).split()]
        program = words[0].rsplit("/", 1)[-1]
        if program == "env":
            rest = [word for word in words[1:] if not word.startswith("-") and "=" not in word]
            program = rest[0].rsplit("/", 1)[-1] if rest else ""
        table = by_interpreter()
        return table.get(program) or table.get(program.rstrip("0123456789.-"), "")
    mode = _MODE_LINE.search(line)
    return aliases().get((mode.group(1) or mode.group(2)).lower(), "") if mode else ""


def _settle(language: str, name: str, text: str) -> str:
    """Tell apart languages that share an extension, by what the text looks like."""
    if name.endswith(".h") and language == "c":
        return header_language(text)
    if name.endswith(".m") and language == "objc" and _MATLAB.search(text) and not _OBJC_HEADER.search(text):
        return "matlab" if "#import" not in text and "@implementation" not in text else language
    if name.endswith(".t") and language == "perl" and text and not _PERL_SHAPE.search(text):
        return "text"
    return language


def header_language(text: str) -> str:
    """``c``, ``cpp`` or ``objc`` for the text of a ``.h`` file; ``c`` where nothing speaks against it."""
    if _OBJC_HEADER.search(text):
        return "objc"
    return "cpp" if _CPP_HEADER.search(text) else "c"
