"""Which files of a Debian source package are under a permissive licence alone.

Reads the machine-readable ``debian/copyright`` (https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/):
paragraphs of ``Files:`` patterns and a ``License:``; the last paragraph that matches a file decides.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

_PERMISSIVE = re.compile(
    r"^(expat|mit|x11|bsd|[0-9]-?clause|isc|apache|zlib|libpng|bsl|boost|psf|python|postgresql|public-?domain|cc0|"
    r"unlicense|0bsd|ncsa|curl|openssl|ssleay|wtfpl|ruby|tcl|php|unicode|w3c|icu|libtiff|hpnd|ftl|go|llvm|google|"
    r"permissive|openldap|ofl|naist|fsful|fsfullr|mit-0|blueoak|bouncycastle|edl|jpeg|ijg|lucent|ncbi|afl-?3)",
    re.I,
)
_COPYLEFT = re.compile(r"gpl|mpl|epl|cddl|cecill|sleepycat|noncommercial|-nc|by-sa|artistic|qpl|osl|eupl|gfdl", re.I)
_ALTERNATIVE = re.compile(r"\s+or\s+|\s*/\s*|\s*\|\s*", re.I)


def is_permissive(licence: str) -> bool:
    """True where every part of the licence, or one of its alternatives, is permissive."""
    text = licence.strip()
    return any(_all_permissive(choice) for choice in _ALTERNATIVE.split(text)) if text else False


def _all_permissive(licence: str) -> bool:
    parts = [part.strip(" ()") for part in re.split(r"\s+and\s+|,\s*(?:and\s+)?|\s+with\s+", licence, flags=re.I)]
    named = [part for part in parts if part]
    return (
        bool(named)
        and all(_PERMISSIVE.match(part) and not _COPYLEFT.search(part) for part in named[:1])
        and not any(_COPYLEFT.search(part) for part in named)
    )


@dataclass(frozen=True, slots=True)
class Copyright:
    """The rules in order: a pattern over paths, and whether what it names may be used."""

    rules: tuple[tuple[re.Pattern[str], bool], ...]

    def permits(self, path: str) -> bool:
        """Whether the file may be used; False for one that no rule names."""
        allowed = False
        for pattern, permissive in self.rules:
            if pattern.fullmatch(path):
                allowed = permissive
        return allowed


def parse_copyright(text: str) -> Copyright | None:
    """The rules of a machine-readable file, None for a free-form one."""
    if not re.match(r"\s*Format(-Specification)?:", text, re.I):
        return None
    rules = []
    for paragraph in re.split(r"\n\s*\n", text):
        files = re.search(r"^Files:((?:.*\n?(?:[ \t].*\n?)*))", paragraph, re.M | re.I)
        licence = re.search(r"^License:[ \t]*(.*)", paragraph, re.M | re.I)
        if files and licence:
            allowed = is_permissive(licence.group(1))
            rules += [(_pattern(one), allowed) for one in files.group(1).replace(",", " ").split()]
    return Copyright(tuple(rules)) if rules else None


def _pattern(glob: str) -> re.Pattern[str]:
    """``*`` matches across slashes, ``?`` one character, as the format says."""
    parts = ("".join(".*" if char == "*" else "." if char == "?" else re.escape(char) for char in glob)).removeprefix(
        r"\./"
    )
    return re.compile(parts, re.S)
