"""After any edits the graph of an index that was refreshed equals the graph of one built anew."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.built import Built
from tests.graph.world import facts_of

from fourfold.graph.build import GraphBuilder, build_graph
from fourfold.index.graph import graph_of

NAMES = ("alpha", "beta", "gamma")
PATHS = ("a.py", "pkg/__init__.py", "pkg/b.py", "c.ts")


@st.composite
def sources(draw: st.DrawFn) -> str:
    """A small file that defines, imports and calls some of a few names."""
    lines = [
        draw(st.sampled_from(("from pkg.b import *", "from a import alpha", "from .b import beta", "import pkg.b", "")))
    ]
    for name in draw(st.lists(st.sampled_from(NAMES), max_size=3, unique=True)):
        called = draw(st.sampled_from(NAMES))
        lines.append(f"def {name}():\n    {called}()\n")
    if draw(st.booleans()):
        lines.append(f"class Box:\n    def {draw(st.sampled_from(NAMES))}(self):\n        self.alpha()\n")
    return "\n".join(lines) + "\n"


EDITS = st.lists(st.tuples(st.sampled_from(PATHS), st.one_of(st.none(), sources())), min_size=1, max_size=3)


BODIES = st.lists(
    st.tuples(st.sampled_from(PATHS), st.lists(st.sampled_from(NAMES), min_size=1, max_size=3)), min_size=1, max_size=4
)


@settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
@given(start=st.fixed_dictionaries({path: sources() for path in PATHS}), rounds=BODIES)
def test_calls_added_inside_of_functions_are_taken_in_file_by_file(
    start: dict[str, str], rounds: list[tuple[str, list[str]]]
) -> None:
    """Lines move, calls come and go, and no file but the edited one is resolved again."""
    current = {path: text for path, text in start.items() if path.endswith(".py")}
    builder = GraphBuilder(facts_of(current), {})
    for path, called in rounds:
        if path not in current:
            continue
        lines = current[path].split("\n")
        at = next((row for row, line in enumerate(lines) if line.startswith("def ")), None)
        if at is None:
            continue
        lines[at + 1 : at + 1] = [f"    held = {called[0]}()", *(f"    {name}()" for name in called), "    held.beta()"]
        current[path] = "\n".join(lines)
        (file,) = [one for one in facts_of(current) if one.path == path]
        assert builder.replace(file)
        anew = build_graph(facts_of(current), {})
        now = builder.arrays()
        assert now.keys() == anew.keys()
        for name, array in anew.items():
            assert np.array_equal(now[name], array), name


def test_what_others_may_see_is_not_taken_in_alone() -> None:
    texts = {"a.py": "def alpha():\n    pass\n", "b.py": "from a import alpha\n\n\ndef beta():\n    alpha()\n"}
    for changed in (
        "def alpha(x):\n    pass\n",
        "def gamma():\n    pass\n",
        "import b\n\ndef alpha():\n    pass\n",
        "",
    ):
        builder = GraphBuilder(facts_of(texts), {})
        (file,) = [one for one in facts_of({"a.py": changed}) if one.path == "a.py"]
        assert not builder.replace(file)
    assert not GraphBuilder(facts_of(texts), {}).replace(replace(facts_of(texts)[0], path="c.py"))


def test_a_process_that_has_built_a_graph_resolves_the_edited_file_alone(tmp_path: Path, monkeypatch) -> None:
    resolved = []
    real = GraphBuilder._resolved
    monkeypatch.setattr(GraphBuilder, "_resolved", lambda self, number: resolved.append(number) or real(self, number))
    texts = {"a.py": "def alpha():\n    pass\n", "b.py": "from a import alpha\n\n\ndef beta():\n    alpha()\n"}
    with Built(tmp_path, model="none") as built:
        built.write(texts)
        graph_of(built.snapshot)
        assert resolved == [0, 1]
        built.write({"b.py": texts["b.py"] + "    alpha()\n    beta()\n"})
        graph = graph_of(built.snapshot)
        assert resolved == [0, 1, 1]
        assert len(graph.incoming(graph.find("b.py", "beta", 4), ("calls",))) == 1
        assert graph.communities.tolist() == graph_of(built.snapshot).communities.tolist()


@settings(max_examples=12, deadline=None, suppress_health_check=list(HealthCheck))
@given(rounds=st.lists(EDITS, min_size=2, max_size=3))
def test_edits_leave_the_graph_that_a_fresh_index_has(rounds: list[list[tuple[str, str | None]]]) -> None:
    with TemporaryDirectory() as folder, Built(Path(folder) / "edited", model="none") as edited:
        current: dict[str, str] = {}
        for edits in rounds:
            written, removed = {}, set()
            for path, text in edits:
                written.pop(path, None)
                removed.discard(path)
                if text is not None:
                    written[path] = text
                elif path in current:
                    removed.add(path)
            edited.write(written, tuple(removed))
            current = {path: text for path, text in current.items() if path not in removed} | written
            incremental = graph_of(edited.snapshot)
        with Built(Path(folder) / "fresh", model="none") as fresh:
            fresh.write(current)
            anew = graph_of(fresh.snapshot)
            assert incremental.paths == anew.paths
            assert incremental._arrays.keys() == anew._arrays.keys()
            for name, array in anew._arrays.items():
                assert np.array_equal(np.asarray(incremental._arrays[name]), np.asarray(array)), name
