"""One file in, chunks and symbols out."""

from __future__ import annotations

import time
from dataclasses import dataclass

from fourfold.model.chunk import Chunk
from fourfold.model.parsed import ParsedFile
from fourfold.syntax.chunker import Chunker
from fourfold.syntax.definitions import Harvest, harvest, symbols
from fourfold.syntax.doc import file_doc
from fourfold.syntax.grammars import GrammarError, load_grammar
from fourfold.syntax.imports import import_words
from fourfold.syntax.languages.record import Grammar, Language
from fourfold.syntax.languages.registry import LANGUAGES
from fourfold.syntax.pages import Page
from fourfold.syntax.tree import TooSlowError, parse_tree, run_query
from fourfold.syntax.windows import baseline_chunks, make_chunk, window_runs

DEADLINE_SECONDS = 2.0
"""Time one file may take to parse; a 1 MB file of ordinary code needs about 0.3 s."""

_UNKNOWN = Language("", family="text")


def parse_file(
    path: str, text: str, language: str, *, chunker: str = "ast", deadline_s: float = DEADLINE_SECONDS
) -> ParsedFile:
    """Take one file apart.

    `text` has ``\\n`` line ends only; `language` is a canonical name ("" where unknown); `chunker` is
    ``"ast"`` or ``"lines"`` (fixed windows, no symbols). Never raises on any text: a file that cannot be
    parsed (no grammar, too slow) is cut by line windows, and :attr:`ParsedFile.fallback` says why.
    """
    page = Page(text)
    record = LANGUAGES.get(language, _UNKNOWN)
    if chunker == "lines":
        return ParsedFile(language, tuple(baseline_chunks(page)))
    grammar = record.grammar_for(path)
    if grammar is None:
        return ParsedFile(language, tuple(plain_chunks(page)), doc=file_doc(page, record, ""))
    try:
        code = _parse_code(page, text, record, grammar, time.perf_counter() + deadline_s)
    except (GrammarError, TooSlowError) as reason:
        return ParsedFile(
            language, tuple(plain_chunks(page)), doc=file_doc(page, record, ""), fallback=str(reason)
        )
    found = code.harvest
    return ParsedFile(
        language,
        tuple(code.chunks),
        tuple(symbols(found.definitions)),
        import_words(found.imports),
        file_doc(page, record, found.doc),
        code.has_errors,
    )


def plain_chunks(page: Page) -> list[Chunk]:
    """Line windows that end at blank lines where they can."""
    runs = window_runs(page, 0, len(page) - 1)
    return [chunk for chunk in (make_chunk(page, *run, "window") for run in runs) if chunk]


@dataclass(frozen=True, slots=True)
class _Code:
    harvest: Harvest
    chunks: list[Chunk]
    has_errors: bool


def _parse_code(page: Page, text: str, language: Language, grammar: Grammar, deadline: float) -> _Code:
    loaded = load_grammar(grammar)
    source = text.encode("utf-8", "replace")
    tree = parse_tree(loaded, source, deadline)
    found = harvest(run_query(loaded, tree, deadline), source, clauses=language.clauses)
    chunks = Chunker(page, language.comments).chunks(tree.root_node, found.definitions)
    return _Code(found, chunks, tree.root_node.has_error)
