"""Interfaces of Go are implemented by having their methods."""

from __future__ import annotations

import pytest
from tests.graph.world import edges, graph_of

from fourfold.graph.implements import signature_types

READER = """package a

type Reader interface {
	Read(p []byte) (n int, err error)
}

type ReadCloser interface {
	Reader
	Close() error
}

type Empty interface{}

type hidden interface {
	secret()
}
"""

TYPES = """package a

type File struct{ name string }

func (f *File) Read(buffer []byte) (int, error) { return 0, nil }
func (f *File) Close() error                    { return nil }
func (f *File) secret()                         {}

type Half struct{}

func (h Half) Read(p []byte) (n int, err error) { return 0, nil }

type Wrapped struct {
	*File
}

type Other struct{}

func (o Other) Read(name string, size int) error { return nil }
"""

ELSEWHERE = """package b

type Remote struct{}

func (r Remote) Read(p []byte) (n int, err error) { return 0, nil }
func (r Remote) secret()                          {}
"""

MODULE = {"go.mod": "module example.com/m\n"}


def test_a_type_inherits_from_what_it_has_the_methods_of() -> None:
    graph = graph_of({"a/reader.go": READER, "a/types.go": TYPES, "b/b.go": ELSEWHERE}, MODULE)
    found = edges(graph, "inherits")
    reader, closer = "a/reader.go:Reader", "a/reader.go:ReadCloser"
    assert ("a/types.go:File", reader, "resolved") in found
    assert ("a/types.go:File", closer, "resolved") in found
    assert ("a/types.go:Half", reader, "resolved") in found
    assert ("b/b.go:Remote", reader, "resolved") in found
    assert ("a/types.go:Wrapped", closer, "resolved") in found  # by what it embeds
    assert not {edge for edge in found if edge[0] in ("a/types.go:Half", "b/b.go:Remote") and edge[1] == closer}
    assert not {edge for edge in found if edge[0] == "a/types.go:Other" or edge[1] == "a/reader.go:Empty"}


def test_a_method_that_is_not_exported_binds_to_its_package() -> None:
    graph = graph_of({"a/reader.go": READER, "a/types.go": TYPES, "b/b.go": ELSEWHERE}, MODULE)
    found = {edge[0] for edge in edges(graph, "inherits") if edge[1] == "a/reader.go:hidden"}
    assert found == {"a/types.go:File", "a/types.go:Wrapped"}


def test_its_methods_override_those_of_the_interface() -> None:
    graph = graph_of({"a/reader.go": READER, "a/types.go": TYPES}, MODULE)
    found = edges(graph, "overrides")
    assert ("a/types.go:File.Read", "a/reader.go:Reader.Read", "resolved") in found
    assert ("a/types.go:File.Close", "a/reader.go:ReadCloser.Close", "resolved") in found
    assert not {edge for edge in found if edge[0] == "a/types.go:Other.Read"}


def test_an_interface_that_is_known_in_part_is_only_possibly_implemented() -> None:
    source = """package a

import "io"

type Store interface {
	io.Closer
	Get(key string) string
}

type Memory struct{}

func (m Memory) Get(key string) string { return "" }
"""
    graph = graph_of({"a.go": source}, MODULE)
    assert ("a.go:Memory", "a.go:Store", "ambiguous") in edges(graph, "inherits")


def test_what_methods_make_of_a_type_is_not_central() -> None:
    alone = graph_of({"a/reader.go": READER, "b/b.go": ELSEWHERE.replace("Read(", "Reads(")}, MODULE)
    both = graph_of({"a/reader.go": READER, "b/b.go": ELSEWHERE}, MODULE)
    assert list(both.ranks) == list(alone.ranks)
    assert list(both.in_degrees) == list(alone.in_degrees)


def test_other_languages_implement_what_they_say() -> None:
    java = "interface Reader {\n  int read();\n}\nclass File {\n  public int read() { return 1; }\n}\n"
    assert edges(graph_of({"A.java": java}), "inherits") == set()


@pytest.mark.parametrize(
    ("signature", "wanted"),
    [
        ("func (f *File) Read(p, q []byte) (n int, err error)", (("[]byte", "[]byte"), ("int", "error"))),
        ("Read([]byte) (int, error)", (("[]byte",), ("int", "error"))),
        ("Read()", ((), ())),
        ("Read(ctx context.Context, keys ...string) *sql.Rows", (("Context", "...string"), ("*Rows",))),
        ("Read(func(x int) error, map[string]any) chan int", (("func(x int) error", "map[string]any"), ("chan int",))),
        ("Read(f func(x int, y a.B) error, v interface{})", (("func(x int, y B) error", "any"), ())),
        ("func (s *Set[T]) Read(in <-chan int)", (("\u2190chan int",), ())),
        ("Read(p []byte", None),
        ("Write(p []byte)", None),
        ("", None),
    ],
)
def test_types_of_a_signature(signature: str, wanted: object) -> None:
    assert signature_types(signature, "Read") == wanted
