"""One file in, chunks and symbols out."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from fourfold.model.chunk import Chunk
from fourfold.model.parsed import ParsedFile
from fourfold.model.reference import Facts
from fourfold.model.route import FileRoutes
from fourfold.model.symbol import Symbol
from fourfold.syntax.chunker import Chunker
from fourfold.syntax.definitions import Definition
from fourfold.syntax.details import describe
from fourfold.syntax.doc import file_doc
from fourfold.syntax.documents.component import component_pieces, find_scripts
from fourfold.syntax.documents.notebook import notebook_chunks, notebook_code
from fourfold.syntax.documents.sections import config_chunks, prose_chunks
from fourfold.syntax.facts.languages import rules_of
from fourfold.syntax.facts.reader import by_role, read_facts
from fourfold.syntax.grammars import GrammarError, load_grammar
from fourfold.syntax.harvest import Harvest, harvest
from fourfold.syntax.imports import import_words
from fourfold.syntax.languages.detect import header_language
from fourfold.syntax.languages.record import Language
from fourfold.syntax.languages.registry import LANGUAGES
from fourfold.syntax.mend.search import Reading, best_reading
from fourfold.syntax.pages import Page
from fourfold.syntax.pieces import Piece, piece_chunks
from fourfold.syntax.routes import routes_of
from fourfold.syntax.routes.source import RouteSource
from fourfold.syntax.tree import TooSlowError
from fourfold.syntax.windows import baseline_chunks, make_chunk, window_runs

if TYPE_CHECKING:
    from tree_sitter import Node

DEADLINE_SECONDS = 2.0
"""Processor time one file may take to parse; 1 MB of ordinary code needs about 0.3 s. Not the clock on the
wall: what is indexed must not depend on what else the machine does."""

FAULT = "a fault in reading it"
"""How a fallback begins that a mistake in the reading code is the reason of: fuzzing looks for it."""
FAULTS = (ArithmeticError, AssertionError, AttributeError, LookupError, MemoryError, TypeError)
"""What such a mistake raises: it costs the file its structure, not its place in the index."""

_UNKNOWN = Language("", family="text")


def parse_file(
    path: str, text: str, language: str, *, chunker: str = "ast", deadline_s: float = DEADLINE_SECONDS
) -> ParsedFile:
    """Take one file apart.

    `path` is root-relative and only its extension is read; `text` has ``\\n`` line ends only; `language` is a
    canonical name ("" where unknown); `chunker` is ``"ast"`` or ``"lines"`` (fixed windows, no symbols).
    Never raises on any text: a file that cannot be parsed (no grammar, too slow, broken beyond reading) is
    cut by line windows, and :attr:`ParsedFile.fallback` says why. Parsing stops after `deadline_s` seconds of
    processor time.
    """
    page = Page(text)
    record = LANGUAGES.get(_true_language(path, text, language), _UNKNOWN)
    name = record.name or language
    if chunker == "lines":
        return ParsedFile(name, tuple(baseline_chunks(page)))
    try:
        return _parse(path, page, text, record, name, deadline_s)
    except (GrammarError, TooSlowError) as error:
        reason = str(error)
    except (ValueError, RecursionError) as error:
        reason = f"not readable as {name}: {type(error).__name__}"
    except FAULTS as error:
        reason = f"{FAULT} as {name}: {type(error).__name__}"
    return ParsedFile(name, tuple(plain_chunks(page)), doc=file_doc(page, record, ""), fallback=reason)


def plain_chunks(page: Page) -> list[Chunk]:
    """Line windows that end at blank lines where they can."""
    runs = window_runs(page, 0, len(page) - 1)
    return [chunk for chunk in (make_chunk(page, *run, "window") for run in runs) if chunk]


def _true_language(path: str, text: str, language: str) -> str:
    """A header may be C or C++: the whole text says more than the first lines did."""
    return header_language(text) if language == "c" and path.lower().endswith(".h") else language


def _parse(path: str, page: Page, text: str, record: Language, name: str, seconds: float) -> ParsedFile:
    if record.family in ("markdown", "rst"):
        chunks, title = prose_chunks(page, record.family)
        return ParsedFile(name, tuple(chunks), doc=title)
    if record.family == "config":
        return ParsedFile(name, tuple(config_chunks(page, name)), doc=file_doc(page, record, ""))
    if record.family == "notebook":
        return _parse_notebook(path, page, text, record, seconds)
    if record.family == "component":
        return _parse_component(path, page, text, record, seconds)
    if record.grammar is None:
        return ParsedFile(name, tuple(plain_chunks(page)), doc=file_doc(page, record, ""))
    code = _read_code(path, text, record, seconds)
    pieces = Chunker(page, record.comments).pieces(code.root, code.definitions, 0, len(page) - 1)
    return code.parsed(name, piece_chunks(page, pieces), file_doc(page, record, code.harvest.doc))


def _parse_component(path: str, page: Page, text: str, record: Language, seconds: float) -> ParsedFile:
    scripts = find_scripts(text)
    if not scripts.blocks:
        return ParsedFile(record.name, tuple(plain_chunks(page)), doc=file_doc(page, record, ""))
    code = _read_code(path, scripts.masked, LANGUAGES[scripts.language], seconds)
    chunker = Chunker(page, record.comments)

    def cut(first: int, last: int) -> list[Piece]:
        inside = [one for one in code.definitions if first <= one.start_row <= last]
        return chunker.pieces(code.root, inside, first, last)

    pieces = component_pieces(page, scripts.blocks, cut)
    return code.parsed(record.name, piece_chunks(page, pieces), file_doc(page, record, ""))


def _parse_notebook(path: str, page: Page, text: str, record: Language, seconds: float) -> ParsedFile:
    chunks = notebook_chunks(page, text)
    title = next((chunk.symbol for chunk in chunks if chunk.symbol), "")
    code = _read_code(path, notebook_code(page, text), LANGUAGES["python"], seconds)
    return code.parsed(record.name, chunks, title)


@dataclass(frozen=True, slots=True)
class _Code:
    """What a grammar said of a text. The trees are kept: nodes are only valid while they live."""

    reading: Reading
    harvest: Harvest
    symbols: list[Symbol]
    facts: Facts
    routes: FileRoutes | None

    @property
    def root(self) -> Node:
        return self.reading.tree.root_node

    @property
    def definitions(self) -> list[Definition]:
        return self.harvest.definitions

    def parsed(self, language: str, chunks: list[Chunk], doc: str) -> ParsedFile:
        found = self.harvest
        words = import_words(found.imports)
        broken = self.root.has_error or self.reading.mended
        return ParsedFile(
            language, tuple(chunks), tuple(self.symbols), words, doc, broken, facts=self.facts, routes=self.routes
        )


def _read_code(path: str, text: str, language: Language, seconds: float) -> _Code:
    grammar = language.grammar_for(path)
    assert grammar is not None
    loaded = load_grammar(grammar)
    deadline = time.thread_time() + seconds  # loading a grammar is not the file's fault
    read = best_reading(loaded, language.name, text, deadline)
    source = read.text.encode("utf-8", "replace")
    matches = read.matches(loaded, deadline)
    defining = [match for match in matches if match[0] < loaded.first_reference]
    found = harvest(defining, source, clauses=language.clauses)
    referring = by_role(matches, loaded)
    facts = read_facts(referring, found.definitions, found.named, source, rules_of(language.name))
    symbols = describe(found.definitions, text, language.name, path)
    routes = routes_of(RouteSource(path, language.name, read.text, read.tree.root_node))
    return _Code(read, found, symbols, facts, routes or None)
