"""Asking again in other words: those of the repository, hypothetical code, or smaller questions."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar

from fourfold.llm.fence import neutral
from fourfold.llm.protocol import Decision, LanguageModel, Message
from fourfold.pipeline.pipeline import as_step
from fourfold.pipeline.state import RetrieverState, SearchQuery
from fourfold.pipeline.steps.base import Step, nested, param
from fourfold.pipeline.steps.flow import Steps
from fourfold.pipeline.steps.fusion import RrfFusion
from fourfold.pipeline.steps.rerank import FeatureRerank

if TYPE_CHECKING:
    from fourfold.pipeline.state import Candidate

LOOKED_AT = 10
"""First places that are looked at for whether they hold the question's words."""
REPLY_TOKENS = 700
MAX_EXPANSION_CHARS = 2_000
MAX_QUESTIONS = 5
ASKED = "asked"
"""The list of the question as it stands."""

HYDE = """\
You help to search a code base. Write what the code that answers the programmer's question might look like: a short
function or class with telling names and one line of documentation, in the language that the question suggests. The
code need not exist."""
HYDE_DECISION = Decision(
    "write_code",
    "Gives the hypothetical code.",
    {"type": "object", "properties": {"code": {"type": "string"}}, "required": ["code"]},
)
PARTS = """\
You help to search a code base. Split the programmer's question into 3 to 5 short questions that together cover it, each
about one thing that a piece of code does, in words that code and its comments would use."""
PARTS_DECISION = Decision(
    "ask",
    "Gives the smaller questions.",
    {
        "type": "object",
        "properties": {"questions": {"type": "array", "items": {"type": "string"}}},
        "required": ["questions"],
    },
)


@dataclass(frozen=True)
class QueryExpansion(Step):
    """Runs `steps` for the question as asked and again for expansions of it, and fuses the lists by rank; all
    expansions together weigh `weight`, the question 1. `by`: "vocabulary" adds up to `words` words of names defined
    here that stand where the question's words stand (no model); "hyde" asks with hypothetical code, "sub_queries" with
    3 to 5 smaller questions, both written by the language model of ``[llm]``. With `unless_covered` only where no first
    place holds that share of the question's words. Without `steps` the learned order answers.

    Example: ``query_expansion: {by: vocabulary, weight: 0.3, steps: [bm25_fetcher: {stems: true}]}``
    """

    type: ClassVar[str] = "query_expansion"
    by: str = param("vocabulary", "where expansions come from", choices=("vocabulary", "hyde", "sub_queries"))
    words: int = param(3, "words that are added", minimum=1, maximum=50)
    weight: float = param(0.3, "weight of all expansions together", minimum=0.01, maximum=10)
    k: float = param(20.0, "constant of the fusion", minimum=1)
    unless_covered: float = param(
        1.0, "share of the question's words, by rarity, in one of the first places, from which on nothing is expanded; "
        "1: always expand", minimum=0, maximum=1
    )  # fmt: skip
    steps: Steps | None = nested("steps", default=None)

    def check(self) -> None:
        """There are steps."""
        object.__setattr__(self, "steps", as_step(FeatureRerank() if self.steps is None else self.steps))

    def __getitem__(self, name: str) -> Step:
        if name == "steps":
            return as_step(self.steps or ())
        raise KeyError(f"{self.type} has no steps called {name!r}; there are: steps")

    def apply(self, state: RetrieverState) -> None:
        """Ask, ask again, fuse. Raises BackendUnavailable where a model is needed and cannot be used."""
        inner = as_step(self.steps or ())
        inner.apply(state)
        texts = [] if self._covered(state) else self._expansions(state)
        if not texts:
            return
        lists = {ASKED: state.items}
        for number, text in enumerate(texts, 1):
            fork = _asking(state, text)
            inner.apply(fork)
            lists["expanded" if len(texts) == 1 else f"expanded_{number}"] = fork.items
        state.scratch["expansions"] = texts
        self._fuse(state, lists)

    def _fuse(self, state: RetrieverState, lists: dict[str, list[Candidate]]) -> None:
        """The lists as one. A constant that the caller gave is meant for lists of retrievers, not for these."""
        known = {item.chunk: item.more for items in lists.values() for item in items}
        each = self.weight / (len(lists) - 1)
        given, state.k = state.k, None
        state.lists, state.modalities = lists, dict.fromkeys(lists, "")
        RrfFusion(k=self.k, weights={name: 1.0 if name == ASKED else each for name in lists}).apply(state)
        state.k = given
        state.items = [replace(item, detail=None, more=item.more or known.get(item.chunk, ())) for item in state.items]

    def _covered(self, state: RetrieverState) -> bool:
        """True where a place among the first ones holds enough of the question's words, by their rarity."""
        if self.unless_covered >= 1.0 or not state.items:
            return False
        found = state.index.corpus.words("stems", state.question.stems).coverage
        return max(float(found[item.chunk]) for item in state.items[:LOOKED_AT]) >= self.unless_covered

    def _expansions(self, state: RetrieverState) -> list[str]:
        """The questions to ask besides, none where nothing fits."""
        asked = state.query.terms
        if self.by == "vocabulary":
            added = state.index.name_words.near(state.question.content_stems, self.words)
            return [f"{asked} {' '.join(added)}"] if added else []
        model = state.index.models.language_model
        return [hypothetical(model, asked)] if self.by == "hyde" else sub_questions(model, asked)


def hypothetical(model: LanguageModel, question: str) -> str:
    """The question with code that might answer it, as a model writes it. Raises BackendUnavailable."""
    reply = model.decide(_messages(HYDE, question), HYDE_DECISION, REPLY_TOKENS)
    return f"{question}\n{_text(reply.get('code'))}"


def sub_questions(model: LanguageModel, question: str) -> list[str]:
    """The smaller questions that a model makes of one, at most five. Raises BackendUnavailable."""
    said = model.decide(_messages(PARTS, question), PARTS_DECISION, REPLY_TOKENS).get("questions")
    found = [_text(one) for one in said] if isinstance(said, list) else []
    return list(dict.fromkeys(one for one in found if one.strip()))[:MAX_QUESTIONS]


def _messages(rules: str, question: str) -> list[Message]:
    return [Message("system", rules), Message("user", neutral(" ".join(question.split())))]


def _text(value: Any) -> str:
    return value[:MAX_EXPANSION_CHARS] if isinstance(value, str) else ""


def _asking(state: RetrieverState, text: str) -> RetrieverState:
    """A state that asks the same in other words: intent, names and filters stay those of the question."""
    fork = state.fork()
    fork.query = SearchQuery(text, state.query.post_filter)
    fork.scratch = {"understood": replace(state.understood, text=text)}
    return fork
