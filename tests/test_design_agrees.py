"""The figures of docs/design.md are those of the program, and what it names is there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from fourfold.index import diff, pool
from fourfold.model.query import MAX_QUERY_CHARS
from fourfold.pipeline.searcher import MAX_EMBED_CHARS
from fourfold.pipeline.snippets import MAX_LINES
from fourfold.rank.identifiers import MAX_IDENTIFIERS
from fourfold.rank.listing import LINES_SHARE, PLACES_OF_A_FILE
from fourfold.rank.weights import DIRECT_CONFIDENCE
from fourfold.retrieve import evidence, literal, patterns
from fourfold.source.found import MAX_FILE_BYTES
from fourfold.store.local import sweep, tiers, vectors
from fourfold.store.question import MAX_QUESTION_WORDS
from fourfold.syntax.parse import DEADLINE_SECONDS
from fourfold.syntax.windows import TARGET_CHARS

ROOT = Path(__file__).parent.parent
DESIGN = ROOT / "docs" / "design.md"


def text() -> str:
    """The page as one line."""
    return " ".join(DESIGN.read_text(encoding="utf-8").split())


@pytest.mark.parametrize(
    "claim",
    [
        f"aims at about {TARGET_CHARS:,} characters",
        f"more than {DEADLINE_SECONDS:.0f} s of processor time",
        f"Batches of at most {pool.BATCH_FILES} files or {pool.BATCH_BYTES / 1e6:.1f} MB",
        f"Above {pool.IN_PROCESS_FILES} files or {pool.IN_PROCESS_BYTES / 1e6:.0f} MB",
        f"A worker has {pool.TASK_SECONDS:.0f} s a file",
        f"less than {({2: 'two'})[diff.RACY_NS // 10**9]} seconds before the last refresh",
        f"kept for {({10: 'ten'})[round(sweep.GRACE_S / 60)]} minutes",
        f"more than {({4: 'four'})[tiers.MAX_SEGMENTS]} small segments",
        f"more than a {({0.25: 'quarter'})[tiers.DEAD_SHARE]} is dead",
        f"at most {tiers.MAX_CHUNKS:,} chunks",
        f"Up to {vectors.EXACT_LIMIT:,} chunks every vector is scored",
        f"one-bit codes choose {vectors.RESCORED:,} candidates",
        f"best {evidence.LIST_CANDIDATES} chunks by raw words",
        f"the {evidence.FIELD_CANDIDATES['path']} best by path, by definition names and by body",
        f"the {evidence.FIELD_CANDIDATES['docs']} best by comments",
        f"At confidence {DIRECT_CONFIDENCE} or more",
        f"`{LINES_SHARE:g} x P(file) x P(chunk | file)`",
        f"at most {({5: 'five'})[PLACES_OF_A_FILE]} chunks of one file",
        f"{MAX_QUESTION_WORDS} of its words and {MAX_IDENTIFIERS} of its names",
        f"{MAX_EMBED_CHARS:,} characters of it are embedded; more than {MAX_QUERY_CHARS:,} are refused",
        f"up to {({3: 'three'})[MAX_LINES]} lines that hold most words",
        f"Files above {MAX_FILE_BYTES / 1e6:.0f} MB are skipped",
        f"stopped after {patterns.DEFAULT_TIMEOUT_S:.0f} s a file; one search ends after {literal.DEADLINE_S:.0f} s",
        f"Patterns are limited to {patterns.MAX_PATTERN_CHARS:,} characters",
    ],
)
def test_figures_are_those_of_the_program(claim: str) -> None:
    assert claim in text()


def test_files_and_links_that_the_page_names_are_there() -> None:
    page = DESIGN.read_text(encoding="utf-8")
    named = set(re.findall(r"`((?:[a-z_]+/)+[a-z_]*(?:\.[a-z]+)?)`", page))
    assert len(named) > 20
    bases = (ROOT, ROOT / "src" / "fourfold")
    missing = [
        name for name in named if not any((base / name).exists() or (base / f"{name}.py").exists() for base in bases)
    ]
    assert missing == []
    for link in re.findall(r"\]\(([^)#]+)\)", page):
        assert (DESIGN.parent / link).exists(), link
    for anchor in re.findall(r"\]\(#([^)]+)\)", page):
        assert f"## {anchor.capitalize()}" in page
