"""What is fuzzed: for each target, how its inputs are made and what must hold of every one of them.

A check raises AssertionError where that does not hold; whatever else it raises, save for the errors that the program
raises on purpose, is a finding as well.
"""

from __future__ import annotations

import re
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hypothesis import strategies as st

from fourfold.config.load import load_settings
from fourfold.model.errors import FourfoldError
from fourfold.rank.query_text import parse_query
from fourfold.retrieve.patterns import compile_pattern
from fourfold.source.decode import decode
from fourfold.source.ignore import RuleSet, parse
from fourfold.syntax.languages import LANGUAGES
from fourfold.syntax.parse import FAULT, parse_file

PATIENCE_S = 10.0
"""Processor time that no input of these sizes may take: parsing ends itself after 2 s."""
BOMS = (b"", b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff", b"\xff\xfe\0\0")
LABELS = (
    b"",
    b"# -*- coding: latin-1 -*-\n",
    b"# coding: utf-7\n",
    b"<?xml encoding='shift_jis'?>",
    b"# coding: \xff\n",
)
PIECES = (
    *"{}()[]<>;:,.=#@\\\"'`\n\t",
    "    ",
    "def f(x):\n",
    "class A",
    "function g() {",
    "end\n",
    "<script>",
    "</script>",
    "<!--",
    "/*",
    "*/",
    '"""',
    "import a.b",
    "fn h<T>(",
    "struct S",
    "=> ",
    "```\n",
    "<<EOF\n",
    "${",
    "\0",
    "\u2028",
    "\U0001f600",
)
REGEX = ("a", "bc", "Retry", "é", "ß", "K", ".", "\\w", "\\d", "\\b", "[a-c]", "[^x]", "(?i)", "(?:ab|cd)", "(x)", "|")
REPEATS = ("", "", "", "*", "+", "?", "{2}", "{0,3}", "*?")


@dataclass(frozen=True, slots=True)
class Target:
    """A strategy for inputs and the check of one."""

    inputs: st.SearchStrategy[Any]
    check: Callable[[Any], None]


def timely(check: Callable[[Any], None]) -> Callable[[Any], None]:
    """The check, which may raise the program's own errors and must not take long."""

    def checked(value: Any) -> None:
        began = time.process_time()
        try:
            check(value)
        except FourfoldError as error:
            assert error.message, "an error without a sentence"
            assert "\n" not in error.message, error.message
        assert time.process_time() - began < PATIENCE_S, "took too long"

    return checked


def decoded(data: bytes) -> None:
    """Text has one kind of line end, no NUL, no half characters."""
    made = decode(data)
    if made is not None:
        assert not set("\r\0") & set(made.text)
        made.text.encode()


def ignored(value: tuple[bytes, str]) -> None:
    """Any ignore file is read, and any path is judged by it the same twice."""
    content, path = value
    rules = parse(content, "x")
    name = path.rsplit("/", 1)[-1]
    for fold in (False, True):
        given = RuleSet(rules, ignore_case=fold)
        for is_dir in (False, True):
            first = given.match(path, name, is_dir)
            assert first == RuleSet(rules, ignore_case=fold).match(path, name, is_dir)
            given.opens(path, name)


def chunked(value: tuple[str, str]) -> None:
    """Chunks lie within the text, hold what it holds, and leave no line out that is not blank."""
    language, text = value
    lines = text.split("\n")
    covered: set[int] = set()
    for chunk in parse_file("x", text, language, deadline_s=1.0).chunks:
        assert 1 <= chunk.start_line <= chunk.end_line <= len(lines), chunk
        covered.update(range(chunk.start_line, chunk.end_line + 1))
    missing = [number for number, line in enumerate(lines, 1) if line.strip() and number not in covered]
    assert not missing, f"lines {missing[:5]} are in no chunk"


def named(value: tuple[str, str]) -> None:
    """Symbols lie within the text; what is extracted is the same twice and can be stored."""
    from fourfold.index.knowledge import pack

    language, text = value
    one, two = (parse_file("x", text, language, deadline_s=1.0) for _ in range(2))
    assert not one.fallback.startswith(FAULT), one.fallback
    count = text.count("\n") + 1
    for symbol in one.symbols:
        assert symbol.name, symbol
        assert 1 <= symbol.start_line <= symbol.end_line <= count, symbol
    if one.fallback == two.fallback:
        assert pack(one) == pack(two)


def asked(text: str) -> None:
    """A question has text; read again, that text has no filters that it did not have."""
    kept, _ = parse_query(text)
    assert kept.strip()


def planned(value: tuple[str, str, bool]) -> None:
    """A text with a match holds, in any case, all literals of one of the plan's alternatives."""
    pattern, text, ignore_case = value
    made = compile_pattern(pattern, ignore_case=ignore_case)
    spans = list(made.spans(text))
    assert all(0 <= start <= end <= len(text) and "\n" not in text[start:end] for start, end in spans), spans
    if spans and made.required is not None:
        folded = {text.lower(), text.casefold(), text}
        assert any(
            all(any(word in form or word.lower() in form for form in folded) for word in words)
            for words in made.required
        ), (made.required, spans)


def configured(content: bytes) -> None:
    """A settings file of the person's is taken, or refused in a sentence; a project's never ends a command."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        (root / ".fourfold.toml").write_bytes(content)
        (root / "none.toml").touch()
        load_settings(root, environ={"FOURFOLD_CONFIG": str(root / "none.toml")})
        (root / "user.toml").write_bytes(content)
        load_settings(None, environ={"FOURFOLD_CONFIG": str(root / "user.toml")})


def _is_pattern(pattern: str) -> bool:
    try:
        re.compile(pattern)
    except re.error:
        return False
    return True


_CODE = st.tuples(
    st.sampled_from(sorted(LANGUAGES)),
    st.lists(st.one_of(st.sampled_from(PIECES), st.text(max_size=12)), max_size=60)
    .map("".join)
    .map(lambda text: text.replace("\r", "").encode("utf-8", "ignore").decode()),
)
_PATTERNS = st.lists(
    st.tuples(st.sampled_from(REGEX), st.sampled_from(REPEATS)).map("".join), min_size=1, max_size=6
).map("".join)
_MATCHED = _PATTERNS.filter(_is_pattern).flatmap(
    lambda pattern: st.tuples(st.just(pattern), st.from_regex(pattern), st.booleans())
)
_RULES = st.lists(st.sampled_from([*"!*?/\\[]-^ #a.\n", "**", "**/", "[a-", "src", "\xff"]), max_size=40).map(
    lambda parts: "".join(parts).encode("latin-1")
)
_PATHS = st.lists(st.sampled_from(["a", "src", "b.py", "a]", "é", " "]), min_size=1, max_size=5).map("/".join)
_QUERIES = st.lists(
    st.sampled_from(["lang:", "path:", "kind:", "-", '"', "\\", "py", "src/../..", "function", " ", "retry", "`", "\n"])
    | st.text(max_size=8),
    max_size=20,
).map("".join)
_TOML = st.lists(
    st.sampled_from(
        [
            *"[]{}=\n\"'#.,",
            "index",
            "workers",
            "search",
            "embedding",
            "model",
            "1",
            "-1",
            "1e400",
            "nan",
            "true",
            "[[",
            "'hash'",
            "index.workers = 2\n",
            "[index]\n",
        ]
    ),
    max_size=30,
).map(lambda parts: "".join(parts).encode())

TARGETS: dict[str, Target] = {
    "decoder": Target(
        st.tuples(st.sampled_from(BOMS), st.sampled_from(LABELS), st.binary(max_size=200)).map(b"".join)
        | st.text(max_size=80).map(lambda text: text.encode("utf-16", "surrogatepass")),
        decoded,
    ),
    "ignore": Target(st.tuples(_RULES | st.binary(max_size=40), _PATHS), ignored),
    "chunker": Target(_CODE, chunked),
    "symbols": Target(_CODE, named),
    "query": Target(_QUERIES, asked),
    "regex": Target(_MATCHED | st.tuples(st.text(max_size=30), st.text(max_size=60), st.booleans()), planned),
    "config": Target(_TOML | st.binary(max_size=60), configured),
}
