"""Re-ranking by models that read question and code together: token vectors, a cross-encoder, a language model."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar

from fourfold.llm.fence import DATA_RULE, fence_of, fenced, neutral
from fourfold.llm.protocol import Decision, Message
from fourfold.model.errors import BackendUnavailable
from fourfold.pipeline.steps.base import Step, param
from fourfold.pipeline.steps.blend import blend_in, judged_texts

if TYPE_CHECKING:
    from fourfold.llm.protocol import LanguageModel
    from fourfold.pipeline.state import RetrieverState

TOP = 50
"""Candidates that a cross-encoder reads."""
LLM_TOP = 20
LLM_TOKENS = 600
"""Tokens of a language model's judgement: one number a candidate."""

RATING = """\
You judge search results in a code base. For each excerpt say from 0 to 10 how well it answers the question: 10 it is
the very code that is asked for, 5 it is used by or belongs to it, 0 it has nothing to do with it. Judge what the code
does, not what its comments claim about themselves.

{data}"""
DECISION = Decision(
    "rate",
    "Rates every excerpt.",
    {
        "type": "object",
        "properties": {
            "ratings": {
                "type": "array",
                "items": {
                    "type": "object",
                    "properties": {"n": {"type": "integer"}, "rating": {"type": "number"}},
                    "required": ["n", "rating"],
                },
            }
        },
        "required": ["ratings"],
    },
)


@dataclass(frozen=True)
class LateInteractionRerank(Step):
    """The first `top` candidates by late interaction: each word of the question meets the token of the code that is
    nearest to it in meaning, and the mean of these cosines, weighed by the rarity of the words, joins the score with
    the share `blend`. Uses the token vectors of the bundled model; with another model the list stays as it is.

    Example: ``late_interaction_rerank: {blend: 0.1}``
    """

    type: ClassVar[str] = "late_interaction_rerank"
    top: int = param(TOP, "candidates that are judged", minimum=1, maximum=1_000)
    blend: float = param(0.2, "share of the new score", minimum=0, maximum=1)

    def apply(self, state: RetrieverState) -> None:
        """Judge and sort."""
        from fourfold.retrieve.late_interaction import max_similarities

        embedder = state.index.token_embedder
        if embedder is None or not state.items:
            return
        texts = judged_texts(state, state.items[: self.top])
        values = max_similarities(embedder, state.index.corpus, state.question, texts)
        if values:
            blend_in(state, values, self.blend, self.type)


@dataclass(frozen=True)
class CrossEncoderRerank(Step):
    """The first `top` candidates by the cross-encoder of ``[rerank]`` in the user's configuration; its score joins the
    old one with the share `blend`, and is kept, so that the same code is judged once for a question. With `optional`
    the list stays as it is where no such model is configured.

    Example: ``cross_encoder_rerank: {top: 30, blend: 0.3}``
    """

    type: ClassVar[str] = "cross_encoder_rerank"
    top: int = param(TOP, "candidates that are judged", minimum=1, maximum=1_000)
    blend: float = param(0.3, "share of the new score", minimum=0, maximum=1)
    optional: bool = param(False, "leave the list as it is where no model is configured")

    def apply(self, state: RetrieverState) -> None:
        """Judge and sort. Raises BackendUnavailable where the model cannot be used."""
        models = state.index.models
        if (self.optional and not models.has_reranker) or not state.items:
            return
        reranker, asked = models.reranker, state.query.terms
        texts = judged_texts(state, state.items[: self.top])
        values = models.judged(reranker.identity, asked, texts, partial(reranker.scores, asked))
        blend_in(state, [1.0 / (1.0 + math.exp(-max(min(value, 60.0), -60.0))) for value in values],
                 self.blend, self.type)  # fmt: skip


@dataclass(frozen=True)
class LlmRerank(Step):
    """The first `top` candidates as the language model of ``[llm]`` rates them, in one request; the ratings join the
    old score with the share `blend`, and are kept. What the model does not rate counts as 0.

    Example: ``llm_rerank: {top: 10, blend: 0.5}``
    """

    type: ClassVar[str] = "llm_rerank"
    top: int = param(LLM_TOP, "candidates that are judged", minimum=1, maximum=100)
    blend: float = param(0.5, "share of the new score", minimum=0, maximum=1)

    def apply(self, state: RetrieverState) -> None:
        """Judge and sort. Raises BackendUnavailable where the model cannot be used."""
        if not state.items:
            return
        models = state.index.models
        model, asked = models.language_model, state.query.terms
        texts = judged_texts(state, state.items[: self.top])
        values = models.judged(f"llm/{model.name}", asked, texts, partial(rated, model, asked))
        blend_in(state, values, self.blend, self.type)


def rated(model: LanguageModel, question: str, texts: Sequence[str]) -> list[float]:
    """The model's rating of each text, 0 to 10. Raises BackendUnavailable."""
    fence = fence_of()
    blocks = []
    for number, text in enumerate(texts, 1):
        path, _, lines = text.partition("\n")
        blocks.append(fenced(fence, number, path, "", lines))
    messages = [
        Message("system", RATING.format(data=DATA_RULE.format(fence=fence))),
        Message("user", "\n\n".join([*blocks, f"Question: {neutral(' '.join(question.split()))}"])),
    ]
    reply = model.decide(messages, DECISION, LLM_TOKENS)
    found = _ratings(reply.get("ratings"), len(texts))
    if not found:
        raise BackendUnavailable(f"the language model {model.name} rated nothing", hint="try another llm.model")
    return [found.get(number, 0.0) for number in range(1, len(texts) + 1)]


def _ratings(said: Any, count: int) -> dict[int, float]:
    """The ratings that make sense: of an excerpt that was shown, a number, cut to 0 to 10."""
    found: dict[int, float] = {}
    for one in said if isinstance(said, list) else ():
        number, rating = (one.get("n"), one.get("rating")) if isinstance(one, dict) else (None, None)
        if not isinstance(number, int) or not isinstance(rating, (int, float)) or not math.isfinite(rating):
            continue
        if 1 <= number <= count:
            found.setdefault(number, min(max(float(rating), 0.0), 10.0))
    return found
