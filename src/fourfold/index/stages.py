"""The stages of ingestion that ship: walk, compare, read, unchanged, parse, record, tokens, embed, write, finish."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, ClassVar

from fourfold.config.option import setting
from fourfold.index.knowledge import pack
from fourfold.index.parsed_cache import parsed_key
from fourfold.index.stage import STORE, TREE, Bench, Draft, FileBatch, FileStage, Stage
from fourfold.source.found import MAX_FILE_BYTES, Skip
from fourfold.store.contract import INDEXED, FileRecord, IndexedFile
from fourfold.syntax.languages import language_of
from fourfold.syntax.parse import parse_file

if TYPE_CHECKING:
    from fourfold.model.parsed import ParsedFile
    from fourfold.source.read import SourceText

HEAD_CHARS = 4_000
"""Characters at the start of a file that may settle its language (``.h``: C or C++)."""
MAX_DOC_CHARS = 200


@dataclass(frozen=True)
class Walk(Stage):
    """Which files there are: ignore rules, kinds, sizes; what is left out is recorded with its reason."""

    type: ClassVar[str] = "walk"
    place: ClassVar[str] = TREE
    max_file_bytes: int = setting(MAX_FILE_BYTES, "larger files are skipped", minimum=1)
    hidden: bool = setting(False, "hidden folders that git does not track, too")
    include: tuple[str, ...] = setting((), "patterns of paths to keep although they are ignored")
    exclude: tuple[str, ...] = setting((), "patterns of paths to leave out")
    ignore_files: bool = setting(True, "heed .gitignore, .fourfoldignore and the like")
    nested_repos: bool = setting(False, "clones inside the root, too")


@dataclass(frozen=True)
class Compare(Stage):
    """Which of them differ from the index, by size, times and inode; the rest is not touched."""

    type: ClassVar[str] = "compare"
    place: ClassVar[str] = TREE


@dataclass(frozen=True)
class Read(FileStage):
    """Bytes to text: decoded without moving a line, binary and minified files left out, secrets masked."""

    type: ClassVar[str] = "read"
    redact_secrets: bool = setting(True, "mask tokens and passwords in the text")

    def apply(self, batch: FileBatch, bench: Bench) -> None:
        """Read each file."""
        options = replace(bench.walk, redact_secrets=self.redact_secrets)
        for draft in batch.open:
            found = bench.tree.read(draft.found, options)
            if isinstance(found, Skip):
                draft.skipped = found
            else:
                draft.source = found


@dataclass(frozen=True)
class Unchanged(FileStage):
    """What was touched but reads as it did keeps its rows; only its times are written."""

    type: ClassVar[str] = "unchanged"

    def apply(self, batch: FileBatch, bench: Bench) -> None:
        """Compare content hashes."""
        for draft in batch.open:
            source = _read(draft)
            draft.unchanged = bool(draft.known_hash) and source.content_hash == draft.known_hash


@dataclass(frozen=True)
class Parse(FileStage):
    """Text to chunks, symbols, imports and facts for the graph, by the grammar of its language or by lines."""

    type: ClassVar[str] = "parse"
    chunker: str = setting("ast", "cut at definitions, or by lines alone", choices=("ast", "lines"))
    deadline_s: float = setting(2.0, "processor time that one file may take", minimum=0, maximum=600)
    languages: dict[str, str] = field(
        default_factory=dict, metadata={"help": "language by extension, where it differs"}
    )

    def apply(self, batch: FileBatch, bench: Bench) -> None:
        """Parse each file, or take what parsing made of the same content before."""
        for draft in batch.open:
            source = _read(draft)
            language = language_of(source.path, source.text[:HEAD_CHARS], self.languages)
            draft.parsed, draft.knowledge = self._parsed(source, language, bench)

    def _parsed(self, source: SourceText, language: str, bench: Bench) -> tuple[ParsedFile, bytes]:
        """The parsed file and its knowledge: as another service has parsed the same content, else parsed now."""
        if bench.known is None:
            parsed = self._parse(source, language)
            return parsed, pack(parsed)
        key = parsed_key(source.path, language, source.content_hash, self.chunker, self.deadline_s)
        found = bench.known.get(key, source.text)
        if found is None:
            parsed = self._parse(source, language)
            found = (parsed, pack(parsed))
            bench.known.put(key, *found)
        return found

    def _parse(self, source: SourceText, language: str) -> ParsedFile:
        return parse_file(source.path, source.text, language, chunker=self.chunker, deadline_s=self.deadline_s)


@dataclass(frozen=True)
class Record(FileStage):
    """Text, chunks and symbols to the rows of the store."""

    type: ClassVar[str] = "record"

    def apply(self, batch: FileBatch, bench: Bench) -> None:
        """Make a record of each file."""
        from fourfold.index.build import Source

        for draft in batch.open:
            source, parsed = _read(draft), draft.parsed
            assert parsed is not None, "record stands behind parse"
            batch.files.append(_indexed(draft, source, parsed))
            batch.sources.append(
                Source(source.path, parsed.language, source.text, parsed.chunks, parsed.symbols, parsed.imports)
            )


@dataclass(frozen=True)
class Tokens(FileStage):
    """Words to postings: identifiers whole, by their parts and by their stems, by chunk and by field of a file."""

    type: ClassVar[str] = "tokens"

    def apply(self, batch: FileBatch, bench: Bench) -> None:
        """Count the words of the batch."""
        if batch.sources:
            batch.counted = bench.builder.count(batch.sources)


@dataclass(frozen=True)
class Embed(FileStage):
    """Chunks and paths to vectors of a built-in model; those of another one are made after the commit."""

    type: ClassVar[str] = "embed"
    model: str = setting("static", "the built-in model", choices=("static", "hash", "none"))

    def apply(self, batch: FileBatch, bench: Bench) -> None:
        """Embed the batch."""
        if batch.counted is not None:
            batch.arrays = bench.builder.embed(batch.counted)


@dataclass(frozen=True)
class Write(Stage):
    """A batch becomes visible whole: rows, texts, trigrams and the segment, under one generation."""

    type: ClassVar[str] = "write"
    place: ClassVar[str] = STORE


@dataclass(frozen=True)
class Finish(Stage):
    """What is gone is removed, small segments are merged, statistics are made."""

    type: ClassVar[str] = "finish"
    place: ClassVar[str] = STORE


def _read(draft: Draft) -> SourceText:
    assert draft.source is not None, "this stage stands behind read"
    return draft.source


def _indexed(draft: Draft, source: SourceText, parsed: ParsedFile) -> IndexedFile:
    seen = draft.found
    record = FileRecord(
        path=seen.path,
        size=seen.size,
        mtime_ns=seen.mtime_ns,
        ctime_ns=seen.ctime_ns,
        inode=seen.inode,
        status=INDEXED,
        language=parsed.language,
        encoding=source.encoding,
        content_hash=source.content_hash,
        lines=source.lines,
        chunks=len(parsed.chunks),
        note="; ".join([*_notes(source, parsed), *draft.notes]),
        doc=parsed.doc[:MAX_DOC_CHARS],
    )
    return IndexedFile(record, source.text, parsed.chunks, parsed.symbols, draft.knowledge)


def _notes(source: SourceText, parsed: ParsedFile) -> list[str]:
    """What a person should know of how the file was taken in."""
    notes = []
    if parsed.has_errors:
        notes.append("parsed with errors")
    if parsed.fallback:
        notes.append(f"cut by lines: {parsed.fallback}")
    if source.redactions:
        notes.append(f"{source.redactions} secret{'s' if source.redactions > 1 else ''} redacted")
    return notes
