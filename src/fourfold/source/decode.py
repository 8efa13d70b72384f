"""Bytes to text, without ever raising and without moving a line.

Order: byte order mark, UTF-16 without one (by its NUL pattern), binary test, UTF-8, the encoding that the
file declares, Windows-1252 (Latin-1 where that has a hole). Line ends ``\\r\\n`` and ``\\r`` become ``\\n``,
one for one; no other character ends a line.
"""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass

_BOMS: tuple[tuple[bytes, str], ...] = (
    (codecs.BOM_UTF8, "utf-8"),
    # The UTF-32 mark begins with the UTF-16 one.
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)

SAMPLE_BYTES = 8_000
"""A NUL among the first 8,000 bytes makes a file binary, as in git (buffer_is_binary)."""

MAX_CONTROL_SHARE = 0.10
"""Share of control bytes above which a sample is no text. Escape codes of recorded terminals stay below
it."""

MAX_NUL_SHARE = 0.001
_CONTROL = bytes(b for b in range(32) if b not in b"\t\n\r\f\b\x1b\x00") + b"\x7f"

_UTF16_MIN_NULS = 0.40
_UTF16_MAX_OTHER = 0.02
"""Latin text in UTF-16 has a NUL in nearly every second byte and hardly one in the others."""

_DECLARATIONS = (
    re.compile(rb"^[ \t\f]*(?:#|//|/\*|--|;|%)?.*?coding[:=][ \t]*([-\w.]+)"),  # PEP 263, Emacs
    re.compile(rb"""^<\?xml[^>]*?encoding=["']([-\w.]+)"""),
    re.compile(rb"""<meta[^>]*?charset=["']?([-\w.]+)""", re.IGNORECASE),
    re.compile(rb"vim?:.*?\b(?:fileencoding|fenc)=([-\w.]+)"),
)
_DECLARATION_LINES = 5

_SAFE_CODECS = re.compile(
    r"(?:iso8859|cp\d|koi8|mac[-_]|gb|big5|euc|shift_?jis|johab|hz|tis|kz1048|ptcp154|iso2022|hp)"
)
"""Codecs of characters. A file may not choose those of another kind (idna is quadratic, unicode_escape no
encoding)."""


@dataclass(frozen=True, slots=True)
class Decoded:
    """`text` has ``\\n`` line ends and neither NUL nor byte order mark; `encoding` is what it was read as."""

    text: str
    encoding: str
    had_bom: bool = False


def decode(data: bytes) -> Decoded | None:
    """The text of a file, or None where it is binary."""
    for bom, encoding in _BOMS:
        if data.startswith(bom):
            return _decoded(data[len(bom) :].decode(encoding, "replace"), encoding, True)
    nul = data.find(0)
    if 0 <= nul < SAMPLE_BYTES:
        return _utf16(data)
    if _is_binary(data, has_nul=nul >= 0):
        return None
    try:
        return _decoded(data.decode("utf-8"), "utf-8", False)
    except UnicodeDecodeError:
        pass
    for encoding in (*_declared(data), "cp1252"):
        try:
            return _decoded(data.decode(encoding), encoding, False)
        except (UnicodeError, LookupError):
            continue
    return _decoded(data.decode("latin-1"), "latin-1", False)


def _decoded(text: str, encoding: str, had_bom: bool) -> Decoded:
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    if "\0" in text:
        text = text.replace("\0", " ")
    return Decoded(text, encoding, had_bom)


def _is_binary(data: bytes, *, has_nul: bool) -> bool:
    sample = data[:SAMPLE_BYTES]
    controls = len(sample) - len(sample.translate(None, _CONTROL))
    if controls > MAX_CONTROL_SHARE * len(sample):
        return True
    return has_nul and data.count(0) > MAX_NUL_SHARE * len(data)


def _utf16(data: bytes) -> Decoded | None:
    sample = data[:SAMPLE_BYTES]
    half = max(len(sample) // 2, 1)
    even, odd = sample[::2].count(0) / half, sample[1::2].count(0) / half
    if odd >= _UTF16_MIN_NULS and even <= _UTF16_MAX_OTHER:
        encoding = "utf-16-le"
    elif even >= _UTF16_MIN_NULS and odd <= _UTF16_MAX_OTHER:
        encoding = "utf-16-be"
    else:
        return None
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError:
        return None
    controls = sum(char < " " and char not in "\t\n\r\f" for char in text[:SAMPLE_BYTES])
    return _decoded(text, encoding, False) if controls <= MAX_NUL_SHARE * len(text) else None


def _declared(data: bytes) -> list[str]:
    """Encodings that the first or last lines name and that exist, most trusted first."""
    head = re.split(rb"\r\n|\r|\n", data[:2_000])[:_DECLARATION_LINES]
    tail = re.split(rb"\r\n|\r|\n", data[-500:])[-_DECLARATION_LINES:]
    found: list[str] = []
    for pattern, lines in zip(_DECLARATIONS, (head[:2], head[:1], head, head + tail), strict=True):
        for line in lines:
            match = pattern.search(line)
            if match and (name := _codec(match[1])) and name not in found:
                found.append(name)
    return found


def _codec(label: bytes) -> str:
    try:
        name = codecs.lookup(label.decode("ascii")).name
    except (LookupError, UnicodeError, ValueError):
        return ""
    return name if _SAFE_CODECS.match(name) else ""
