"""Names of code inside prose: ``where is filter_dicts_by_key defined`` holds ``filter_dicts_by_key``.

A name is told by its shape (CamelCase, snake_case, dotted, ``::``, ``->``, a call, backticks) or, where it is
a plain word, by the index that knows it. Qualified names come out joined by dots, as the index writes them:
``std::vector`` -> ``std.vector``, ``App\\Models\\User`` -> ``App.Models.User``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import lru_cache

from fourfold.model.text import STOP_WORDS, is_cjk, words
from fourfold.rank.path_rules import FILE_EXTENSIONS, names

MAX_IDENTIFIERS = 32
"""More are not looked up: a pasted file would name hundreds. Half of them are the first, half the last: the
telling frame of a stack trace stands at one of its ends."""

MAX_NAME_LENGTH = 200
"""Longer words (base64, minified code) are no names."""

MIN_KNOWN_LENGTH = 3
"""Plain words shorter than this are not taken for names, whatever the index knows."""

BRANDS: frozenset[str] = names(
    "javascript typescript coffeescript github gitlab bitbucket postgresql mysql mariadb "
    "mongodb nosql graphql "
    "openapi pytorch tensorflow fastapi macos ios icloud youtube linkedin stackoverflow "
    "webassembly nodejs latex "
    "redis ipython jquery devops openai chatgpt vscode intellij wifi powershell plpgsql "
    "opengl nginx xcode numpy"
)
"""Names of products in mixed case; they count as identifiers only where the index knows them."""

FIRST_CJK = "\u2e80"
"""Where the blocks of Chinese, Japanese and Korean characters begin; what lies above is no part of a name."""

RECEIVERS: frozenset[str] = frozenset({"this", "self", "cls", "crate"})
"""What stands for the thing itself: ``self.send`` and ``$this->send`` ask for ``send``."""

_SEGMENT = r"[^\W\d]\w*"
_CANDIDATE = re.compile(
    rf"`(?P<ticked>[^`\n]{{1,200}})`"
    rf"|(?P<name>(?<![a-zA-Z0-9_.@/\\-])[$@&]?{_SEGMENT}"
    rf"(?:(?:\??\.|::|->|\#|\\(?=[A-Z])){_SEGMENT}){{0,8}})"
    rf"(?P<call>\(\)?)?"
)
_NUMBERED = re.compile(r"(?<!\w)(?=\w*[^\W\d_])(?=\w*\d)[^\W\d]\w{3,40}(?!\w)")
"""A word of letters and digits, four or more."""
_SEPARATOR = re.compile(r"::|->|#|\\|\??\.")
_SIGILS = "$@&"
_NAME = re.compile(rf"[$@&]?{_SEGMENT}(?:(?:\??\.|::|->|#|\\){_SEGMENT})*[!?]?(?:\(\))?\Z")
_CAMEL = re.compile(r"[a-z0-9][A-Z]|[A-Z]{2,}[a-z]{2,}|[A-Z][a-z0-9]+[A-Z]")
_PLURAL_ACRONYM = re.compile(r"[A-Z]{2,}s\Z")


def extract(
    text: str,
    known: Callable[[str], bool] | None = None,
    extra: tuple[str, ...] = (),
    noise: Callable[[str], bool] | None = None,
) -> tuple[str, ...]:
    """The names in `text`, each once: `extra` first, then by shape in order, then plain words that `known`
    confirms and that are no `noise` (words of the question's own phrasing).

    At most :data:`MAX_IDENTIFIERS`. `known` gets a name as the index writes it and says whether it defines
    it.
    """
    found = dict.fromkeys(extra)
    plain: dict[str, None] = {}
    for match in _CANDIDATE.finditer(without_cjk(text)):
        if match["ticked"] is not None:
            for name in _from_ticks(match["ticked"]):
                found.setdefault(name)
            continue
        name, called = match["name"].lstrip(_SIGILS), match["call"] is not None
        if is_shaped(name) or called:
            if name.lower() not in BRANDS or (known is not None and known(name)):
                found.setdefault(normalised(name))
        else:
            plain.update(dict.fromkeys(words(name)))
    if len(found) > MAX_IDENTIFIERS:
        shaped = tuple(found)
        return shaped[: MAX_IDENTIFIERS // 2] + shaped[-MAX_IDENTIFIERS // 2 :]
    if known is not None:
        for word in plain:
            if len(found) >= MAX_IDENTIFIERS:
                break
            if _may_be_name(word) and known(word) and not (noise is not None and noise(word)):
                found.setdefault(word)
    return tuple(found)


def without_cjk(text: str) -> str:
    """The text with a blank for every CJK character, so that ``parse_config\u51fd\u6570`` shows its name."""
    if text.isascii():
        return text
    return "".join(character if character < FIRST_CJK else " " for character in text)


@lru_cache(maxsize=4096)
def is_shaped(name: str) -> bool:
    """True where the form alone says that a word is a name of code (not a file name, host or plain word)."""
    if len(name) > MAX_NAME_LENGTH or (name and max(name) >= FIRST_CJK):
        return False
    segments = [segment for segment in _SEPARATOR.split(name) if segment]
    if len(segments) > 1:
        dotted_only = "." in name and not re.search(r"::|->|#|\\", name)
        if dotted_only and segments[-1].lower() in FILE_EXTENSIONS:
            return False
        return not dotted_only or all(len(segment) > 1 for segment in segments) or any(map(is_shaped, segments))
    word = segments[0] if segments else ""
    if "_" in word.strip("_") or (word.startswith("_") and len(word.strip("_")) > 1):
        return True
    return _CAMEL.search(word) is not None and _PLURAL_ACRONYM.match(word) is None


def telling_names(text: str, identifiers: Sequence[str]) -> tuple[str, ...]:
    """Those of the names of a question whose form alone says that they are names (the last part of a qualified one),
    and its words of letters and digits (``err676x27``)."""
    shaped = (last_segment(name) for name in identifiers if is_shaped(name))
    return tuple(dict.fromkeys((*shaped, *_NUMBERED.findall(without_cjk(text)))))


def normalised(name: str) -> str:
    """A qualified name joined by dots, without sigil, receiver and call brackets: ``a::b()`` -> ``a.b``,
    ``$this->send`` -> ``send``."""
    segments = [segment for segment in _SEPARATOR.split(name.lstrip(_SIGILS).rstrip("()!?")) if segment]
    if len(segments) > 1 and segments[0] in RECEIVERS:
        del segments[0]
    return ".".join(segments)


def is_name(text: str) -> bool:
    """True where the whole of `text` has the form of one (possibly qualified, possibly called) name."""
    return len(text) <= MAX_NAME_LENGTH and _NAME.match(text) is not None and max(text) < FIRST_CJK


def last_segment(name: str) -> str:
    """``Client.request`` -> ``request``."""
    return name.rpartition(".")[2]


def _from_ticks(text: str) -> tuple[str, ...]:
    text = text.strip()
    if is_name(text):
        segments = _SEPARATOR.split(text)
        is_file = len(segments) > 1 and segments[-1].lower() in FILE_EXTENSIONS
        return () if is_file else (normalised(text),)
    return extract(text)


def _may_be_name(word: str) -> bool:
    return len(word) >= MIN_KNOWN_LENGTH and word.lower() not in STOP_WORDS and not is_cjk(word) and not word.isdigit()
