"""Filters inside the query, and what looks like a filter but is text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fourfold.model.errors import BadFilter, BadQuery
from fourfold.model.query import MAX_QUERY_CHARS, Filters
from fourfold.rank.query_text import combine, make_filters, parse_query, resolve_kind

LANGUAGES = {"py": "python", "python": "python", "ts": "typescript", "c++": "cpp"}


def resolve(name: str) -> str:
    """A stand-in for the syntax layer's names."""
    try:
        return LANGUAGES[name.lower()]
    except KeyError:
        raise BadFilter(f"Unknown language: {name!r}.", hint="Did you mean python?") from None


@pytest.mark.parametrize(
    ("query", "text", "filters"),
    [
        ("lang:py parse config", "parse config", Filters(languages=("python",))),
        ("parse config language:PY", "parse config", Filters(languages=("python",))),
        ("parse lang:py,ts config", "parse config", Filters(languages=("python", "typescript"))),
        ("a lang:py lang:ts", "a", Filters(languages=("python", "typescript"))),
        ("a -lang:c++", "a", Filters(not_languages=("cpp",))),
        ("a path:src -path:tests", "a", Filters(paths=("src",), not_paths=("tests",))),
        ("a path:./src/core/", "a", Filters(paths=("src/core",))),
        ("a path:src\\core", "a", Filters(paths=("src/core",))),
        ("a path:.", "a", Filters()),
        ("a path:*.py", "a", Filters(paths=("*.py",))),
        ('a path:"my dir/x" b', "a b", Filters(paths=("my dir/x",))),
        ("a path:'my dir'", "a", Filters(paths=("my dir",))),
        ("a kind:class,fn -kind:method", "a", Filters(kinds=("class", "function"), not_kinds=("method",))),
        ("a\r\nb lang:py\r\nc", "a\nb\nc", Filters(languages=("python",))),
    ],
)
def test_filters_are_taken_out(query: str, text: str, filters: Filters) -> None:
    assert parse_query(query, resolve) == (text, filters)


@pytest.mark.parametrize(
    "query",
    [
        "std::vector push_back",
        "https://example.org/x",
        "C:\\x is a path",
        "foo:bar baz",
        "kind: Deployment in yaml",
        "what does path: mean",
        '"lang:py" as text',
        "'kind:nothing' quoted",
        "`path:../x` in backticks",
        "xlang:py",
        "std::lang:py",
        "don't touch what isn't broken",
    ],
)
def test_what_is_no_filter_stays_text(query: str) -> None:
    assert parse_query(query, resolve) == (query, Filters())


def test_an_escaped_filter_is_text() -> None:
    assert parse_query("\\lang:x in docs", resolve) == ("lang:x in docs", Filters())
    assert parse_query("\\-path:a", resolve) == ("-path:a", Filters())


@pytest.mark.parametrize("query", ["", "   ", "\n\t", "\u200b", "\x00"])
def test_blank_queries_are_refused(query: str) -> None:
    with pytest.raises(BadQuery, match="empty"):
        parse_query(query)


def test_overlong_queries_are_refused_with_the_limit() -> None:
    with pytest.raises(BadQuery, match="100,000 characters; the limit is 20,000"):
        parse_query("a" * 100_000)
    assert parse_query("a" * MAX_QUERY_CHARS)[0] == "a" * MAX_QUERY_CHARS
    assert len(parse_query("word " * 100)[0]) == 499


def test_filters_alone_are_no_query() -> None:
    with pytest.raises(BadQuery, match="filters only"):
        parse_query("lang:py path:src", resolve)


@pytest.mark.parametrize(
    ("query", "message", "hint"),
    [
        ("a lang:pyton", "Unknown language: 'pyton'", "python"),
        ("a kind:clas", "Unknown kind: 'clas'", "Did you mean class?"),
        ("a kind:functon", "Unknown kind: 'functon'", "Did you mean function?"),
        ("a path:../x", "leaves the indexed root", "relative to the root"),
        ("a -path:src/../../x", "leaves the indexed root", "relative to the root"),
    ],
)
def test_unknown_values_are_named(query: str, message: str, hint: str) -> None:
    with pytest.raises(BadFilter, match=message) as caught:
        parse_query(query, resolve)
    assert hint in caught.value.hint


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("Class", "class"),
        ("classes", "class"),
        ("functions", "function"),
        ("def", "function"),
        ("const", "constant"),
        ("properties", "field"),
        ("enums", "enum"),
        ("file", "file"),
    ],
)
def test_kinds_have_aliases_and_plurals(name: str, kind: str) -> None:
    assert resolve_kind(name) == kind


def test_options_and_query_filters_combine() -> None:
    options = make_filters(languages=["py"], paths=["src/"], only_paths=["a", "b"], resolve_language=resolve)
    assert options == Filters(languages=("python",), paths=("src",), only_paths=frozenset({"a", "b"}))
    both = combine(options, Filters(languages=("python", "cpp"), only_paths=frozenset({"b", "c"})))
    assert both.languages == ("python", "cpp")
    assert both.only_paths == frozenset({"b"})
    assert combine(Filters(), options) == options


@given(text=st.text(max_size=200))
def test_any_text_gives_a_query_or_one_clear_error(text: str) -> None:
    try:
        rest, _ = parse_query(text)
    except (BadQuery, BadFilter) as error:
        assert error.hint
    else:
        assert rest == rest.strip() and rest


@given(text=st.text(st.sampled_from("abc de:/\\\"'-"), min_size=1, max_size=60).filter(str.strip))
def test_text_without_filter_keys_comes_back_as_it_is(text: str) -> None:
    assert parse_query(text) == (text.strip(), Filters())
