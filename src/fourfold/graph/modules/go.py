"""Go: a package is a folder, imported below the path of the nearest ``go.mod``."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from fourfold.graph.modules.manifest import named

_MODULE = re.compile(r"^\s*module\s+\"?([^\s\"]+)", re.MULTILINE)


class GoModules:
    """Packages by folder; an external test package (``package x_test``) has a namespace of its own."""

    def __init__(self, files: Mapping[str, tuple[str, str]], manifests: Mapping[str, str]) -> None:
        self._of = {}
        for path, (_, package) in files.items():
            folder = path.rpartition("/")[0]
            self._of[path] = f"{folder}#test" if package.endswith("_test") else folder
        self._known = set(self._of.values())
        self._modules = [
            (match[1], folder) for folder, text in named(manifests, "go.mod") if (match := _MODULE.search(text))
        ]
        self._modules.sort(key=lambda item: -len(item[0]))

    def namespace(self, path: str) -> str:
        """The folder."""
        return self._of[path]

    def child(self, namespace: str, name: str) -> str | None:
        """Packages do not nest by name."""
        return None

    def targets(self, importer: str, module: str) -> Sequence[str]:
        """The folder of an import path."""
        for name, folder in self._modules:
            if module == name or module.startswith(name + "/"):
                rest = module[len(name) + 1 :]
                found = f"{folder}/{rest}" if folder and rest else folder or rest
                return [found] if found in self._known else []
        if not self._modules:  # no go.mod in sight (a part of a module): the longest folder that the path ends with
            parts = module.split("/")
            for at in range(len(parts)):
                tail = "/".join(parts[at:])
                ending = [folder for folder in self._known if folder == tail or folder.endswith("/" + tail)]
                if len(ending) == 1 and (at == 0 or len(parts) - at >= 2 or "." in parts[0]):
                    return ending
        return []
