"""Questions answered in words, every citation looked up on disk before it is shown."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, cast

from fourfold.engine.structure import StructureQuestions
from fourfold.model.answer import DEFAULT_TOKENS, MAX_TOKENS, MAX_TURNS, MIN_TOKENS, AskResult, Turn
from fourfold.model.errors import BackendUnavailable, BadQuery, UsageError
from fourfold.model.query import Filters
from fourfold.model.record import record
from fourfold.model.result import QueryInfo

if TYPE_CHECKING:
    from fourfold.answer.answer import Found
    from fourfold.engine.asking import ProgressCallback
    from fourfold.engine.index import Index
    from fourfold.index.freshness import Notice
    from fourfold.llm.protocol import LanguageModel
    from fourfold.model.answer import Answer
    from fourfold.pipeline.searcher import Searcher


CONTEXT_FACTOR = 3
"""A language model is given so many times the length of its answer in code."""


@record(frozen=True, slots=True)
class Grounded:
    """A question between its two halves: what was found, and what wording needs to know. `asked` is the question as it
    was understood where it leans on an earlier one; `note` says why no language model is asked ("": one is)."""

    question: str
    asked: str
    found: Found
    tokens: int
    note: str
    model: LanguageModel | None
    notice: Notice
    searcher: Searcher
    started: float
    refreshed: bool


class Answers(StructureQuestions):
    """:meth:`ask` of :class:`fourfold.engine.Index`."""

    def ask(
        self,
        question: str,
        *,
        tokens: int = DEFAULT_TOKENS,
        extractive: bool = False,
        filters: Filters | None = None,
        refresh: bool = True,
        progress: ProgressCallback | None = None,
        said: Callable[[str], None] | None = None,
        thread: Sequence[Turn] = (),
        model: LanguageModel | None = None,
    ) -> AskResult:
        """Answer a question in words, each statement with citations ``[n]`` that were checked against the files.

        Without a language model (setting ``llm.endpoint``), offline, or with `extractive`, the answer is put together
        from what the index knows and says so. Where the configured model fails, the answer is extractive too, and
        ``answer.failure`` says why. `tokens` (200 to 20,000) bounds the answer; a model gets three times as much code.
        `said` takes each checked piece of a model's answer as soon as it is there. `thread` are the questions before
        this one (:attr:`AskResult.turn` of their answers), which it may lean on ("and who calls it?"). `model` words
        the answer where none is configured.

        Raises BadQuery, BadFilter, BadConfig or UsageError for bad arguments, IndexUnavailable where there is no index
        and none can be built.
        """
        grounded = self.ground(
            question,
            tokens=tokens,
            extractive=extractive,
            filters=filters,
            refresh=refresh,
            progress=progress,
            thread=thread,
            model=model,
        )
        return self.word(grounded, said=said)

    def ground(
        self,
        question: str,
        *,
        tokens: int = DEFAULT_TOKENS,
        extractive: bool = False,
        filters: Filters | None = None,
        refresh: bool = True,
        progress: ProgressCallback | None = None,
        thread: Sequence[Turn] = (),
        model: LanguageModel | None = None,
    ) -> Grounded:
        """The first half of :meth:`ask`: everything there is to say, not yet worded, so that a server can wait for a
        language model elsewhere than it searches. Arguments and errors as there."""
        from fourfold.answer.answer import gather
        from fourfold.answer.thread import resolved
        from fourfold.llm.load import NOT_CONFIGURED, OFFLINE, why_none
        from fourfold.net.offline import is_offline
        from fourfold.rank.query_text import combine, parse_query
        from fourfold.syntax.languages import resolve_language

        if not MIN_TOKENS <= tokens <= MAX_TOKENS:
            raise UsageError(
                f"tokens must be between {MIN_TOKENS} and {MAX_TOKENS:,}, not {tokens}",
                hint="for example: --tokens 4000",
            )
        if not question.strip():
            raise BadQuery("no question was given", hint='for instance: fourfold ask "how does authentication work"')
        started = time.perf_counter()
        thread = tuple(thread)[-MAX_TURNS:]
        asked = resolved(question, thread)
        plain, inside = parse_query(asked, resolve_language)
        scoped = self._scoped(combine(inside, filters) if filters is not None else inside)
        note = "asked for without a language model" if extractive else why_none(self.settings)
        if note == NOT_CONFIGURED and model is not None:
            note = OFFLINE if is_offline(self.settings) else ""

        def work(searcher: Searcher) -> Found:
            return gather(
                searcher,
                self.structure_of(searcher),
                plain,
                scoped,
                tokens=tokens if note else tokens * CONTEXT_FACTOR,
                preset=self.settings.search.preset,
            )

        notice, searcher, found = self._answer(work, refresh, progress)
        found.thread = thread
        meant = asked if asked != question else ""
        return Grounded(question, meant, found, tokens, note, model, notice, searcher, started, refresh)

    def word(self, grounded: Grounded, *, said: Callable[[str], None] | None = None) -> AskResult:
        """The second half of :meth:`ask`: the answer in words, each citation looked up on disk."""
        found = grounded.found
        answer, left_out = self._worded(found, grounded.tokens, grounded.note, said, grounded.model)
        found.truncated, found.dropped = left_out > 0, left_out
        meta = self._meta(grounded.searcher, "ask", grounded.started, grounded.notice, found, grounded.refreshed)
        if answer.failure:
            meta = replace(meta, degraded="; ".join(filter(None, (meta.degraded, answer.failure))))
        return AskResult(QueryInfo.of(grounded.question, found.query), answer, found.items, meta, grounded.asked)

    def _worded(
        self,
        found: Found,
        tokens: int,
        note: str,
        said: Callable[[str], None] | None,
        other: LanguageModel | None,
    ) -> tuple[Answer, int]:
        """The answer, by the configured model where one is to be asked, else by the `other` one."""
        from fourfold.answer.answer import extractive as put_together
        from fourfold.answer.answer import worded
        from fourfold.llm.load import load_model

        read = partial(_text_of, self)
        if note or not found.items:
            return put_together(found, read, tokens, note)
        try:
            model = load_model(self.settings) or other
        except BackendUnavailable as error:
            answer, left_out = put_together(found, read, tokens, "the language model was not asked")
            return replace(answer, failure=error.message, hint=error.hint), left_out
        assert model is not None
        return worded(found, read, tokens, model, said)


def _text_of(index: Answers, path: str) -> str | None:
    """The text of a file as it is on disk now; None where it is gone or not to be read."""
    from fourfold.index.reading import INDEX
    from fourfold.model.errors import PathOutsideRoot

    try:
        found = cast("Index", index).read(path)  # of several services each reads its own
    except PathOutsideRoot:
        return None
    return found.text if found.origin != INDEX else None
