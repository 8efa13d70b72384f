"""A syntax pattern as ast-grep wants it: code that stands on its own, or a fragment within what a language asks for
around it.

``panic($X)`` is no Go at the top of a file and ``except $E:`` no statement of Python, though both are sensible to look
for. So a pattern is read where it may stand: inside of a function, of a class, behind a ``try``, among the cases of a
switch. What is looked for is the node that the pattern is there.
"""

from __future__ import annotations

import re
from typing import Any

from fourfold.model.errors import BadPattern

VARIABLE = re.compile(r"\$(\$\$)?([A-Z_][A-Z0-9_]*)")
"""A metavariable; the first group is there where it stands for any number of nodes."""
_ANY = re.compile(r"\$\$\$(?![A-Z_])")
"""Any number of nodes that nobody asks for by name."""
_BLOCK = re.compile(r"(?<=[{;}\n])(\s*)\$\$\$(?:[A-Z_][A-Z0-9_]*)?(?=\s*(?:[}\n]|$))")
"""Any number of statements in a block."""
_CLAUSE = re.compile(r"(?:catch|finally|except|rescue|ensure|else|elif|elsif|case|when|default)\b")
"""How a part of a statement begins, that cannot stand without it."""
_MANY = ("x", "")
"""What may stand for any number of nodes: an argument is a name, a parameter of a typed language is not."""
_HERE = "@@"
"""Where the pattern stands in a context."""
_MEMBERS = ("class A { @@ }", "class A { void f() { @@ } }", "class A { void f() { @@; } }", "enum A { @@ }")
_IN_METHODS = ("class A { void f() { try { } @@ } }", "class A { void f() { switch (a) { @@ } } }")
_SCRIPT = ("function f() { @@ }", "class A { @@ }")
_TYPED = (*_SCRIPT, "interface A { @@ }")
_SCRIPT_CLAUSES = ("try { } @@", "switch (a) { @@ }", "if (a) { } @@")
_C = ("void f() { @@ }", "void f() { @@; }", "struct a { @@ };")
_C_CLAUSES = ("void f() { switch (a) { @@ } }", "void f() { if (a) { } @@ }")

CONTEXTS: dict[str, tuple[str, ...]] = {
    "python": ("@@\ndef f(): pass", "def f():\n    @@"),
    "go": ("package p\nfunc f() { @@ }", "package p\ntype T struct { @@ }", "package p\ntype T interface { @@ }"),
    "rust": ("fn f() { @@ }", "impl A { @@ }", "fn f() { match a { @@ } }", "struct A { @@ }"),
    "java": _MEMBERS,
    "csharp": _MEMBERS,
    "dart": _MEMBERS,
    "kotlin": ("class A { @@ }", "fun f() { @@ }", "fun f() { when (a) { @@ } }"),
    "scala": ("object A { @@ }",),
    "swift": ("class A { @@ }", "func f() { @@ }"),
    "javascript": _SCRIPT,
    "typescript": _TYPED,
    "tsx": _TYPED,
    "php": ("<?php @@", "<?php @@;", "<?php class A { @@ }"),
    "c": _C,
    "cpp": (*_C, "class a { @@ };"),
    "zig": ("fn f() void { @@ }", "const A = struct { @@ };", "fn f() void { switch (a) { @@ } }"),
    "elixir": ("case a do\n  @@\nend",),
    "haskell": ("f = @@", "f a = do\n  @@", "f a = case a of\n  @@"),
}
"""What may stand around a fragment, by language; the first in which it can be read is taken."""
CLAUSES: dict[str, tuple[str, ...]] = {
    "python": ("try:\n    pass\n@@", "match a:\n    @@", "if a:\n    pass\n@@"),
    "go": ("package p\nfunc f() { switch a { @@ } }", "package p\nfunc f() { select { @@ } }"),
    "java": _IN_METHODS,
    "csharp": _IN_METHODS,
    "dart": _IN_METHODS,
    "kotlin": ("fun f() { try { } @@ }",),
    "scala": ("object A { a match { @@ } }",),
    "swift": ("func f() { do { } @@ }", "func f() { switch a { @@ } }"),
    "javascript": _SCRIPT_CLAUSES,
    "typescript": _SCRIPT_CLAUSES,
    "tsx": _SCRIPT_CLAUSES,
    "php": ("<?php try { } @@", "<?php switch ($a) { @@ }"),
    "ruby": ("begin\n  a\n@@\nend", "case a\n@@\nend", "if a\n  a\n@@\nend"),
    "c": _C_CLAUSES,
    "cpp": ("void f() { try { } @@ }", *_C_CLAUSES),
    "bash": ("case a in @@ esac",),
}
"""The same for a fragment that begins as a part of a statement does."""

