"""Patterns: refused with a place, planned soundly, matched within a line by engines that cannot hang."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator
from itertools import zip_longest

import pytest
import re2
import regex
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from fourfold.model.errors import BadPattern, TimedOut
from fourfold.retrieve import literal_engines
from fourfold.retrieve.literal_engines import LimitedEngine, LinearEngine, PlainEngine
from fourfold.retrieve.literal_faults import is_tame
from fourfold.retrieve.literal_plan import MAX_ALTERNATIVES
from fourfold.retrieve.patterns import MAX_PATTERN_CHARS, compile_pattern, required_literals
from fourfold.store.local import trigrams


def found(pattern: str, text: str, **options: bool) -> list[str]:
    """The matched parts of a text."""
    return [text[start:end] for start, end in compile_pattern(pattern, **options).spans(text)]


@pytest.mark.parametrize(
    ("pattern", "words", "position"),
    [
        ("foo(", 'regular expression ends inside a group at position 4: "foo("', 3),
        ("foo[a", 'regular expression ends inside a character class at position 4: "foo[a"', 3),
        ("a**", 'regular expression repeats a repetition at position 3: "a**"', 2),
        ("*a", 'regular expression has nothing to repeat at position 1: "*a"', 0),
        ("ab\\", 'regular expression ends with a lone backslash at position 3: "ab\\"', 2),
        ("a)b(c", 'regular expression closes a group that was never opened at position 2: "a)b(c"', 1),
        ("[z-a]", 'regular expression has a range that runs backwards at position 2: "[z-a]"', 1),
        ("(a)\\2", 'regular expression refers to a group that does not exist at position 5: "(a)\\2"', 4),
        ("a\\q", 'regular expression has an unknown escape at position 2: "a\\q"', 1),
    ],
)
def test_an_invalid_pattern_names_the_place(pattern: str, words: str, position: int) -> None:
    with pytest.raises(BadPattern) as caught:
        compile_pattern(pattern)
    assert str(caught.value) == words
    assert caught.value.position == position
    assert caught.value.hint == "search the text itself with grep -F"
    assert found(pattern, f"x{pattern}y", literal=True) == [pattern]


def test_a_long_invalid_pattern_is_shown_around_the_fault() -> None:
    with pytest.raises(BadPattern) as caught:
        compile_pattern("x" * 5000 + "(" + "y" * 3000)
    assert "position 5001" in str(caught.value)
    assert "xx(yy" in str(caught.value)
    assert len(str(caught.value)) < 200


@pytest.mark.parametrize("literal", [True, False])
def test_patterns_that_no_engine_sees(literal: bool) -> None:
    for pattern, words in (
        ("", "empty"),
        ("a" * (MAX_PATTERN_CHARS + 1), "at most 10,000"),
        ("a\nb", "line break at position 2"),
        ("a\udcffb", "Unicode"),
    ):
        with pytest.raises(BadPattern, match=words):
            compile_pattern(pattern, literal=literal)


def test_a_pattern_cannot_ask_for_a_line_end_but_may_exclude_it() -> None:
    with pytest.raises(BadPattern, match="line break at position 4"):
        compile_pattern("foo\\nbar")
    assert found("foo[^\\n]*r", "foo bar\nfoo") == ["foo bar"]
    assert found(r"a\\nb", "a\\nb") == ["a\\nb"]
    assert found(r"a\nb", "a\\nb", literal=True) == ["a\\nb"]


def test_a_pattern_too_large_is_refused() -> None:
    with pytest.raises(BadPattern, match="too large"):
        compile_pattern(r"(\pL{0,30} ){0,30}q")


@pytest.mark.parametrize("opening", ["(", "(?:", "(?=", "(?i:", "((?=b)|", "(?>"])
def test_a_deep_pattern_is_run_or_refused(opening: str) -> None:
    pattern = opening * 1500 + "a" + ")" * (1500 * opening.count("(") - 1500 * opening.count(")"))
    try:
        spans = list(compile_pattern(pattern, timeout_s=0.5).spans("a"))
    except (BadPattern, TimedOut) as error:
        assert len(str(error)) < 200
    else:
        assert spans[:1] in ([], [(0, 1)], [(0, 0)])


def test_nothing_matches_across_a_line_end() -> None:
    text = "foo \n bar\nfoo"
    assert found(r"foo\s+", text) == ["foo "]
    assert found(r"o[^x]*", text) == ["oo ", "oo"]
    assert found(r"foo(?=\s)", text) == ["foo"]
    assert found(r"(?<!\S)foo$", text) == ["foo"]
    assert found("(?s)foo.*", text) == ["foo ", "foo"]


def test_anchors_are_the_ends_of_lines() -> None:
    assert found("^b.", "ab\nba\nbc") == ["ba", "bc"]
    assert found(".b$", "ab\nba\ncb\n") == ["ab", "cb"]
    assert compile_pattern("^$").required is None
    assert list(compile_pattern("^$").spans("a\n\nb\n")) == [(2, 2)]


@pytest.mark.parametrize("pattern", ["x*", "(?=)x*", "$"])
def test_a_match_of_nothing_is_one_a_line_and_none_behind_the_last(pattern: str) -> None:
    lines = [text.count("\n", 0, start) for text in ["ab\n\nc\n"] for start, _ in compile_pattern(pattern).spans(text)]
    assert lines == [0, 1, 2]
    assert list(compile_pattern(pattern).spans("")) == []


def test_offsets_count_characters() -> None:
    text = "日本語 😀 é\n# 認証 = 'ß'; x = 1\n"
    for pattern in ("x = .", "é", "'ß'", "認.", "[^ \n]+"):
        for options in ({}, {"ignore_case": True}, {"word": True}):
            expected = [m.span() for m in re.finditer(pattern, text)]
            if options == {"word": True}:
                expected = [m.span() for m in re.finditer(rf"(?<!\w)(?:{pattern})(?!\w)", text)]
            assert list(compile_pattern(pattern, **options).spans(text)) == expected, (pattern, options)


def test_case() -> None:
    text = "foo FOO Foo É é"
    assert found("foo", text) == ["foo"]
    assert found("foo", text, ignore_case=True) == ["foo", "FOO", "Foo"]
    assert found("é", text, ignore_case=True) == found("é", text, ignore_case=True, literal=True) == ["É", "é"]
    assert found("foo", "foo FOO", ignore_case=True, literal=True) == ["foo", "FOO"]
    assert found("foo", text, smart_case=True) == ["foo", "FOO", "Foo"]
    assert found("Foo", text, smart_case=True) == ["Foo"]
    assert found(r"foo\S\W\pL", "FOO, x", smart_case=True) == ["FOO, x"]


def test_whole_words_of_any_script() -> None:
    text = "get getter get_x get é_get get9 get-x"
    assert list(compile_pattern("get", word=True).spans(text)) == [(0, 3), (17, 20), (32, 35)]
    assert list(compile_pattern("get", word=True, literal=True).spans(text)) == [(0, 3), (17, 20), (32, 35)]
    assert found("get|getter", "getter get get\nget", word=True) == ["getter", "get", "get", "get"]
    assert found("认证", "用户认证 认证", word=True) == found(r"\b认证\b", "用户认证 认证") == ["认证"]
    assert found("(.)\\1", "aa baa bb", word=True) == ["aa", "bb"]
    assert found("(?x)(a)\\1 # twice", "aa aaa", word=True) == ["aa"]


@pytest.mark.parametrize(
    ("pattern", "tame"),
    [
        (r"(?<!a)\d{7}", True),
        ("(?<=[*+?|]{)(.)\\1\\+\\|", True),
        ("(?i:(?=a|b))", True),
        ("(?=a)(b+)+", False),
        (r"(?!a)\w+\s*", False),
        ("a(?R)?b", False),
        ("(?P<n>a)(?&n)", False),
    ],
)
def test_which_patterns_need_no_clock(pattern: str, tame: bool) -> None:
    assert is_tame(pattern) is tame


def test_classes_hold_all_scripts() -> None:
    assert found(r"class \w+\(", "class Héllo(models):") == ["class Héllo("]
    assert found(r"[\w.]+!", "élan.vital! ()") == ["élan.vital!"]
    assert found(r"x\W+y", "xéy x-y x\u2014y") == ["x-y", "x\u2014y"]
    assert found(r"x\s*=", "x\u3000=") == ["x\u3000="]
    assert found(r"v\d\D", "v٣é v3٣") == ["v٣é"]
    assert found(r"[^\s\w]", "é 認\u3000!") == ["!"]
    assert found(r"\\w", r"é\w") == [r"\w"]
    assert found(r"\w+", "xé-ü", word=True) == ["xé", "ü"]


def test_classes_too_large_in_all_scripts_stay_those_of_ascii() -> None:
    pattern = compile_pattern(r"(\w{0,30} ){0,30}q")
    assert list(pattern.spans("é\na b q")) == [(2, 7)]


def test_which_engine_runs() -> None:
    assert isinstance(compile_pattern("a", literal=True).engine, PlainEngine)
    assert isinstance(compile_pattern("a b#").engine, PlainEngine)
    assert isinstance(compile_pattern("(a+)+$").engine, LinearEngine)
    for pattern in ("(?<!a)b", r"(a)\1", "a++", r"\bé", "(?x) a # b"):
        assert isinstance(compile_pattern(pattern).engine, LimitedEngine), pattern


def test_a_catastrophic_pattern_is_linear_or_limited() -> None:
    text = "a" * 30_000 + "b"
    assert list(compile_pattern("(a+)+$").spans(text)) == []
    assert list(compile_pattern("(x+x+)+y").spans("x" * 30_000)) == []
    with pytest.raises(TimedOut, match="on one file"):
        list(compile_pattern("(?!b)(a|a)+$", timeout_s=0.05).spans(text))
    with pytest.raises(TimedOut):
        list(compile_pattern("(?!b)a", timeout_s=10).spans(text, deadline=0.0))


def test_a_large_program_looks_at_the_clock_and_refuses_huge_lines() -> None:
    pattern = compile_pattern("(?:a.{1,30}){20}q")
    lines = ("a" * 99 + "\n") * 1000
    with pytest.raises(TimedOut, match="too long"):
        next(pattern.spans(lines + "ab" * 400_000))
    with pytest.raises(TimedOut, match="took too long"):
        list(pattern.spans(lines, deadline=0.0))
    marked = lines + "a" * 40 + "q\n" + lines
    hits = list(pattern.spans(marked))
    assert [marked.count("\n", 0, start) for start, _ in hits] == [1000]


def test_lines_of_moderate_length_are_searched_whatever_the_size_of_the_program() -> None:
    pattern = compile_pattern(r"(\w?){50}\w{50}x")  # a hundred times the letters of all scripts
    text = ("aé" * 60 + "x\n") * 100
    assert len(list(pattern.spans(text))) == 100


def test_a_long_line_is_tried_in_pieces_before_it_is_searched_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    class Clock:
        now = 0.0

        @classmethod
        def monotonic(cls) -> float:
            cls.now += 1.0
            return cls.now

    monkeypatch.setattr(literal_engines, "time", Clock)
    pattern = compile_pattern("(?:a.{1,30}){20}q")
    line = "ab" * 100_000 + "q"
    assert len(list(pattern.spans(line, deadline=Clock.now + 10_000))) == 1
    with pytest.raises(TimedOut, match="too long"):
        list(pattern.spans(line, deadline=Clock.now + 10))


@pytest.mark.parametrize(
    ("pattern", "plan"),
    [
        (r"foo\.bar\(", [["foo.bar("]]),
        ("(?:get|set)_attr", [["get_attr"], ["set_attr"]]),
        (r"[Ff]oo\d+bar", [["bar", "foo"]]),
        ("foo|ba", None),
        ("a{3,}", [["aaa"]]),
        ("x?abc", [["abc"]]),
        ("(foo(bar)?baz)+", [["foobarbaz"], ["foobaz"]]),
        ("(foo.*)bar", [["bar", "foo"]]),
        ("ab(c|d)ef", [["abcef"], ["abdef"]]),
        ("(?i)Class", [["class"]]),
        ("(?i:КЛАСС)foo", [["foo"]]),
        ("КЛАСС", [["КЛАСС"]]),
        ("日本語", [["日本語"]]),
        ("认证", None),
        (r"^import (\w+)", [["import "]]),
        ("(?<!self)foo(?=bar)", [["bar", "foo"]]),
        (r"\w+", None),
        ("[[:alpha:]]foo", None),
        ("foob{,1}arx", None),
        ("foo(?:b|c){e<=1}(?=x)", None),
        (r"foo\[[^\]]+\]", [["foo["]]),
    ],
)
def test_plans(pattern: str, plan: list[list[str]] | None) -> None:
    assert required_literals(pattern, fallback="(?=x)" in pattern) == plan


def test_plans_of_plain_text() -> None:
    assert required_literals("foo.*(", literal=True) == [["foo.*("]]
    assert required_literals("ab", literal=True) is None
    assert required_literals("привет.foo", literal=True, ignore_case=True) == [[".foo"]]


def test_plans_stay_small() -> None:
    many = "|".join(f"{chr(0x100 + number)}{number}word" for number in range(MAX_ALTERNATIVES + 1))
    assert required_literals(many) is None
    assert required_literals(f"({many})certain") == [["certain"]]
    product = required_literals("(" + ")(?:.*)(".join(["aaa1|bbb2|ccc3|ddd4"] * 6) + ")")
    assert product is not None
    assert len(product) <= MAX_ALTERNATIVES


CHARACTERS = "abkKsSiIß.é-_ \"'дД认K證\0"
VARIANTS = {"k": "K", "s": "ſ", "i": "İ", "I": "ı", "д": "ᲁ", "ß": "ẞ", "a": "A"}
"""Characters that some matcher takes for the same where case is ignored."""
WORDS = st.lists(st.sampled_from([*CHARACTERS, "abc", "kiss", "认证"]), max_size=12).map("".join)

Example = tuple[str, str]
"""A pattern, and a text that it probably matches."""
ATOMS: st.SearchStrategy[Example] = st.sampled_from(
    [
        *((re.escape(char), char) for char in "abcksié.認д"),
        (".", "x"),
        ("[ab]", "b"),
        ("[^a]", "z"),
        (r"\w", "_"),
        (".", "y"),
        (".", "z"),
    ]
)
OTHERS: st.SearchStrategy[Example] = st.sampled_from([("abc", "abc"), ("is", "is"), ("^", ""), (r"\B", ""), ("", "")])
REPEATS = st.sampled_from(
    [
        ("", 1),
        ("", 1),
        ("?", 0),
        ("?", 1),
        ("*", 0),
        ("*", 2),
        ("+", 1),
        ("+?", 3),
        ("{2}", 2),
        ("{1,2}", 2),
        ("{,2}", 1),
    ]
)
GROUPS = st.sampled_from(
    [("(?:", 1), ("(", 1), ("(?i:", 1), ("(?-i:", 1), ("(?>", 1), ("(?=", 0), ("(?<!", 0), ("(?!", 0)]
)


def _repeated(example: Example, repeat: tuple[str, int]) -> Example:
    return example[0] + repeat[0], example[1] * repeat[1]


def _sequence(parts: list[Example]) -> Example:
    return "".join(pattern for pattern, _ in parts), "".join(text for _, text in parts)


def _wider(inner: st.SearchStrategy[Example]) -> st.SearchStrategy[Example]:
    several = st.lists(inner, min_size=2, max_size=4)

    def choice(parts: list[Example], number: int, repeat: tuple[str, int]) -> Example:
        group = "(?:" + "|".join(pattern for pattern, _ in parts) + ")"
        return _repeated((group, parts[number % len(parts)][1]), repeat)

    def group(opening: tuple[str, int], part: Example, repeat: tuple[str, int]) -> Example:
        return _repeated((f"{opening[0]}{part[0]})", part[1] * opening[1]), repeat)

    return st.one_of(
        several.map(_sequence),
        several.map(_sequence),
        st.builds(choice, several, st.integers(0, 3), REPEATS),
        st.builds(group, GROUPS, inner, REPEATS),
    )


PARTS = st.recursive(st.one_of(st.builds(_repeated, ATOMS, REPEATS), OTHERS), _wider, max_leaves=5)
EXAMPLES = st.lists(PARTS, min_size=2, max_size=5).map(_sequence)


@pytest.fixture(scope="module")
def index() -> Iterator[sqlite3.Connection]:
    """The trigram table itself: what "in any case" means is what it says."""
    connection = sqlite3.connect(":memory:", isolation_level=None)
    connection.execute(trigrams.TABLE)
    yield connection
    connection.close()


def _may_hold(index: sqlite3.Connection, plan: tuple[tuple[str, ...], ...], text: str) -> bool:
    expression = trigrams.expression(plan)
    assert expression is not None, "a plan that the index cannot use"
    index.execute("INSERT INTO trigrams (trigrams) VALUES ('delete-all')")
    index.execute("INSERT INTO trigrams (rowid, body) VALUES (1, ?)", (trigrams.searchable(text),))
    return bool(index.execute("SELECT 1 FROM trigrams WHERE trigrams MATCH ?", (expression,)).fetchall())


@settings(max_examples=600, deadline=None)
@given(example=EXAMPLES, swaps=st.lists(st.booleans(), max_size=20), ignore_case=st.booleans())
def test_plans_are_sound(index: sqlite3.Connection, example: Example, swaps: list[bool], ignore_case: bool) -> None:
    pattern, text = example
    try:
        compiled = compile_pattern(pattern, ignore_case=ignore_case)
    except BadPattern:
        assume(False)
    if ignore_case or "(?i" in pattern:
        text = "".join(
            VARIANTS.get(c, c) if swap else c for c, swap in zip_longest(text, swaps[: len(text)], fillvalue=False)
        )
    try:
        found = compiled.required is not None and any(True for _ in compiled.spans(text))
    except TimedOut:  # a pattern that backtracks without end: whether it occurs is not known
        assume(False)
    assert not found or _may_hold(index, compiled.required, text), compiled.required


@pytest.mark.parametrize(
    ("pattern", "text"),
    [
        ("abc{,1}def", "abc{,1}def"),
        ("(?i)kiss", "Kiſſ kISS kiss"),
        ("(?i)(?=kiss)k", "kİss kiſs"),
        ("(?i)xудобно", "xуᲁобно"),
        ("(?i)x(удобно)", "xуᲁобно"),
        ("abc.def", "abcxdef"),
        ("abc(?!x).?def", "abcdef abcydef"),
        ("(?i)straße", "STRAẞE"),
        ("[[:alpha:]]]xyz", "a]xyz"),
        ("x(?:a|b)+y", "xaby"),
        ("(?=x)(?:xbcdef){e<=1}", "xbcdeZ"),
        ("abc(?#comment)d", "abcd"),
        ("nul\0byte", "nul\0byte"),
    ],
)
def test_plans_are_sound_where_engines_differ(index: sqlite3.Connection, pattern: str, text: str) -> None:
    compiled = compile_pattern(pattern)
    for word in text.split(" "):
        assert list(compiled.spans(word)), word
        assert compiled.required is None or _may_hold(index, compiled.required, word), word


@settings(max_examples=200, deadline=None)
@given(
    needle=st.text(CHARACTERS, min_size=1, max_size=5),
    text=WORDS,
    ignore_case=st.booleans(),
    word=st.booleans(),
)
def test_plain_text_is_found_as_its_escaped_pattern(
    index: sqlite3.Connection, needle: str, text: str, ignore_case: bool, word: bool
) -> None:
    text = f"{text} {needle.swapcase() if ignore_case else needle} {text}"
    plain = compile_pattern(needle, literal=True, ignore_case=ignore_case, word=word)
    general = compile_pattern(f"(?:{re2.escape(needle)})", ignore_case=ignore_case, word=word)
    spans = list(plain.spans(text))
    assert spans == list(general.spans(text))
    if spans and plain.required is not None:
        assert _may_hold(index, plain.required, text)


@settings(max_examples=200, deadline=None)
@given(example=EXAMPLES, before=WORDS)
def test_lines_are_those_of_the_reference(example: Example, before: str) -> None:
    """On ASCII, RE2 and the back-tracking matcher agree on which lines match."""
    pattern, text = example[0], (before + example[1]).encode("ascii", "ignore").decode().replace("\0", "")
    assume(text and pattern.isascii() and "{," not in pattern)
    try:
        compiled = compile_pattern(pattern)
        reference = regex.compile(pattern)
    except (BadPattern, regex.error):
        assume(False)
    assert bool(list(compiled.spans(text))) == (reference.search(text) is not None)


WORD_PATTERNS = st.lists(
    st.sampled_from(["a", "b", "é", "-", " ", "a+", "[ab]", "b?", "(?:a|ab)"]), min_size=1, max_size=4
)


@settings(max_examples=300, deadline=None)
@given(parts=WORD_PATTERNS, text=st.text("abé- \n", max_size=20))
def test_whole_words_are_those_of_look_around(parts: list[str], text: str) -> None:
    pattern = "".join(parts)
    assume(not re.fullmatch(pattern, ""))
    expected = [match.span() for match in re.finditer(rf"(?<!\w)(?:{pattern})(?!\w)", text)]
    assert list(compile_pattern(pattern, word=True).spans(text)) == expected
