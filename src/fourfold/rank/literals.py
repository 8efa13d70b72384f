"""Parts of a question that are to be found as they stand: quoted strings, regular expressions, error tokens,
code."""

from __future__ import annotations

import errno
import re

from fourfold.rank.identifiers import is_name
from fourfold.rank.path_rules import names

_QUOTED = re.compile(
    r'(?<!\w)"(?P<double>[^"\n]{1,500})"'
    r"|(?<![\w'])'(?P<single>[^'\n]{2,500})'(?![\w'])"
    r"|`(?P<ticks>[^`\n]{1,500})`"
    r"|“(?P<curly>[^”\n]{1,500})”|«(?P<guillemets>[^»\n]{1,500})»|"
    r"「(?P<corner>[^」\n]{1,500})」|„(?P<low>[^“”\n]{1,500})[“”]"
)

_SLASHED = re.compile(r"(?<!\S)/(?P<body>(?:\\.|\[(?:\\.|[^\]\\\n])+\]|[^/\\\[\n])+)/(?P<flags>[gimsuy]{0,6})(?!\S)")
_REGEX_SIGN = re.compile(
    r"\\[dwsbDWSBAZz./()\[\]|+*?^$-]|\.[*+?]|\[[^\]]+\]|[)\w\].][+*?](?!\S*/)|[)\w\].][+*?]|\||\^|\$|\(.+\)"
)
_ROUTE_PARAMETER = re.compile(r"\{\w+\}|<\w+(?::\w+)?>|/:\w+")
_INLINE_FLAGS = "ims"

ERRNO_NAMES: frozenset[str] = frozenset(errno.errorcode.values()) | names(
    "ENOTFOUND EAI_AGAIN ESOCKETTIMEDOUT ECONNREFUSED ECONNRESET ECONNABORTED ETIMEDOUT "
    "EADDRINUSE EHOSTUNREACH ENETUNREACH "
    "EWOULDBLOCK ENOTSUP EPROTO ELIFECYCLE ERESOLVE EUSAGE EBADENGINE EINTEGRITY"
)
"""Names of system errors (the platform's own, and those of Node and npm)."""

_ERROR_CODE = re.compile(
    r"(?<![\w.])(?:ERR_[A-Z0-9_]{3,60}|(?P<errno>E[A-Z_]{3,20})|E\d{3,4}|[WFC]\d{4}|TS\d{4,5}|"
    r"CS\d{4}|LNK\d{4}|"
    r"ORA-\d{4,5}|"
    r"SIG(?:SEGV|ABRT|KILL|TERM|BUS|FPE|ILL|PIPE|INT|HUP|TRAP)|Traceback|"
    r"SQLSTATE(?:\[\w{5}\])?|0xC[0-9A-F]{7}|"
    r"panic:|segmentation fault|core dumped|BUILD FAILED|OOMKilled|CrashLoopBackOff)(?![\w])",
)
_TOKEN_ALONE = re.compile(
    r"(?!(?:SHA|UTF|ISO|RFC|AES|IEEE|PEP|ECMA|CP|ASCII)-)[A-Z][A-Z0-9]{1,11}-\d{2,8}|CVE-\d{4}-\d{4,7}|0[xX][0-9a-fA-F]{4,16}|"
    r"(?=[0-9]*[a-f])(?=[a-f]*[0-9])[0-9a-f]{7,40}|v?\d{1,4}\.\d{1,4}\.\d{1,6}(?:[-+.]\w{1,20})?"
)
"""A question that is nothing but the number of a ticket or a weakness, a hexadecimal constant, a hash, a version: to be
found as it stands. The names of standards look alike and are words (SHA-256)."""
_ERROR_MESSAGE = re.compile(
    r"(?:^|\s)(?:[a-zA-Z_]\w*\.)*[A-Z]\w*(?:Error|Exception|Warning|Fault)(?: \[\w+\])?: "
    r"+(?P<message>[^\n]{4,300})"
)

