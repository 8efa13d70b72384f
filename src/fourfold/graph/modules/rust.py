"""Rust: a module is a file or a folder below a crate's ``src``; inline modules are part of their file's namespace."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from fourfold.graph.modules.manifest import named, read_toml

_ROOT_FILES = frozenset({"lib.rs", "main.rs", "mod.rs"})


class RustModules:
    """Modules as ``crate folder|a::b``."""

    def __init__(self, files: Mapping[str, tuple[str, str]], manifests: Mapping[str, str]) -> None:
        self._crates: dict[str, str] = {}
        self._folders: list[str] = []
        for folder, text in named(manifests, "Cargo.toml"):
            content = read_toml(text)
            package = content.get("package")
            if isinstance(package, dict):
                self._folders.append(folder)
                library = content.get("lib")
                names = [package.get("name"), library.get("name") if isinstance(library, dict) else None]
                for name in names:
                    if isinstance(name, str):
                        self._crates.setdefault(name.replace("-", "_"), folder)
        self._folders.sort(key=lambda folder: -len(folder))
        self._of = {path: self._namespace(path) for path in files}
        self._known = set(self._of.values())

    def _namespace(self, path: str) -> str:
        crate = next((folder for folder in self._folders if not folder or path.startswith(folder + "/")), None)
        if crate is None:
            head, found, _ = path.rpartition("src/")
            crate = head.rstrip("/") if found else path.partition("/")[0] if "/" in path else ""
        inside = path[len(crate) + 1 :] if crate else path
        parts = inside.split("/")
        if parts[0] == "src":
            parts = parts[1:]
        elif len(parts) > 1:  # tests/, examples/, benches/: each file a crate of its own
            return f"{crate}/{'/'.join(parts[:-1])}|{parts[-1].removesuffix('.rs')}"
        last = parts.pop() if parts else ""
        if last not in _ROOT_FILES:
            parts.append(last.removesuffix(".rs"))
        return f"{crate}|{'::'.join(parts)}"

    def namespace(self, path: str) -> str:
        """``crate folder|module path`` of a file."""
        return self._of[path]

    def child(self, namespace: str, name: str) -> str | None:
        """A module of a module."""
        crate, _, module = namespace.partition("|")
        wanted = f"{crate}|{module}::{name}" if module else f"{crate}|{name}"
        return wanted if wanted in self._known else None

    def targets(self, importer: str, module: str) -> Sequence[str]:
        """The module that a path means, as far as it names modules: ``crate::a::B`` may end in a symbol of ``crate::a``
        (then the namespace of ``crate::a`` is not given: the caller takes the last part off and asks again)."""
        crate, _, here = self._of[importer].partition("|")
        parts = [part for part in module.split("::") if part]
        place = here.split("::") if here else []
        if not parts:
            return [self._of[importer]]
        if parts[0] == "crate":
            base, rest = [], parts[1:]
        elif parts[0] == "self":
            base, rest = place, parts[1:]
        elif parts[0] == "super":
            rest = parts
            base = place
            while rest and rest[0] == "super":
                base, rest = base[:-1], rest[1:]
        elif parts[0] in self._crates:
            crate, base, rest = self._crates[parts[0]], [], parts[1:]
        else:
            nested = f"{crate}|{'::'.join([*place, *parts])}"
            return [nested] if nested in self._known else []
        wanted = f"{crate}|{'::'.join([*base, *rest])}"
        return [wanted] if wanted in self._known else []
