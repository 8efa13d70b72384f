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

from benchmarks.fuzz import serving
from fourfold.config.load import load_settings
from fourfold.graph.scip import ScipError, read_scip
from fourfold.model.errors import FourfoldError
from fourfold.rank.query_text import parse_query
from fourfold.retrieve.patterns import compile_pattern
from fourfold.source.decode import decode
from fourfold.source.ignore import RuleSet, parse
from fourfold.syntax.languages import LANGUAGES, language_of
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


def _samples() -> dict[str, list[str]]:
    """Code by language, from the samples of the tests."""
    found: dict[str, list[str]] = {}
    for folder in ("samples", "references"):
        for path in sorted((HOME / "tests" / "syntax" / folder).glob("*")):
            if path.suffix != ".facts":
                text = path.read_text(encoding="utf-8")
                language = language_of(path.name.removesuffix(".txt"), text[:200])
                if language in LANGUAGES:
                    found.setdefault(language, []).append(text)
    return found


HOME = Path(__file__).resolve().parents[2]
SAMPLES = _samples()


def _edited(text: str, edits: list[tuple[int, int, str]]) -> str:
    """The text with some stretches (begin, length) replaced."""
    for begin, length, piece in edits:
        text = text[:begin] + piece + text[begin + length :]
    return text.replace("\r", "").encode("utf-8", "ignore").decode()


@dataclass(frozen=True, slots=True)
class Target:
    """A strategy for inputs, the check of one, and what input some bytes stand for: coverage-guided fuzzing works on
    bytes, and so do the kept corpora."""

    inputs: st.SearchStrategy[Any]
    check: Callable[[Any], None]
    of_bytes: Callable[[bytes], Any] = bytes


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


def compiled(data: bytes) -> None:
    """An ``index.scip`` is read or refused in a few words; what it says of places lies in the project."""
    try:
        found = read_scip(data)
    except ScipError as error:
        assert str(error)
        assert "\n" not in str(error)
        return
    for path, line in (place for places in found.defined.values() for place in places):
        assert line >= 1
        assert not path.startswith("/")
        assert ".." not in path.split("/")


def _text(data: bytes) -> str:
    return data.decode("utf-8", "replace").replace("\r", "")


def _code_of(data: bytes) -> tuple[str, str]:
    """The first byte chooses the language."""
    names = sorted(LANGUAGES)
    return names[data[0] % len(names) if data else 0], _text(data[1:])


def _rules_of(data: bytes) -> tuple[bytes, str]:
    """Rules, a zero, a path."""
    rules, _, path = data.partition(b"\0")
    return rules, _text(path).strip("/").replace("\n", "") or "a"


def _pattern_of(data: bytes) -> tuple[str, str, bool]:
    """A pattern, a zero, a text; the first bit of all says whether case counts."""
    pattern, _, text = data[1:].partition(b"\0")
    return _text(pattern)[:60], _text(text)[:2_000], bool(data[:1] and data[0] & 1)


def _is_pattern(pattern: str) -> bool:
    try:
        re.compile(pattern)
    except re.error:
        return False
    return True


_MADE_UP = st.tuples(
    st.sampled_from(sorted(LANGUAGES)),
    st.lists(st.one_of(st.sampled_from(PIECES), st.text(max_size=12)), max_size=60)
    .map("".join)
    .map(lambda text: text.replace("\r", "").encode("utf-8", "ignore").decode()),
)
_REAL = st.sampled_from(sorted(SAMPLES)).flatmap(
    lambda name: st.tuples(
        st.just(name),
        st.sampled_from(SAMPLES[name]).flatmap(
            lambda text: st.lists(
                st.tuples(st.integers(0, len(text)), st.integers(0, 40), st.sampled_from(PIECES) | st.text(max_size=5)),
                max_size=6,
            ).map(lambda edits: _edited(text, edits))
        ),
    )
)
"""Real code of each language with a few places replaced."""
_CODE = _MADE_UP | _REAL
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

_SCIP = st.recursive(
    st.tuples(st.integers(1, 4), st.binary(max_size=12) | st.integers(0, 2**40)),
    lambda inner: st.tuples(st.integers(1, 4), st.lists(inner, max_size=4)),
    max_leaves=12,
)
_VALUE = st.sampled_from(serving.VALUES) | st.text(max_size=10) | st.integers() | st.booleans() | st.none()
_TOOLS = (
    "search_code grep_code find_symbol find_usages get_code_context analyze_impact find_similar repository_overview "
    "index_status search_history ask_codebase nothing"
).split()
_ARGUMENTS = st.dictionaries(
    st.sampled_from(
        "query pattern name file_path limit start_line end_line line code symbol language direction cursor".split()
    ),
    _VALUE,
    max_size=4,
)
_MESSAGES = st.builds(serving.tool_call, st.sampled_from(_TOOLS), _ARGUMENTS) | st.binary(max_size=80)
_REQUESTS = st.builds(
    serving.written,
    st.sampled_from(["GET", "POST", "HEAD", "PUT", "OPTIONS", "TRACE", "X"]),
    st.sampled_from(serving.ROUTES) | st.text(max_size=12).map(lambda text: f"/{text}"),
    st.lists(st.tuples(st.sampled_from(serving.PARAMETERS), st.sampled_from(serving.VALUES) | st.text(max_size=8))),
    st.lists(
        st.sampled_from(
            ["Host: evil.example", "Origin: http://evil.example", "X-Fourfold: 1", "Accept: text/event-stream",
             "Content-Type: application/json", "Cookie: fourfold=x", "Authorization: Bearer x", "Accept: */*"]
        ),
        max_size=2,
    ),
    st.sampled_from([b"", b"{}", b"[", b'{"service": "x"}']) | st.binary(max_size=20),
)  # fmt: skip


def _encoded(field: tuple[int, Any]) -> bytes:
    """A field as protocol buffers write it."""
    number, value = field
    if isinstance(value, int):
        return _varint(number << 3) + _varint(value)
    data = value if isinstance(value, bytes) else b"".join(map(_encoded, value))
    return _varint(number << 3 | 2) + _varint(len(data)) + data


def _varint(value: int) -> bytes:
    made = bytearray()
    while value > 0x7F:
        made.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*made, value])


TARGETS: dict[str, Target] = {
    "decoder": Target(
        st.tuples(st.sampled_from(BOMS), st.sampled_from(LABELS), st.binary(max_size=200)).map(b"".join)
        | st.text(max_size=80).map(lambda text: text.encode("utf-16", "surrogatepass")),
        decoded,
    ),
    "ignore": Target(st.tuples(_RULES | st.binary(max_size=40), _PATHS), ignored, _rules_of),
    "chunker": Target(_CODE, chunked, _code_of),
    "symbols": Target(_CODE, named, _code_of),
    "query": Target(_QUERIES, asked, _text),
    "regex": Target(
        _MATCHED | st.tuples(st.text(max_size=30), st.text(max_size=60), st.booleans()), planned, _pattern_of
    ),
    "config": Target(_TOML | st.binary(max_size=60), configured),
    "mcp": Target(_MESSAGES, serving.message),
    "http": Target(_REQUESTS.map(serving.http_request), serving.requested, serving.http_request),
    "scip": Target(_SCIP.map(_encoded) | st.binary(max_size=60), compiled),
}
