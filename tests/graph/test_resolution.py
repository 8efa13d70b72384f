"""Who is meant by a reference: scope, imports, receivers, inheritance, and what is never guessed."""

from __future__ import annotations

import pytest
from tests.graph.world import edges, graph_of, names

PKG = {"pkg/__init__.py": ""}


def test_a_name_of_the_own_file_is_resolved() -> None:
    graph = graph_of({"a.py": "def helper():\n    pass\n\n\ndef work():\n    helper()\n"})
    assert edges(graph) == {("a.py:work", "a.py:helper", "resolved")}


def test_an_inner_function_hides_the_outer_one() -> None:
    graph = graph_of(
        {"a.py": "def helper():\n    pass\n\n\ndef work():\n    def helper():\n        pass\n\n    helper()\n"}
    )
    assert edges(graph) == {("a.py:work", "a.py:work.helper", "resolved")}


def test_a_method_is_no_bare_name() -> None:
    graph = graph_of(
        {"a.py": "class Box:\n    def close(self):\n        pass\n\n    def use(self):\n        close()\n"}
    )
    assert edges(graph) == set()


def test_an_import_under_another_name() -> None:
    graph = graph_of(
        {
            **PKG,
            "pkg/net.py": "def connect():\n    pass\n",
            "main.py": "from pkg.net import connect as dial\n\n\ndef run():\n    dial()\n",
        }
    )
    assert edges(graph) == {("main.py:run", "pkg/net.py:connect", "resolved")}


def test_a_module_under_another_name() -> None:
    graph = graph_of(
        {
            **PKG,
            "pkg/net.py": "def connect():\n    pass\n",
            "main.py": "import pkg.net as wire\n\n\ndef run():\n    wire.connect()\n",
        }
    )
    assert edges(graph) == {("main.py:run", "pkg/net.py:connect", "resolved")}


def test_a_name_that_a_package_passes_on() -> None:
    graph = graph_of(
        {
            "pkg/__init__.py": "from .net import connect\n",
            "pkg/net.py": "def connect():\n    pass\n",
            "main.py": "from pkg import connect\n\n\ndef run():\n    connect()\n",
        }
    )
    assert ("main.py:run", "pkg/net.py:connect", "resolved") in edges(graph)
    assert ("main.py", "pkg/net.py:connect", "resolved") in edges(graph, "imports")


def test_relative_imports_of_python() -> None:
    graph = graph_of(
        {
            **PKG,
            "pkg/sub/__init__.py": "",
            "pkg/util.py": "def clean():\n    pass\n",
            "pkg/sub/work.py": "from ..util import clean\nfrom .. import util\n\n\n"
            "def run():\n    clean()\n    util.clean()\n",
        }
    )
    assert edges(graph) == {("pkg/sub/work.py:run", "pkg/util.py:clean", "resolved")}


def test_relative_and_index_imports_of_typescript() -> None:
    graph = graph_of(
        {
            "src/lib/index.ts": "export * from './parse';\n",
            "src/lib/parse.ts": "export function parse(text: string): string { return text; }\n",
            "src/main.ts": "import { parse as read } from './lib';\nexport function run() { return read('x'); }\n",
        }
    )
    assert ("src/main.ts:run", "src/lib/parse.ts:parse", "resolved") in edges(graph)


RECEIVERS = """class Client:
    def send(self):
        pass


class Queue:
    def send(self):
        pass


class Service:
    def __init__(self):
        self.client = Client()

    def by_self(self):
        self.by_field()

    def by_field(self):
        self.client.send()


def by_constructor():
    client = Client()
    client.send()


def by_annotation(queue: Queue):
    queue.send()


def by_nothing(thing):
    thing.send()
"""


def test_receivers_of_known_type() -> None:
    calls = edges(graph_of({"a.py": RECEIVERS}))
    assert ("a.py:Service.by_self", "a.py:Service.by_field", "resolved") in calls
    assert ("a.py:Service.by_field", "a.py:Client.send", "resolved") in calls
    assert ("a.py:by_constructor", "a.py:Client.send", "resolved") in calls
    assert ("a.py:by_annotation", "a.py:Queue.send", "resolved") in calls


