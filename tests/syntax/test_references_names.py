"""Short names of expressions and types, and the bytes of facts."""

from __future__ import annotations

import json
import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fourfold.model import reference
from fourfold.model.reference import Binding, Facts, Import, Reference, decode, encode
from fourfold.syntax.facts.names import bare_type, path_of, split_path


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("self.client", "self.client"),
        ("Client(timeout=(1, 2))", "Client()"),
        ("a[b[0]].c(x)(y)", "a[].c()()"),
        ("this->repo", "this.repo"),
        ("user?.name!!", "user.name"),
        ("(await load(x))", "load()"),
        ("new Foo<Bar>(1)", "Foo()"),
        ("items\n    .filter(lambda x: x.ok)", "items.filter()"),
        ('"a, b".join', '"".join'),
        ("std::vector<int>::iterator", "std::vector::iterator"),
        ("x" * 200, "x" * 80),
    ],
)
def test_receivers_are_paths(text: str, path: str) -> None:
    assert path_of(text) == path


@pytest.mark.parametrize(
    ("path", "parts"),
    [
        ("a.b.c", ("a.b", "c")),
        ("pkg::mod::run", ("pkg::mod", "run")),
        ("run", ("", "run")),
        ("\\App\\Foo", ("\\App", "Foo")),
        ("this.#store", ("this", "#store")),
        ("f().g", ("f()", "g")),
    ],
)
def test_paths_are_split_at_the_last_separator(path: str, parts: tuple[str, str]) -> None:
    assert split_path(path) == parts


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Foo", "Foo"),
        ("Optional[Foo]", "Foo"),
        ("Foo | None", "Foo"),
        ("typing.Optional['pkg.Foo']", "pkg.Foo"),
        ("Union[Foo, None]", "Foo"),
        ("Foo | Bar", ""),
        ("list[Foo]", "list"),
        ("Foo?", "Foo"),
        (": Promise<Foo>", "Foo"),
        ("Foo[]", ""),
        ("[]Foo", ""),
        ("*store.Repo", "store.Repo"),
        ("&'a mut Foo<'a>", "Foo"),
        ("Result<Option<Arc<Foo>>, Error>", "Foo"),
        ("Box<dyn Shape>", "Shape"),
        ("const std::shared_ptr<Foo> &", "Foo"),
        ("struct list", "list"),
        ("\\App\\Foo", "\\App\\Foo"),
        ("(int, str)", ""),
        ("Callable[[int], Foo]", "Callable"),
        ("() => void", ""),
        ("None", ""),
    ],
)
def test_types_are_bare_names(text: str, name: str) -> None:
    assert bare_type(text) == name


@given(st.text(max_size=300))
def test_any_text_has_a_path_and_a_type(text: str) -> None:
    assert len(path_of(text)) <= reference.MAX_RECEIVER_CHARS
    assert "\n" not in bare_type(text)
    receiver, name = split_path(path_of(text))
    assert len(receiver) + len(name) <= reference.MAX_RECEIVER_CHARS


WORDS = st.text(max_size=8)
REFERENCES = st.builds(
    Reference, WORDS, st.sampled_from(reference.REFERENCE_KINDS), st.integers(1, 9999), WORDS, WORDS, st.integers(-1, 9)
)
IMPORTS = st.builds(Import, WORDS, WORDS, WORDS, st.integers(0, 9999), WORDS, st.booleans())
BINDINGS = st.builds(Binding, WORDS, WORDS, WORDS, st.sampled_from(reference.BINDING_SOURCES), st.integers(0, 9999))


def _tuples(of: st.SearchStrategy) -> st.SearchStrategy:
    return st.lists(of, max_size=4).map(tuple)


@given(
    st.builds(Facts, _tuples(REFERENCES), _tuples(IMPORTS), _tuples(BINDINGS), WORDS, _tuples(st.tuples(WORDS, WORDS)))
)
def test_facts_come_back_from_their_bytes(facts: Facts) -> None:
    assert decode(encode(facts)) == facts


def test_bytes_of_another_version_are_refused() -> None:
    other = zlib.compress(json.dumps([reference.FACTS_FORMAT + 1, [""], []]).encode())
    with pytest.raises(ValueError, match="another version"):
        decode(other)


@given(st.binary(max_size=60))
def test_damaged_bytes_are_a_value_error(data: bytes) -> None:
    with pytest.raises(ValueError):
        decode(data)


def test_cut_bytes_are_a_value_error() -> None:
    whole = encode(Facts((Reference("run", "call", 3),)))
    for size in range(len(whole)):
        with pytest.raises(ValueError):
            decode(whole[:size])


@pytest.mark.parametrize(
    "content", [{}, [], 3, [1], [1, [""]], [1, [""], [[7]] * 20], [1, 2, 3], [1, [""], [[0.5]] * 20]]
)
def test_strange_content_is_a_value_error(content: object) -> None:
    with pytest.raises(ValueError):
        decode(zlib.compress(json.dumps(content).encode()))
