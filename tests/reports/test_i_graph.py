"""Field reports about the graph: strangers of the same name, lost callers, doubled edges, workspaces."""

from __future__ import annotations

from collections import Counter

from tests.graph.world import edges, graph_of, names


def test_i1_a_call_into_a_library_is_not_bound_to_a_stranger_of_the_same_name() -> None:
    graph = graph_of(
        {
            "Parser.cs": "namespace App;\n\npublic class Parser\n{\n    public bool TryParse(string s) => true;\n}\n",
            "Use.cs": "namespace App;\n\npublic class Use\n{\n    public void Run()\n    {\n"
            '        int.TryParse("1", out var x);\n    }\n}\n',
        }
    )
    assert not [edge for edge in edges(graph) if edge[2] != "ambiguous"]


def test_i1_python_and_typescript_library_calls_stay_names() -> None:
    graph = graph_of(
        {
            "app.py": "class Loader:\n    def loads(self):\n        pass\n",
            "use.py": "import json\n\n\ndef run():\n    json.loads('1')\n",
            "app.ts": "export class Loader { parse() { return 1; } }\n",
            "use.ts": "export function run() { return JSON.parse('1'); }\n",
        }
    )
    assert edges(graph) == set()


def test_i2_an_ambiguous_call_is_kept_apart_and_not_dropped() -> None:
    graph = graph_of(
        {
            "a.py": "class One:\n    def refresh(self):\n        pass\n",
            "b.py": "class Two:\n    def refresh(self):\n        pass\n",
            "c.py": "def run(thing):\n    thing.refresh()\n",
        }
    )
    assert edges(graph) == set()
    assert names(graph, "refresh") == {("c.py:run", "ambiguous")}


def test_i4_no_edge_is_there_twice_and_none_falls_back_on_the_whole_repository() -> None:
    graph = graph_of(
        {
            "a.py": "def helper():\n    pass\n\n\ndef work():\n    helper(); helper()\n",
            "b.py": "def other():\n    helper()\n",
        }
    )
    rows = Counter(
        (edge.source, edge.target, edge.kind, edge.line)
        for number in range(len(graph))
        for edge in graph.outgoing(number)
    )
    assert max(rows.values()) == 1
    assert edges(graph) == {("a.py:work", "a.py:helper", "resolved")}


def test_i6_a_package_of_the_workspace_is_found_by_its_name() -> None:
    manifests = {
        "package.json": '{"name": "root", "workspaces": ["packages/*"]}',
        "packages/core/package.json": '{"name": "@scope/core", "main": "src/index.ts"}',
        "packages/app/package.json": '{"name": "@scope/app"}',
    }
    graph = graph_of(
        {
            **manifests,
            "packages/core/src/index.ts": "export function start() { return 1; }\n",
            "packages/app/src/main.ts": "import { start } from '@scope/core';\n"
            "export function run() { return start(); }\n",
        },
        manifests,
    )
    assert ("packages/app/src/main.ts:run", "packages/core/src/index.ts:start", "resolved") in edges(graph)