def test_an_unknown_receiver_of_two_methods_stays_ambiguous_and_is_kept() -> None:
    graph = graph_of({"a.py": RECEIVERS})
    assert not [edge for edge in edges(graph) if edge[0] == "a.py:by_nothing"]
    assert names(graph, "send") == {("a.py:by_nothing", "ambiguous")}


def test_an_unknown_receiver_of_the_only_method_is_unique() -> None:
    graph = graph_of(
        {"a.py": "class Client:\n    def transmit(self):\n        pass\n\n\ndef work(thing):\n    thing.transmit()\n"}
    )
    assert edges(graph) == {("a.py:work", "a.py:Client.transmit", "unique")}


INHERITANCE = {
    "base.py": "class Base:\n    def save(self):\n        pass\n\n    def load(self):\n        pass\n",
    "child.py": """from base import Base


class Child(Base):
    def save(self):
        super().save()
        self.load()
""",
}


def test_inherited_methods_super_and_overrides() -> None:
    graph = graph_of(INHERITANCE)
    assert edges(graph, "inherits") == {("child.py:Child", "base.py:Base", "resolved")}
    assert edges(graph) == {
        ("child.py:Child.save", "base.py:Base.save", "resolved"),
        ("child.py:Child.save", "base.py:Base.load", "resolved"),
    }
    assert edges(graph, "overrides") == {("child.py:Child.save", "base.py:Base.save", "resolved")}


def test_a_class_that_inherits_from_itself_through_another_ends() -> None:
    graph = graph_of({"a.py": "class A(B):\n    pass\n\n\nclass B(A):\n    def go(self):\n        self.stop()\n"})
    assert len(edges(graph, "inherits")) == 2


@pytest.mark.parametrize("module", ["os", "requests", "numpy.linalg"])
def test_what_is_imported_from_elsewhere_is_never_bound(module: str) -> None:
    head = module.partition(".")[0]
    graph = graph_of(
        {
            "a.py": "class Paths:\n    def only_here(self):\n        pass\n",
            "b.py": f"import {module}\n\n\ndef work():\n    {head}.only_here()\n    {module}.only_here()\n",
        }
    )
    assert edges(graph) == set()


def test_a_test_calls_its_subject() -> None:
    graph = graph_of(
        {
            "pkg/__init__.py": "",
            "pkg/core.py": "def work():\n    pass\n",
            "tests/test_core.py": "from pkg.core import work\n\n\ndef test_work():\n    work()\n",
        }
    )
    assert edges(graph) == {("tests/test_core.py:test_work", "pkg/core.py:work", "resolved")}


def test_go_packages_and_methods() -> None:
    graph = graph_of(
        {
            "go.mod": "module example.org/app\n",
            "store/store.go": "package store\n\ntype Store struct{}\n\nfunc (s *Store) Save() { s.flush() }\n\n"
            "func (s *Store) flush() {}\n\nfunc Open() *Store { return &Store{} }\n",
            "main.go": 'package main\n\nimport "example.org/app/store"\n\nfunc main() {\n\tstore.Open()\n}\n',
        },
        {"go.mod": "module example.org/app\n"},
    )
    calls = edges(graph)
    assert ("main.go:main", "store/store.go:Open", "resolved") in calls
    assert ("store/store.go:Store.Save", "store/store.go:Store.flush", "resolved") in calls


def test_java_fields_packages_and_inheritance() -> None:
    graph = graph_of(
        {
            "src/org/a/Repo.java": "package org.a;\n\npublic class Repo {\n  public void save() {}\n}\n",
            "src/org/b/Service.java": "package org.b;\n\nimport org.a.Repo;\n\npublic class Service extends Base {\n"
            "  private Repo repo;\n  void run() { repo.save(); check(); }\n}\n",
            "src/org/b/Base.java": "package org.b;\n\nclass Base {\n  void check() {}\n}\n",
        }
    )
    calls = edges(graph)
    assert ("src/org/b/Service.java:Service.run", "src/org/a/Repo.java:Repo.save", "resolved") in calls
    assert ("src/org/b/Service.java:Service.run", "src/org/b/Base.java:Base.check", "resolved") in calls
    assert ("src/org/b/Service.java:Service", "src/org/b/Base.java:Base", "resolved") in edges(graph, "inherits")


