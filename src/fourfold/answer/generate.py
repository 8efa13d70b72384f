"""An answer that a language model words: each line is checked when it is whole, and only then shown.

A sentence that cites is kept where at least one of its citations holds: the passage is one that the model was given, it
speaks of what the sentence names, and the lines stand in the file on disk. A sentence all of whose citations fail, or
that names code which no passage holds, is removed. One that cites nothing stays, marked ``[?]``, unless it quotes code.
An address stays only where the cited lines hold it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from fourfold.answer.check import Checker, Read
from fourfold.answer.extract import Cited
from fourfold.answer.marks import Mark, outside_code, spans, taken_out, without_links
from fourfold.answer.prompt import messages
from fourfold.answer.support import grounded, unknown
from fourfold.llm.fence import UNSEEN
from fourfold.model.answer import Answer, Passage
from fourfold.model.errors import BackendUnavailable

if TYPE_CHECKING:
    from fourfold.answer.answer import Found
    from fourfold.llm.protocol import LanguageModel

UNSUPPORTED = "[?]"
"""Stands behind a sentence of a model that cites nothing."""
MAX_ANSWER_CHARS = 40_000
MIN_STATEMENT_WORDS = 3
"""Fewer words state nothing that needs a source ("Yes.", "In short:")."""

_BULLET = re.compile(r"\s*(?:[-*+]|\d{1,3}[.)])\s+|\s*(?:#{1,6}|>)\s+")
_END = re.compile(r"(?<!\be\.g)(?<!\bi\.e)[.!?。！？][\"')]*((?:\s*\[[^\[\]\n]{1,120}\])*)(?:\s+|$)(?!\[)")


def generate(
    found: Found, read: Read, tokens: int, model: LanguageModel, said: Callable[[str], None] | None
) -> tuple[Answer, BackendUnavailable | None]:
    """(what of the model's answer holds, why it broke off or None)."""
    writing = _Writing(found.query.text, found.items, Checker(read), said)
    failure: BackendUnavailable | None = None
    try:
        for line in _lines(model.stream(messages(found.query.text, found.items, found.thread), tokens)):
            writing.line(line)
    except BackendUnavailable as error:
        failure = error
    writing.end()
    text = "\n".join(writing.kept).strip()
    removed = writing.removed + writing.checker.removed
    citations = tuple(writing.cited.citations)
    return Answer(text, citations, removed, writing.unsupported, extractive=False, model=model.name), failure


def _lines(pieces: Iterator[str]) -> Iterator[str]:
    """Whole lines of a text that comes in pieces; the last one where the text ends without a line end."""
    rest, total = "", 0
    for piece in pieces:
        total += len(piece)
        if total > MAX_ANSWER_CHARS:
            break
        *lines, rest = (rest + piece).split("\n")
        yield from lines
    if rest:
        yield rest


@dataclass(slots=True)
class _Writing:
    """The answer as it grows. Nothing is said before the first citation holds."""

    question: str
    items: tuple[Passage, ...]
    checker: Checker
    said: Callable[[str], None] | None
    cited: Cited = field(default_factory=Cited)
    kept: list[str] = field(default_factory=list)
    removed: int = 0
    unsupported: int = 0
    _pending: list[str] = field(default_factory=list)
    _code: list[str] | None = None
    _told: int = 0

    def line(self, line: str) -> None:
        """Take one whole line of the model's answer."""
        line = UNSEEN.sub("\ufffd", line.rstrip().replace("\t", "    "))
        if line.lstrip().startswith("```"):
            if self._code is None:
                self._code = []
            else:
                self._block(self._code)
                self._code = None
        elif self._code is not None:
            self._code.append(line)
        elif not line:
            self._pending.append("")
        elif line.rstrip().endswith(":") and len(line.split()) <= 12 and not taken_out(line, self.items)[1]:
            self._pending.append(without_links(self._clean(line), ""))  # a lead-in stands only before what holds
        else:
            self._prose(line)

    def end(self) -> None:
        """The answer has ended: a block of code that never closed is judged as it is."""
        if self._code:
            self._block(self._code)
        self._code = None

    def _prose(self, line: str) -> None:
        bullet = _BULLET.match(line)
        head = bullet.group() if bullet else ""
        kept = [text for one in _sentences(line[len(head) :]) if (text := self._sentence(one))]
        if kept:
            self._keep(head + " ".join(kept))

    def _sentence(self, sentence: str) -> str:
        """The sentence with checked citations, "" where it does not hold."""
        text, marks, wrong = taken_out(sentence, self.items)
        self.removed += wrong
        text = self._clean(text)
        if not any(map(str.isalnum, text)):
            return ""
        if unknown(text, self.items, self.question):
            self.removed += len(marks) or not wrong
            return ""
        if len(text.split()) < MIN_STATEMENT_WORDS and text.isascii() and "`" not in text:
            return text if not (marks or wrong) and text == without_links(text, "") else ""
        numbers = [number for mark in marks if (number := self._number(text, mark))]
        if numbers:
            held = "\n".join(self.cited.citations[number - 1].quote for number in numbers)
            marked = "".join(f"[{number}]" for number in dict.fromkeys(numbers))
            return f"{without_links(text, held)} {marked}"
        if marks or wrong or any(" " in span for span in spans(text)):
            self.removed += not (marks or wrong)
            return ""  # code without a source is no answer: it may be a command that a file asks for
        self.unsupported += 1
        return f"{without_links(text, '')} {UNSUPPORTED}"

    def _number(self, text: str, mark: Mark) -> int:
        """The number of a citation that holds, 0 (and counted) where it does not."""
        evidence = grounded(text, mark)
        if evidence is None:
            self.removed += 1
            return 0
        checked = self.checker.check(evidence)
        return self.cited.number(*checked) if checked else 0

    def _block(self, lines: list[str]) -> None:
        """A block of code stays where a passage holds its lines one below the other."""
        wanted = [line.strip() for line in lines if line.strip()]
        for item in self.items if wanted else ():
            own = [line.strip() for line in item.snippet.split("\n")]
            start = next((at for at in range(len(own)) if own[at : at + len(wanted)] == wanted), -1)
            if start >= 0:
                first = item.start_line + start
                number = self._number("", Mark(item, first, first + len(wanted) - 1))
                if number:
                    self._keep("\n".join(["```", *lines, "```", f"[{number}]"]))
                    return
        self.removed += 1

    def _clean(self, text: str) -> str:
        known = "\n".join(item.snippet for item in self.items)
        return outside_code(without_links(text, known), lambda part: re.sub(r"\[(\s*\d[^\[\]]{0,40})\]", r"(\1)", part))

    def _keep(self, text: str) -> None:
        self.kept += [*self._pending, text] if self.kept or any(self._pending) else [text]
        self._pending = []
        if self.said is not None and self.cited.citations:
            self.said("\n".join(self.kept[self._told :]))
            self._told = len(self.kept)


def _sentences(text: str) -> list[str]:
    """The sentences of one line, each with the citations that follow its full stop."""
    found: list[str] = []
    start = 0
    for end in _END.finditer(text):
        if text.count("`", start, end.start()) % 2 == 0:
            found.append(text[start : end.end()].strip())
            start = end.end()
    rest = text[start:].strip()
    return [*found, rest] if rest else found
