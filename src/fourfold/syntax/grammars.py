"""Grammars, parsers and queries: loaded late, one language at a time, kept for the life of the process.

A grammar that cannot be loaded (a missing wheel, an ABI that the core does not read, a query that no longer
fits its grammar) is reported as :class:`GrammarError`; the caller cuts that language's files by lines and
says why.
"""

from __future__ import annotations

import importlib
import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

from fourfold.syntax.languages.record import Grammar

if TYPE_CHECKING:
    from tree_sitter import Language as TreeSitterLanguage
    from tree_sitter import Parser, Query


_ROLE = re.compile(rb"@(ref\.\w+|import|bind\.field|bind\.meaning|bind|returns|package|local)")


class GrammarError(Exception):
    """A grammar cannot be used here; the message is the reason, on one line."""


@dataclass(frozen=True, slots=True)
class LoadedGrammar:
    """A parser and the query that finds definitions, imports, documentation and references in its trees.

    Patterns of the query from `first_reference` on find references, and `roles` says by number what each finds (its
    ``@ref.call``, ``@import`` ... without the sign); those before find definitions, as the query `definitions` alone
    does. Patterns that begin at the root of a tree stand apart, in `top`: among the others they would be kept open
    through the whole of it, which took a quarter of the time of Python's query.
    """

    module: str
    parser: Parser
    query: Query
    definitions: Query
    top: Query | None
    first_reference: int
    roles: tuple[str, ...]


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
    return "\n".join(_query_files(grammar, ".scm"))


def reference_source(grammar: Grammar) -> str:
    """The text of its queries of references: ``go.refs.scm`` goes with ``go.scm``."""
    return "\n".join(_query_files(grammar, ".refs.scm"))


def _query_files(grammar: Grammar, ending: str) -> Iterator[str]:
    folder = Path(__file__).parent / "queries"
    for name in grammar.query.split():
        file = folder.joinpath(name.removesuffix(".scm") + ending)
        if ending == ".scm" or file.is_file():
            yield file.read_text("utf-8")


def _load(grammar: Grammar) -> LoadedGrammar:
    from tree_sitter import Parser, Query

    language = _language(grammar)
    parser = Parser(language)
    definitions, top = _parted(query_source(grammar) + "\n", language, parser.parse(b"").root_node.type)
    source = (definitions + reference_source(grammar)).encode()
    query = Query(language, source.decode())
    first = len(definitions.encode())
    starts = [query.start_byte_for_pattern(number) for number in range(query.pattern_count)]
    roles = [_role(source[start:end]) for start, end in pairwise((*starts, len(source))) if start >= first]
    alone = Query(language, definitions)
    at_top = Query(language, top) if top else None
    return LoadedGrammar(grammar.module, parser, query, alone, at_top, len(starts) - len(roles), tuple(roles))


def _parted(source: str, language: TreeSitterLanguage, root: str) -> tuple[str, str]:
    """The patterns of a query that begin anywhere, and those that begin at a root of a tree of this type."""
    from tree_sitter import Query

    content = source.encode()
    query = Query(language, source)
    starts = [query.start_byte_for_pattern(number) for number in range(query.pattern_count)]
    anywhere = [content[: starts[0]] if starts else content]
    top: list[bytes] = []
    for start, end in pairwise((*starts, len(content))):
        at_root = re.match(rb"\(" + root.encode() + rb"(?![\w-])", content[start:end])
        (top if at_root else anywhere).append(content[start:end])
    return b"".join(anywhere).decode(), b"".join(top).decode()


def _role(pattern: bytes) -> str:
    """What a pattern of references finds."""
    found = _ROLE.search(pattern)
    return found.group(1).decode() if found else ""


def _language(grammar: Grammar) -> TreeSitterLanguage:
    from tree_sitter import Language as TreeSitterLanguage

    module = importlib.import_module(grammar.module)
    return TreeSitterLanguage(getattr(module, grammar.function)())


def _reason(grammar: Grammar, error: Exception) -> str:
    detail = " ".join(str(error).split())[:200]
    return f"grammar {grammar.module} unavailable: {type(error).__name__}: {detail}"
