"""Running a tool that prints one call a line as JSON."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from benchmarks.structure.site import Place, Site, ToolMissing, draw


def run(command: Sequence[str], environment: Mapping[str, str] | None = None) -> str:
    """What a command prints. Raises ToolMissing where it fails, with the end of what it said."""
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    if done.returncode:
        raise ToolMissing(f"{command[0]} failed: {done.stderr.strip()[-500:]}")
    return done.stdout


def read(lines: Iterable[str], root: Path, count: int) -> list[Site]:
    """Sites of lines ``{"path", "line", "name", "targets": [[path, line, name], ...]}`` with whole paths; targets
    outside of `root` are left out."""
    found = [_site(json.loads(line), root) for line in lines if line.startswith("{")]
    texts: dict[str, list[str]] = {}
    return draw([site for site in found if is_written(site, root, texts)], count)


def is_written(site: Site, root: Path, texts: dict[str, list[str]]) -> bool:
    """False for a call without its name in the source: of an enum's constructor by its constants, by a macro."""
    if site.path not in texts:
        texts[site.path] = (root / site.path).read_text(encoding="utf-8", errors="replace").split("\n")
    return re.search(rf"(?<![\w$]){re.escape(site.name)}(?![\w$])", texts[site.path][site.line - 1]) is not None


def _site(record: dict[str, object], root: Path) -> Site:
    targets = record["targets"]
    assert isinstance(targets, list)
    inside = tuple(
        Place(Path(path).relative_to(root).as_posix(), line, name)
        for path, line, name in targets
        if Path(path).is_relative_to(root)
    )
    path = Path(str(record["path"])).relative_to(root).as_posix()
    return Site(path, int(str(record["line"])), str(record["name"]), inside)
