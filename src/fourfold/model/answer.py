"""An answer in words: sentences, each with citations of lines that were looked up on disk before they were shown."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from fourfold.model.record import record
from fourfold.model.result import SCHEMA, Meta, QueryInfo, plain

DEFAULT_TOKENS = 2_000
"""Tokens of an answer as it is shown, and of its passages."""
MIN_TOKENS, MAX_TOKENS = 200, 20_000


MAX_TURNS = 10
"""Turns of a thread that a follow-up question may lean on; older ones are left out."""
MAX_ABOUT = 5
"""Names that a turn remembers."""


@record(frozen=True, slots=True)
class Turn:
    """A question that was asked before in the same thread, and the names of code that its answer was about, the one
    most to the point first."""

    question: str
    about: tuple[str, ...] = ()


@record(frozen=True, slots=True)
class Citation:
    """Lines `start_line` to `end_line` (from 1, both included) of `path`, written ``[n]`` in the text.

    `quote` is what stands there, exactly as in the file (secrets masked); `checked` is true where the file was read and
    the quote found in it. `moved` is by how many lines the quote had moved since it was indexed or where a model had
    put it. `symbol` is the definition around the lines.
    """

    n: int
    path: str
    start_line: int
    end_line: int
    quote: str
    checked: bool
    symbol: str = ""
    moved: int = 0

    @property
    def location(self) -> str:
        """``path:start-end``."""
        return f"{self.path}:{self.start_line}-{self.end_line}"


@record(frozen=True, slots=True)
class Answer:
    """The words and what they rest on.

    `text` is Markdown; ``[n]`` in it means ``citations[n - 1]``. `removed` counts citations that failed the check and
    statements that lost their ground with them; `unsupported` counts sentences of a model that cite nothing and are
    marked so. `extractive` is true where no language model wrote it; `model` names the one that did; `note` says in one
    sentence why it is extractive, or what is missing; `failure` says why the configured model did not answer.
    """

    text: str
    citations: tuple[Citation, ...] = ()
    removed: int = 0
    unsupported: int = 0
    extractive: bool = True
    model: str = ""
    note: str = ""
    failure: str = ""
    hint: str = ""
    usage: str = ""


@record(frozen=True, slots=True)
class Passage:
    """A place that the answer was drawn from, numbered by `rank` from 1.

    `role` says why it is here: ``definition``, ``use``, ``caller``, ``place`` (found by the search), ``test``.
    `snippet` is the code of its lines.
    """

    rank: int
    path: str
    start_line: int
    end_line: int
    language: str
    kind: str
    symbol: str
    signature: str
    score: float
    snippet: str
    role: str = "place"

    @property
    def location(self) -> str:
        """``path:start-end``."""
        return f"{self.path}:{self.start_line}-{self.end_line}"


@record(frozen=True, slots=True)
class AskResult:
    """Query, answer, the places it was drawn from, and meta. `asked` is the question as it was understood, where it
    leans on an earlier one of its thread; "" where it stands for itself."""

    query: QueryInfo
    answer: Answer
    items: tuple[Passage, ...]
    meta: Meta
    asked: str = ""

    @property
    def turn(self) -> Turn:
        """What a follow-up question needs to know of this one."""
        symbols = [one.symbol for one in self.answer.citations if one.symbol]
        symbols += [one.symbol for one in self.items[:MAX_ABOUT] if one.symbol]
        named = [name for name in self.query.identifiers if any(_same(name, symbol) for symbol in symbols)]
        return Turn(self.query.text, tuple(dict.fromkeys([*named, *symbols]))[:MAX_ABOUT])

    def to_dict(self) -> dict[str, Any]:
        """The JSON shape: ``{"schema", "query", "answer", "items", "meta"}``."""
        return {"schema": SCHEMA, **plain(asdict(self))}


def _same(name: str, symbol: str) -> bool:
    """True where a symbol is called so, qualified or not."""
    return symbol == name or symbol.rpartition(".")[2] == name.rpartition(".")[2]
