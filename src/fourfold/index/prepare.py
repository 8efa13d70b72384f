"""Preparing files for the store: the stages of files, batch by batch. Runs in this process or in a worker."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from fourfold.index.ingestion import file_stages, run_stage
from fourfold.index.parsed_cache import ParsedCache
from fourfold.index.stage import Bench, Draft, FileBatch, FileStage
from fourfold.index.task import Prepared, PrepareOptions, Task, skipped_record, stat_of
from fourfold.source.tree import as_tree
from fourfold.store.contract import FileRecord
from fourfold.syntax.grammars import GrammarError, load_grammar
from fourfold.syntax.languages import language_of
from fourfold.syntax.languages.registry import LANGUAGES

if TYPE_CHECKING:
    from fourfold.index.build import SegmentBuilder

KEPT_WORDS = 200_000
"""Analysed words up to which a builder is kept for the next refresh of this process: some 50 MB."""
COUNTING = ("tokens", "embed")
"""The last stages of files: arithmetic on words."""
_idle: dict[str, SegmentBuilder] = {}
"""Builders by model, each while nobody uses it: taking one out and putting it back are single steps."""


class Preparer:
    """Prepares batches of files; keeps model, grammars and word analysis between batches."""

    def __init__(self, options: PrepareOptions) -> None:
        from fourfold.embed.load import load_embedder
        from fourfold.index.build import SegmentBuilder

        self._options = options
        self._stages = options.stages or file_stages(options)
        known = ParsedCache(options.parsed) if options.parsed is not None else None
        try:
            builder = _idle.pop(options.model)
        except KeyError:
            builder = SegmentBuilder(load_embedder(options.model))
        self._bench = Bench(as_tree(options.root), options.walk, known, builder)

    def release(self) -> None:
        """Leave what was learned of words to the next one; this one is not to be used again."""
        if self._bench.known is not None:
            self._bench.known.close()
        if self._bench.builder.words <= KEPT_WORDS:
            _idle[self._options.model] = self._bench.builder

    def prepare(self, tasks: Sequence[Task]) -> Prepared:
        """Run the stages of files. A file that cannot be indexed becomes a skipped record; nothing is raised but what a
        stage that does not ship raises (UsageError)."""
        return self.count(self.parse(tasks))

    def load_grammars(self, work: Iterable[Sequence[Task]]) -> None:
        """Load what parsing will need, as far as names tell."""
        languages = {language_of(task.found.path, "", self._options.languages) for tasks in work for task in tasks}
        for record in filter(None, map(LANGUAGES.get, languages)):
            if record.grammar is not None and self._options.chunker != "lines":
                with contextlib.suppress(GrammarError):
                    load_grammar(record.grammar)

    def parse(self, tasks: Sequence[Task]) -> FileBatch:
        """The first half of the stages: all that may meet a grammar."""
        batch = FileBatch([Draft(task.found, task.known_hash) for task in tasks])
        self._run(batch, (one for one in self._stages if one[0] not in COUNTING))
        return batch

    def _run(self, batch: FileBatch, stages: Iterable[tuple[str, FileStage]]) -> None:
        for name, stage in stages:
            run_stage(name, stage, batch, self._bench)

    def count(self, batch: FileBatch) -> Prepared:
        """The rest of them, for a batch that was parsed, here or in another process."""
        self._run(batch, (one for one in self._stages if one[0] in COUNTING))
        prepared = Prepared()
        prepared.batch.files = batch.files
        prepared.batch.arrays = batch.arrays
        for draft in batch.drafts:
            if draft.skipped is not None:
                prepared.batch.skipped.append(skipped_record(draft.skipped, draft.found))
            elif draft.unchanged:
                prepared.touched.append(_touched(draft))
        return prepared


def _touched(draft: Draft) -> FileRecord:
    """A record that carries new stat values only; the store keeps the rest."""
    source = draft.source
    assert source is not None, "what was not read is not unchanged"
    return FileRecord(**stat_of(draft.found), content_hash=source.content_hash, encoding=source.encoding)
