"""Steps that decide what stands for what: one place a file, a class for its methods."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar

from fourfold.model.chunk import TYPE_KINDS
from fourfold.model.errors import BadConfig
from fourfold.pipeline.steps.base import Step, numbers, param
from fourfold.rank.diversify import (
    MIN_COVERAGE,
    MIN_COVERAGE_BY_KIND,
    MIN_SIBLINGS,
    Parent,
    best_per_file,
    merge_overlaps,
    parent_rollup,
)

if TYPE_CHECKING:
    from fourfold.pipeline.state import Candidate, RetrieverState
    from fourfold.store.contract import ChunkRow


@dataclass(frozen=True)
class DedupPerFile(Step):
    """The best place of each file; places that overlap become one span, the file's next best places are
    kept under `more`.
    With ``per_file: false`` only overlapping places are merged.

    Example: ``dedup_per_file``
    """

    type: ClassVar[str] = "dedup_per_file"
    per_file: bool = param(True, "one result a file")
    more: int = param(3, "further places of a file that are kept, the best ones", minimum=0, maximum=1_000)

    def apply(self, state: RetrieverState) -> None:
        """Merge."""
        groups = best_per_file(state.items) if self.per_file else merge_overlaps(state.items)
        merged = []
        for group in groups:
            item, span = group.best, (group.start_line, group.end_line)
            others = tuple(dict.fromkeys([*item.more, *(other.chunk for other in group.more)]))
            if span != (item.start_line, item.end_line):
                item = replace(item, start_line=span[0], end_line=span[1], span=span)
            merged.append(replace(item, more=tuple(chunk for chunk in others if chunk != item.chunk)[: self.more]))
        state.items = merged


@dataclass(frozen=True)
class ParentRollup(Step):
    """Where at least `min_siblings` and a sufficient share of the parts of a class, a file or a section are among the
    candidates, the whole stands for them, at the best of their ranks. To stand after ``top_k_filter`` and before
    ``limit``. A `min_coverage_by_kind` that is given replaces the defaults whole.

    Example: ``parent_rollup: {min_coverage_by_kind: {class: 0.5}}``
    """

    type: ClassVar[str] = "parent_rollup"
    min_siblings: int = param(MIN_SIBLINGS, "parts that must be among the candidates", minimum=1, maximum=1_000)
    min_coverage: float = param(MIN_COVERAGE, "share of the parts, for other kinds", minimum=0, maximum=1)
    min_coverage_by_kind: dict[str, float] = numbers("share of the parts, by kind", default=MIN_COVERAGE_BY_KIND)

    def check(self) -> None:
        """Shares lie between 0 and 1."""
        for kind, share in self.min_coverage_by_kind.items():
            if not 0 <= share <= 1:
                raise BadConfig(f"{self.type}: the coverage of {kind} must lie between 0 and 1, not {share:g}")

    def apply(self, state: RetrieverState) -> None:
        """Roll up."""
        families = _Families(state)
        state.items = parent_rollup(
            state.items,
            families.parent_of,
            min_siblings=self.min_siblings,
            min_coverage=self.min_coverage,
            min_coverage_by_kind=self.min_coverage_by_kind,
        )


class _Families:
    """Which parent the candidates have, file by file."""

    def __init__(self, state: RetrieverState) -> None:
        self._state = state
        self._rows: dict[str, list[ChunkRow]] = {}
        self._made: dict[tuple[str, str], Parent[Candidate] | None] = {}

    def parent_of(self, item: Candidate) -> Parent[Candidate] | None:
        """The parent of a candidate, None where it is no part of anything."""
        if item.path not in self._rows:
            self._rows[item.path] = self._state.index.snapshot.chunks_of(item.path)
        row = next((row for row in self._rows[item.path] if row.number == item.chunk), None)
        if row is None:
            return None
        key = (item.path, row.parent)
        if key not in self._made:
            self._made[key] = self._make(item, row)
        return self._made[key]

    def _make(self, item: Candidate, row: ChunkRow) -> Parent[Candidate] | None:
        """The parent for the siblings of `row`, at the score of the first of them that is met."""
        rows = self._rows[item.path]
        children = [other for other in rows if other.parent == row.parent]
        head = next((other for other in rows if row.parent and other.symbol == row.parent), None)
        if row.parent and head is None:
            head, kind = children[0], "markdown_heading" if row.kind == "section" else "class"
        elif head is not None:
            kind = "class" if head.kind in TYPE_KINDS else "markdown_heading" if head.kind == "section" else head.kind
        else:
            head, kind = rows[0], "module"
        first = min(one.start_line for one in (head, *children))
        last = max(one.end_line for one in (head, *children))
        whole = replace(item, chunk=head.number, start_line=first, end_line=last, span=(first, last), line=0)
        whole.signals = [*item.signals, ("parent_rollup", 1.0)]
        return Parent((item.path, row.parent), kind, len(children), whole)
