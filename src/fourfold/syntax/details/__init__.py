"""Symbols with what their surroundings say of them: documentation, decorators, visibility, modifiers, the part
they play in a framework. Works on lines and signatures; the tree is not walked again."""

from __future__ import annotations

import re

from fourfold.model.chunk import TYPE_KINDS
from fourfold.model.symbol import MAX_DECORATOR_CHARS, Symbol
from fourfold.syntax.definitions import CODE_KINDS, VALUE_KINDS, Definition
from fourfold.syntax.details import prose
from fourfold.syntax.details.lead import read_lead
from fourfold.syntax.details.modifiers import modifiers_of
from fourfold.syntax.details.stereotypes import stereotype_of_code, stereotype_of_type
from fourfold.syntax.details.styles import STYLES, Style
from fourfold.syntax.details.visibility import RULES, Around, Source, exports_of
from fourfold.syntax.languages.registry import LANGUAGES
from fourfold.syntax.leading import owned_start

_TEST_PATH = re.compile(r"(?:^|[/_.])(?:tests?|specs?|testing)(?:[/_.]|$)|Tests?\.\w+$|^test", re.IGNORECASE)
_HEAD_ROWS = 40
"""Decorators that stand in a definition's own lines end within so many rows."""

_ELIXIR_DOC = re.compile(r"@(?:module|type)?doc\s+(?:~[sS])?")
_ECMASCRIPT = frozenset({"javascript", "typescript"})
_NO_MARKS: list[str] = []
_PLAIN_WORDS = frozenset({("def",), ("class",)})
"""Heads that say nothing but the kind."""

_Waiting = tuple[Definition, "Around | None", int]
"""A definition, what encloses it, and the row above which it owns nothing."""


def describe(definitions: list[Definition], text: str, language: str, path: str) -> list[Symbol]:
    """All named definitions with their details, outer before inner, in file order.

    `text` is what was parsed, `language` its canonical name, `path` root-relative ("" where unknown).
    """
    return _Describer(text, language, path).run(definitions)


def _words_before(name: str, signature: str) -> tuple[str, ...]:
    """The words of `signature` before `name` stands in it as a whole word."""
    position = signature.find(name)
    while position >= 0:
        end = position + len(name)
        if not (signature[end : end + 1].isalnum() or (position and signature[position - 1].isalnum())):
            return tuple(signature[:position].split()) if position else ()
        position = signature.find(name, position + 1)
    return ()


