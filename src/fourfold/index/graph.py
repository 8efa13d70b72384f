"""The graph of a generation: built from what the index knows of each file, kept beside the index until that changes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fourfold.graph.build import GRAPH_VERSION, build_graph
from fourfold.graph.facts import FileFacts
from fourfold.graph.graph import Graph
from fourfold.graph.modules.manifest import MANIFEST_NAMES
from fourfold.index.knowledge import unpack
from fourfold.model.errors import IndexDamaged

if TYPE_CHECKING:
    from fourfold.store.local.snapshot import LocalSnapshot

NAME = f"graph{GRAPH_VERSION}"


def graph_of(snapshot: LocalSnapshot) -> Graph:
    """The graph of a snapshot, read where it is kept, else built and kept (a few seconds for 500,000 lines)."""
    kept = snapshot.derived(NAME)
    paths = sorted(path for path in snapshot.file_paths() if path)
    if kept is not None and len(kept["file.base"]) == len(paths) + 1:
        return Graph(kept, paths)
    arrays = build_graph(collect(snapshot, paths), manifests_of(snapshot, paths))
    snapshot.put_derived(NAME, arrays)
    return Graph(arrays, paths)


def collect(snapshot: LocalSnapshot, paths: list[str]) -> list[FileFacts]:
    """What the graph is built from, by path."""
    languages = dict(zip(snapshot.file_paths(), snapshot.file_languages(), strict=True))
    symbols = snapshot.symbols()
    facts = dict(snapshot.facts())
    if not facts.keys() >= set(paths):
        raise IndexDamaged("the index has lost files that it lists")
    files = []
    for path in paths:
        known = unpack(path, facts[path])
        files.append(FileFacts(path, languages[path], tuple(known.detailed(symbols.get(path, ()))), known.facts))
    return files


def manifests_of(snapshot: LocalSnapshot, paths: list[str]) -> dict[str, str]:
    """Texts of the package manifests of a repository by path."""
    wanted = [path for path in paths if path.rpartition("/")[2] in MANIFEST_NAMES]
    return dict(snapshot.texts(wanted))
