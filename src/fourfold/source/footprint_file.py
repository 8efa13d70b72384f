"""A walk's footprint as bytes, so that another process can look at the tree again without a walk.

One line of JSON, a line end, the times and sizes as 64-bit integers, column by column, then the paths
relative to the root, each ended by a zero byte.
"""

from __future__ import annotations

import json
import sys
from array import array
from typing import Any

from fourfold.source.footprint import Footprint, Stats, Traces
from fourfold.source.found import WalkResult

VERSION = 1


def pack(walked: WalkResult, files: int) -> bytes:
    """The footprint, the warnings and the fingerprint of a walk that found so many `files`; empty where it left no
    footprint that can vouch for anything."""
    if walked.footprint is None or not walked.footprint.is_sure:
        return b""
    state = walked.footprint.traces
    start = len(state.root)
    head = {
        "version": VERSION,
        "order": sys.byteorder,
        "files": files,
        "fingerprint": walked.fingerprint,
        "warnings": walked.warnings,
        "root": state.root,
        "basis": state.basis,
        "rules": [(path, content.decode("latin-1")) for path, content in state.rules],
        "targets": state.targets,
        "counts": [len(state.folders), len(state.found.paths), len(state.others.paths)],
    }
    numbers = array("q", state.folder_ctimes)
    for stats in (state.found, state.others):
        for column in (stats.ctimes, stats.mtimes, stats.sizes):
            numbers.extend(column)
    paths = [path[start:] for path in (*state.folders, *state.found.paths, *state.others.paths)]
    text = "\0".join([*paths, ""]).encode("utf-8", "surrogateescape")
    return json.dumps(head).encode("ascii") + b"\n" + numbers.tobytes() + text


def unpack(data: bytes) -> tuple[WalkResult, int] | None:
    """The walk, its lists left empty, and how many files it found; None where the bytes are of another version."""
    try:
        return _unpacked(data)
    except (ValueError, LookupError, TypeError):
        return None


def _unpacked(data: bytes) -> tuple[WalkResult, int] | None:
    line, _, rest = data.partition(b"\n")
    head: dict[str, Any] = json.loads(line)
    if head["version"] != VERSION or head["order"] != sys.byteorder:
        return None
    lengths = folders, found, others = head["counts"]
    numbers = array("q")
    size = (folders + 3 * (found + others)) * numbers.itemsize
    numbers.frombytes(rest[:size])
    root = head["root"]
    paths = [root + path for path in rest[size:].decode("utf-8", "surrogateescape").split("\0")[:-1]]
    if len(paths) != sum(lengths) or len(numbers) * numbers.itemsize != size:
        raise ValueError("the lengths differ")
    times = numbers.tolist()
    middle = folders + 3 * found
    traces = Traces(
        root=root,
        basis=head["basis"],
        rules=tuple((path, content.encode("latin-1")) for path, content in head["rules"]),
        folders=paths[:folders],
        folder_ctimes=times[:folders],
        found=_stats(paths[folders : folders + found], times[folders:middle]),
        others=_stats(paths[folders + found :], times[middle:]),
        targets=[(path, tuple(stamp) if stamp is not None else None) for path, stamp in head["targets"]],
    )
    walked = WalkResult(warnings=head["warnings"], fingerprint=head["fingerprint"], footprint=Footprint(traces))
    return walked, int(head["files"])


def _stats(paths: list[str], numbers: list[int]) -> Stats:
    """Columns of files, whose numbers stand one column behind the other."""
    count = len(paths)
    return Stats(paths, numbers[:count], numbers[count : 2 * count], numbers[2 * count :])
