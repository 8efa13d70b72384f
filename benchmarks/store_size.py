"""What an index weighs on Qdrant: ``python -m benchmarks.store_size ROOT ...``.

Each root is indexed into the engine in this process, and everything that is sent is counted by what it is: vectors,
sparse vectors, the payload of chunks and of files, columns. Printed for each: lines, files, chunks, and bytes per line
of each part. The numbers in docs/scaling.md come from here; with --save they go to
``benchmarks/results/store-size.json``.
"""

from __future__ import annotations

import argparse
import json
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from benchmarks.machine import circumstances
from benchmarks.tables import table

RESULTS = Path(__file__).resolve().parent / "results" / "store-size.json"
DENSE_BYTES, SPARSE_BYTES = 4, 8
"""A component of a dense vector is a float32, an entry of a sparse one an index and a float32."""


class Counting:
    """A gateway that counts what is put through it."""

    def __init__(self, gateway: Any) -> None:
        self._gateway = gateway
        self.bytes: Counter[str] = Counter()
        self.entries: Counter[str] = Counter()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._gateway, name)

    def put(self, points: Sequence[Any], *, only: Any = None) -> None:
        """Count and pass on."""
        for point in points:
            self._count(point)
        self._gateway.put(points, only=only)

    def set_vectors(self, points: Sequence[Any]) -> None:
        """Vectors that are sent anew are counted apart: they replace others."""
        for point in points:
            self.entries["sparse entries sent anew"] += sum(len(v.indices) for v in point.vectors.values())
        self._gateway.set_vectors(points)

    def _count(self, point: Any) -> None:
        kind = point.payload["point"]
        self.entries[f"{kind} points"] += 1
        for name, vector in point.vectors.items():
            if isinstance(vector, list):
                self.bytes[f"dense {name}"] += DENSE_BYTES * len(vector)
            else:
                self.bytes["sparse"] += SPARSE_BYTES * len(vector.indices)
                self.entries[f"sparse entries of {kind}s"] += len(vector.indices)
        for part, size in _payload(kind, point.payload):
            self.bytes[part] += size


def _payload(kind: str, payload: Mapping[str, Any]) -> Iterator[tuple[str, int]]:
    named = {"text": "texts", "facts": "facts", "grams": "trigrams", "data": "columns"}
    for key, value in payload.items():
        part = named.get(key, f"other payload of {kind}s")
        part = "other payload" if part.endswith(("blobs", "leases", "manifests", "skippeds")) else part
        yield part, len(json.dumps(value, separators=(",", ":"))) + len(key) + 4


def measure(root: Path) -> dict[str, Any]:
    """Index `root` and return its record."""
    from fourfold import Index
    from fourfold.config.settings import QdrantSettings, Settings
    from fourfold.store.qdrant.opening import open_qdrant

    with tempfile.TemporaryDirectory(prefix="fourfold-size-") as folder:
        qdrant = QdrantSettings(url=f"edge:{folder}/engine", exact=True)
        settings = Settings(cache_dir=f"{folder}/cache", store="qdrant", qdrant=qdrant)
        store = open_qdrant(root, settings)
        counting = Counting(store.place.gateway)
        object.__setattr__(store.place, "gateway", counting)
        index = Index(root, settings, store)  # type: ignore[arg-type]
        started = time.process_time()
        index.refresh()
        cpu_s = time.process_time() - started
        info = store.snapshot().info()
        columns = sum(path.stat().st_size for path in store.place.columns.folder.glob("*.seg"))
        index.close()
    return {
        "root": root.name,
        "lines": info.lines,
        "files": info.files,
        "chunks": info.chunks,
        "cpu_s": round(cpu_s, 1),
        "columns_on_disk": columns,
        "bytes": dict(counting.bytes),
        "entries": dict(counting.entries),
    }


def as_table(records: Sequence[dict[str, Any]]) -> str:
    """Bytes per line by part, one row a root."""
    parts = sorted({part for record in records for part in record["bytes"]})
    head = ["root", "lines", "files", "chunks", *parts, "columns on disk"]
    rows = [
        [record["root"], f"{record['lines']:,}", f"{record['files']:,}", f"{record['chunks']:,}",
         *(f"{record['bytes'].get(part, 0) / max(record['lines'], 1):.1f}" for part in parts),
         f"{record['columns_on_disk'] / max(record['lines'], 1):.1f}"]
        for record in records
    ]  # fmt: skip
    return table(head, rows)


def main(arguments: list[str] | None = None) -> None:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("roots", nargs="+", type=Path)
    parser.add_argument("--save", action="store_true")
    options = parser.parse_args(arguments)
    records = [measure(root.resolve()) for root in options.roots]
    print(as_table(records))
    if options.save:
        content = {**circumstances("python -m benchmarks.store_size ROOT ... --save"), "records": records}
        RESULTS.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
