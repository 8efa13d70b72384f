"""An index of a compiler beside the source: read without trust, precise where the source agrees."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.graph.world import edges, facts_of, names

from fourfold import Index
from fourfold.config.load import load_settings
from fourfold.graph.build import build_graph
from fourfold.graph.graph import Graph
from fourfold.graph.scip import Scip, ScipError, read_scip, symbol_name
from fourfold.index import scip_file as files

ONE, TWO = "py app 1 `one.py`/One#save().", "py app 1 `two.py`/Two#save()."
SOURCE = {
    "one.py": "class One:\n    def save(self):\n        pass\n",
    "two.py": "class Two:\n    def save(self):\n        pass\n",
    "use.py": "def run(thing):\n    thing.save()\n\n\ndef other(thing):\n    thing.save()\n",
}


def varint(number: int) -> bytes:
    out = b""
    while number > 127:
        out, number = out + bytes([number & 127 | 128]), number >> 7
    return out + bytes([number])


def held(number: int, data: bytes | str) -> bytes:
    raw = data.encode() if isinstance(data, str) else data
    return varint(number << 3 | 2) + varint(len(raw)) + raw


def counted(number: int, value: int) -> bytes:
    return varint(number << 3) + varint(value)


def occurrence(line: int, symbol: str, roles: int = 0) -> bytes:
    """`line` counts from 1."""
    return held(2, held(1, varint(line - 1) + varint(4) + varint(8)) + held(2, symbol) + counted(3, roles))


def implementing(symbol: str, other: str) -> bytes:
    return held(3, held(1, symbol) + held(4, held(1, other) + counted(3, 1)))


def index(documents: dict[str, Iterable[bytes]]) -> bytes:
    meta = held(1, held(3, "file:///somewhere"))
    return meta + b"".join(held(2, held(1, path) + b"".join(parts)) for path, parts in documents.items())


def usual() -> bytes:
    return index(
        {
            "one.py": [occurrence(2, ONE, 1)],
            "two.py": [occurrence(2, TWO, 1), implementing(TWO, ONE)],
            "use.py": [occurrence(2, TWO), occurrence(6, "py lib 2 `x.py`/X#save().")],
        }
    )


def graph_with(data: bytes, source: dict[str, str] = SOURCE) -> Graph:
    return Graph(build_graph(facts_of(source), {}, read_scip(data)), sorted(source))


def test_the_index_says_whose_method_is_called() -> None:
    without = Graph(build_graph(facts_of(SOURCE), {}), sorted(SOURCE))
    assert names(without, "save") == {("use.py:run", "ambiguous"), ("use.py:other", "ambiguous")}
    graph = graph_with(usual())
    assert ("use.py:run", "two.py:Two.save", "resolved") in edges(graph)
    assert names(graph, "save") == {("use.py:other", "unresolved")}
    assert edges(graph, "overrides") == {("two.py:Two.save", "one.py:One.save", "resolved")}


def test_what_the_source_does_not_hold_is_not_believed() -> None:
    stale = {**SOURCE, "use.py": "\n" + SOURCE["use.py"]}
    assert edges(graph_with(usual(), stale)) == set()
    gone = {**SOURCE, "two.py": "class Two:\n    pass\n"}
    assert ("use.py:run", "one.py:One.save") not in {
        edge[:2] for edge in edges(graph_with(usual(), gone)) if edge[2] == "resolved"
    }


@pytest.mark.parametrize("path", ["/etc/passwd", "../out.py", "a/../../out.py", "a\\..\\b.py", ""])
def test_paths_outside_are_left_out(path: str) -> None:
    found = read_scip(index({path: [occurrence(1, ONE, 1), occurrence(2, TWO)], "in.py": [occurrence(1, ONE, 1)]}))
    assert found == Scip({ONE: [("in.py", 1)]})


@pytest.mark.parametrize("data", [b"", b"\xff" * 40, b"not an index at all", held(2, held(1, "a.py")), usual()[:-3]])
def test_garbage_is_refused_with_a_sentence(data: bytes) -> None:
    with pytest.raises(ScipError, match=r"no SCIP index|names no symbol"):
        read_scip(data)


@settings(max_examples=200, deadline=None)
@given(data=st.binary(max_size=300), place=st.integers(0, 300))
def test_any_bytes_are_read_or_refused(data: bytes, place: int) -> None:
    for tried in (data, usual()[:place] + data, usual()[:place] + data + usual()[place + len(data) :]):
        try:
            graph_with(tried)
        except ScipError as error:
            assert str(error)


@pytest.mark.parametrize(
    ("symbol", "name"),
    [
        (ONE, "save"),
        ("x . . . pkg/Type#", "Type"),
        ("x . . . pkg/run(+1).", "run"),
        ("x . . . `a b`/`odd name`.", "odd name"),
        ("x . . . m/vec!", "vec"),
        ("", ""),
        ("local 3", ""),
    ],
)
def test_names_of_symbols(symbol: str, name: str) -> None:
    assert symbol_name(symbol) == name


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("FOURFOLD_CACHE_DIR", str(tmp_path / "cache"))
    root = tmp_path / "project"
    root.mkdir()
    for name, text in SOURCE.items():
        (root / name).write_text(text)
    return root


def callers(opened: Index) -> tuple[list[str], str]:
    found = opened.usages("Two.save")
    return [item.symbol for item in found.items], found.meta.degraded or ""


def test_an_index_that_comes_changes_and_goes_is_noticed(project: Path) -> None:
    with Index.open(project) as opened:
        assert callers(opened) == ([], "")
        (project / "index.scip").write_bytes(usual())
        assert callers(opened) == (["run"], "")
        (project / "use.py").write_text(SOURCE["use.py"] + "\n\ndef third(thing):\n    thing.save()\n")
        assert callers(opened) == (["run"], "")
        (project / "index.scip").write_bytes(b"garbage")
        assert callers(opened) == ([], "index.scip is ignored: it is no SCIP index")
        (project / "index.scip").unlink()
        assert callers(opened) == ([], "")


def test_a_link_out_of_the_project_and_a_large_file_are_refused(
    project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "outside").write_bytes(usual())
    (project / "index.scip").symlink_to(tmp_path / "outside")
    with Index.open(project) as opened:
        assert callers(opened) == ([], "index.scip is ignored: it lies outside of the project")
        (project / "index.scip").unlink()
        (project / "index.scip").write_bytes(usual())
        monkeypatch.setattr(files, "MAX_BYTES", 10)
        assert callers(opened)[1].startswith("index.scip is ignored: it is larger than")


def test_the_settings_may_name_another_file_or_none(project: Path) -> None:
    (project / "other.scip").write_bytes(usual())
    with Index.open(project, settings=load_settings(None, {"index.scip": "other.scip"}).settings) as opened:
        assert callers(opened) == (["run"], "")
    (project / "index.scip").write_bytes(usual())
    with Index.open(project, settings=load_settings(None, {"index.scip": "none"}).settings) as opened:
        assert callers(opened) == ([], "")
    with Index.open(project, settings=load_settings(None, {"index.scip": "gone.scip"}).settings) as opened:
        assert callers(opened) == ([], "gone.scip is ignored: there is no such file")
