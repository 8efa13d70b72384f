"""Several local indexes read as one: their segments side by side, their paths told apart by the service's name.

Numbers of chunks and files run over the parts in order. So statistics are those of all rows together, and what ranks a
single index ranks this one: a score means the same wherever its file comes from.
"""

from __future__ import annotations

import threading
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import accumulate
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from fourfold.model.errors import FourfoldError
from fourfold.model.path import service_path, split_service
from fourfold.model.symbol import Symbol
from fourfold.store.contract import ChunkRow, FileRecord, Named, Span, StoreInfo, SymbolRow

if TYPE_CHECKING:
    from pathlib import Path

    import numpy as np
    from numpy.typing import NDArray

    from fourfold.store.local.check import Tell
    from fourfold.store.local.snapshot import LocalSnapshot
    from fourfold.store.local.store import LocalStore
    from fourfold.store.local.view import SegmentView


class JoinedSnapshot:
    """One generation of each of several indexes, by service. Immutable, safe to share between threads."""

    def __init__(self, parts: Mapping[str, LocalSnapshot], absent: Mapping[str, str] | None = None) -> None:
        """`absent` says of services that are not among the parts why."""
        self.parts = dict(parts)
        self.absent = dict(absent or {})
        self.segments: list[SegmentView] = [view for part in parts.values() for view in part.segments]
        self.chunk_base = [0, *accumulate(view.chunks for view in self.segments)]
        self.file_base = [0, *accumulate(view.files for view in self.segments)]
        self._first_chunk = [0, *accumulate(part.chunk_count for part in parts.values())]
        self._names = list(parts)
        self._kept: dict[str, Mapping[str, NDArray[Any]]] = {}

    @property
    def generation(self) -> int:
        """The sum of the parts' generations: it grows with each of them."""
        return sum(part.generation for part in self.parts.values())

    @property
    def content(self) -> int:
        """The sum of the parts' content generations."""
        return sum(part.content for part in self.parts.values())

    @property
    def meta(self) -> Mapping[str, str]:
        """What all parts agree on; ``complete`` is 0 where it is for one of them."""
        metas = [part.meta for part in self.parts.values()]
        common = set(metas[0].items()).intersection(*(meta.items() for meta in metas[1:])) if metas else set()
        unfinished = {"complete": "0"} if any(meta.get("complete") == "0" for meta in metas) else {}
        return MappingProxyType(dict(common) | unfinished)

    @property
    def chunk_count(self) -> int:
        """Chunk numbers are below this."""
        return self.chunk_base[-1]

    @property
    def file_count(self) -> int:
        """File numbers are below this."""
        return self.file_base[-1]

    def info(self) -> StoreInfo:
        """Counts of all parts together."""
        infos = [part.info() for part in self.parts.values()]
        return StoreInfo(
            generation=self.generation,
            files=sum(info.files for info in infos),
            skipped=sum(info.skipped for info in infos),
            chunks=sum(info.chunks for info in infos),
            symbols=sum(info.symbols for info in infos),
            lines=sum(info.lines for info in infos),
            segments=len(self.segments),
            dead_chunks=sum(info.dead_chunks for info in infos),
            bytes_on_disk=sum(info.bytes_on_disk for info in infos),
            location=", ".join(info.location for info in infos),
            meta=self.meta,
        )

    def records(self) -> Mapping[str, FileRecord]:
        """All file records by path."""
        return {
            service_path(name, path): record._replace(path=service_path(name, path))
            for name, part in self.parts.items()
            for path, record in part.records().items()
        }

    def record(self, path: str) -> FileRecord | None:
        """The record of one path, or None."""
        part, inner = self._part(path)
        found = part.record(inner) if part is not None else None
        return found._replace(path=path) if found is not None else None

    def text(self, path: str) -> str | None:
        """The stored text of an indexed file, or None."""
        part, inner = self._part(path)
        return part.text(inner) if part is not None else None

    def texts(self, paths: Iterable[str]) -> Iterator[tuple[str, str]]:
        """(path, text) of those of `paths` that are indexed."""
        wanted: dict[str, list[str]] = {}
        for path in paths:
            name, inner = split_service(path)
            wanted.setdefault(name, []).append(inner)
        for name, inners in wanted.items():
            if name in self.parts:
                yield from ((service_path(name, inner), text) for inner, text in self.parts[name].texts(inners))

    def tally(self) -> Mapping[str, int]:
        """How many files of all services are left out for each reason; those that are indexed count under ""."""
        found: Counter[str] = Counter()
        for part in self.parts.values():
            found.update(part.tally())
        return found

    def chunk_rows(self, numbers: Sequence[int]) -> list[ChunkRow]:
        """Rows in the order asked for. Dead or unknown numbers raise KeyError."""
        asked: dict[int, list[int]] = {}
        for number in numbers:
            if not 0 <= number < self.chunk_count:
                raise KeyError(number)
            at = bisect_right(self._first_chunk, number) - 1
            asked.setdefault(at, []).append(number - self._first_chunk[at])
        found: dict[int, ChunkRow] = {}
        for at, own in asked.items():
            name = self._names[at]
            for row in self.parts[name].chunk_rows(own):
                number = row.number + self._first_chunk[at]
                found[number] = replace(row, number=number, path=service_path(name, row.path))
        return [found[int(number)] for number in numbers]

    def chunks_of(self, path: str) -> list[ChunkRow]:
        """Live chunks of a file in line order."""
        part, inner = self._part(path)
        base = self._base(path)
        rows = part.chunks_of(inner) if part is not None else []
        return [replace(row, number=row.number + base, path=path) for row in rows]

    def symbols_named(self, name: str, *, ignore_case: bool = False, limit: int = 50) -> list[SymbolRow]:
        """Symbols whose bare or qualified name is `name`, by service, path and line."""
        found: list[SymbolRow] = []
        for service, part in self.parts.items():
            rows = part.symbols_named(name, ignore_case=ignore_case, limit=limit)
            found += [self._symbol(service, row) for row in rows]
        return found[:limit]

    def symbols_of(self, path: str, within: tuple[int, int] | None = None) -> list[SymbolRow]:
        """Symbols of a file in the order they were stored; those that begin `within` two lines, both included."""
        part, inner = self._part(path)
        rows = part.symbols_of(inner, within) if part is not None else []
        return [self._symbol(split_service(path)[0], row) for row in rows]

    def names_within(self, spans: Sequence[Span]) -> list[list[Named]]:
        """For each span the symbols that begin in it: one read of each service for all of its spans."""
        asked: dict[str, list[int]] = {}
        for at, (path, _, _) in enumerate(spans):
            asked.setdefault(split_service(path)[0], []).append(at)
        found: list[list[Named]] = [[] for _ in spans]
        for name, places in asked.items():
            if name in self.parts:
                inner = [(split_service(spans[at][0])[1], *spans[at][1:]) for at in places]
                for at, names in zip(places, self.parts[name].names_within(inner), strict=True):
                    found[at] = names
        return found

    def symbol_names(self) -> list[str]:
        """Distinct bare names of live symbols, sorted."""
        return sorted({name for part in self.parts.values() for name in part.symbol_names()})

    def symbols(self) -> dict[str, list[Symbol]]:
        """The symbols of all live files by path."""
        return {
            service_path(name, path): symbols
            for name, part in self.parts.items()
            for path, symbols in part.symbols().items()
        }

    def facts(self) -> Iterator[tuple[str, bytes]]:
        """(path, facts) of every live indexed file, by service, then path."""
        for name, part in self.parts.items():
            yield from ((service_path(name, path), facts) for path, facts in part.facts())

    def facts_of(self, path: str) -> bytes:
        """The facts of an indexed file, ``b""`` where it has none or the path is not indexed."""
        part, inner = self._part(path)
        return part.facts_of(inner) if part is not None else b""

    def paths_with_trigrams(self, required: Sequence[Sequence[str]]) -> list[str] | None:
        """Live paths that may match; None: look at every file."""
        paths: list[str] = []
        for name, part in self.parts.items():
            found = part.paths_with_trigrams(required)
            if found is None:
                return None
            paths += [service_path(name, path) for path in found]
        return paths

    def file_paths(self) -> list[str]:
        """Path of each file number, "" where the file is dead."""
        return [
            service_path(name, path) if path else "" for name, part in self.parts.items() for path in part.file_paths()
        ]

    def file_languages(self) -> list[str]:
        """Language of each file number, "" where the file is dead."""
        return [language for part in self.parts.values() for language in part.file_languages()]

    def statistic(self, name: str) -> NDArray[np.float32] | None:
        """The mean of the parts' statistics, each weighed by its live chunks; None where a part has none."""
        total, weight = None, 0.0
        for part in self.parts.values():
            live = float(sum(int((~view.dead_chunks).sum()) for view in part.segments))
            found = part.statistic(name) if live else None
            if live and found is None:
                return None
            if found is not None:
                total = found * live if total is None else total + found * live
                weight += live
        return None if total is None else (total / weight).astype("float32")

    def derived(self, name: str) -> Mapping[str, NDArray[Any]] | None:
        """The arrays that :meth:`put_derived` kept as `name`: as long as this snapshot is used."""
        return self._kept.get(name)

    def put_derived(self, name: str, arrays: Mapping[str, NDArray[Any]]) -> None:
        """Keep arrays computed from this snapshot in memory."""
        self._kept[name] = arrays

    def _part(self, path: str) -> tuple[LocalSnapshot | None, str]:
        name, inner = split_service(path)
        return self.parts.get(name), inner

    def _base(self, path: str) -> int:
        name = split_service(path)[0]
        return self._first_chunk[self._names.index(name)] if name in self.parts else 0

    def _symbol(self, service: str, row: SymbolRow) -> SymbolRow:
        path = service_path(service, row.path)
        chunk = row.chunk + self._base(path) if row.chunk >= 0 else row.chunk
        return replace(row, path=path, chunk=chunk)


