"""Places that a question names: ``src/app.py:120``, the frames of a pasted stack trace, a file. Pure."""

from __future__ import annotations

import re

from fourfold.model.record import record

MAX_TEXT = 20_000
"""Characters of a question in which places are looked for: of a longer paste its beginning and its end."""
MAX_PLACES = 64

_FILE = r"[\w@.+~/\\-]{0,300}[\w+-]\.[A-Za-z]\w{0,11}"
_LINE = r"\d{1,7}(?:[:,-]L?\d{1,7}){0,2}"
_PLACE = (
    rf'File "(?P<python>[^"\n]{{1,400}})", line (?P<python_line>\d{{1,7}})'
    rf"|(?<![\w/\\.:-])(?P<path>(?:[A-Za-z]:)?{_FILE})(?:(?::line |:|#L|\(|,? (?:on )?line ))(?P<line>{_LINE})\)?"
)
_PLACES = re.compile(_PLACE)
_ASKING = r"(?:at|in|see|show(?: me)?|open|read|go to|what(?: is|'s) (?:at|in|on))\s+"
_ONLY = re.compile(rf"\s*(?:{_ASKING})?[\"'`(]?(?:{_PLACE})[\"'`)]?\s*[?.]?\s*")
_NAMED_FILE = re.compile(rf"(?<![\w/\\.:@-])(?:[A-Za-z]:)?({_FILE})(?![\w/\\-]|\.\w)")
_INNERMOST_LAST = "most recent call last"


@record(frozen=True, slots=True)
class NamedPlace:
    """A path as it is written in a question, its separators ``/``, and a line from 1."""

    path: str
    line: int


def named_places(text: str) -> list[NamedPlace]:
    """The places that a text names, each once; those of a stack trace from the innermost call outwards."""
    if len(text) > MAX_TEXT:
        text = f"{text[: MAX_TEXT // 2]}\n{text[-MAX_TEXT // 2 :]}"
    found = [_place(match) for match in _PLACES.finditer(text)]
    if _INNERMOST_LAST in text:
        found.reverse()
    return list(dict.fromkeys(found))[:MAX_PLACES]


def is_place(text: str) -> bool:
    """True where a question is nothing but a place."""
    return len(text) <= MAX_TEXT and _ONLY.fullmatch(text) is not None


def named_files(text: str) -> list[str]:
    """The files that a question names, with their folders where it gives them, each once."""
    found = (match[1].replace("\\", "/") for match in _NAMED_FILE.finditer(text[:MAX_TEXT]))
    return list(dict.fromkeys(found))[:MAX_PLACES]


def _place(match: re.Match[str]) -> NamedPlace:
    path = match["python"] or match["path"]
    line = match["python_line"] or re.split(r"\D", match["line"])[0]
    return NamedPlace(path.replace("\\", "/"), int(line))
