"""What the intent classifier sees of a question: words and pairs of words, parts of words, and its shape.

Names of code, literals, addresses and numbers are masked, so that a phrasing is learned and not the names that stood
in it. Features are hashed into :data:`BUCKETS` numbers; pure, a tenth of a millisecond.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from functools import lru_cache
from zlib import crc32

from fourfold.rank.identifiers import FIRST_CJK, is_name, is_shaped
from fourfold.rank.phrases import fold

BUCKETS = 1 << 14
"""Hash buckets. With six int8 weights each they fill 96 KiB; fewer begin to cost accuracy through collisions."""

MAX_CHARS = 300
"""So much of a question is read: the length of a normal question (`DIRECT_MAX_CHARS`)."""

NAME, QUOTED, PLACE, NUMBER = "<n>", "<q>", "<p>", "<d>"
"""Masks: a name of code, a quoted text, a path or address, a number."""

GROUP_WEIGHTS = {"w": 1.0, "c": 0.7, "s": 0.5}
"""Length of each group's vector: words and pairs, parts of words, shape."""

_TOKEN = re.compile(
    r"(?P<ticked>`[^`\n]{1,200}`)"
    r"|(?P<quoted>\"[^\"\n]{1,300}\"|(?<![\w'])'[^'\n]{2,300}'(?![\w'])|「[^」\n]{1,300}」)"
    r"|(?P<place>[a-z]{2,6}://\S+|(?<!\S)/\S+)"
    r"|(?P<word>[A-Za-z_$@][A-Za-z0-9_$]*(?:(?:\.|::|->|\#|\\|/)[A-Za-z_][A-Za-z0-9_]*)*(?P<call>\()?)"
    r"|(?P<number>\d[\w.:]*)"
    r"|(?P<letters>[^\W\d_]+)"
    r"|(?P<mark>[^\w\s])"
)
_CODE_MARKS = frozenset("=<>{}[]();$\\|^*+&%@")


def features(text: str, rule: str = "") -> dict[int, float]:
    """Feature values by bucket; `rule` is the rule that decided so far. Empty for a text without a token."""
    tokens = list(_tokens(fold(text[:MAX_CHARS])))
    groups = {"w": set(_words(tokens)), "c": set(_parts(tokens)), "s": set(_shape(text, tokens, rule))}
    found: dict[int, float] = {}
    for group, names in groups.items():
        if not names:
            continue
        value = GROUP_WEIGHTS[group] / math.sqrt(len(names))
        for name in names:
            bucket = _bucket(group, name)
            found[bucket] = found.get(bucket, 0.0) + value
    return found


@lru_cache(maxsize=16_384)
def _bucket(group: str, name: str) -> int:
    return crc32(f"{group}:{name}".encode("utf-8", "surrogatepass")) % BUCKETS


def masked(text: str) -> str:
    """The question as the classifier reads it."""
    return " ".join(_tokens(fold(text[:MAX_CHARS])))


def _tokens(folded: str) -> Iterator[str]:
    for match in _TOKEN.finditer(folded):
        kind = match.lastgroup if match["word"] is None else "word"
        if kind == "ticked":
            yield NAME if is_name(match["ticked"].strip("` ")) else QUOTED
        elif kind == "word":
            word = match["word"]
            yield NAME if match["call"] or is_shaped(word.lstrip("$@")) or word[0] in "$@" else word.lower()
        else:
            yield {"quoted": QUOTED, "place": PLACE, "number": NUMBER}.get(kind or "", match[0].lower())


def _words(tokens: list[str]) -> Iterator[str]:
    """Tokens and pairs of tokens with the ends marked; in scripts without blanks, runs of one to three characters."""
    units: list[str] = []
    for token in tokens:
        if token[0] >= FIRST_CJK and len(token) > 1:
            units.extend(token)
            yield from (token[at : at + 3] for at in range(len(token) - 2))
        else:
            units.append(token)
    yield from units
    yield from (f"{first} {second}" for first, second in zip(["^", *units], [*units, "$"], strict=True))


def _parts(tokens: list[str]) -> Iterator[str]:
    for token in tokens:
        if token[0] == "<" or not token[0].isalpha():
            continue
        padded = f" {token} "
        for size in (3, 4):
            yield from (padded[at : at + size] for at in range(len(padded) - size + 1))


def _shape(text: str, tokens: list[str], rule: str) -> Iterator[str]:
    counted = {mask: tokens.count(mask) for mask in (NAME, QUOTED, PLACE, NUMBER)}
    yield from (f"{mask}{min(count, 3)}" for mask, count in counted.items())
    plain = sum(token[0].isalpha() for token in tokens)
    yield f"words{next((size for size in (0, 1, 2, 3, 5, 8, 12) if plain <= size), 20)}"
    yield f"marks{min(sum(mark in _CODE_MARKS for mark in text), 4)}"
    yield f"question{text.rstrip()[-1:] in {'?', '？'}}"
    yield f"capital{any(word.isupper() and len(word) > 1 for word in text.split())}"
    yield f"colon{': ' in text}"
    yield f"rule {rule}"
