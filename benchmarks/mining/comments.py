"""Functions documented by a comment directly above them, in languages with a tree-sitter grammar."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING

from fourfold.evaluate.labels.documented import MIN_BODY_LINES, Documented

if TYPE_CHECKING:
    from tree_sitter import Node, Parser


@dataclass(frozen=True, slots=True)
class Grammar:
    """Where a language's grammar is, which nodes are functions, and which single-line comments document.

    `attribute` matches lines between the comment and the definition (attributes, decorators).
    """

    module: str
    functions: frozenset[str]
    line_comment: str
    attribute: str = r"(?!)"
    factory: str = "language"


_ECMA = frozenset({"function_declaration", "generator_function_declaration", "method_definition"})
_JS = _ECMA | {"expression_statement", "lexical_declaration"}
GRAMMARS: dict[str, Grammar] = {
    "go": Grammar("tree_sitter_go", frozenset({"function_declaration", "method_declaration"}), r"//"),
    "rust": Grammar("tree_sitter_rust", frozenset({"function_item"}), r"///(?!/)", r"#\["),
    "java": Grammar("tree_sitter_java", frozenset({"method_declaration"}), r"(?!)", r"@\w"),
    "c": Grammar("tree_sitter_c", frozenset({"function_definition"}), r"//"),
    "php": Grammar(
        "tree_sitter_php",
        frozenset({"method_declaration", "function_definition"}),
        r"(?!)",
        r"#\[",
        "language_php",
    ),
    "ruby": Grammar("tree_sitter_ruby", frozenset({"method", "singleton_method"}), r"#(?!!)"),
    "javascript": Grammar("tree_sitter_javascript", _JS, r"(?!)", r"@\w"),
    "typescript": Grammar("tree_sitter_typescript", _JS, r"(?!)", r"@\w", "language_typescript"),
}
"""Doc comments only where a language tells them apart (``/**``, ``///``); any comment above in Go, C and
Ruby.
"""
_FUNCTION_VALUES = frozenset({"arrow_function", "function_expression", "function", "generator_function"})
_NAME_NODES = frozenset({"identifier", "field_identifier", "property_identifier", "name", "constant", "operator"})
_LEADING = re.compile(r"^\s*(?:/\*+!?|\*/|\*|///?|//|#)?\s?")


def commented_functions(path: str, text: str, language: str) -> Iterator[Documented]:
    """Documented functions in file order.

    Raises KeyError for a language without an entry, ImportError without its grammar.
    """
    grammar = GRAMMARS[language]
    lines = text.split("\n")
    for node in _functions(_parser(language).parse(text.encode()).root_node, grammar):
        name = _name(node)
        start, end = node.start_point[0] + 1, node.end_point[0] + 1
        if not name or end - start + 1 < MIN_BODY_LINES:
            continue
        above = _comment_above(lines, start, grammar)
        if above:
            first, last, start = above
            doc = "\n".join(_LEADING.sub("", line).removesuffix("*/") for line in lines[first - 1 : last])
            yield Documented(path, name, start, end, first, last, doc)


@cache
def _parser(language: str) -> Parser:
    from tree_sitter import Language, Parser

    grammar = GRAMMARS[language]
    return Parser(Language(getattr(import_module(grammar.module), grammar.factory)()))


def _functions(root: Node, grammar: Grammar) -> Iterator[Node]:
    """Nodes that define a function, outermost first, without descending into functions."""
    pending = [root]
    while pending:
        node = pending.pop()
        if node.type in grammar.functions and _holds_function(node):
            yield node
        else:
            pending.extend(reversed(node.children))


def _holds_function(node: Node) -> bool:
    """A statement or a variable counts where its value is a function, or a call that makes one."""
    if node.type == "expression_statement":
        inner = node.named_children[0] if node.named_children else None
        right = inner.child_by_field_name("right") if inner and inner.type == "assignment_expression" else None
        return right is not None and right.type in _FUNCTION_VALUES
    if node.type == "lexical_declaration":
        declared = [child for child in node.named_children if child.type == "variable_declarator"]
        value = declared[0].child_by_field_name("value") if declared else None
        return value is not None and value.type in _FUNCTION_VALUES | {"call_expression"}
    return True


def _name(node: Node) -> str:
    """The name of what the node defines, "" where none is found."""
    if node.type == "expression_statement":
        left = node.named_children[0].child_by_field_name("left")
        node = left.child_by_field_name("property") or left if left else node
    elif node.type == "lexical_declaration":
        node = node.named_children[0].child_by_field_name("name") or node
    else:
        while (inner := node.child_by_field_name("name") or node.child_by_field_name("declarator")) is not None:
            node = inner
    return node.text.decode() if node.type in _NAME_NODES and node.text else ""


def _comment_above(lines: list[str], start: int, grammar: Grammar) -> tuple[int, int, int] | None:
    """(first, last line of the comment, first line of the definition with its attributes), or None."""
    top = start
    while top > 1 and re.match(grammar.attribute, lines[top - 2].strip()):
        top -= 1
    last = top - 1
    if last >= 1 and not lines[last - 1].strip():
        last -= 1
    if last < 1:
        return None
    stripped = lines[last - 1].strip()
    if stripped.endswith("*/"):
        return _block(lines, last, top)
    first = last
    while first >= 1 and re.match(grammar.line_comment, lines[first - 1].strip()):
        first -= 1
    return (first + 1, last, top) if first < last else None


def _block(lines: list[str], last: int, top: int) -> tuple[int, int, int] | None:
    """A ``/* ... */`` comment that begins its own line."""
    first = last
    while first >= 1 and "/*" not in lines[first - 1]:
        first -= 1
    if first < 1 or not lines[first - 1].strip().startswith("/*"):
        return None
    return first, last, top