class JoinedStore:
    """The stores of several services as one to read from."""

    def __init__(self, stores: Mapping[str, LocalStore], directory: Path) -> None:
        self.stores = dict(stores)
        self.directory = directory
        self._guard = threading.Lock()
        self._newest: JoinedSnapshot | None = None

    @property
    def owner(self) -> str:
        """Who is writing one of them, in words; empty where nobody is."""
        return "; ".join(filter(None, (store.owner for store in self.stores.values())))

    def snapshot(self) -> JoinedSnapshot:
        """The newest generation of each service that can be read and has one; the same object while none changes.

        Of services with vectors of different models only those of the most are taken: vectors of two models never meet.
        """
        parts: dict[str, LocalSnapshot] = {}
        absent: dict[str, str] = {}
        for name, store in self.stores.items():
            try:
                part = store.snapshot()
            except FourfoldError as error:
                absent[name] = error.message
                continue
            if part.generation:
                parts[name] = part
        models = Counter(part.meta.get("model", "") for part in parts.values())
        for name in [name for name, part in parts.items() if part.meta.get("model", "") != models.most_common(1)[0][0]]:
            absent[name] = "it was indexed with another embedding model and is left out; sync it"
            del parts[name]
        with self._guard:
            newest = self._newest
            same = newest is not None and newest.parts.keys() == parts.keys()
            if newest is None or not same or any(newest.parts[name] is not part for name, part in parts.items()):
                newest = self._newest = JoinedSnapshot(parts, absent)
            return newest

    def faults(self, tell: Tell = lambda done, total: None) -> list[str]:
        """Every fault that can be found in one of them."""
        return [f"{name}: {fault}" for name, store in self.stores.items() for fault in store.faults(tell)]

    def condemn(self, what: str) -> None:
        """Nothing: a part that is damaged notes that by itself."""
        self._newest = None

    def close(self) -> None:
        """Let go of memory; the stores belong to who opened them."""
        self._newest = None
