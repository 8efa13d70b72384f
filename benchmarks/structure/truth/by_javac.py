"""Java calls by javac: its compiler tree API resolves every call (``Calls.java``)."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

from benchmarks.structure.site import Site, ToolMissing
from benchmarks.structure.truth import lines

_PROGRAM = Path(__file__).parent / "Calls.java"


def sites(root: Path, count: int) -> list[Site]:
    """Calls that javac resolves without the libraries that the source leans on."""
    java = shutil.which("java")
    if java is None or shutil.which("javac") is None:
        raise ToolMissing("the truth of Java is made by javac: install a JDK (default-jdk-headless on Debian)")
    with tempfile.NamedTemporaryFile("w", suffix=".txt", encoding="utf-8") as listed:
        listed.write("\n".join(str(path) for path in sorted(root.rglob("*.java"))))
        listed.flush()
        return lines.read(lines.run([java, str(_PROGRAM), listed.name]).split("\n"), root, count)
