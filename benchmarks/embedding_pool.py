"""Pools of chunks that the embedding is measured on: for each held-out package the answers and other chunks."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.dataset import Question, load_questions
from benchmarks.systems.tree import files_of
from fourfold.model.chunk import Chunk
from fourfold.model.text import words
from fourfold.store.terms import stem_terms
from fourfold.syntax.languages.detect import language_of
from fourfold.syntax.parse import parse_file

SEED = 9
POOL = 500
"""Chunks of a package: few enough that a transformer can read them all on a laptop."""
MIN_UNSHARED = 3
"""Words with a meaning of their own that a question must keep once its answer's words are taken out."""
_WORD = re.compile(r"[A-Za-z][A-Za-z'-]*")
_SHORT = 3


@dataclass(frozen=True, slots=True)
class Pool:
    """The chunks of a package with their paths; `questions` are (category, text, rows that answer)."""

    package: str
    language: str
    chunks: tuple[Chunk, ...]
    paths: tuple[str, ...]
    questions: tuple[tuple[str, str, frozenset[int]], ...]


def pools(corpora: Path, size: int = POOL) -> list[Pool]:
    """A pool for each package of the mined set. Raises FileNotFoundError where the set is not mined yet."""
    asked = load_questions(corpora / "mined" / "queries.jsonl")
    packages = dict.fromkeys(question.repo for question in asked)
    return [
        make_pool(corpora / "mined" / name, [question for question in asked if question.repo == name], size)
        for name in packages
    ]


def make_pool(root: Path, asked: Sequence[Question], size: int) -> Pool:
    """All chunks of the answers' files first, then those of other files in a seeded order, up to `size`."""
    texts = dict(files_of(root))
    rng = random.Random(f"{SEED}:{root.name}")
    wanted = {target.path for question in asked for target in question.targets}
    others = sorted(path for path in texts if path not in wanted and language_of(path, "") == asked[0].language)
    rng.shuffle(others)
    kept = _answers(texts, asked)
    spare: list[tuple[str, Chunk]] = []
    for path in [*sorted(wanted), *others[: size // 4]]:
        known = {chunk.start_line for place, chunk in kept if place == path}
        spare += [(path, chunk) for chunk in _chunks(path, texts[path]) if chunk.start_line not in known]
    rng.shuffle(spare)
    kept += spare[: max(size - len(kept), 0)]
    chunks, paths = tuple(chunk for _, chunk in kept), tuple(path for path, _ in kept)
    questions = []
    for question in asked:
        rows = frozenset(row for row, place in enumerate(kept) if _answered(question, *place))
        if rows:
            questions.append((question.category, question.text, rows))
            if question.category == "named" and (text := unshared(question.text, [chunks[row] for row in rows])):
                questions.append(("unshared", text, rows))
    return Pool(root.name, asked[0].language, chunks, paths, tuple(questions))


def unshared(question: str, answers: Sequence[Chunk]) -> str | None:
    """The question without every word whose stem occurs in its answers; None where too little is left."""
    have = {
        term
        for chunk in answers
        for word in words(f"{chunk.text} {chunk.symbol} {chunk.parent}")
        for term in stem_terms(word)
    }
    kept = [word for word in _WORD.findall(question) if not have.intersection(stem_terms(word))]
    left = [word for word in kept if len(word) > _SHORT and stem_terms(word)]
    return " ".join(kept) if len(left) >= MIN_UNSHARED else None


def _answers(texts: dict[str, str], asked: Sequence[Question]) -> list[tuple[str, Chunk]]:
    found: dict[tuple[str, int], Chunk] = {}
    for path in sorted({target.path for question in asked for target in question.targets}):
        for chunk in _chunks(path, texts[path]):
            if any(_answered(question, path, chunk) for question in asked):
                found[path, chunk.start_line] = chunk
    return [(path, chunk) for (path, _), chunk in found.items()]


def _answered(question: Question, path: str, chunk: Chunk) -> bool:
    return any(
        target.path == path
        and chunk.start_line <= (target.end_line or chunk.end_line)
        and chunk.end_line >= (target.start_line or 1)
        for target in question.targets
    )


def _chunks(path: str, text: str) -> tuple[Chunk, ...]:
    return parse_file(path, text, language_of(path, text[:2000])).chunks
