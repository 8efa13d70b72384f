"""Who is meant where a language has rules of its own: whole modules of CommonJS, overloads, what only a C file sees."""

from __future__ import annotations

import pytest
from tests.graph.world import edges, graph_of, label, names

from fourfold.graph.facts import EDGE_CODES
from fourfold.graph.graph import Graph


def lines(graph: Graph) -> set[tuple[str, int, int]]:
    """(source, first line of the source, first line of the target) of all calls."""
    assert "calls" in EDGE_CODES
    found = set()
    for number in range(len(graph)):
        for edge in graph.outgoing(number, ("calls",)):
            node = graph.node(edge.source)
            found.add((label(graph, number), node.start_line, graph.node(edge.target).start_line))
    return found


@pytest.mark.parametrize(
    "export",
    [
        "module.exports = function clone(value) {\n  return value;\n};\n",
        "module.exports = clone;\nfunction clone(value) {\n  return value;\n}\n",
        "module.exports = class clone {};\n",
        "exports = module.exports = clone;\nfunction clone() {}\n",
    ],
)
def test_a_required_module_is_what_it_exports_as_a_whole(export: str) -> None:
    use = "const copy = require('./clone');\nfunction run() {\n  copy(1);\n}\n"
    graph = graph_of({"clone.js": export, "use.js": use})
    assert ("use.js:run", "clone.js:clone", "resolved") in edges(graph)


def test_an_anonymous_whole_is_called_exports() -> None:
    graph = graph_of(
        {"clone.js": "module.exports = (value) => value;\n", "use.js": "const copy = require('./clone');\ncopy(1);\n"}
    )
    assert ("use.js", "clone.js:exports", "resolved") in edges(graph)


def test_what_a_module_exports_besides_its_whole() -> None:
    graph = graph_of(
        {
            "get.js": "module.exports = get;\nfunction get() {}\nmodule.exports.all = function all() {};\n",
            "use.js": "const get = require('./get');\nfunction run() {\n  get.all();\n}\n",
        }
    )
    assert ("use.js:run", "get.js:all", "resolved") in edges(graph)


def test_names_that_commonjs_passes_on() -> None:
    graph = graph_of(
        {
            "a.js": "function inner() {}\nexports.outer = inner;\n",
            "b.js": "module.exports = { once: require('./a').outer };\n",
            "use.js": "const { once } = require('./b');\nfunction run() {\n  once();\n}\n",
        }
    )
    assert ("use.js:run", "a.js:inner", "resolved") in edges(graph)


def test_the_member_of_a_required_module_is_no_definition_here() -> None:
    graph = graph_of(
        {
            "a.js": "exports.cast = function cast() {};\n",
            "use.js": "const cast = require('./a').cast;\nfunction run() {\n  cast();\n}\n",
        }
    )
    assert edges(graph) == {("use.js:run", "a.js:cast", "resolved")}


def test_a_member_of_a_prototype_is_no_bare_name() -> None:
    graph = graph_of(
        {
            "clone.js": "module.exports = function clone() {};\n",
            "schema.js": "const clone = require('./clone');\nfunction Schema() {}\n"
            "Schema.prototype.clone = function() {\n  clone();\n  this.add();\n};\n"
            "Schema.prototype.add = function() {};\n",
        }
    )
    found = edges(graph)
    assert ("schema.js:Schema.clone", "clone.js:clone", "resolved") in found
    assert ("schema.js:Schema.clone", "schema.js:Schema.add", "resolved") in found
    assert ("schema.js:Schema.clone", "schema.js:Schema.clone", "resolved") not in found


def test_a_member_of_an_object_literal_is_no_bare_name() -> None:
    graph = graph_of({"a.js": "const table = {\n  get: function() {},\n};\nfunction run() {\n  get();\n}\n"})
    assert edges(graph) == set()


def test_calls_belong_to_the_overload_that_makes_them() -> None:
    source = (
        "class A {\n  void f(int a) {\n    g();\n  }\n  void f(int a, int b) {\n    h();\n  }\n"
        "  void g() {}\n  void h() {}\n}\n"
    )
    assert lines(graph_of({"A.java": source})) == {("A.java:A.f", 2, 8), ("A.java:A.f", 5, 9)}


def test_an_inherited_overload_that_takes_as_many_arguments() -> None:
    source = (
        "class Base {\n  void f(int a, int b) {}\n}\nclass A extends Base {\n  void f(int a) {}\n}\n"
        "class B {\n  void run() {\n    new A().f(1, 2);\n  }\n}\n"
    )
    assert ("A.java:B.run", "A.java:Base.f", "resolved") in edges(graph_of({"A.java": source}))


def test_an_overload_of_types_is_not_what_runs() -> None:
    source = (
        "from typing import overload\n\n\n@overload\ndef f(a: int) -> int: ...\n@overload\n"
        "def f(a: str) -> str: ...\ndef f(a):\n    return a\n\n\ndef run():\n    f(1)\n"
    )
    assert lines(graph_of({"a.py": source})) == {("a.py:run", 12, 8)}


def test_a_constant_of_an_enum_is_one() -> None:
    source = (
        "enum Color {\n  RED;\n  String code() { return null; }\n}\n"
        "class A {\n  void run() {\n    Color.RED.code();\n  }\n}\n"
    )
    assert ("A.java:A.run", "A.java:Color.code", "resolved") in edges(graph_of({"A.java": source}))


@pytest.mark.parametrize("hidden", ["#define free(p) other(p)\n", "static void free(void *p) {}\n"])
def test_what_only_its_own_c_file_sees_is_not_meant_elsewhere(hidden: str) -> None:
    use = "void run(void) {\n  free(0);\n}\n"
    assert edges(graph_of({"a.c": hidden, "b.c": use})) == set()
    assert ("b.c:run", "b.c:free", "resolved") in edges(graph_of({"b.c": hidden + use}))
    header = graph_of({"a.h": hidden, "b.c": '#include "a.h"\n' + use})
    assert ("b.c:run", "a.h:free", "resolved") in edges(header)


def test_a_static_function_of_another_file_stays_a_name() -> None:
    graph = graph_of({"a.c": "static void tidy(void) {}\n", "b.c": "void run(void) {\n  tidy();\n}\n"})
    assert {confidence for _, confidence in names(graph, "tidy")} <= {"unresolved", "ambiguous"}


def test_a_package_of_go_is_called_what_it_declares_whatever_its_path_ends_with() -> None:
    use = (
        'package app\n\nimport (\n\t"example.org/chi/v5"\n\t"gopkg.in/yaml.v3"\n)\n\n'
        "func run() {\n\tchi.Param()\n\tyaml.Load()\n}\n"
    )
    own = "package chi\n\ntype Context struct{}\n\nfunc Param() {}\nfunc (c *Context) Param() {}\n"
    other = "package load\n\ntype Loader struct{}\n\nfunc (l *Loader) Load() {}\n"
    files = {"chi.go": own, "app/app.go": use, "load/load.go": other}
    graph = graph_of(files, {"go.mod": "module example.org/chi/v5\n"})
    assert {edge for edge in edges(graph) if edge[0] == "app/app.go:run"} == {
        ("app/app.go:run", "chi.go:Param", "resolved")
    }
