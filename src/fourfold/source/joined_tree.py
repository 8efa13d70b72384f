"""The trees of several services as one. Paths begin with the name of a service (``web//src/app.py``)."""

from __future__ import annotations

from collections.abc import Container, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from fourfold.model.path import service_path, split_service
from fourfold.source.found import ABSENT, Found, Skip, WalkOptions, WalkResult

if TYPE_CHECKING:
    from fourfold.source.git import GitState
    from fourfold.source.read import SourceText
    from fourfold.source.tree import Tree


@dataclass(frozen=True, slots=True)
class JoinedTree:
    """Trees by the name of their service."""

    trees: Mapping[str, Tree]

    def __str__(self) -> str:
        return ", ".join(self.trees)

    @property
    def origin(self) -> str:
        """Each service has its own."""
        return ", ".join(f"{name}: {tree.origin}" for name, tree in self.trees.items())

    def walk(self, options: WalkOptions, known: Container[str] | None = None, fingerprint: str = "") -> WalkResult:
        """Walk each of them."""
        result = WalkResult()
        for name, tree in self.trees.items():
            walked = tree.walk(options)
            result.found += [found._replace(path=service_path(name, found.path)) for found in walked.found]
            result.skipped += [replace(skip, path=service_path(name, skip.path)) for skip in walked.skipped]
            result.warnings += [f"{name}: {text}" for text in walked.warnings]
        return result

    def fingerprint(self, options: WalkOptions) -> str:
        """Nothing: each has its own index."""
        return ""

    def read(self, found: Found, options: WalkOptions) -> SourceText | Skip:
        """Read from the service that has it."""
        tree, inner = self._tree(found.path)
        if tree is None:
            return Skip(found.path, ABSENT, "there is no such service")
        read = tree.read(found._replace(path=inner), options)
        return replace(read, path=found.path)

    def look(self, path: str) -> Found:
        """The file at a path. Raises OSError where there is none."""
        tree, inner = self._tree(path)
        if tree is None:
            raise FileNotFoundError(2, "there is no such service", path)
        return tree.look(inner)._replace(path=path)

    def has(self, path: str) -> bool:
        """Whether the service still has it."""
        tree, inner = self._tree(path)
        return tree is not None and tree.has(inner)

    def head(self) -> GitState | None:
        """None: each has its own."""
        return None

    def dirty(self) -> int:
        """The sum of all."""
        return sum(tree.dirty() for tree in self.trees.values())

    def why_not(self, path: str, options: WalkOptions) -> Skip | None:
        """The judgment of the service's own walk."""
        tree, inner = self._tree(path)
        skip = tree.why_not(inner, options) if tree is not None else Skip(path, ABSENT, "there is no such service")
        return replace(skip, path=path) if skip is not None else None

    def close(self) -> None:
        """Close each of them."""
        for tree in self.trees.values():
            tree.close()

    def _tree(self, path: str) -> tuple[Tree | None, str]:
        service, inner = split_service(path)
        return self.trees.get(service), inner
