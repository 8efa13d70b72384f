"""A question to be answered in words: searched like any other, then worded beside the others, whole or in pieces."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from fourfold.interfaces.http import failures
from fourfold.model.answer import DEFAULT_TOKENS, MAX_ABOUT, AskResult, Turn
from fourfold.model.errors import FourfoldError
from fourfold.model.query import Filters

if TYPE_CHECKING:
    from fourfold.engine.answers import Grounded
    from fourfold.interfaces.http.service import Service

Event = tuple[str, Any]
"""``piece`` with {"text"}, ``answer`` with the :class:`AskResult`, ``error`` with {"error": {...}}."""


@dataclass(frozen=True, slots=True)
class Asking:
    """What a request asks."""

    question: str
    tokens: int = DEFAULT_TOKENS
    extractive: bool = False
    filters: Filters = field(default_factory=Filters)
    thread: tuple[Turn, ...] = ()


def turns(before: Sequence[str], about: Sequence[str]) -> tuple[Turn, ...]:
    """The thread that a request tells of; a question without names is kept without."""
    names = [*about, *[""] * (len(before) - len(about))]
    return tuple(
        Turn(question[:1000], tuple(name.strip()[:200] for name in said.split(",") if name.strip())[:MAX_ABOUT])
        for question, said in zip(before, names, strict=False)
    )


class _Left(Exception):
    """Nobody waits for the answer any more."""


async def answer(service: Service, asked: Asking, said: Callable[[str], None] | None = None) -> AskResult:
    """The whole answer. Raises as :meth:`fourfold.engine.Index.ask` and the service do."""
    note = await service.freshen()
    grounded: Grounded = await service.run(
        lambda index: index.ground(
            asked.question,
            tokens=asked.tokens,
            extractive=asked.extractive,
            filters=asked.filters,
            thread=asked.thread,
            refresh=False,
        ),
        ranked=True,
    )
    found = await service.run(lambda index: index.word(grounded, said=said), worded=True)
    clean = service.scrub.clean
    own = replace(found.answer, failure=clean(found.answer.failure), hint=clean(found.answer.hint))
    return replace(service.said(found, note), answer=own)


async def stream(service: Service, asked: Asking) -> AsyncIterator[Event]:
    """The checked pieces of a language model's answer as they come, then the whole; or what went wrong."""
    loop = asyncio.get_running_loop()
    pieces: asyncio.Queue[str] = asyncio.Queue()
    left = False

    def said(piece: str) -> None:
        if left:
            raise _Left
        loop.call_soon_threadsafe(pieces.put_nowait, piece)

    service.streams += 1
    task = asyncio.create_task(answer(service, asked, said))
    waiting = asyncio.create_task(pieces.get())
    try:
        while not task.done():
            done, _ = await asyncio.wait({task, waiting}, return_when=asyncio.FIRST_COMPLETED)
            if waiting in done:
                yield "piece", {"text": waiting.result()}
                waiting = asyncio.create_task(pieces.get())
        while not pieces.empty():
            yield "piece", {"text": pieces.get_nowait()}
        try:
            yield "answer", task.result()
        except FourfoldError as error:
            message, hint = service.scrub.clean(error.message), service.scrub.clean(error.hint)
            yield "error", failures.body(failures.code_of(error), message, hint)
    finally:
        left = True
        service.streams -= 1
        waiting.cancel()
        task.cancel()
