"""Messages as they are pasted (``connection reset by peer while reading header``), met with the text that makes them.

Code holds a message as a template: ``"file %s not found in %s"``. A message meets a text where each of its words stands
there in the same order with nothing but punctuation, quotes and white space between, or is part of what a placeholder
stands for. Pure: texts in, places out.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from itertools import pairwise

from fourfold.model.record import record
from fourfold.model.text import STOP_WORDS

MAX_WORDS = 60
"""Words of a message that are looked for; a longer text is no message."""
MIN_LITERAL = 3
"""Words of a message that must stand in the text as they are: two neighbours say little."""
MIN_CONTENT = 2
"""Of these, so many must be no stop words."""
MIN_SHARE = 0.5
"""Share of the message that must stand in the text, the rest are values of placeholders (words by white space)."""
MAX_VALUE = 24
"""Words that one placeholder may stand for: a path or an address is many."""
MAX_STARTS = 4
"""Places where a message may begin: what stands before a colon, a bracket or a dash may be a program's or a level."""

PLACEHOLDER = ""
"""Stands for a placeholder among the words of a text."""

_FORMAT = (
    r"%\(\w+\)[-+#0 ]*[\d.]*[a-zA-Z]"  # %(name)s
    r"|%[-+#0]*(?:\d+\$)?[\d.*]*(?:hh|h|ll|l|z|j|t)?[diouxXeEfFgGaAcspqvwrTU@](?![a-z])"  # %s %5.2f %1$s %zu %+v %@
    r"|[$#]?\{[^{}\n]{0,80}\}"  # {} {name!r} ${x} #{x}
    r"|\\\([^()\n]{0,80}\)"  # \(x), Swift
    r"|\$[A-Za-z_]\w*"  # $name
)
_JOINED = r"[\"'`]\s*(?:\+|\.\.?|<>|&|<<)\s*[\w.()\[\]>-]{1,60}(?:\s*(?:\+|\.\.?|<>|&|<<)\s*[\"'`])?"
"""``" + name + "``: a value between, or at the end of, two strings."""
_TOKEN = re.compile(
    rf"(?P<placeholder>{_FORMAT}|{_JOINED})|\\[abfnrtv0]|\b[bBfFrRuU]{{1,2}}(?=[\"'])|(?P<word>[^\W_](?:\w*[^\W_])?)"
)
_VALUE = re.compile(
    r"\"[^\"\n]*\"|(?<!\w)'[^'\n]*'(?!\w)|`[^`\n]*`|“[^”\n]*”|<[^<>\n]*>|\([^()\n]*\)|\[[^\[\]\n]*\]|\{[^{}\n]*\}"
)
"""What most likely is a value that was filled in: what stands in quotes or brackets."""
_START = re.compile(r"(?::|\]|\)| -| \|)\s+")
_GAP = re.compile(r"(?:[\W_]|(?<=\\)[abfnrtv0]|\b[bBfFrRuU]{1,2}(?=[\"']))*")
"""What may stand between two neighbouring words of a text, and be no token."""
_JOINS_BEFORE, _JOINS_BEHIND = frozenset("\"'`+.>&<"), frozenset("+.<&")
"""With what a line ends, or begins, that a value between two strings may run across."""
_NEAR = 200
"""Characters on both sides of the end of a line that are looked at."""


@record(frozen=True, slots=True)
class Message:
    """A message as words in lower case, :data:`PLACEHOLDER` where it holds one itself. `fields` numbers the part
    between white space (a value in quotes or brackets is one) that each word stands in, `starts` are the words it may
    begin with; `pairs` are neighbouring words as written, in lower case; `template` are the words outside of quotes and
    brackets that are no numbers, all words where too few are."""

    words: tuple[str, ...]
    fields: tuple[int, ...]
    starts: tuple[int, ...]
    pairs: tuple[str, ...]
    template: tuple[str, ...]


@record(frozen=True, slots=True)
class Met:
    """Where a message meets a text: the offset of the first word, and the share of the message that stands there."""

    offset: int
    share: float


def message_of(text: str) -> Message | None:
    """A text of one line as a message, None where it is too short or too long to be one."""
    text = text.strip()
    found = [] if "\n" in text else list(_tokens(text))
    if not MIN_LITERAL <= len(found) <= MAX_WORDS:
        return None
    words = tuple(word for word, _, _ in found)
    if not _telling(words):
        return None
    template, values = _template(text, found)
    spaces = [match.start() for match in re.finditer(r"\s+", text) if not _within(match.start(), values)]
    fields = tuple(bisect_left(spaces, start) for _, start, _ in found)
    begins = [match.end() for match in _START.finditer(text)]
    later = (next((n for n, (_, start, _) in enumerate(found) if start >= begin), len(found)) for begin in begins)
    starts = dict.fromkeys([0, *(n for n in later if len(found) - n >= MIN_LITERAL)])
    lowered = text.lower()
    pairs = (lowered[start:end] for (_, start, _), (_, _, end) in pairwise(found))
    return Message(words, fields, tuple(starts)[:MAX_STARTS], tuple(dict.fromkeys(pairs)), template)


def filled(text: str) -> bool:
    """True for a message of one line with two and more values in quotes or brackets, and words enough around them:
    none of the values is what is asked for."""
    message = message_of(text)
    return message is not None and len(message.template) < len(message.words) and len(_VALUE.findall(text)) > 1


def meets(message: Message, text: str, *, values: bool) -> Met | None:
    """The best place where a message meets a text, None where it does not; placeholders of the text stand for words of
    the message only with `values`."""
    if not values and text.isascii() and PLACEHOLDER not in message.words:
        return _meets_as_it_is(message, text)
    return _meets_tokens(message, text, values=values)


