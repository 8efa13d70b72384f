"""Walks over the graph: what a change reaches, in how many steps, and how surely."""

from __future__ import annotations

from tests.graph.world import graph_of, label

from fourfold.graph.facts import CONFIDENCES
from fourfold.graph.graph import Graph
from fourfold.graph.traverse import affected, impact, needed, path_between, seeds_of

CHAIN = {
    "a.py": """def bottom():
    pass


def middle():
    bottom()


def top():
    middle()
    bottom()


def loop():
    top()
    loop()
""",
}


def node(graph: Graph, name: str, path: str = "a.py") -> int:
    return next(number for number in graph.nodes_of(path) if graph.name(number) == name)


def reached(graph: Graph, name: str, depth: int) -> list[tuple[str, int, str]]:
    walk = impact(graph, [node(graph, name)], depth)
    return [(graph.name(one.node), one.depth, CONFIDENCES[one.confidence]) for one in walk]


def test_impact_by_depth() -> None:
    graph = graph_of(CHAIN)
    assert reached(graph, "bottom", 1) == [("middle", 1, "resolved"), ("top", 1, "resolved")]
    assert reached(graph, "bottom", 3)[-1] == ("loop", 2, "resolved")
    assert reached(graph, "loop", 5) == []


def test_dependencies_go_the_other_way() -> None:
    graph = graph_of(CHAIN)
    walk = needed(graph, [node(graph, "loop")], 2).reached(graph)
    assert [(graph.name(one.node), one.depth) for one in walk] == [("top", 1), ("bottom", 2), ("middle", 2)]


def test_the_weakest_step_decides() -> None:
    graph = graph_of(
        {
            "a.py": "class Client:\n    def transmit(self):\n        pass\n\n\n"
            "def guess(thing):\n    thing.transmit()\n\n\ndef caller():\n    guess(1)\n",
        }
    )
    assert reached(graph, "Client.transmit", 2) == [("guess", 1, "unique"), ("caller", 2, "unique")]


def test_who_calls_an_overridden_method_may_reach_the_one_that_overrides_it() -> None:
    graph = graph_of(
        {
            "a.py": "class Base:\n    def go(self):\n        pass\n\n    def run(self):\n        self.go()\n\n\n"
            "class Child(Base):\n    def go(self):\n        pass\n",
        }
    )
    assert ("Base.run", 1, "unique") in reached(graph, "Child.go", 1)


def test_a_type_stands_for_its_members() -> None:
    graph = graph_of(
        {"a.py": "class Box:\n    def open(self):\n        pass\n\n    size = 1\n\n\ndef other():\n    pass\n"}
    )
    assert {graph.name(one) for one in seeds_of(graph, node(graph, "Box"))} == {"Box", "Box.open", "Box.size"}
    assert seeds_of(graph, node(graph, "other")) == [node(graph, "other")]


def test_a_walk_of_nothing_is_empty() -> None:
    graph = graph_of(CHAIN)
    assert len(affected(graph, [], 3)) == 0
    assert impact(graph, [], 3) == []


def test_the_way_between_two_functions() -> None:
    graph = graph_of(CHAIN)
    way = path_between(graph, node(graph, "loop"), node(graph, "bottom"))
    assert [label(graph, edge.target) for edge in way] == ["a.py:top", "a.py:bottom"]
    assert path_between(graph, node(graph, "bottom"), node(graph, "loop")) == []
