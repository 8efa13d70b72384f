"""The graph of a generation: built from what the index knows of each file, kept beside the index until that changes."""

from __future__ import annotations

from functools import partial
from hashlib import blake2b
from threading import Lock
from typing import TYPE_CHECKING, Any

from fourfold.graph.build import GRAPH_VERSION, GraphBuilder
from fourfold.graph.facts import FileFacts
from fourfold.graph.graph import Graph
from fourfold.graph.modules.manifest import MANIFEST_NAMES
from fourfold.graph.scip import ScipError
from fourfold.index.knowledge import unpack
from fourfold.model.errors import IndexDamaged

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from fourfold.graph.scip import Scip
    from fourfold.index.scip_file import ScipFile
    from fourfold.store.local.snapshot import LocalSnapshot

NAME = f"graph{GRAPH_VERSION}"
GROUPS = f"groups{GRAPH_VERSION}"

MOST_CHANGED = 40
"""Files that are looked at one by one; after a change of more all is built anew."""


def graph_of(snapshot: LocalSnapshot) -> Graph:
    """The graph of a snapshot, read where it is kept, else built and kept (a few seconds for 500,000 lines)."""
    return graph_beside(snapshot, None)[0]


def graph_beside(snapshot: LocalSnapshot, scip: ScipFile | None) -> tuple[Graph, str]:
    """The graph of a snapshot, and what is to be said of it ("" where nothing is). `scip` is an index that knows more;
    one that cannot be read is ignored, and that is said.

    A process that built one before builds the next from it: after a change inside of a few files only these are looked
    at again, and the result is the same.
    """
    paths = sorted(path for path in snapshot.file_paths() if path)
    key = scip.key if scip is not None else ""
    kept = snapshot.derived(NAME + key)
    said = ""
    if scip is not None and not _fits(kept, paths):
        try:
            found = scip.read()
        except ScipError as error:
            said, key = f"{scip.path.name} is ignored: {error}", ""
            kept = snapshot.derived(NAME)
        else:
            kept = _LAST.built(snapshot, paths, found, key)
            snapshot.put_derived(NAME + key, kept)
    if kept is None or not _fits(kept, paths):
        kept = _LAST.built(snapshot, paths)
        snapshot.put_derived(NAME, kept)
    return Graph(kept, paths, partial(_communities, snapshot, GROUPS + key)), said


def _fits(kept: Mapping[str, NDArray[Any]] | None, paths: list[str]) -> bool:
    return kept is not None and len(kept["file.base"]) == len(paths) + 1


def _communities(snapshot: LocalSnapshot, name: str, graph: Graph) -> NDArray[Any]:
    """The communities of the graph of a snapshot, kept beside it."""
    kept = snapshot.derived(name)
    if kept is None or len(kept["node.community"]) != len(graph):
        kept = {"node.community": graph.grouped()}
        snapshot.put_derived(name, kept)
    return kept["node.community"]


class _Last:
    """The last graph that this process built, with what it was built from."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._builder: GraphBuilder | None = None
        self._languages: dict[str, str] = {}
        self._known: dict[str, bytes] = {}
        self._manifests: dict[str, str] = {}
        self._scip = ""

    def built(
        self, snapshot: LocalSnapshot, paths: list[str], scip: Scip | None = None, key: str = ""
    ) -> dict[str, NDArray[Any]]:
        """The arrays of the graph of a snapshot; `key` tells one state of `scip` from another."""
        with self._lock:
            pairs = zip(snapshot.file_paths(), snapshot.file_languages(), strict=True)
            languages = {path: language for path, language in pairs if path}
            known = {path: _digest(blob) for path, blob in snapshot.facts()}
            manifests = manifests_of(snapshot, paths)
            same = (
                self._scip == key
                and self._languages == languages
                and self._manifests == manifests
                and self._known.keys() == known.keys()
            )
            changed = [path for path in paths if self._known.get(path) != known.get(path)]
            if not (same and len(changed) <= MOST_CHANGED and self._replaced(snapshot, languages, changed)):
                self._builder = None  # what is held is given up before the next is built
                self._builder = GraphBuilder(collect(snapshot, paths), manifests, scip)
            self._languages, self._known, self._manifests = languages, known, manifests
            self._scip = key
            assert self._builder is not None
            return self._builder.arrays()

    def _replaced(self, snapshot: LocalSnapshot, languages: dict[str, str], changed: list[str]) -> bool:
        """Whether the builder could take in all changed files."""
        if self._builder is None:
            return False
        for path in changed:
            known = unpack(path, snapshot.facts_of(path))
            symbols = tuple(known.detailed([row.symbol for row in snapshot.symbols_of(path)]))
            if not self._builder.replace(FileFacts(path, languages[path], symbols, known.facts)):
                return False
        return True


_LAST = _Last()


def _digest(blob: bytes) -> bytes:
    return blake2b(blob, digest_size=16).digest()


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
