"""What a definition is besides its kind: async, static, abstract, exported, a test, an override, constant."""

from __future__ import annotations

import re

from fourfold.model.symbol import MODIFIERS
from fourfold.syntax.definitions import CODE_KINDS, VALUE_KINDS, Definition

_BY_WORD = {
    "async": "async",
    "suspend": "async",
    "static": "static",
    "abstract": "abstract",
    "override": "override",
    "const": "const",
    "constexpr": "const",
    "consteval": "const",
    "final": "const",
    "readonly": "const",
    "val": "const",
    "let": "const",
    "export": "exported",
}
"""Words before a name. Those of :data:`_VALUE_WORDS` say of a value only that it never changes."""

_MUTABLE_LET = frozenset({"javascript", "typescript", "rust"})
_CONST_FUNCTIONS = frozenset({"rust", "dart"})
_BY_DECORATOR = {
    "staticmethod": "static",
    "classmethod": "static",
    "abstractmethod": "abstract",
    "override": "override",
    "Override": "override",
    "JvmStatic": "static",
    "MainActor": "",
}
_DECORATOR_NAME = re.compile(r"[@#\[]+\s*(?:\w+:(?!:))?(?:\w+(?:::|\.))*(\w+)")
_TEST_DECORATORS = frozenset(
    "Test Theory Fact TestMethod DataTestMethod TestCase ParameterizedTest RepeatedTest TestFactory TestTemplate "
    "InlineData test rstest test_case quickcheck proptest DataProvider".split()
)
_NOT_TESTS = frozenset({"DataProvider", "TestCase"})
_ASYNC_TAIL = re.compile(r"=\s*async\b|\)\s*async\b(?!\s*=>\s*Any)")
_GO_TEST = re.compile(r"^(?:Test|Benchmark|Fuzz|Example)(?![a-z])")
_TEST_TAILED = frozenset({"javascript", "typescript", "swift", "dart", "csharp", "vue", "svelte"})


def modifiers_of(
    one: Definition, words: tuple[str, ...], marks: list[str], language: str, exported: bool, test_file: bool
) -> tuple[str, ...]:
    """Words of :data:`~fourfold.model.symbol.MODIFIERS`, in their order.

    `words` stand before the name in the signature, `marks` are decorators, `exported` is what the file's export
    list says, `test_file`: its path is one of tests.
    """
    found: set[str] = set()
    is_code = one.kind in CODE_KINDS
    for word in words:
        meaning = _BY_WORD.get(word)
        if meaning == "const" and not _never_changes(word, one.kind, language):
            continue
        if meaning:
            found.add(meaning)
    for mark in marks:
        _add_decorator(found, mark, is_code)
    if one.kind == "constant":
        found.add("const")
    if exported:
        found.add("exported")
    if is_code:
        _add_code(found, one, language, test_file)
    if language == "go" and not one.parent and one.name[0].isupper():
        found.add("exported")
    return tuple(word for word in MODIFIERS if word in found) if found else ()


def _never_changes(word: str, kind: str, language: str) -> bool:
    """False where a word of constancy says something else: a final class, a function held by a JavaScript
    ``const``, a variable ``let``."""
    if kind in VALUE_KINDS:
        return not (word == "let" and language in _MUTABLE_LET)
    return kind in CODE_KINDS and (
        word in ("constexpr", "consteval") or (word == "const" and language in _CONST_FUNCTIONS)
    )


def _add_decorator(found: set[str], mark: str, is_code: bool) -> None:
    named = _DECORATOR_NAME.match(mark)
    if named is None:
        return
    name = named.group(1)
    meaning = _BY_DECORATOR.get(name)
    if meaning:
        found.add(meaning)
    elif is_code and name in _TEST_DECORATORS and (name not in _NOT_TESTS or mark.startswith("[TestCase")):
        found.add("test")
    elif name in ("impl", "native"):
        found.add("override" if name == "impl" and not mark.endswith("false") else "")
        found.discard("")


def _add_code(found: set[str], one: Definition, language: str, test_file: bool) -> None:
    """What only the head of a function tells."""
    signature, name = one.signature, one.name
    if one.kind == "test" or _is_test(one, language, test_file):
        found.add("test")
    if language in _TEST_TAILED and "async" in signature and _ASYNC_TAIL.search(signature):
        found.add("async")
    elif language == "ruby" and f"self.{name}" in signature:
        found.add("static")
    elif language in ("cpp", "c") and signature.endswith("= 0"):
        found.add("abstract")
    elif language == "cpp" and signature.endswith((" override", " final")):
        found.add("override")


def _is_test(one: Definition, language: str, test_file: bool) -> bool:
    """True for functions that a runner of the language takes for tests by name."""
    name = one.name
    if language == "python":
        return name[:4] == "test" and (test_file or one.parent.rpartition(".")[2].startswith("Test"))
    if language == "go":
        return "testing." in one.signature and bool(_GO_TEST.match(name))
    if language in ("ruby", "php", "swift"):
        return name[:4] == "test" and test_file
    return False
