"""TypeScript calls by the TypeScript compiler (``calls.js``), found where node finds it."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from benchmarks.structure.site import Site, ToolMissing
from benchmarks.structure.truth import lines

_PROGRAM = Path(__file__).parent / "calls.js"
_MISSING = (
    "the truth of TypeScript is made by its compiler: install node, run `npm install typescript` in a folder and set "
    "NODE_PATH to that folder's node_modules"
)


def sites(root: Path, count: int) -> list[Site]:
    """Calls that the compiler resolves without the packages that the source leans on."""
    node = shutil.which("node")
    if node is None:
        raise ToolMissing(_MISSING)
    try:
        lines.run([node, "-e", "require('typescript')"])
    except ToolMissing as error:
        raise ToolMissing(_MISSING) from error
    environment = os.environ | {"NODE_OPTIONS": "--max-old-space-size=3000"}
    return lines.read(lines.run([node, str(_PROGRAM), str(root)], environment).split("\n"), root, count)
