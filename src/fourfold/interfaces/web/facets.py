"""What the results are made of, with counts, and what narrows them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from fourfold.interfaces.web.links import address
from fourfold.model.result import ResultItem
from fourfold.rank.paths import categories

MOST = 8
"""Values shown of one facet."""
POOL, MOST_RESULTS = 30, 60
"""Results that are counted: the best ones, of which a page shows the first, and as many as it shows at most. Each costs
0.6 ms, a third of a page's time when 60 were counted for ten that are shown."""
PAGE = 10
SOURCE, TESTS, DOCS, OTHER = "source", "tests", "docs", "other"
_OTHER = frozenset({"example", "vendor", "build", "archive", "generated"})


@dataclass(frozen=True, slots=True)
class Asked:
    """What the page was asked: the question and what narrows it."""

    q: str = ""
    language: tuple[str, ...] = ()
    kind: tuple[str, ...] = ()
    path: tuple[str, ...] = ()
    service: tuple[str, ...] = ()
    role: str = ""
    preset: str = "default"
    n: int = PAGE

    def url(self, place: str = "/") -> str:
        """The address that asks the same."""
        return address(
            place,
            {
                "q": self.q,
                "language": self.language,
                "kind": self.kind,
                "path": self.path,
                "service": self.service,
                "role": self.role,
                "preset": "" if self.preset == "default" else self.preset,
                "n": "" if self.n == PAGE else self.n,
            },
        )


@dataclass(frozen=True, slots=True)
class Value:
    """One value of a facet: how many results have it, and the address that turns it on or off."""

    name: str
    count: int
    on: bool
    url: str


@dataclass(frozen=True, slots=True)
class Facet:
    """A facet and its values, the most frequent first."""

    name: str
    values: tuple[Value, ...]


def role_of(path: str) -> str:
    """Whether a path is source, tests, docs or other (examples, vendored, generated code)."""
    found = categories(path)
    if "test" in found:
        return TESTS
    if "docs" in found:
        return DOCS
    return OTHER if found & _OTHER else SOURCE


def narrowed(items: Iterable[ResultItem], asked: Asked) -> list[ResultItem]:
    """The results of the role asked for, numbered anew."""
    kept = [item for item in items if not asked.role or role_of(item.path) == asked.role]
    return [replace(item, rank=rank) for rank, item in enumerate(kept, 1)]


def facets(pool: Sequence[ResultItem], asked: Asked) -> list[Facet]:
    """The facets of the results found, before their role narrows them."""
    kept = narrowed(pool, asked)
    found = [
        Facet("Role", _roles(pool, asked)),
        Facet("Service", _toggles(Counter(item.service for item in kept if item.service), asked, "service")),
        Facet("Language", _toggles(Counter(item.language or "text" for item in kept), asked, "language")),
        Facet("Kind", _toggles(Counter(item.kind for item in kept), asked, "kind")),
        Facet("Folder", _folders(kept, asked)),
    ]
    return [facet for facet in found if facet.values and (len(facet.values) > 1 or any(v.on for v in facet.values))]


def _roles(pool: Sequence[ResultItem], asked: Asked) -> tuple[Value, ...]:
    counts = Counter(role_of(item.path) for item in pool)
    return tuple(
        Value(role, counts[role], role == asked.role, replace(asked, role="" if role == asked.role else role).url())
        for role in (SOURCE, TESTS, DOCS, OTHER)
        if counts[role] or role == asked.role
    )


def _toggles(counts: Counter[str], asked: Asked, field: str) -> tuple[Value, ...]:
    chosen: tuple[str, ...] = getattr(asked, field)
    names = [*chosen, *(name for name, _ in counts.most_common() if name not in chosen)][:MOST]
    values = []
    for name in names:
        on = name in chosen
        after = tuple(one for one in chosen if one != name) if on else (*chosen, name)
        values.append(Value(name, counts[name], on, replace(asked, **{field: after}).url()))  # type: ignore[arg-type]
    return tuple(values)


def _folders(items: Sequence[ResultItem], asked: Asked) -> tuple[Value, ...]:
    """Folders one level below what the results have in common; those asked for first, to be taken away."""
    values = [
        Value(
            name,
            sum(_below(item.path, name) for item in items),
            True,
            replace(asked, path=tuple(one for one in asked.path if one != name)).url(),
        )
        for name in asked.path
    ]
    folders = [item.path.split("/")[:-1] for item in items]
    shared = _shared(folders)
    counts = Counter("/".join(parts[: shared + 1]) for parts in folders if len(parts) > shared)
    for name, count in counts.most_common(MOST - len(values)):
        if name not in asked.path:
            values.append(Value(name, count, False, replace(asked, path=(name,)).url()))
    return tuple(values)


def _below(path: str, folder: str) -> bool:
    return path == folder or path.startswith(folder + "/")


def _shared(folders: Sequence[Sequence[str]]) -> int:
    """How many first parts all folders have in common."""
    depth = 0
    while folders and all(len(parts) > depth and parts[depth] == folders[0][depth] for parts in folders):
        depth += 1
    return depth