def _meets_tokens(message: Message, text: str, *, values: bool) -> Met | None:
    tokens = [(word, start) for word, start, _ in _tokens(text)]
    words = [word for word, _ in tokens]
    best: Met | None = None
    for start in message.starts:
        first = message.words[start]
        for at, word in enumerate(words):
            if word != first and not (values and word == PLACEHOLDER):
                continue
            share = _share(message, start, words, at, values=values)
            if share and (best is None or share > best.share):
                best = Met(tokens[at][1], share)
        if best is not None:
            break
    return best


def _meets_as_it_is(message: Message, text: str) -> Met | None:
    """As :func:`meets` for a message and a text in ASCII, neither read for placeholders: few places of the text are
    worth cutting into tokens."""
    lowered = text.lower()
    for start in message.starts:
        words = message.words[start:]
        if len(words) < MIN_LITERAL or not _telling(words):
            continue
        at = lowered.find(words[0])
        while at >= 0:
            if _follow(text, lowered, words, at) and _stand(text, words, at):
                return Met(at, 1.0)
            at = lowered.find(words[0], at + 1)
    return None


def _follow(text: str, lowered: str, words: Sequence[str], at: int) -> bool:
    """True where words follow one another from an offset on with nothing but gaps between; where they do as tokens,
    they do so."""
    end = at
    for word in words:
        if not lowered.startswith(word, end):
            return False
        gap = _GAP.match(text, end + len(word))
        end = gap.end() if gap is not None else end
    return True


def _stand(text: str, words: Sequence[str], at: int) -> bool:
    """True where words are the tokens of a text from an offset on, the first one at the offset."""
    tokens = ((word, start) for word, start, _ in _tokens(text, _whole_line(text, at)) if start >= at)
    first = next(tokens, None)
    if first != (words[0], at):
        return False
    return all(next(tokens, (None, 0))[0] == word for word in words[1:])


def _whole_line(text: str, at: int) -> int:
    """The beginning of a line at or before an offset that is in no token."""
    start = text.rfind("\n", 0, at) + 1
    while start:
        before, behind = text[max(start - _NEAR, 0) : start].rstrip()[-1:], text[start : start + _NEAR].lstrip()[:1]
        if before and behind and before not in _JOINS_BEFORE and behind not in _JOINS_BEHIND:
            break
        start = text.rfind("\n", 0, start - 1) + 1
    return start


def _template(text: str, found: Sequence[tuple[str, int, int]]) -> tuple[tuple[str, ...], list[tuple[int, int]]]:
    """The words of a message that its template most likely holds, and where its values stand; all words and no values
    where the rest says too little."""
    values = [match.span() for match in _VALUE.finditer(text)]
    kept = tuple(
        word for word, start, _ in found if word != PLACEHOLDER and not word.isdigit() and not _within(start, values)
    )
    if len(kept) >= MIN_LITERAL and _telling(kept):
        return kept, values
    return tuple(word for word, _, _ in found if word != PLACEHOLDER), []


def _within(offset: int, spans: Sequence[tuple[int, int]]) -> bool:
    return any(start <= offset < end for start, end in spans)


def _tokens(text: str, first: int = 0) -> Iterator[tuple[str, int, int]]:
    """(word in lower case or PLACEHOLDER, start, end) in order, from the offset `first` on, which is in none; escapes
    and the letters before a string are none."""
    for match in _TOKEN.finditer(text, first):
        if match.lastgroup == "word":
            yield match[0].lower(), match.start(), match.end()
        elif match.lastgroup == "placeholder":
            yield PLACEHOLDER, match.start(), match.end()


def _share(message: Message, start: int, text: Sequence[str], at: int, *, values: bool) -> float:
    """The share of the message from `start` on that stands in the text from `at` on; 0 where the two do not meet."""
    words = message.words
    literal: list[int] = []
    mine = start
    while mine < len(words):
        if at == len(text):
            return 0.0
        if text[at] == words[mine]:
            literal.append(mine)
            mine, at = mine + 1, at + 1
        elif values and text[at] == PLACEHOLDER:
            mine, at = _after_value(words, mine, text, at + 1)
            if mine < 0:
                return 0.0
        else:
            return 0.0
    if len(literal) < MIN_LITERAL or not _telling([words[number] for number in literal]):
        return 0.0
    fields = len(set(message.fields[start:]))
    share = len({message.fields[number] for number in literal}) / fields
    return share if share >= MIN_SHARE else 0.0


def _after_value(words: Sequence[str], mine: int, text: Sequence[str], at: int) -> tuple[int, int]:
    """Where message and text go on behind a placeholder: at the next word of the text that is no placeholder; (-1, at)
    where the message does not have it. A text that ends with the placeholder takes the rest of the message."""
    while at < len(text) and text[at] == PLACEHOLDER:
        at += 1
    if at < len(text):
        for later in range(mine + 1, min(mine + 1 + MAX_VALUE, len(words))):
            if words[later] == text[at]:
                return later, at
    # Nothing of what follows is part of the message: the placeholder stands for its end.
    return (len(words), at) if len(words) - mine <= MAX_VALUE else (-1, at)


def _telling(words: Sequence[str]) -> bool:
    """True where enough of some words say something."""
    content = {word for word in words if word not in STOP_WORDS and len(word) > 1}
    return len(content) >= MIN_CONTENT or (PLACEHOLDER in words and bool(content))
