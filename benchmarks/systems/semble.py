"""semble (MIT), a peer with a static embedding, BM25 and a ranking of its own: in a process of its own environment.

``SEMBLE_PYTHON`` names the interpreter of an environment where it is installed (``pip install semble``),
``SEMBLE_MODEL`` a folder with a Model2Vec model: nothing is fetched from a hub. The time of an answer includes a line
to that process and a line back.
"""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
from pathlib import Path
from typing import Any, cast

from benchmarks.systems.protocol import Found

WORKER = """
import json, sys
from semble import SembleIndex
model, held = sys.argv[1], {}
for line in sys.stdin:
    asked = json.loads(line)
    root = asked["root"]
    if root not in held:
        held[root] = SembleIndex.from_path(root, model_path=model)
    found = held[root].search(asked["query"], top_k=10, alpha=asked["alpha"]) if "query" in asked else []
    places = [(one.chunk.file_path, one.chunk.start_line, one.chunk.end_line) for one in found]
    print(json.dumps(places), flush=True)
"""


def available() -> bool:
    """True where the environment names its interpreter and a model."""
    return bool(os.environ.get("SEMBLE_PYTHON") and os.environ.get("SEMBLE_MODEL"))


def environment(home: str) -> dict[str, str]:
    """Its caches in a folder of their own, and no hub asked."""
    return {**os.environ, "HOME": home, "XDG_CACHE_HOME": home, "HF_HUB_OFFLINE": "1", "OPENBLAS_NUM_THREADS": "1"}


class Semble:
    """Its own choice of weights, or words alone (`alpha` 0)."""

    def __init__(self, name: str, alpha: float | None) -> None:
        self.name = name
        self._alpha = alpha
        self._home = tempfile.TemporaryDirectory(prefix="semble-")
        self._process = subprocess.Popen(
            [os.environ["SEMBLE_PYTHON"], "-c", WORKER, os.environ["SEMBLE_MODEL"]],
            env=environment(self._home.name),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )

    def prepare(self, root: Path) -> None:
        """Index one root."""
        self._ask({"root": str(root)})

    def answer(self, root: Path, query: str) -> Found:
        """Its ten results."""
        return [(path, first, last) for path, first, last in self._ask({"root": str(root), "query": query})]

    def close(self) -> None:
        """End the process."""
        self._process.kill()
        self._process.wait()
        self._home.cleanup()

    def _ask(self, asked: dict[str, Any]) -> list[Any]:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps({**asked, "alpha": self._alpha}) + "\n")
        self._process.stdin.flush()
        line = self._process.stdout.readline()
        if not line:
            raise RuntimeError(
                "semble ended; try SEMBLE_PYTHON with the worker of benchmarks/systems/semble.py by hand"
            )
        return cast("list[Any]", json.loads(line))
