"""Targets as people write them, checked against what is indexed."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from fourfold.config.option import nearest, shown
from fourfold.evaluate.question import Target
from fourfold.model.counting import count
from fourfold.model.symbol import Symbol

if TYPE_CHECKING:
    from fourfold.store.local.snapshot import LocalSnapshot

MAX_DEFINITIONS = 10
"""Definitions of one symbol that all count as right; of more, one must be chosen by its path."""
ALIKE_LETTERS = 2
MAX_COMPARED = 2000
"""Names that a wrong one is compared with: comparing is slow."""
_PLACE = re.compile(r"(?P<path>.+?)(?::(?P<start>\d{1,9})(?:-(?P<end>\d{1,9}))?)?")
_KEYS = ("path", "start_line", "end_line", "symbol")


class Refused(Exception):
    """A question or target is faulty; the text says how, without the line."""


@dataclass
class Known:
    """What an index knows of files and names. `lines` is the number of lines of each indexed file, `skipped` the reason
    of those that are left out, `symbols` are definitions by path."""

    lines: Mapping[str, int]
    skipped: Mapping[str, str]
    symbols: Mapping[str, Sequence[Symbol]]

    @classmethod
    def of(cls, snapshot: LocalSnapshot) -> Known:
        """What a snapshot knows."""
        from fourfold.store.contract import INDEXED

        records = snapshot.records()
        lines = {path: one.lines for path, one in records.items() if one.status == INDEXED}
        skipped = {path: one.reason for path, one in records.items() if one.status != INDEXED}
        return cls(lines, skipped, snapshot.symbols())

    @cached_property
    def _by_name(self) -> dict[str, list[Target]]:
        found: dict[str, list[Target]] = {}
        for path, symbols in self.symbols.items():
            for one in symbols:
                place = Target(path, one.start_line, one.end_line)
                for name in {one.name, one.qualified_name}:
                    found.setdefault(name, []).append(place)
        return found

    def named(self, name: str, path: str = "") -> tuple[Target, ...]:
        """The definitions of a name, in a file where one is given. Raises :class:`Refused`."""
        found = [one for one in self._by_name.get(name, ()) if not path or one.path == path]
        where = f" in {path}" if path else ""
        if not found:
            near = nearest(name, alike(name, self._by_name))
            raise Refused(f"nothing{where} defines {shown(name)}" + (f"; did you mean {near}?" if near else ""))
        if len(found) > MAX_DEFINITIONS:
            raise Refused(f"{len(found):,} things{where} are called {shown(name)}: name the path, or lines")
        return tuple(dict.fromkeys(found))

    def check_path(self, path: str) -> None:
        """Raise :class:`Refused` unless the path is that of an indexed file."""
        if path.startswith(("/", "\\", "~")) or ".." in path.split("/") or re.match(r"[A-Za-z]:[\\/]", path):
            raise Refused(f"the target {shown(path)} is outside of the root: paths are relative to it")
        if path in self.skipped:
            raise Refused(f"the target {shown(path)} is not indexed: {self.skipped[path]}")
        if path not in self.lines:
            near = nearest(path, alike(path, self.lines))
            raise Refused(f"the target {shown(path)} does not exist" + (f"; did you mean {near}?" if near else ""))


def alike(name: str, known: Iterable[str]) -> list[str]:
    """The known names that are worth comparing with a wrong one: those with its last part, else with its beginning."""
    last = re.split(r"[/.]", name)[-1] if "/" not in name else name.rsplit("/", 1)[-1]
    everything = list(known)
    found = [one for one in everything if one.endswith(last)] if last else []
    found = found or [one for one in everything if one[:ALIKE_LETTERS].lower() == name[:ALIKE_LETTERS].lower()]
    return found[:MAX_COMPARED]


def target_of(value: Any, known: Known) -> tuple[Target, ...]:
    """The places that one written target means. Raises :class:`Refused`."""
    if isinstance(value, str):
        if value in known.lines:
            return (Target(value),)
        match = _PLACE.fullmatch(value.strip())
        if match is None:
            raise Refused("a target is empty")
        start = int(match["start"]) if match["start"] else None
        return (_lines(match["path"], start, int(match["end"]) if match["end"] else start, known),)
    if not isinstance(value, dict):
        raise Refused(f"a target must be a path, path:line-line or an object, not {shown(value)}")
    for key in value:
        if key not in _KEYS:
            raise Refused(f"a target has no key {shown(key)}; keys are {', '.join(_KEYS)}")
    path, symbol = value.get("path", ""), value.get("symbol")
    if not isinstance(path, str) or (symbol is not None and not isinstance(symbol, str)):
        raise Refused("path and symbol of a target must be texts")
    if symbol:
        if path:
            known.check_path(_clean(path))
        return known.named(symbol, _clean(path))
    if not path:
        raise Refused("a target has neither a path nor a symbol")
    start, end = value.get("start_line"), value.get("end_line")
    if not all(one is None or (isinstance(one, int) and not isinstance(one, bool)) for one in (start, end)):
        raise Refused("start_line and end_line must be whole numbers")
    return (_lines(path, start if start is not None else end, end if end is not None else start, known),)


def _lines(path: str, start: int | None, end: int | None, known: Known) -> Target:
    clean = _clean(path)
    known.check_path(clean)
    if start is None or end is None:
        return Target(clean)
    if not 1 <= start <= end:
        raise Refused(f"lines {start}-{end} of {clean} are no range: they count from 1, the first one first")
    if start > known.lines[clean]:
        raise Refused(f"line {start} is outside of {clean}, which has {count(known.lines[clean], 'line')}")
    return Target(clean, start, end)


def _clean(path: str) -> str:
    return path.removeprefix("./")