_INSIDE_FIRST = frozenset({"go", "c", "cpp"})
"""At the top of a file these read a call as something else (a conversion, a macro that makes a type)."""
_SEMICOLONS = frozenset({"c", "cpp", "csharp", "dart", "java", "php", "rust", "zig"})
"""Languages in which a name alone is a statement with a semicolon only."""


def rule_of(pattern: str, language: str) -> dict[str, Any]:
    """What ast-grep is asked for. Raises BadPattern where a pattern is empty or no code of its language anywhere."""
    if not pattern.strip():
        raise BadPattern("the syntax pattern is empty", hint="for instance: 'open($PATH, $$$REST)'")
    text = pattern.strip()
    if language == "python" and text.endswith(":"):
        text += "\n    $$$"  # a head stands for itself with any body
    contexts = CONTEXTS.get(language, ())
    first = CLAUSES.get(language, ()) if _CLAUSE.match(text) else contexts[:1] if language in _INSIDE_FIRST else ()
    for context in first:
        rule = _within(text, language, context)
        if rule is not None:
            return rule
    if _is_code(text, language):
        return {"rule": {"pattern": text}}
    for context in contexts:
        rule = _within(text, language, context)
        if rule is not None:
            return rule
    raise BadPattern(
        f"the pattern is not valid {language}: {pattern[:80]!r}",
        hint="write a whole expression, statement, member or clause; $NAME stands for one node, $$$NAME for any number",
    )


def plain_code(pattern: str, language: str, many: str = "x") -> str:
    """A pattern with ordinary code in place of its metavariables, `many` where any number of nodes may stand."""
    if language in _SEMICOLONS:
        pattern = _BLOCK.sub(r"\1x();", pattern)
    pattern = _ANY.sub(many, pattern)
    if language == "php":  # what begins with a capital is a type, else a variable
        pattern = re.sub(r"(?<=[\w)] )\$([A-Z_][A-Z0-9_]*)(?=\s*\))", r"$x\1", pattern)
    return VARIABLE.sub(r"x\2", pattern)


def root_of(text: str, language: str) -> Any:
    """The tree of a text, None where the library cannot make one."""
    from ast_grep_py import SgRoot

    try:
        return SgRoot(text, language).root()
    except (KeyboardInterrupt, SystemExit):
        raise
    except BaseException:  # a panic of the library is no Exception
        return None


def _is_code(text: str, language: str) -> bool:
    """Whether a pattern is code of one statement or expression, read without an error."""
    for many in _MANY:
        root = root_of(plain_code(text, language, many), language)
        if root is not None and not _has_error(root) and sum(one.is_named() for one in root.children()) < 2:
            return True
    return False


def _within(text: str, language: str, context: str) -> dict[str, Any] | None:
    """The rule for a fragment within a context; None where it cannot be read there as one node."""
    indent = re.search(rf"^ *(?={_HERE})", context, re.MULTILINE)
    text = text.replace("\n", "\n" + indent.group()) if indent else text
    start = context.index(_HERE)
    for many in _MANY:
        plain = plain_code(text, language, many)
        root = root_of(context.replace(_HERE, plain), language)
        if root is None or _has_error(root):
            continue
        node = _spanning(root, start, start + len(plain))
        # The selector takes the first node of its kind.
        if node is not None and node.range() == root.find(kind=node.kind()).range():
            return {"rule": {"pattern": {"context": context.replace(_HERE, text), "selector": node.kind()}}}
    return None


def _spanning(node: Any, start: int, end: int) -> Any:
    """The innermost node that a stretch of a text is."""
    found = None
    while node is not None:
        place = node.range()
        if place.start.index == start and place.start.index + len(node.text().rstrip()) == end:
            found = node
        node = next(
            (one for one in node.children() if one.range().start.index <= start and end <= one.range().end.index), None
        )
    return found


def _has_error(node: Any) -> bool:
    return node.kind() == "ERROR" or any(_has_error(child) for child in node.children())
