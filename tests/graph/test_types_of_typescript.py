"""TypeScript: aliases, unions, lists, functions typed by a name, tests with titles."""

from __future__ import annotations

import pytest

from fourfold.graph.build import build_graph
from fourfold.graph.facts import RESOLVED, FileFacts
from fourfold.graph.graph import Graph
from fourfold.graph.signatures import declared, members, taken, value_of
from fourfold.model.reference import Facts
from fourfold.syntax.parse import parse_file

MODEL = """
export class Base { shared() {} }
export class One extends Base { own() {} both() {} }
export class Two extends Base { both() {} }
export type Either = | One | Two | null;
export type Both = One & { extra: string };
export type Handler<E = any> = (c: One, next: () => void) => void;
export type Any = Handler | null;
export interface Take {
  // a line
  <P extends string>(handler: Any): Set<P>

  <P extends string>(path: P, handler: Any): Set<P>
}
export class App {
  get!: Take;
  all: One[] = [];
  #secret() {}
  open() { this.#secret(); }
}
export function register(h: Handler<string>) {}
export function line() {}
"""


def called(body: str, parameters: str = "") -> set[tuple[str, bool]]:
    """(name, resolved) of what a function with that body calls in the model."""
    names = "App, One, Two, Either, Both, register, line"
    text = f"import {{ {names} }} from './model';\nfunction f({parameters}) {{ {body} }}\n"
    graph = graph_of(("model.ts", MODEL), ("use.ts", text))
    return {
        (graph.name(edge.target), edge.confidence == RESOLVED)
        for node in graph.nodes_of("use.ts")
        for edge in graph.outgoing(node, ("calls",))
    }


def graph_of(*files: tuple[str, str]) -> Graph:
    read = [(path, parse_file(path, text, "typescript")) for path, text in sorted(files)]
    facts = [FileFacts(path, one.language, one.symbols, one.facts or Facts()) for path, one in read]
    return Graph(build_graph(facts, {}), [one.path for one in facts])


@pytest.mark.parametrize(
    ("body", "parameters", "name"),
    [
        ("x.shared()", "x: Either", "Base.shared"),
        ("x.own()", "x: Both", "One.own"),
        ("register((c) => c.own())", "", "One.own"),
        ("a.get('/', async (c) => c.own())", "a: App", "One.own"),
        ("a.get((c) => c.own())", "a: App", "One.own"),
        ("a.all.forEach((one) => one.own())", "a: App", "One.own"),
        ("for (const one of a.all) one.own()", "a: App", "One.own"),
        ("xs[0].own()", "xs: readonly One[]", "One.own"),
        ("xs.filter(Boolean).find((x) => x.own())", "xs: Array<One>", "One.own"),
        ("const x = xs.find(p); x.own()", "xs: Set<One>", "One.own"),
        ("g(line<string, 'a'>('b'))", "", "line"),
        ("line()", "", "line"),
    ],
)
def test_whose_method_is_called_is_known(body: str, parameters: str, name: str) -> None:
    assert (name, True) in called(body, parameters)


def test_a_method_that_only_some_of_a_union_share_stays_open() -> None:
    assert not any(name.endswith(".both") for name, _ in called("x.both()", "x: Either"))
    assert not any(name.endswith(".own") for name, _ in called("x.own()", "x: Either"))


def test_a_method_of_a_list_is_none_of_its_things() -> None:
    assert not any(name == "One.own" for name, _ in called("xs.own()", "xs: One[]"))


def test_private_methods_have_callers() -> None:
    graph = graph_of(("model.ts", MODEL))
    assert "App.#secret" in {
        graph.name(edge.target) for node in graph.nodes_of("model.ts") for edge in graph.outgoing(node, ("calls",))
    }


def test_what_a_test_with_a_title_holds_is_called_in_it() -> None:
    text = "describe('a b', () => {\n  function help() {}\n  it('c', () => {\n    help();\n  });\n});\n"
    graph = graph_of(("a.test.ts", text))
    found = [
        (graph.name(node), graph.name(edge.target))
        for node in graph.nodes_of("a.test.ts")
        for edge in graph.outgoing(node, ("calls",))
    ]
    assert found == [("a b.c", "a b.help")]


def test_signatures() -> None:
    assert declared("(path: P, ...handlers: [H<E>, H<F>])", 3) == "H<E>"
    assert declared("function f(a: A)", 1) == ""
    assert taken("(a: A) => void", 1) == ""
    assert value_of("get!: Take<E, 'get'>") == "Take<E, 'get'>"
    assert value_of("function f(a: A): B") == ""
    assert members("A | { b: string }") == ([], False)
    assert members("A & { b: string }") == (["A"], False)
    assert members("(a: A) => B | C") == ([], False)
