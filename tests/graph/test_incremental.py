"""After any edits the graph of an index that was refreshed equals the graph of one built anew."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.built import Built

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
