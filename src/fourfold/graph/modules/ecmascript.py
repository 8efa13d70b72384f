"""JavaScript and TypeScript: a module is a file; found by relative path, workspace package or ``paths`` of tsconfig."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from fourfold.graph.modules.manifest import joined, named, read_json

EXTENSIONS = ("", ".ts", ".tsx", ".d.ts", ".js", ".jsx", ".mjs", ".cjs", ".mts", ".cts", ".vue", ".svelte")
_INDEX = tuple(f"/index{extension}" for extension in EXTENSIONS if extension)
_WRITTEN_FOR = {".js": (".ts", ".tsx"), ".jsx": (".tsx",), ".mjs": (".mts",), ".cjs": (".cts",)}
"""TypeScript sources are imported under the name of what they compile to."""
_ENTRY_FIELDS = ("source", "types", "typings", "module", "main")
_SOURCE_FOLDERS = ("src", "lib", "")
_BUILT_FOLDERS = frozenset({"dist", "build", "lib", "out", "es", "esm", "cjs"})


class EcmaModules:
    """Modules by path."""

    def __init__(self, files: Mapping[str, tuple[str, str]], manifests: Mapping[str, str]) -> None:
        self._files = files
        self._packages = dict(_packages(manifests))
        self._paths = [(folder, *found) for folder, text in _configs(manifests) if (found := _aliases(read_json(text)))]
        self._paths.sort(key=lambda item: -len(item[0]))

    def namespace(self, path: str) -> str:
        """The path itself."""
        return path

    def child(self, namespace: str, name: str) -> str | None:
        """Modules do not nest."""
        return None

    def targets(self, importer: str, module: str) -> Sequence[str]:
        """The file that a specifier means."""
        folder = importer.rpartition("/")[0]
        if module.startswith("."):
            base = joined(folder, module)
            return [] if base is None else list(self._file(base))
        found = [path for base in self._aliased(importer, module) for path in self._file(base)]
        return found or list(self._packaged(module))

    def _file(self, base: str) -> Iterator[str]:
        """The file at a path without extension, or the index of a folder."""
        stem, dot, extension = base.rpartition(".")
        candidates = [base + end for end in EXTENSIONS]
        candidates += [stem + other for other in _WRITTEN_FOR.get(dot + extension, ())]
        candidates += [base + end if base else end[1:] for end in _INDEX]
        for path in candidates:
            if path in self._files:
                yield path
                return

    def _aliased(self, importer: str, module: str) -> Iterator[str]:
        """Paths of a specifier by the nearest configuration that holds the importer."""
        for folder, base, paths in self._paths:
            if folder and not importer.startswith(folder + "/"):
                continue
            start = joined(folder, base)
            if start is None:
                continue
            for pattern, places in paths.items():
                head, star, tail = pattern.partition("*")
                if star:
                    fits = module.startswith(head) and module.endswith(tail) and len(module) >= len(head) + len(tail)
                    middle = module[len(head) : len(module) - len(tail)]
                else:
                    fits, middle = module == pattern, ""
                for place in places if fits and isinstance(places, list) else ():
                    target = joined(start, str(place).replace("*", middle, 1))
                    if target is not None:
                        yield target
            yield f"{start}/{module}" if start else module

    def _packaged(self, module: str) -> Iterator[str]:
        """Files of a workspace package: its entry, or a path below it."""
        parts = module.split("/")
        length = 2 if module.startswith("@") else 1
        name, rest = "/".join(parts[:length]), "/".join(parts[length:])
        if name not in self._packages:
            return
        folder, entries = self._packages[name]
        bases = [rest] if rest else entries
        for base in bases:
            for source in (base, *_sources_of(base)):
                target = joined(folder, source)
                found = list(self._file(target)) if target is not None else []
                if found:
                    yield found[0]
                    return
        for place in _SOURCE_FOLDERS:
            target = joined(folder, f"{place}/{rest}" if rest else f"{place}/index")
            found = list(self._file(target)) if target is not None else []
            if found:
                yield found[0]
                return


def _packages(manifests: Mapping[str, str]) -> Iterator[tuple[str, tuple[str, list[str]]]]:
    for folder, text in named(manifests, "package.json"):
        content = read_json(text)
        if isinstance(content.get("name"), str):
            entries = [content[field] for field in _ENTRY_FIELDS if isinstance(content.get(field), str)]
            yield content["name"], (folder, [*_exported(content.get("exports")), *entries])


def _exported(exports: Any) -> Iterator[str]:
    """Paths that the main entry of ``exports`` names."""
    if isinstance(exports, str):
        yield exports
    elif isinstance(exports, dict):
        main = exports.get(".", exports)
        values = main.values() if isinstance(main, dict) else [main]
        for value in values:
            if isinstance(value, dict):
                value = next((one for one in value.values() if isinstance(one, str)), None)
            if isinstance(value, str):
                yield value


def _sources_of(entry: str) -> Iterator[str]:
    """Where the source of a built file may be: ``dist/x.d.ts`` -> ``src/x``, ``x``."""
    path = entry.removeprefix("./")
    head, _, rest = path.partition("/")
    stem = rest or head
    for end in (".d.ts", ".d.mts", ".d.cts", ".js", ".mjs", ".cjs"):
        if stem.endswith(end):
            stem = stem[: -len(end)]
            break
    if rest and head in _BUILT_FOLDERS:
        yield f"src/{stem}"
    yield stem


def _configs(manifests: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    return named(manifests, "tsconfig.json", "jsconfig.json", "tsconfig.base.json")


def _aliases(config: dict[str, Any]) -> tuple[str, dict[str, Any]] | None:
    """(baseUrl, paths) of a configuration, or None where it has neither."""
    options = config.get("compilerOptions")
    if not isinstance(options, dict):
        return None
    paths = options.get("paths")
    base = options.get("baseUrl")
    if not isinstance(paths, dict) and not isinstance(base, str):
        return None
    return (base if isinstance(base, str) else "."), (paths if isinstance(paths, dict) else {})
