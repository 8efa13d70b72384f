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
_MAX_CONDITIONS = 5
"""Conditions within conditions of ``exports`` that are followed; packages nest two (``import``, ``types``)."""


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

    def owns(self, importer: str, module: str) -> bool:
        """True for a specifier of this repository, even where no file of it is found: a relative one, a workspace
        package."""
        return module.startswith(".") or _package_of(module)[0] in self._packages

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
        name, rest = _package_of(module)
        if name not in self._packages:
            return
        folder, entries, subpaths = self._packages[name]
        bases = [*_below(subpaths, rest), rest] if rest else entries
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


def _package_of(module: str) -> tuple[str, str]:
    """(package, path below it) of a specifier."""
    parts = module.split("/")
    length = 2 if module.startswith("@") else 1
    return "/".join(parts[:length]), "/".join(parts[length:])


def _below(exports: Mapping[str, Any], rest: str) -> Iterator[str]:
    """Paths that ``exports`` gives for a path below a package; in a pattern ``*`` stands for any part."""
    for key, value in exports.items():
        head, star, tail = key.removeprefix("./").partition("*")
        if star:
            fits = rest.startswith(head) and rest.endswith(tail) and len(rest) >= len(head) + len(tail)
            middle = rest[len(head) : len(rest) - len(tail)]
        else:
            fits, middle = rest == head, ""
        if fits:
            yield from (path.replace("*", middle) for path in _conditions(value))


def _conditions(value: Any, depth: int = 0) -> Iterator[str]:
    """All paths of one entry of ``exports``, which conditions may nest."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict) and depth < _MAX_CONDITIONS:
        for inner in value.values():
            yield from _conditions(inner, depth + 1)


def _packages(manifests: Mapping[str, str]) -> Iterator[tuple[str, tuple[str, list[str], dict[str, Any]]]]:
    for folder, text in named(manifests, "package.json"):
        content = read_json(text)
        if isinstance(content.get("name"), str):
            entries = [content[field] for field in _ENTRY_FIELDS if isinstance(content.get(field), str)]
            exports = content.get("exports")
            subpaths = exports if isinstance(exports, dict) else {}
            yield content["name"], (folder, [*_exported(exports), *entries], subpaths)


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
