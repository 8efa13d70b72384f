"""Java, Kotlin, Scala, C#, PHP, Haskell: every file declares its package, whatever folder it lies in."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from fourfold.graph.modules import JVM


def _group(language: str) -> str:
    """Languages that share packages: those of the JVM."""
    return "jvm" if language in JVM else language


class PackageModules:
    """Packages as ``group|declared.name``; separators of all languages become dots."""

    def __init__(self, files: Mapping[str, tuple[str, str]], manifests: Mapping[str, str]) -> None:
        self._of = {path: f"{_group(language)}|{dotted(package)}" for path, (language, package) in files.items()}
        self._known = set(self._of.values())

    def namespace(self, path: str) -> str:
        """The declared package."""
        return self._of[path]

    def child(self, namespace: str, name: str) -> str | None:
        """A package whose name continues another's."""
        group, _, package = namespace.partition("|")
        wanted = f"{group}|{package}.{name}" if package else f"{group}|{name}"
        return wanted if wanted in self._known else None

    def targets(self, importer: str, module: str) -> Sequence[str]:
        """The package of that name, where a file declares it."""
        group = self._of[importer].partition("|")[0]
        wanted = f"{group}|{dotted(module)}"
        return [wanted] if wanted in self._known else []


def dotted(name: str) -> str:
    """A package name with dots, whatever the language writes."""
    return name.replace("\\\\", "\\").replace("\\", ".").replace("::", ".").strip(".")
