"""What constants of a project hold, from the heads of its symbols."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from fourfold.model.symbol import Symbol

_LITERAL = re.compile(r"=\s*[rbuf]?(['\"`])([^'\"`$]*)\1\s*[;,]?$")
_HOLDERS = frozenset({"constant", "variable", "field"})


class Constants:
    """Texts that constants, variables and fields are set to where they are declared; answers what
    :func:`~fourfold.syntax.routes.join.join_routes` asks of its `constant`."""

    def __init__(self, files: Iterable[tuple[str, Sequence[Symbol]]]) -> None:
        self._values: dict[str, dict[str, str]] = {}
        for path, symbols in files:
            for one in symbols:
                found = _LITERAL.search(one.signature) if one.kind in _HOLDERS else None
                if found is not None:
                    self._values.setdefault(one.name, {}).setdefault(path, found.group(2))

    def __call__(self, path: str, name: str) -> str | None:
        """The text of `name` (its last part counts) as the file at `path` sees it: its own, else the only one of the
        project; None where there is none or several differ."""
        values = self._values.get(re.split(r"\.|::", name)[-1], {})
        if path in values:
            return values[path]
        found = set(values.values())
        return found.pop() if len(found) == 1 else None
