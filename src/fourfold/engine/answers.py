"""Questions answered in words, every citation looked up on disk before it is shown."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from fourfold.engine.structure import StructureQuestions
from fourfold.model.answer import DEFAULT_TOKENS, MAX_TOKENS, MIN_TOKENS, AskResult
from fourfold.model.errors import BackendUnavailable, BadQuery, UsageError
from fourfold.model.query import Filters
from fourfold.model.result import QueryInfo

if TYPE_CHECKING:
    from fourfold.answer.answer import Found
    from fourfold.engine.asking import ProgressCallback
    from fourfold.model.answer import Answer
    from fourfold.pipeline.searcher import Searcher


CONTEXT_FACTOR = 3
"""A language model is given so many times the length of its answer in code."""


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
    ) -> AskResult:
        """Answer a question in words, each statement with citations ``[n]`` that were checked against the files.

        Without a language model (setting ``llm.endpoint``), offline, or with `extractive`, the answer is put together
        from what the index knows and says so. Where the configured model fails, the answer is extractive too, and
        ``answer.failure`` says why. `tokens` (200 to 20,000) bounds the answer; a model gets three times as much code.
        `said` takes each checked piece of a model's answer as soon as it is there.

        Raises BadQuery, BadFilter, BadConfig or UsageError for bad arguments, IndexUnavailable where there is no index
        and none can be built.
        """
        from fourfold.answer.answer import gather
        from fourfold.llm.load import why_none
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
        plain, inside = parse_query(question, resolve_language)
        scoped = self._scoped(combine(inside, filters) if filters is not None else inside)

        note = "asked for without a language model" if extractive else why_none(self.settings)

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
        answer, left_out = self._worded(found, tokens, note, said)
        found.truncated, found.dropped = left_out > 0, left_out
        meta = self._meta(searcher, "ask", started, notice, found, refresh)
        if answer.failure:
            meta = replace(meta, degraded="; ".join(filter(None, (meta.degraded, answer.failure))))
        query = found.query
        info = QueryInfo(question, query.intent, query.confidence, query.identifiers, query.rule)
        return AskResult(info, answer, found.items, meta)

    def _worded(self, found: Found, tokens: int, note: str, said: Callable[[str], None] | None) -> tuple[Answer, int]:
        """The answer, by the configured model where one is to be asked."""
        from fourfold.answer.answer import extractive as put_together
        from fourfold.answer.answer import worded
        from fourfold.llm.load import load_model

        read = partial(_text_of, self)
        if note or not found.items:
            return put_together(found, read, tokens, note)
        try:
            model = load_model(self.settings)
        except BackendUnavailable as error:
            answer, left_out = put_together(found, read, tokens, "the language model was not asked")
            return replace(answer, failure=error.message, hint=error.hint), left_out
        assert model is not None
        return worded(found, read, tokens, model, said)


def _text_of(index: Answers, path: str) -> str | None:
    """The text of a file as it is on disk now; None where it is gone or not to be read."""
    from fourfold.index.reading import INDEX, read_text
    from fourfold.model.errors import PathOutsideRoot

    try:
        found = read_text(index.tree, index._store, index._options(), path)
    except PathOutsideRoot:
        return None
    return found.text if found.origin != INDEX else None
