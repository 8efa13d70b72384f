"""What an import of each language means: which namespace a file is, and which one an import names."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

FAMILIES = {
    "python": "python",
    "javascript": "ecmascript",
    "typescript": "ecmascript",
    "tsx": "ecmascript",
    "jsx": "ecmascript",
    "vue": "ecmascript",
    "svelte": "ecmascript",
    "go": "go",
    "rust": "rust",
    "java": "packages",
    "kotlin": "packages",
    "scala": "packages",
    "csharp": "packages",
    "php": "packages",
    "haskell": "packages",
    "c": "shared",
    "cpp": "shared",
    "ruby": "shared",
    "swift": "shared",
    "bash": "shared",
    "sql": "shared",
    "elixir": "shared",
    "lua": "paths",
    "dart": "paths",
    "zig": "paths",
    "starlark": "paths",
}
"""Family of each language. Languages of one family refer to each other; names never cross families."""
JVM = frozenset({"java", "kotlin", "scala"})


class Modules(Protocol):
    """The modules of one family in one repository."""

    def namespace(self, path: str) -> str:
        """The namespace of a file."""
        ...

    def targets(self, importer: str, module: str) -> Sequence[str]:
        """Namespaces that an import of `module` in the file `importer` may mean, best first; none where it is not in
        this repository."""
        ...

    def child(self, namespace: str, name: str) -> str | None:
        """The namespace called `name` inside another, or None."""
        ...


def modules_of(family: str, files: Mapping[str, tuple[str, str]], manifests: Mapping[str, str]) -> Modules:
    """The modules of a family. `files` are its paths with (language, declared package), `manifests` the texts of the
    repository's package manifests by path (package.json, go.mod, Cargo.toml ...)."""
    from fourfold.graph.modules import ecmascript, go, packages, paths, python, rust, shared

    makers: dict[str, Callable[[Mapping[str, tuple[str, str]], Mapping[str, str]], Modules]] = {
        "python": python.PythonModules,
        "ecmascript": ecmascript.EcmaModules,
        "go": go.GoModules,
        "rust": rust.RustModules,
        "packages": packages.PackageModules,
        "shared": shared.SharedModules,
        "paths": paths.PathModules,
    }
    return makers[family](files, manifests)
