"""Python: dotted modules below the outermost folder that is not a package itself."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence


class PythonModules:
    """Modules by dotted name. A namespace is ``root|dotted``: the same module name may occur below several roots.

    Where the root is a package itself, ``manifests[""]`` is what it calls itself: the name of its folder, which no path
    shows.
    """

    def __init__(self, files: Mapping[str, tuple[str, str]], manifests: Mapping[str, str]) -> None:
        self._packages = {path.rpartition("/")[0] for path in files if path.rpartition("/")[2] == "__init__.py"}
        self._own_name = manifests.get("", "")
        self._of = {path: self._namespace(path) for path in files}
        self._roots: dict[str, list[str]] = {}
        for namespace in sorted(set(self._of.values())):
            root, _, dotted = namespace.partition("|")
            self._roots.setdefault(dotted, []).append(root)
        self._packages_at: dict[str, set[str]] = {}
        for namespace in self._of.values():
            root, _, dotted = namespace.partition("|")
            while "." in dotted:
                dotted = dotted.rpartition(".")[0]
                self._packages_at.setdefault(dotted, set()).add(root)

    def _namespace(self, path: str) -> str:
        folder, _, name = path.rpartition("/")
        stem = name.partition(".")[0]
        parts = [] if stem == "__init__" else [stem]
        while folder and folder in self._packages:
            folder, _, last = folder.rpartition("/")
            parts.insert(0, last)
        if not parts:
            parts = [stem]
        return f"{folder}|{'.'.join(parts)}"

    def namespace(self, path: str) -> str:
        """``root|dotted.name`` of a file."""
        return self._of[path]

    def targets(self, importer: str, module: str) -> Sequence[str]:
        """Relative imports from the importer's package, absolute ones below the root nearest to the importer; a folder
        without ``__init__.py`` counts as a package below any root."""
        if module.startswith("."):
            return self._relative(importer, module)
        found = [f"{root}|{module}" for root in sorted(self._roots.get(module, ()), key=_distance_to(importer))]
        if found:
            return found
        head, _, rest = module.partition(".")
        if rest:  # a namespace package: its folders are no part of the dotted names found so far
            tail = module
            folders = ""
            while "." in tail:
                head, _, tail = tail.partition(".")
                folders = f"{folders}/{head}" if folders else head
                roots = [root for root in self._roots.get(tail, ()) if f"/{root}".endswith(f"/{folders}")]
                if roots:
                    return [f"{root}|{tail}" for root in sorted(roots, key=_distance_to(importer))]
        if rest and module.partition(".")[0] == self._own_name:
            return [place for place in self.targets(importer, rest) if place.startswith("|")]
        packages = self._packages_at.get(module, set())
        return [f"{root}|{module}" for root in sorted(packages, key=_distance_to(importer))]

    def _relative(self, importer: str, module: str) -> Sequence[str]:
        level = len(module) - len(module.lstrip("."))
        root, _, dotted = self._of[importer].partition("|")
        parts = dotted.split(".")
        is_package = importer.rpartition("/")[2] == "__init__.py"
        keep = len(parts) - level + (1 if is_package else 0)
        rest = module[level:]
        if keep < 0:
            return ()
        if keep == 0:  # above the outermost package: a sibling file of a folder without __init__.py
            folder = importer.rpartition("/")[0]
            return [f"{folder}|{rest}"] if rest else ()
        return [f"{root}|{'.'.join([*parts[:keep], *([rest] if rest else [])])}"]

    def child(self, namespace: str, name: str) -> str | None:
        """A submodule or subpackage."""
        root, _, dotted = namespace.partition("|")
        wanted = f"{dotted}.{name}" if dotted else name
        known = root in self._roots.get(wanted, ()) or root in self._packages_at.get(wanted, ())
        return f"{root}|{wanted}" if known else None


def _distance_to(importer: str) -> Callable[[str], tuple[int, str]]:
    """Sort key of roots: those that hold the importer first, the innermost first, then by name."""

    def key(root: str) -> tuple[int, str]:
        holds = not root or importer.startswith(root + "/")
        return (-len(root) - 1 if holds else 0, root)

    return key
