"""Names of code inside prose."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fourfold.rank.identifiers import (
    MAX_IDENTIFIERS,
    extract,
    is_name,
    is_shaped,
    last_segment,
    normalised,
    telling_names,
)


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("where is filter_dicts_by_key defined", ("filter_dicts_by_key",)),
        ("parseConfig and HTTPServer and MAX_SIZE", ("parseConfig", "HTTPServer", "MAX_SIZE")),
        ("Client.request or std::vector or a->next", ("Client.request", "std.vector", "a.next")),
        ("App\\Models\\User", ("App.Models.User",)),
        ("Array#map", ("Array.map",)),
        ("does run() call stop(x)", ("run", "stop")),
        ("the `retry` and `a b.c_d` ones", ("retry", "b.c_d")),
        ("__init__ and _private", ("__init__", "_private")),
        ("parse_config函数在哪里", ("parse_config",)),
        ("parse_config twice: parse_config", ("parse_config",)),
        ("see config.py, `setup.py` or example.com", ()),
        ("e.g. version 1.2.3 of the URLs and IDs", ()),
        ("JavaScript on GitHub with PostgreSQL", ()),
        ("https://host.org/a_b mail@a_b.org", ()),
        ("the state-of-the-art long-running job", ()),
        ("what does Session.request do", ("Session.request",)),
        ("std::vector", ("std.vector",)),
        ("Foo#bar", ("Foo.bar",)),
        # A receiver stands for the thing itself; a sigil is no part of a name.
        ("where is $this->foo set", ("foo",)),
        ("self.connect_all and cls.registry", ("connect_all", "registry")),
        ("crate::net::tcp", ("net.tcp",)),
        ("$user_id in templates", ("user_id",)),
        ("the @app.route decorator", ("app.route",)),
        ("obj?.method() of a client", ("obj.method",)),
        ("is it good?.net says so", ()),
        ("this is self evident", ()),
        ("", ()),
    ],
)
def test_extraction_by_shape(text: str, names: tuple[str, ...]) -> None:
    assert extract(text) == names


def test_plain_words_count_where_the_index_knows_them() -> None:
    known = {"Session", "adapter", "get", "of", "PostgreSQL"}.__contains__
    assert extract("the Session of an adapter, get it", known) == ("Session", "adapter")
    assert extract("a PostgreSQL driver", known) == ("PostgreSQL",)


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("where is flush defined", ("flush",)),
        ("what does the Config hold", ("Config",)),
        ("how is a session closed", ()),
        ("config of the flusher", ()),
        ("`flush` and flush", ("flush",)),
        ("HTTPServer.flush flush", ("HTTPServer.flush", "flush")),
    ],
)
def test_plain_words_are_looked_up_as_they_are_written(text: str, names: tuple[str, ...]) -> None:
    assert extract(text, {"flush", "Config", "Session"}.__contains__) == names


def test_extra_names_come_first_and_once() -> None:
    assert extract("find parse_url", None, ("retry", "parse_url")) == ("retry", "parse_url")


def test_a_pasted_file_names_a_bounded_number() -> None:
    assert len(extract(" ".join(f"name_{number}" for number in range(500)))) == MAX_IDENTIFIERS


@pytest.mark.parametrize(
    ("name", "shaped"),
    [
        ("parseConfig", True),
        ("Session", False),
        ("session", False),
        ("a_b", True),
        ("_x", False),
        ("HTTP", False),
        ("IOError", True),
        ("x.y", False),
        ("os.path", True),
        ("std::x", True),
        ("a" * 300 + "_b", False),
        ("函数_x", False),
    ],
)
def test_shapes(name: str, shaped: bool) -> None:
    assert is_shaped(name) is shaped


@pytest.mark.parametrize(
    ("text", "whole"), [("a.b", True), ("a::b()", True), ("a b", False), ("1a", False), ("", False)]
)
def test_whole_names(text: str, whole: bool) -> None:
    assert is_name(text) is whole


def test_normal_form_and_last_segment() -> None:
    assert normalised("a::b->c()") == "a.b.c"
    assert normalised("$this->state.items") == "state.items"
    assert normalised("self") == "self"
    assert normalised("a?.b") == "a.b"
    assert last_segment("Client.request") == "request"
    assert last_segment("request") == "request"


@given(text=st.text(max_size=300))
def test_names_are_names(text: str) -> None:
    for name in extract(text):
        assert name and not any(character.isspace() for character in name)


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("why does the parser raise ERR676X27", ("ERR676X27",)),
        ("where is err676x27 dealt with", ("err676x27",)),
        ("what is max_age_conn for", ("max_age_conn",)),
        ("how does Client.sendAll retry", ("sendAll",)),
        ("how are 404 pages made in v2", ()),
        ("how does the parser work", ()),
    ],
)
def test_names_told_by_their_form(text: str, names: tuple[str, ...]) -> None:
    assert telling_names(text, extract(text)) == names
