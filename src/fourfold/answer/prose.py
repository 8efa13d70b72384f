"""Words of a repository inside our sentences: one line, first sentence, nothing that reads as a citation."""

from __future__ import annotations

import re
from collections.abc import Sequence

from fourfold.llm.fence import UNSEEN

CALLED = frozenset({"function", "method", "macro", "test"})
"""Kinds whose names are shown with parentheses."""

MAX_CODE_CHARS = 160
MAX_SENTENCE_CHARS = 240
_END = re.compile(r"(?<!\be\.g)(?<!\bi\.e)(?<!\betc)(?<!\bvs)(?<!\bcf)[.!?。！？](?=\s|$)")
_MARK = re.compile(r"\[(\s*\d[^\[\]]{0,40})\]")
_BACKTICKS = re.compile(r"`+")


def folded(text: str) -> str:
    """The text on one line, unseen characters made visible."""
    return UNSEEN.sub("\ufffd", " ".join(text.split()))


def disarmed(text: str) -> str:
    """Prose without what would read as one of our citations: ``[1]`` becomes ``(1)``. Within code spans, which are
    quotations, brackets stay."""
    return _MARK.sub(r"(\1)", text)


def code(text: str, limit: int = MAX_CODE_CHARS) -> str:
    """Text as a Markdown code span, cut at `limit` characters."""
    text = folded(text) or " "
    if len(text) > limit:
        text = text[: limit - 1].rstrip() + "…"
    ticks = "`" * (1 + max((len(run) for run in _BACKTICKS.findall(text)), default=0))
    pad = " " if text.startswith("`") or text.endswith("`") else ""
    return f"{ticks}{pad}{text}{pad}{ticks}"


def first_sentence(doc: str) -> str:
    """The first sentence of a documentation, ending in a full stop; "" where it has none."""
    text = disarmed(folded(doc).replace("``", "`"))
    found = _END.search(text, 1) if text else None
    text = text[: found.start() + 1] if found else text.rstrip(" :;,-")
    if len(text) > MAX_SENTENCE_CHARS:
        text = text[:MAX_SENTENCE_CHARS].rpartition(" ")[0].rstrip(" ,;:.") + "…"
    if text.count("`") % 2:
        text = text.replace("`", "'")
    return text if not text or text[-1] in ".!?。！？…" else text + "."


def name_of(symbol: str, kind: str) -> str:
    """A symbol as a code span, with parentheses where it is called."""
    return code(symbol + "()" if kind in CALLED and not symbol.endswith(")") else symbol, 100)


def listed(parts: Sequence[str]) -> str:
    """``a, b and c``."""
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}" if parts else ""


def agrees(number: int, verb: str) -> str:
    """The verb of a subject in that number: ``1 class inherits``, ``2 classes inherit``."""
    return verb + "s" if number == 1 else verb


def count(number: int, noun: str, plural: str = "") -> str:
    """``1 place``, ``1,200 places``."""
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"
