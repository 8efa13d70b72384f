"""What a part of a code base, or all of it, is made of: its most central definitions, each with what it does."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

from fourfold.answer.claim import Claim, Section
from fourfold.answer.describe import described
from fourfold.answer.prose import code, count, listed
from fourfold.model.chunk import TYPE_KINDS
from fourfold.model.text import STOP_WORDS, words
from fourfold.pipeline.structure.items import is_test
from fourfold.pipeline.structure.overview import overview
from fourfold.rank.paths import categories

if TYPE_CHECKING:
    from fourfold.answer.scene import Scene
    from fourfold.model.structure import SymbolItem

CENTRAL = 8
"""Definitions that are named."""
FOLDERS = 6
UNDOCUMENTED = 0.5
"""Factor of the importance of a type of which nothing can be said but its name."""
SHARE = 0.35
"""Share of the found places, the first ones weighing most, that must lie in a folder for it to be the part meant."""

_ABOUT = re.compile(
    r"\b(?:architecture|overview|structured?|organi[sz]ed|components?|layout|building blocks|big picture|parts of)\b",
    re.IGNORECASE,
)
_WHOLE = frozenset(
    """
    architecture overview structure structured organised organized component components layout building blocks big
    picture parts part main high level explain describe give summary summarise summarize general repository repo code
    codebase base project program application app system software whole entire work works made consist consists major
    important all
    """.split()
)
"""Words that say of no part in particular that it is meant."""


def asked(text: str) -> bool:
    """True for a question about how something is built as a whole."""
    return _ABOUT.search(text) is not None


def of_whole(text: str) -> bool:
    """True where such a question names no part."""
    return all(word.lower() in _WHOLE or word.lower() in STOP_WORDS for word in words(text))


def whole(scene: Scene) -> list[Section]:
    """The repository: its folders, what most of it rests on, where it begins."""
    found = overview(scene.structure)
    folders = listed([f"{code(row['path'])} ({count(row['files'], 'file')})" for row in found.folders[:FOLDERS]])
    languages = listed([f"{row['language']} ({count(row['files'], 'file')})" for row in found.languages[:3]])
    lead = f"Languages: {languages}. The largest folders are {folders}. " if folders else ""
    paths = [path for path in scene.structure.languages if not categories(path) - {"init"}]
    items = _central(scene, paths)[0] or found.central[:CENTRAL]
    sections = [_listing(scene, f"{lead}The most central types:", items)]
    if found.entry_points:
        sections.append(_listing(scene, "It begins at:", found.entry_points[:FOLDERS]))
    return [section for section in sections if section.claims]


def part(scene: Scene) -> list[Section]:
    """The part of the code base in which most of what was found lies: its most central types; [] where the places
    found lie all over."""
    folder = _folder([result.path for result in scene.results])
    if not folder:
        return []
    inside = [path for path in scene.structure.languages if path.startswith(f"{folder}/")]
    inside = [path for path in inside if not categories(path) - {"init"}]
    items, number = _central(scene, inside)
    if len(items) < 2:
        return []
    below = Counter(path[len(folder) + 1 :].partition("/")[0] for path in inside if "/" in path[len(folder) + 1 :])
    parts = listed([f"{code(name + '/')} ({count(files, 'file')})" for name, files in below.most_common(FOLDERS)])
    lead = (
        f"Most of what comes closest to this lies in {code(folder + '/')} ({count(len(inside), 'file')}, "
        f"{count(number, 'type')}){f', with {parts} in it' if parts else ''}. The most central types there:"
    )
    return [_listing(scene, lead, items)]


def _central(scene: Scene, paths: Sequence[str]) -> tuple[list[SymbolItem], int]:
    """The public types of some files that most of the code leans on, documented ones first among equals, and how many
    types there are."""
    graph = scene.structure.graph
    nodes = [
        node
        for path in paths
        for node in map(graph.node, graph.nodes_of(path))
        if node.kind in TYPE_KINDS - {"module"} and not is_test(path, node.name, node.kind)
        if "." not in node.name and not node.name.startswith("_")
    ]
    nodes.sort(key=lambda node: (-graph.rank(node.number), node.path, node.start_line))
    found = [
        (graph.rank(node.number), item)
        for node in nodes[: 3 * CENTRAL]
        if (item := _item(scene, node.path, node.name, node.start_line)) is not None
    ]
    found.sort(key=lambda pair: -pair[0] * (1.0 if pair[1].doc else UNDOCUMENTED))
    return [item for _, item in found[:CENTRAL]], len(nodes)


def _listing(scene: Scene, lead: str, items: list[SymbolItem]) -> Section:
    claims: list[Claim] = [described(scene, item) for item in items]
    return Section(lead, claims)


def _item(scene: Scene, path: str, name: str, line: int) -> SymbolItem | None:
    for symbol in scene.symbols(path):
        if symbol.qualified_name == name and symbol.start_line == line:
            return scene.structure.item(path, symbol)
    return None


def _folder(paths: list[str]) -> str:
    """The deepest folder that holds enough of the places, "" where none does."""
    weights: dict[str, float] = {}
    total = 0.0
    for rank, path in enumerate(paths):
        weight = 1.0 / (rank + 3)
        total += weight
        parts = path.split("/")[:-1]
        for depth in range(1, len(parts) + 1):
            folder = "/".join(parts[:depth])
            weights[folder] = weights.get(folder, 0.0) + weight
    fit = [folder for folder, weight in weights.items() if weight >= SHARE * total]
    return max(fit, key=lambda folder: (folder.count("/"), weights[folder]), default="")
