"""Expressions and types as short names: receivers of calls, bare names of types."""

from __future__ import annotations

import re
from functools import lru_cache

from fourfold.model.reference import MAX_RECEIVER_CHARS

MAX_READ_BYTES = 600
"""An expression is read this far: a chain of a thousand calls would cost its length squared otherwise."""

_CACHED = 4_096
"""Expressions and types of which the short name is remembered: the same few are written again and again."""

_PLAIN = re.compile(r"[\w.:$@]*[!?]?")
_STRING = re.compile(r'"(?:[^"\\]|\\.)*"|\'(?:[^\'\\]|\\.)*\'|`[^`]*`', re.DOTALL)
_ROUND = re.compile(r"\([^()]*\)")
_SQUARE = re.compile(r"\[[^\[\]]*\]")
_CURLY = re.compile(r"\{[^{}]*\}")
_UNCLOSED = re.compile(r"[(\[{].*$", re.DOTALL)
_ANGLE = re.compile(r"(?:::)?<[\w\s,:.&*?'\[\]|@]*>")
_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/|#[^\n{\[]*\n", re.DOTALL)
_PREFIX = re.compile(r"^(?:(?:await|new|try[!?]?|yield|return|not|const|mut|co_await|\*|&|!)\s*(?=[\s\w$@(*&]))+")
_SPACE = re.compile(r"\s+")
_ARROW = re.compile(r"\??->|\?\.|!!\.|!\.|&\.")
_LAST = re.compile(r"(?:\.|::|\\|:)(?=[^\W\d]|[$@~`#])")

_UNWRAPPED = frozenset(
    """
    Optional Union Annotated ClassVar Final Required NotRequired ReadOnly Type type InitVar Mapped
    Promise Awaited Readonly Partial NonNullable Pick Omit Ref
    Box Rc Arc RefCell Cell Mutex RwLock Option Result Cow Pin Weak
    unique_ptr shared_ptr weak_ptr optional reference_wrapper
    Task ValueTask Nullable Lazy Future FutureOr Try IO Maybe
    """.split()
)
"""Wrappers of one type: what is called on the variable is, in the end, a method of what is inside."""

_EMPTY = frozenset("None null nil undefined void NoneType Unit Nothing never Void true false".split())
_TYPE_WORD = re.compile(
    r"^(?:(?:const|mut|readonly|final|volatile|struct|class|enum|union|typename|unsigned|signed|static|inout|borrowing|"
    r"consuming|some|any|dyn|impl|ref|out|in|params|late|var|val|lateinit|covariant|keyof|unique|asserts|restrict|"
    r"@\w+(?:\([^()]*\))?|'\w+)\s+|[&*?!~]+\s*|'\w+\s+)+"
)
_DOTTED = re.compile(r"^\\?[^\W\d]\w*(?:(?:\.|::|\\)[^\W\d]\w*)*$")
_LIFETIME = re.compile(r"'\w+\s*,?\s*")


@lru_cache(maxsize=_CACHED)
def path_of(text: str) -> str:
    """An expression as a path: blanks, comments and arguments left out, at most :data:`MAX_RECEIVER_CHARS`
    characters."""
    if _PLAIN.fullmatch(text):
        return text[:MAX_RECEIVER_CHARS]
    return reduced(text)[:MAX_RECEIVER_CHARS]


def reduced(text: str) -> str:
    """`text` with what stands in brackets and quotes left out."""
    text = _PREFIX.sub("", text.strip())
    for _ in range(4):
        inner = _without_parentheses(text)
        if inner == text:
            break
        text = _PREFIX.sub("", inner)
    text = _STRING.sub('""', text)
    text = _COMMENT.sub("", text)
    for pattern, mark in ((_CURLY, "\x01"), (_ROUND, "\x02"), (_SQUARE, "\x03")):
        previous = ""
        while previous != text:
            previous, text = text, pattern.sub(mark, text)
    text = _UNCLOSED.sub("", text)
    text = _ARROW.sub(".", text)
    if "<" in text:
        text = _ANGLE.sub("", text)
    text = _SPACE.sub("", text).rstrip("!?")
    return text.replace("\x02", "()").replace("\x03", "[]").replace("\x01", "{}")


def _without_parentheses(text: str) -> str:
    """What is inside where one pair of parentheses holds the whole of `text`; else `text`."""
    if not text.startswith("(") or not text.endswith(")"):
        return text
    depth = 0
    for position, char in enumerate(text):
        if char == "(":
            depth += 1
        elif char == ")":
            depth -= 1
            if depth == 0:
                return text[1:-1].strip() if position == len(text) - 1 else text
    return text


@lru_cache(maxsize=_CACHED)
def split_path(path: str) -> tuple[str, str]:
    """(receiver, name) of a path: ``("a.b", "c")`` of "a.b.c", ``("", "c")`` of "c"."""
    found = list(_LAST.finditer(path))
    if not found:
        return "", path
    last = found[-1]
    return path[: last.start()].rstrip(":"), path[last.end() :]


@lru_cache(maxsize=_CACHED)
def bare_type(text: str) -> str:
    """The name of a type without its arguments, pointers and the possibility of nothing; "" where it is no one name
    (a list, a function, a tuple, a union of several)."""
    text = text.strip().strip("\"'").strip()
    if _DOTTED.match(text):
        return "" if text in _EMPTY else text
    for _ in range(6):
        previous = text
        text = _step(text)
        if text == previous or not text:
            break
    text = _SPACE.sub("", text) if text else ""
    return text if _DOTTED.match(text) and text not in _EMPTY and len(text) <= MAX_RECEIVER_CHARS else ""


def _step(text: str) -> str:
    """One layer of a type taken off."""
    text = text.strip().removeprefix(":").removeprefix("->").strip().strip("\"'")
    text = _TYPE_WORD.sub("", text).rstrip("?!*& ")
    if text.endswith((" const", " volatile")):
        text = text.rpartition(" ")[0]
    if text.startswith("(") and text.endswith(")"):
        return text[1:-1]
    if "|" in text and "(" not in text:
        return _only(split_outside(text, "|"))
    if text.endswith("[]") or text.startswith("["):
        return ""
    for opening, closing in (("<", ">"), ("[", "]")):
        start = text.find(opening)
        if start > 0 and text.endswith(closing):
            head = text[:start].strip()
            if split_path(head)[1] not in _UNWRAPPED:
                return head
            inside = split_outside(
                _LIFETIME.sub("", text[start + 1 : -1]) if opening == "<" else text[start + 1 : -1], ","
            )
            union = split_path(head)[1] == "Union"
            return _only(inside) if union else inside[0] if inside else ""
    return text


def _only(parts: list[str]) -> str:
    """The one part that is not the type of nothing; "" where there are several."""
    real = [part for part in parts if part not in _EMPTY]
    return real[0] if len(real) == 1 else ""


def split_outside(text: str, separator: str) -> list[str]:
    """Parts of `text` between separators that stand in no bracket, blank ones left out."""
    parts: list[str] = []
    depth = start = 0
    for position, char in enumerate(text):
        if char in "<[({":
            depth += 1
        elif char in ">])}":
            depth -= 1
        elif char == separator and depth == 0:
            parts.append(text[start:position].strip())
            start = position + 1
    parts.append(text[start:].strip())
    return [part for part in parts if part]
