"""Preparing files for the store: read, parse, chunk, tokenise, embed. Runs in this process or in a worker."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from fourfold.index.knowledge import pack
from fourfold.index.parsed_cache import ParsedCache, parsed_key
from fourfold.index.task import Prepared, PrepareOptions, Task, skipped_record, stat_of
from fourfold.model.parsed import ParsedFile
from fourfold.source.found import Found, Skip
from fourfold.source.read import SourceText
from fourfold.source.tree import as_tree
from fourfold.store.contract import INDEXED, FileRecord, IndexedFile
from fourfold.syntax.languages import language_of
from fourfold.syntax.parse import parse_file

if TYPE_CHECKING:
    from fourfold.index.build import SegmentBuilder, Source

HEAD_CHARS = 4_000
"""Characters at the start of a file that may settle its language (``.h``: C or C++)."""
MAX_DOC_CHARS = 200
KEPT_WORDS = 200_000
"""Analysed words up to which a builder is kept for the next refresh of this process: some 50 MB."""
_idle: dict[str, SegmentBuilder] = {}
"""Builders by model, each while nobody uses it: taking one out and putting it back are single steps."""


class Preparer:
    """Prepares batches of files; keeps model, grammars and word analysis between batches."""

    def __init__(self, options: PrepareOptions) -> None:
        from fourfold.embed.load import load_embedder
        from fourfold.index.build import SegmentBuilder

        self._options = options
        self._tree = as_tree(options.root)
        self._known = ParsedCache(options.parsed) if options.parsed is not None else None
        try:
            self._builder = _idle.pop(options.model)
        except KeyError:
            self._builder = SegmentBuilder(load_embedder(options.model))

    def release(self) -> None:
        """Leave what was learned of words to the next one; this one is not to be used again."""
        if self._known is not None:
            self._known.close()
        if self._builder.words <= KEPT_WORDS:
            _idle[self._options.model] = self._builder

    def prepare(self, tasks: Sequence[Task]) -> Prepared:
        """Read and analyse the files. A file that cannot be indexed becomes a skipped record; nothing is raised."""
        from fourfold.index.build import Source

        prepared = Prepared()
        sources: list[Source] = []
        for task in tasks:
            found = self._tree.read(task.found, self._options.walk)
            if isinstance(found, Skip):
                prepared.batch.skipped.append(skipped_record(found, task.found))
                continue
            if task.known_hash and found.content_hash == task.known_hash:
                prepared.touched.append(_touched(task.found, found))
                continue
            parsed, knowledge = self._parsed(found)
            prepared.batch.files.append(_indexed(task.found, found, parsed, knowledge))
            sources.append(
                Source(found.path, parsed.language, found.text, parsed.chunks, parsed.symbols, parsed.imports)
            )
        if sources:
            prepared.batch.arrays = self._builder.build(sources)
        return prepared

    def _parsed(self, source: SourceText) -> tuple[ParsedFile, bytes]:
        """The parsed file and its knowledge: as another service has parsed the same content, else parsed now."""
        options = self._options
        language = language_of(source.path, source.text[:HEAD_CHARS], options.languages)
        if self._known is None:
            parsed = self._parse(source, language)
            return parsed, pack(parsed)
        key = parsed_key(source.path, language, source.content_hash, options.chunker, options.deadline_s)
        found = self._known.get(key, source.text)
        if found is None:
            parsed = self._parse(source, language)
            found = (parsed, pack(parsed))
            self._known.put(key, *found)
        return found

    def _parse(self, source: SourceText, language: str) -> ParsedFile:
        return parse_file(
            source.path,
            source.text,
            language,
            chunker=self._options.chunker,
            deadline_s=self._options.deadline_s,
        )


def _indexed(found: Found, source: SourceText, parsed: ParsedFile, knowledge: bytes) -> IndexedFile:
    record = FileRecord(
        **stat_of(found),
        status=INDEXED,
        language=parsed.language,
        encoding=source.encoding,
        content_hash=source.content_hash,
        lines=source.lines,
        chunks=len(parsed.chunks),
        note=_note(source, parsed),
        doc=parsed.doc[:MAX_DOC_CHARS],
    )
    return IndexedFile(record, source.text, parsed.chunks, parsed.symbols, knowledge)


def _note(source: SourceText, parsed: ParsedFile) -> str:
    """What a person should know of how the file was taken in."""
    notes = []
    if parsed.has_errors:
        notes.append("parsed with errors")
    if parsed.fallback:
        notes.append(f"cut by lines: {parsed.fallback}")
    if source.redactions:
        notes.append(f"{source.redactions} secret{'s' if source.redactions > 1 else ''} redacted")
    return "; ".join(notes)


def _touched(found: Found, source: SourceText) -> FileRecord:
    """A record that carries new stat values only; the store keeps the rest."""
    return FileRecord(**stat_of(found), content_hash=source.content_hash, encoding=source.encoding)
