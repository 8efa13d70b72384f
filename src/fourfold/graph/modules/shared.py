"""C and C++, Ruby, Swift, Bash, SQL, Elixir: all files of a language share one space of names."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

_SAME = {"cpp": "c"}
"""Languages whose names meet: C++ includes C."""


class SharedModules:
    """One namespace per language."""

    def __init__(self, files: Mapping[str, tuple[str, str]], manifests: Mapping[str, str]) -> None:
        self._of = {path: _SAME.get(language, language) for path, (language, _) in files.items()}
        self._by_name: dict[str, list[str]] = {}
        for path in sorted(files):
            self._by_name.setdefault(path.rpartition("/")[2], []).append(path)

    def namespace(self, path: str) -> str:
        """The language."""
        return self._of[path]

    def child(self, namespace: str, name: str) -> str | None:
        """No name is a namespace of its own."""
        return None

    def targets(self, importer: str, module: str) -> Sequence[str]:
        """Nothing: what is imported shares the importer's namespace already."""
        return ()

    def files(self, importer: str, module: str) -> Sequence[str]:
        """Files that an ``#include``, ``require`` or ``source`` may mean, the nearest first."""
        path = module.strip("<>\"' ")
        while path.startswith(("./", "../")):
            path = path.partition("/")[2]
        name = path.rpartition("/")[2]
        candidates = self._by_name.get(name) or self._by_name.get(f"{name}.rb") or self._by_name.get(f"{name}.sh") or []
        ends = (path, f"{path}.rb", f"{path}.sh")
        found = [one for one in candidates if one in ends or one.endswith(tuple("/" + end for end in ends))]
        return sorted(found, key=lambda one: (-_shared_length(one, importer), one))


def _shared_length(path: str, other: str) -> int:
    """How many leading folders two paths share."""
    count = 0
    for mine, its in zip(path.split("/")[:-1], other.split("/")[:-1], strict=False):
        if mine != its:
            break
        count += 1
    return count
