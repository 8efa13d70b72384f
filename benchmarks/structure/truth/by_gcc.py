"""C calls by gcc: its call graph with the place of every call (``-fcallgraph-info``), file by file."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from benchmarks.structure.site import Place, Site, ToolMissing, draw
from benchmarks.structure.truth.lines import is_written

_NODE = re.compile(r'node: \{ title: "([^"]+)" label: "([^"]+?)\\n([^"]*?):(\d+):\d+(?:\\n[^"]*)?"(.*)')
_EDGE = re.compile(r'edge: \{ sourcename: "[^"]+" targetname: "([^"]+)" label: "([^"]*):(\d+):\d+"')
_WORKERS = 2
_OPTIONS = ("-w", "-O0", "-c", "-fcallgraph-info", "-fno-builtin")
_INDIRECT = "__indirect_call"


def sites(root: Path, count: int) -> list[Site]:
    """Direct calls of the C files that compile with their own headers and with the options in ``CFLAGS``."""
    gcc = shutil.which("gcc")
    if gcc is None:
        raise ToolMissing("the truth of C is made by gcc: install gcc")
    includes = [f"-I{folder}" for folder in sorted(root.rglob("include")) if folder.is_dir()]
    command = [gcc, *_OPTIONS, *os.environ.get("CFLAGS", "").split(), *includes]
    files = sorted(root.rglob("*.c"))
    with tempfile.TemporaryDirectory() as scratch, ThreadPoolExecutor(_WORKERS) as pool:
        made = [Path(scratch) / f"{number}.o" for number in range(len(files))]
        list(pool.map(lambda file, target: _compile([*command, str(file), "-o", str(target)], file), files, made))
        graphs = [one.with_suffix(".ci") for one in made if one.exists()]
        texts = [graph.read_text(encoding="utf-8", errors="replace") for graph in graphs]
    defined: dict[str, set[Place]] = {}
    declared: set[str] = set()
    for text in texts:
        _read_nodes(text, root, defined, declared)
    found = {site for text in texts for site in _calls(text, root, defined, declared - defined.keys())}
    known: dict[str, list[str]] = {}
    return draw([site for site in found if is_written(site, root, known)], count)


def _compile(command: list[str], file: Path) -> None:
    subprocess.run(command, capture_output=True, check=False, cwd=file.parent)


def _read_nodes(text: str, root: Path, defined: dict[str, set[Place]], declared: set[str]) -> None:
    """Functions that a file defines, and those that it only declares (an ellipse in the drawing)."""
    for line in text.split("\n"):
        match = _NODE.match(line)
        path = _below(match[3], root) if match else ""
        if match is None or not path:
            continue
        if "ellipse" in match[5]:
            declared.add(match[1])
        else:
            defined.setdefault(match[1], set()).add(Place(path, int(match[4]), match[2]))


def _calls(text: str, root: Path, defined: dict[str, set[Place]], unknown: set[str]) -> Iterator[Site]:
    """The calls of a file; those of `unknown` functions, whose file did not compile, are left out."""
    for line in text.split("\n"):
        match = _EDGE.match(line)
        if match is None or match[1] == _INDIRECT or match[1] in unknown:
            continue
        path, targets = _below(match[2], root), tuple(sorted(defined.get(match[1], ()), key=str))
        if path:
            yield Site(path, int(match[3]), match[1].rpartition(":")[2], targets)


def _below(text: str, root: Path) -> str:
    path = Path(text)
    return path.relative_to(root).as_posix() if path.is_relative_to(root) else ""
