"""From a question to its answer on one snapshot: search, claims, passages; worded by the index or by a model."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from fourfold.answer.check import Checker, Read
from fourfold.answer.claim import Section
from fourfold.answer.extract import Extract, assemble
from fourfold.answer.passages import passages
from fourfold.answer.plan import sections
from fourfold.answer.prose import disarmed, folded
from fourfold.answer.question import split
from fourfold.answer.scene import Scene, look
from fourfold.model.answer import Answer, Passage, Turn
from fourfold.model.errors import BackendUnavailable

if TYPE_CHECKING:
    from fourfold.llm.protocol import LanguageModel
    from fourfold.model.query import Filters, Query
    from fourfold.pipeline.searcher import Searcher
    from fourfold.pipeline.structure.items import Structure

NOTHING = "Nothing in this code base was found that speaks of it."
NONE_HELD = "nothing that the language model said could be checked, so this answer is put together without it"

Said = Callable[[str], None]
"""Takes each checked piece of a generated answer as soon as it is there."""


@dataclass(slots=True)
class Found:
    """What is known about a question, not yet worded. `strategy` to `suggestion` are for the meta of the answer;
    `thread` are the questions before it."""

    query: Query
    sections: list[Section]
    items: tuple[Passage, ...]
    strategy: str = "direct"
    ghosts: int = 0
    truncated: bool = False
    dropped: int = 0
    suggestion: str | None = None
    scenes: list[Scene] = field(default_factory=list)
    thread: tuple[Turn, ...] = ()


def gather(searcher: Searcher, structure: Structure, text: str, filters: Filters, *, tokens: int, preset: str) -> Found:
    """Everything there is to say about a question (without its filters), and the code it is drawn from."""
    asked = split(text)
    scenes = [look(searcher, structure, one, filters, preset=preset) for one in asked]
    found: list[Section] = []
    for scene in scenes:
        own = sections(scene)
        if len(scenes) > 1 and own:
            title = f"**{disarmed(folded(scene.query.text))}**"
            own[0] = replace(own[0], lead=f"{title} {own[0].lead}".strip())
        found += own
    query = scenes[0].query if len(scenes) == 1 else replace(scenes[0].query, text=text)
    items = passages(scenes, found, tokens)
    said = next((scene.absent for scene in scenes if not scene.results and scene.absent), None)
    return Found(
        query, found, items, scenes[0].strategy, sum(scene.ghosts for scene in scenes), suggestion=said, scenes=scenes
    )


def extractive(found: Found, read: Read, tokens: int, note: str) -> tuple[Answer, int]:
    """(the answer that the index words itself, claims left out of it)."""
    checker = Checker(read)
    extract = assemble(found.sections, checker, tokens) if found.sections else Extract("", (), 0)
    text = extract.text or (f"{NOTHING[:-1]}: {found.suggestion}." if found.suggestion else NOTHING)
    return Answer(text, extract.citations, removed=checker.removed, note=note), extract.left_out


def worded(found: Found, read: Read, tokens: int, model: LanguageModel, said: Said | None) -> tuple[Answer, int]:
    """(the answer as a model words it, claims left out). Where the model fails or nothing that it says holds, the
    answer is the index's own, and says why."""
    from fourfold.answer.generate import generate

    generated, failure = generate(found, read, tokens, model, said)
    generated = replace(generated, usage=model.usage.words)
    if failure is None and generated.citations:
        return generated, 0
    if failure is not None and generated.citations:
        note = "the language model broke off; what it said until then was checked"
        return _failed(replace(generated, note=note), failure), 0
    own, left_out = extractive(found, read, tokens, NONE_HELD)
    own = replace(own, removed=own.removed + generated.removed, model="", usage=generated.usage)
    if failure is None:
        return own, left_out
    return _failed(replace(own, note="the language model did not answer"), failure), left_out


def _failed(answer: Answer, failure: BackendUnavailable) -> Answer:
    return replace(answer, failure=failure.message, hint=failure.hint)
