"""Every package that an installation brings along may be used, changed and passed on with few conditions."""

from __future__ import annotations

import re
from importlib.metadata import PackageNotFoundError, distribution

PERMISSIVE = frozenset(
    "MIT MIT-0 ISC Apache-2.0 BSD BSD-2-Clause BSD-3-Clause 0BSD Zlib CC0-1.0 PSF-2.0 CNRI-Python Unlicense".split()
)
_WORDS = {"MIT License": "MIT", "BSD License": "BSD", "Apache Software License": "Apache-2.0"}
"""Names of classifiers that say the same as an identifier of SPDX."""
_PREFIX = "License :: OSI Approved :: "


def brought_along(name: str = "fourfold") -> dict[str, list[str]]:
    """The packages below one, extras left out, those for other systems as well where they are not installed; and the
    licences that each names."""
    found: dict[str, list[str]] = {}
    todo = [name]
    while todo:
        package = re.sub(r"[-_.]+", "-", todo.pop()).lower()
        if package in found:
            continue
        try:
            known = distribution(package)
        except PackageNotFoundError:
            continue  # for another system or an older Python
        said = {key: known.metadata.get_all(key) or [] for key in ("License-Expression", "Classifier", "License")}
        classified = [one for line in said["Classifier"] for one in line.split(_PREFIX)[1:]]
        for expression in said["License-Expression"] or classified or said["License"]:
            names = re.split(r" (?:AND|OR) ", re.sub(r"[()]", "", expression) if not classified else expression)
            found.setdefault(package, []).extend(_WORDS.get(one, one) for one in names)
        found.setdefault(package, [])
        for required in known.requires or []:
            name_of = re.match(r"[A-Za-z0-9._-]+", required)
            if name_of is not None and "extra ==" not in required:
                todo.append(name_of[0])
    return found


def test_every_dependency_is_permissive() -> None:
    found = brought_along()
    assert len(found) > 20
    assert {"numpy", "tree-sitter", "click"} <= found.keys()
    other = {name: names for name, names in found.items() if not names or not PERMISSIVE.issuperset(names)}
    assert other == {}