def test_a_root_that_is_a_package_itself_knows_its_own_name() -> None:
    graph = graph_of(
        {
            "__init__.py": "",
            "db/__init__.py": "",
            "db/net.py": "def connect():\n    pass\n",
            "a.py": "from web.db.net import connect\n\n\ndef run():\n    connect()\n",
            "b.py": "from web.db import net\nfrom other.db import net as stranger\n\n\n"
            "def run():\n    net.connect()\n    stranger.connect()\n",
            "c.py": "import web.db.net\n",
        }
    )
    assert edges(graph) == {
        ("a.py:run", "db/net.py:connect", "resolved"),
        ("b.py:run", "db/net.py:connect", "resolved"),
    }
    assert len(edges(graph)) == 2
    assert names(graph, "connect") == {("b.py:run", "unresolved")}


def test_packages_that_import_all_of_each_other_are_asked_once() -> None:
    count = 9
    files = {}
    for own in range(count):
        imports = "".join(f"import p{other}.*\n" for other in range(count) if other != own)
        files[f"p{own}/f.kt"] = f"package p{own}\n\n{imports}\nfun w{own}() {{ missing() }}\n"
        stars = "".join(f"from .m{other} import *\n" for other in range(count) if other != own)
        files[f"pkg/m{own}.py"] = f"{stars}\ndef f{own}():\n    missing()\n    last()\n"
    files["pkg/__init__.py"] = ""
    files[f"pkg/m{count}.py"] = "def last():\n    pass\n"
    files["pkg/m0.py"] += "\nfrom .m9 import *\n"
    found = edges(graph_of(files))
    assert found == {(f"pkg/m{own}.py:f{own}", "pkg/m9.py:last", "resolved") for own in range(count)}


def test_a_type_that_nothing_here_defines_is_foreign() -> None:
    graph = graph_of(
        {
            "Tool.java": "package a;\nclass Tool {\n  static int parseInt(String s) { return 1; }\n}\n",
            "Use.java": 'package b;\nclass Use {\n  int run() { return Integer.parseInt("1"); }\n}\n',
            "calc.ts": "export class Calc {\n  clamp(x: number) { return x }\n}\n",
            "use.ts": "export function run() {\n  return Math.clamp(1)\n}\n",
        }
    )
    assert edges(graph) == set()
    assert names(graph, "parseInt") == {("Use.java:Use.run", "unresolved")}


@pytest.mark.parametrize(
    ("call", "confidence"),
    [
        ("Country.objects.bulk_create(1)", "ambiguous"),
        ("Country.objects.filter(a=b.c).bulk_create(1)", "ambiguous"),
        ("Country.objects[0].bulk_create(1)", "ambiguous"),
        ("Thing.objects.bulk_create(1)", "ambiguous"),
        ("lib.Thing.objects.bulk_create(1)", "ambiguous"),
        ("session.rows.bulk_create(1)", "ambiguous"),
        ("made.bulk_create(1)", "ambiguous"),
        ("Country.objects.append(1)", "ambiguous"),
        ("Thing.bulk_create(1)", "unresolved"),
        ("os.path.bulk_create(1)", "unresolved"),
        ("lib.part.bulk_create(1)", "unresolved"),
        ("partial.rows.bulk_create(1)", "unresolved"),
    ],
)
def test_what_hangs_from_a_known_class_or_an_imported_name_is_kept(call: str, confidence: str) -> None:
    graph = graph_of(
        {
            "models.py": "class Rows:\n    def bulk_create(self, rows):\n        pass\n\n"
            "    def append(self, row):\n        pass\n\n\nclass Country:\n    pass\n",
            "use.py": "import os\nfrom functools import partial\n\nimport lib\nfrom lib import Thing, session\n"
            f"from models import Country\n\n\n@lib.cached\ndef made():\n    pass\n\n\ndef work(b):\n    {call}\n",
        }
    )
    name = call.partition("(1)")[0].rpartition(".")[2]
    assert not [edge for edge in edges(graph) if edge[1].endswith(name)]
    assert names(graph, name) == {("use.py:work", confidence)}


