"""Lua, Dart, Zig, Starlark: a module is a file, named by a path or by a dotted path."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from fourfold.graph.modules.manifest import joined, named

_PUBSPEC_NAME = re.compile(r"^name:\s*['\"]?([\w]+)", re.MULTILINE)
_ENDS = ("", ".lua", "/init.lua", ".dart", ".zig")


class PathModules:
    """Modules by path."""

    def __init__(self, files: Mapping[str, tuple[str, str]], manifests: Mapping[str, str]) -> None:
        self._files = files
        self._packages = {
            match[1]: folder
            for folder, text in named(manifests, "pubspec.yaml")
            if (match := _PUBSPEC_NAME.search(text))
        }
        self._ending: dict[str, list[str]] = {}
        for path in sorted(files):
            self._ending.setdefault(path.rpartition("/")[2], []).append(path)

    def namespace(self, path: str) -> str:
        """The path itself."""
        return path

    def child(self, namespace: str, name: str) -> str | None:
        """Modules do not nest."""
        return None

    def targets(self, importer: str, module: str) -> Sequence[str]:
        """The file that an import means."""
        return list(self._targets(importer, module.strip("\"'")))[:1]

    def _targets(self, importer: str, module: str) -> Iterator[str]:
        folder = importer.rpartition("/")[0]
        if module.startswith("package:"):
            name, _, rest = module[8:].partition("/")
            if name in self._packages:
                yield from self._existing(joined(self._packages[name], f"lib/{rest}"))
            return
        yield from self._existing(joined("" if module.startswith("/") else folder, module))
        if importer.endswith(".lua"):
            path = module.replace(".", "/")
            names = {f"{path.rpartition('/')[2]}.lua", "init.lua"}
            wanted = (f"{path}.lua", f"{path}/init.lua")
            for name in sorted(names):
                for found in self._ending.get(name, ()):
                    if found in wanted or found.endswith(tuple("/" + end for end in wanted)):
                        yield found

    def _existing(self, base: str | None) -> Iterator[str]:
        if base is not None:
            yield from (base + end for end in _ENDS if base + end in self._files)