class _Describer:
    """One file."""

    __slots__ = (
        "_comments",
        "_ends",
        "_exports",
        "_language",
        "_path",
        "_rule",
        "_source",
        "_starts",
        "_style",
        "_test_file",
        "_text",
    )

    def __init__(self, text: str, language: str, path: str) -> None:
        self._text = text
        self._language = language
        self._path = path
        self._style = STYLES.get(language, Style(()))
        self._starts, self._ends = self._style.starts, self._style.ends
        self._comments = LANGUAGES[language].comments if language in LANGUAGES else ()
        self._source = Source(text, text.split("\n"), exports_of(text, language))
        self._exports = self._source.exports or frozenset()
        self._rule = RULES.get(language, RULES["sql"])
        self._test_file = bool(_TEST_PATH.search(path))

    def run(self, definitions: list[Definition]) -> list[Symbol]:
        """The symbols of `definitions` and of all inside them."""
        result: list[Symbol] = []
        stack: list[_Waiting] = []
        self._push(stack, definitions, None, 0)
        while stack:
            one, around, floor = stack.pop()
            visibility = ""
            if not one.is_scope:
                symbol = self._symbol(one, around, floor)
                visibility = symbol.visibility
                result.append(symbol)
            if one.children:
                self._push(stack, one.children, Around(one, visibility), one.start_row + 1)
        return result

    def _push(self, stack: list[_Waiting], siblings: list[Definition], around: Around | None, floor: int) -> None:
        """Put `siblings` on the stack, the first on top, each with the row above which it owns nothing."""
        floors = [floor]
        for one in siblings:
            floors.append(max(floors[-1], one.end_row + 1))
        stack += [(one, around, low) for one, low in zip(reversed(siblings), reversed(floors[:-1]), strict=True)]

    def _symbol(self, one: Definition, around: Around | None, floor: int) -> Symbol:
        kind, name, signature = one.kind, one.name, one.signature
        doc, marks = self._lead(one, floor)
        words = _words_before(name, signature)
        if marks and around is None and self._language in _ECMASCRIPT and self._is_exported(one):
            words = ("export", *words)
        if around is not None and around.definition.kind in CODE_KINDS:
            visibility = "private"
        else:
            visibility = self._rule(one, words, around, self._source)
        exported = bool(self._exports) and around is None and name in self._exports
        stereotype = ""
        modifiers: tuple[str, ...] = ()
        plain = words in _PLAIN_WORDS if words else kind not in CODE_KINDS
        if marks or exported or kind == "constant" or not plain or name[:4] == "test":
            modifiers = modifiers_of(one, words, marks, self._language, exported, self._test_file)
        if kind in CODE_KINDS or (kind in VALUE_KINDS and around is None and name[:1].isupper()):
            stereotype = stereotype_of_code(one, marks, self._path, self._language, self._text)
        elif kind in TYPE_KINDS or kind == "table":
            stereotype = "" if kind == "module" else stereotype_of_type(one, marks, self._path, self._language)
        lines = (one.start_row + 1, one.end_row + 1)
        return Symbol(
            name,
            one.qualified,
            kind,
            *lines,
            one.parent,
            signature,
            doc,
            tuple(" ".join(mark.split())[:MAX_DECORATOR_CHARS] for mark in marks) if marks else (),
            visibility,
            modifiers,
            stereotype,
        )

    def _is_exported(self, one: Definition) -> bool:
        """Whether ``export`` stands between the decorators and the head of `one`."""
        rows = self._source.lines[one.start_row : max(one.body_row, one.start_row) + 1]
        return any(line.lstrip().startswith("export ") or ") export " in line for line in rows)

    def _lead(self, one: Definition, floor: int) -> tuple[str, list[str]]:
        """Documentation and decorators."""
        style, lines, row = self._style, self._source.lines, one.start_row
        first = row
        if row > floor:
            above = lines[row - 1].strip()
            if above and (above.startswith(self._starts) or above.endswith(self._ends)):
                first = owned_start(lines, self._comments, row, floor)
        own = lines[row].lstrip()
        doc, marks = "", _NO_MARKS
        if first < row or (style.mark and own.startswith(style.mark)):
            stop = min(row + _HEAD_ROWS, one.end_row + 1)
            lead = read_lead("\n".join(lines[first:stop]), style)
            marks = lead.marks
            doc = prose.of_comments(lead.comments) if lead.comments else ""
        if style.docstrings and one.body_row > row and one.kind not in VALUE_KINDS:
            doc = prose.of_string(lines, one.body_row) or doc
        elif self._language == "elixir":
            doc, marks = self._elixir(one, doc, marks)
        return doc, marks

    def _elixir(self, one: Definition, doc: str, marks: list[str]) -> tuple[str, list[str]]:
        """Its documentation stands in attributes: before a function, first in a module."""
        if one.kind == "module" or one.is_type:
            for row in range(one.start_row + 1, min(one.start_row + 4, one.end_row)):
                line = self._source.lines[row].lstrip()
                found = _ELIXIR_DOC.match(line)
                if found:
                    return prose.of_string([line[found.end() :], *self._rows(row)], 0), marks
            return doc, marks
        for mark in marks:
            found = _ELIXIR_DOC.match(mark)
            if found:
                doc = prose.of_string(mark[found.end() :].split("\n"), 0) or doc
        return doc, [mark for mark in marks if not _ELIXIR_DOC.match(mark)]

    def _rows(self, row: int) -> list[str]:
        return self._source.lines[row + 1 : row + 1 + prose.MAX_STRING_ROWS]
