"""Questions about an exact text, and about the places that mention a name."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

from fourfold.pipeline.ranked import Ranked
from fourfold.rank.demotion import demote
from fourfold.retrieve.literal import grep, literal_hits
from fourfold.retrieve.patterns import compile_pattern
from fourfold.retrieve.structural import bare
from fourfold.store.terms import term_hash

if TYPE_CHECKING:
    from fourfold.model.query import Query
    from fourfold.store.local.corpus import Corpus
    from fourfold.store.local.snapshot import LocalSnapshot

RANK_STEP = 0.01
"""How much a rank costs against a path's demotion: order within a path category, never across."""
MENTION_LIMIT = 1_000
"""Lines that mention a name, at most; a name met more often is no name to list the uses of."""
CALL, MENTION, IMPORT, COMMENT = 1.0, 0.7, 0.4, 0.05
"""Worth of a line that calls a name, that mentions it, that imports it, that only speaks of it: prose stands below
a mention in a test (0.7 times 0.3)."""

_IMPORT = re.compile(r"^\s*(?:import|from|use|using|require|#\s*include|export\s.*\bfrom)\b")

_COMMENT = re.compile(
    r"^\s*(?://|/\*|\*(?:\s|/|$)|#(?!\[|!\[|\s*(?:include|define|if|ifdef|ifndef|elif|else|endif|pragma|undef)\b)|--\s|<!--)"
)
"""A line that is a comment and nothing else."""
_PROSE = frozenset({"", "markdown", "rst", "restructuredtext", "asciidoc", "org", "latex", "text"})


def exact_text(
    snapshot: LocalSnapshot, corpus: Corpus, query: Query, wanted: frozenset[str], paths: Collection[str] | None
) -> list[Ranked]:
    """Chunks that hold the literal or regular expression of the question, whole words in the given case first."""
    hits = literal_hits(snapshot, query.literal, regex=query.literal_is_regex, allowed=paths)
    return by_chunk(corpus, [(path, line, 1.0) for path, line in hits], wanted)


def mentions(
    snapshot: LocalSnapshot, corpus: Corpus, names: Sequence[str], wanted: frozenset[str], paths: Collection[str] | None
) -> list[Ranked]:
    """Chunks that mention a name outside of its definitions: calls first, then other uses, then imports."""
    found: list[tuple[str, int, float]] = []
    for name in dict.fromkeys(names):
        defined = _definition_lines(corpus, bare(name))
        call = re.compile(rf"\b{re.escape(name)}\s*[(<!]")
        pattern = compile_pattern(name, literal=True, word=True)
        for hit in grep(snapshot, pattern, paths, limit=MENTION_LIMIT).lines:
            if (hit.path, hit.line) not in defined:
                language = corpus.languages[corpus.file_numbers[hit.path]] if hit.path in corpus.file_numbers else ""
                found.append((hit.path, hit.line, _worth(hit.text, language, call)))
    found.sort(key=lambda item: -item[2])
    return by_chunk(corpus, found, wanted)


def _worth(text: str, language: str, call: re.Pattern[str]) -> float:
    """Worth of a line that mentions a name, in a file of a language."""
    if language in _PROSE or _COMMENT.match(text):
        return COMMENT
    return CALL if call.search(text) else IMPORT if _IMPORT.match(text) else MENTION


def _definition_lines(corpus: Corpus, name: str) -> set[tuple[str, int]]:
    lines = corpus.column("definition.line")
    written = corpus.column("definition.name")
    exact = term_hash(name)
    return {
        (corpus.paths[int(corpus.definition_file[number])], int(lines[number]))
        for number in corpus.definitions_named(term_hash(name.lower()))
        if int(written[number]) == exact
    }


def by_chunk(
    corpus: Corpus, lines: Sequence[tuple[str, int, float]], wanted: frozenset[str], modality: str = "text"
) -> list[Ranked]:
    """Lines (path, line, worth) in order become the chunks that hold them, demoted by path; the first line is kept."""
    ranked: dict[int, Ranked] = {}
    for path, line, worth in lines:
        chunk = corpus.chunk_at(path, line)
        if chunk >= 0 and chunk not in ranked:
            rank = len(ranked)
            score, signals = demote(worth / (1.0 + RANK_STEP * rank), path, wanted)
            ranked[chunk] = Ranked(chunk, score, {modality: rank + 1}, list(signals), line=line)
    return sorted(ranked.values(), key=lambda item: -item.score)
