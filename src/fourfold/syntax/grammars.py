"""Grammars, parsers and queries: loaded late, one language at a time, kept for the life of the process.

A grammar that cannot be loaded (a missing wheel, an ABI that the core does not read, a query that no longer
fits its grammar) is reported as :class:`GrammarError`; the caller cuts that language's files by lines and
says why.
"""

from __future__ import annotations

import importlib
import importlib.resources
from dataclasses import dataclass
from typing import TYPE_CHECKING

from fourfold.syntax.languages.record import Grammar

if TYPE_CHECKING:
    from tree_sitter import Language as TreeSitterLanguage
    from tree_sitter import Parser, Query


class GrammarError(Exception):
    """A grammar cannot be used here; the message is the reason, on one line."""


@dataclass(frozen=True, slots=True)
class LoadedGrammar:
    """A parser and the query that finds definitions, imports and documentation in its trees."""

    module: str
    parser: Parser
    query: Query


_loaded: dict[Grammar, LoadedGrammar | GrammarError] = {}


def load_grammar(grammar: Grammar) -> LoadedGrammar:
    """The parser and query of `grammar`, made at the first call.

    Raises :class:`GrammarError`. A failure is remembered for this process only: a grammar wheel installed
    later is met by the next process.
    """
    found = _loaded.get(grammar)
    if found is None:
        try:
            found = _load(grammar)
        except Exception as error:  # a wheel may fail in any way: ImportError, ValueError (ABI), QueryError, OSError
            found = GrammarError(_reason(grammar, error))
        _loaded[grammar] = found
    if isinstance(found, GrammarError):
        raise found
    return found


def forget_grammars() -> None:
    """Drop every parser and every remembered failure."""
    _loaded.clear()


def query_source(grammar: Grammar) -> str:
    """The text of the query files of `grammar`, one after the other."""
    folder = importlib.resources.files("fourfold.syntax").joinpath("queries")
    return "\n".join(folder.joinpath(name).read_text("utf-8") for name in grammar.query.split())


def _load(grammar: Grammar) -> LoadedGrammar:
    from tree_sitter import Parser, Query

    language = _language(grammar)
    return LoadedGrammar(grammar.module, Parser(language), Query(language, query_source(grammar)))


def _language(grammar: Grammar) -> TreeSitterLanguage:
    from tree_sitter import Language as TreeSitterLanguage

    module = importlib.import_module(grammar.module)
    return TreeSitterLanguage(getattr(module, grammar.function)())


def _reason(grammar: Grammar, error: Exception) -> str:
    detail = " ".join(str(error).split())[:200]
    return f"grammar {grammar.module} unavailable: {type(error).__name__}: {detail}"
