"""Go calls by Go's own type checker (``calls.go``, on go/parser and go/types of the standard library)."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from benchmarks.structure.site import Site, ToolMissing
from benchmarks.structure.truth import lines

_PROGRAM = Path(__file__).parent / "calls.go"
_SETTINGS = {"GO111MODULE": "off", "CGO_ENABLED": "0", "GOFLAGS": ""}
"""One file, no module, nothing asked of a network."""


def sites(root: Path, count: int) -> list[Site]:
    """Calls that the type checker resolves without the packages that the source leans on."""
    go = shutil.which("go")
    if go is None:
        raise ToolMissing("the truth of Go is made by its type checker: install golang-go (Debian), or Go itself")
    return lines.read(lines.run([go, "run", str(_PROGRAM), str(root)], os.environ | _SETTINGS).split("\n"), root, count)