def test_a_variable_with_a_capital_is_no_foreign_type() -> None:
    graph = graph_of(
        {
            "a.py": "class Rows:\n    def reduce_rows(self):\n        pass\n\n\n"
            "def fit(self, X):\n    X.reduce_rows()\n\n\ndef other():\n    Y.reduce_rows()\n"
        }
    )
    assert edges(graph) == {("a.py:fit", "a.py:Rows.reduce_rows", "unique")}
    assert names(graph, "reduce_rows") == {("a.py:other", "unresolved")}


@pytest.mark.parametrize(
    ("path", "source"),
    [
        ("Use.java", "package a;\nclass Use {\n  void run() { Country.OBJECTS.bulkCreate(1); }\n}\n"),
        ("use.ts", "import { Country } from './country';\nexport function run() { Country.objects.bulkCreate(1) }\n"),
        ("use.ts", "import { Thing } from 'lib';\nexport function run() { Thing.objects.bulkCreate(1) }\n"),
        ("use.kt", "package a\nfun run() { Country.objects.bulkCreate(1) }\n"),
        ("use.rb", "def run\n  Country.objects.bulkCreate(1)\nend\n"),
    ],
)
def test_other_languages_keep_it_too(path: str, source: str) -> None:
    graph = graph_of(
        {
            path: source,
            "Rows.java": "package a;\nclass Rows { void bulkCreate(int rows) {} }\n",
            "Country.java": "package a;\nclass Country { }\n",
            "country.ts": "export class Country { }\nexport class Rows { bulkCreate(n: number) { } }\n",
            "rows.kt": "package b\nclass Rows { fun bulkCreate(n: Int) { } }\n",
            "rows.rb": "class Country\nend\nclass Rows\n  def bulkCreate(n)\n  end\nend\n",
        }
    )
    assert {confidence for _, confidence in names(graph, "bulkCreate")} == {"ambiguous"}


def test_exports_lead_from_what_is_built_to_its_source() -> None:
    manifest = """{"name": "@own/core", "exports": {".": "./dist/index.mjs",
        "./ast": {"import": {"types": "./dist/exports/ast.d.mts", "default": "./dist/exports/ast.mjs"}},
        "./part/*": "./dist/parts/*.mjs"}}"""
    graph = graph_of(
        {
            "core/src/exports/ast.ts": "export * from '../ast/types';\n",
            "core/src/ast/types.ts": "export interface Adapter { run(): void }\n",
            "core/src/parts/one.ts": "export interface Part { }\n",
            "app/a.ts": "import type { Adapter } from '@own/core/ast';\nimport { Part } from '@own/core/part/one';\n"
            "class Own implements Adapter { run() {} }\nclass Two implements Part { }\n",
        },
        {"core/package.json": manifest},
    )
    assert edges(graph, "inherits") == {
        ("app/a.ts:Own", "core/src/ast/types.ts:Adapter", "resolved"),
        ("app/a.ts:Two", "core/src/parts/one.ts:Part", "resolved"),
    }


@pytest.mark.parametrize("module", ["@own/core/nowhere", "./missing", "./empty"])
def test_a_name_of_an_own_module_that_is_not_found_is_possible(module: str) -> None:
    graph = graph_of(
        {
            "core/src/types.ts": "export interface Adapter { run(): void }\n",
            "app/empty.ts": "export const one = 1;\n",
            "app/a.ts": f"import type {{ Adapter }} from '{module}';\nclass Own implements Adapter {{ run() {{}} }}\n",
        },
        {"core/package.json": '{"name": "@own/core"}'},
    )
    assert edges(graph, "inherits") == set()
    assert ("app/a.ts:Own", "ambiguous") in names(graph, "Adapter")


def test_a_name_that_an_own_module_has_from_a_library_is_foreign() -> None:
    graph = graph_of(
        {
            "app/compat.ts": "import { Adapter } from 'library';\nexport { Adapter };\n",
            "app/a.ts": "import { Adapter } from './compat';\nclass Own implements Adapter { }\n",
            "core/types.ts": "export interface Adapter { }\n",
        }
    )
    assert edges(graph, "inherits") == set()
    assert {confidence for _, confidence in names(graph, "Adapter")} <= {"unresolved"}