_CODE_END = re.compile(r"[{};,)(\]\\]\s*$")
_BLOCK_END = re.compile(r"[{};,)(\]:\\]\s*$")
_CODE_SIGN = re.compile(
    r"=>|->|::|==|!=|&&|\|\||\+=|-=|:=|<-|\w\(|\w\[|</?\w+>|\s=\s|^\s*(?:#|//|/\*|\*|--|@\w)|^\s*[})\]]|;\s*$"
)
_CODE_START = re.compile(
    r"^\s*(?:def|class|async|await|return|if|elif|else|for|while|try|except|finally|with|"
    r"import|from|fn|pub|let|const|var|"
    r"func|type|struct|impl|match|switch|case|public|private|protected|static|void|int|"
    r"function|export|module|end|begin|do|"
    r"raise|throw|yield|local|val|fun|package|using|namespace|#include|SELECT|INSERT|CREATE)\b"
)
_STRONG_SIGN = re.compile(
    r"=>|->|==|!=|&&|\|\||\+=|-=|:=|<-|;\s*$|\{|\}|\w\([^)]*\)|\s=\s|\breturn\b|\):|<\w+>|"
    r"\+\+|\bnull\b|\bNone\b"
)
_PROSE_WORD = re.compile(r"\b(?:the|is|are|to|of|how|what|where|why|which|who|does|that|an|we)\b", re.IGNORECASE)

SINGLE_LINE_SIGNS = 3
"""Distinct signs of code that make one line of text a pasted fragment."""


def quoted(text: str) -> str:
    """The longest quoted part that is a literal, or the empty string.

    An apostrophe inside a word is no quote. A name in backticks beside other words is a name written as
    Markdown writes it, not a literal.
    """
    best = ""
    for match in _QUOTED.finditer(text):
        content = next(group for group in match.groups() if group is not None)
        if match["ticks"] is not None and is_name(content) and text.strip() != match[0]:
            continue
        if content.strip() and len(content) > len(best):
            best = content
    return best


def slashed_regex(text: str) -> str:
    """The regular expression between slashes, its flags written inline, or the empty string. Paths are
    none."""
    for match in _SLASHED.finditer(text):
        body = match["body"]
        alone = text.strip() == match[0]
        if _ROUTE_PARAMETER.search(match[0]) or not (_REGEX_SIGN.search(body) or (alone and len(body) > 1)):
            continue
        flags = "".join(flag for flag in _INLINE_FLAGS if flag in match["flags"])
        return (f"(?{flags})" if flags else "") + body.replace("\\/", "/")
    return ""


def error_token(text: str) -> str:
    """The error code or message in a text, the number that is all of it (:data:`_TOKEN_ALONE`), or the empty string.

    Of a pasted trace or ``SomeError: message`` it is the last message, which is what the source holds.
    """
    if _TOKEN_ALONE.fullmatch(text.strip()):
        return text.strip()
    messages = [match["message"].strip() for match in _ERROR_MESSAGE.finditer(text)]
    if messages:
        return messages[-1].strip("'\"") or messages[-1]
    for match in _ERROR_CODE.finditer(text):
        if match["errno"] is None or match["errno"] in ERRNO_NAMES:
            return match[0]
    return ""


def is_code_fragment(text: str) -> bool:
    """True where a text is pasted code: most of several lines look like code, or one line is dense with its
    signs."""
    lines = [line for line in text.split("\n") if line.strip()]
    if len(lines) > 1:
        return sum(map(is_code_line, lines)) * 2 > len(lines)
    signs = {sign.strip() for sign in _STRONG_SIGN.findall(text)}
    return len(signs) >= SINGLE_LINE_SIGNS and len(_PROSE_WORD.findall(text)) < 2


def is_code_line(line: str) -> bool:
    """True where one line of several looks like code rather than prose."""
    if _CODE_SIGN.search(line):
        return True
    if _CODE_START.search(line) and (_BLOCK_END.search(line) or len(line.split()) <= 4):
        return True
    return bool(_CODE_END.search(line)) and len(_PROSE_WORD.findall(line)) < 2


def prose_of(text: str) -> str:
    """The lines of a text that are not code, joined by blanks; a single line as it is."""
    if "\n" not in text:
        return text
    return " ".join(line.strip() for line in text.split("\n") if line.strip() and not is_code_line(line))
