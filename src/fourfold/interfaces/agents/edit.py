"""Edits of texts as one insertion each, so that each can be taken back byte for byte."""

from __future__ import annotations

import json
import re
import tomllib
from dataclasses import dataclass
from typing import Any

from fourfold.interfaces.agents.jsonc import Malformed, Node, parse

BEGIN = "<!-- fourfold:begin -->"
END = "<!-- fourfold:end -->"


class Refused(Exception):
    """A file that is left alone, and why: one sentence without the file's name."""


@dataclass(frozen=True, slots=True)
class Insertion:
    """`text` is put at the offset `at` of a file's text. An empty text means that there is nothing to do."""

    at: int
    text: str

    def into(self, old: str) -> str:
        """The text with the insertion."""
        return old[: self.at] + self.text + old[self.at :]


NOTHING = Insertion(0, "")


def json_insertion(old: str, keys: tuple[str, ...], name: str, entry: dict[str, Any]) -> Insertion:
    """The member `name` in the object that `keys` lead to, made where it is missing. Raises Refused."""
    newline = "\r\n" if "\r\n" in old else "\n"
    if not old.strip("\ufeff \t\r\n"):
        return Insertion(len(old), _document(keys, name, entry, newline))
    node = json_root(old)
    step = _step(old)
    depth = 1
    for index, key in enumerate(keys):
        found = node.named(key)
        if len(found) > 1:
            raise Refused(f'it has "{key}" twice')
        if not found:
            nested: dict[str, Any] = {name: entry}
            for missing in reversed(keys[index + 1 :]):
                nested = {missing: nested}
            return _into(old, node, key, nested, depth, step, newline)
        node = found[0].value
        if node.kind != "object":
            raise Refused(f'its "{key}" is no object')
        depth += 1
    if existing := node.named(name):
        if len(existing) == 1 and existing[0].value.data == entry:
            return NOTHING
        raise Refused(f'it has an entry "{name}" of another kind: remove that first')
    return _into(old, node, name, entry, depth, step, newline)


def json_removal(old: str, keys: tuple[str, ...], name: str) -> str:
    """The text without the member, and without its comma; what else there is stays as it is. Raises Refused."""
    if not old.strip("\ufeff \t\r\n"):
        return old
    node = json_root(old)
    for key in keys:
        found = node.named(key)
        if not found or found[-1].value.kind != "object":
            return old
        node = found[-1].value
    found = node.named(name)
    if not found:
        return old
    member = found[-1]
    index = node.members.index(member)
    start, end = member.start, member.end
    comma = re.compile(r"[ \t]*,").match(old, end)
    if comma:
        end = comma.end()
    elif index:  # the last one: the comma before it goes as well
        between = old[node.members[index - 1].end : start]
        start -= len(between) - between.index(",") if "," in between else 0
        return old[:start] + old[end:]
    before = re.search(r"\r?\n[ \t]*$|[ \t]*$", old[:start])
    start = before.start() if before else start
    return old[:start] + old[end:]


def toml_insertion(old: str, table: str, name: str, entry: dict[str, Any]) -> Insertion:
    """The table ``[table.name]`` behind everything else. Raises Refused."""
    data = _toml(old)
    held = data.get(table, {})
    if not isinstance(held, dict):
        raise Refused(f"its {table} is no table")
    if name in held:
        if held[name] == entry:
            return NOTHING
        raise Refused(f"it has an entry {table}.{name} of another kind: remove that first")
    newline = "\r\n" if "\r\n" in old else "\n"
    lines = [f"[{table}.{name}]", *(f"{key} = {json.dumps(value)}" for key, value in entry.items())]
    gap = "" if not old.strip("\ufeff \t\r\n") else newline if old.endswith("\n") else newline * 2
    insertion = Insertion(len(old), gap + newline.join(lines) + newline)
    try:
        made = _toml(insertion.into(old))
    except Refused:
        raise Refused(f"its {table} is written so that a table cannot be added (an inline table)") from None
    if made.get(table, {}).get(name) != entry:
        raise Refused(f"its {table} is written so that a table cannot be added")
    return insertion


def toml_removal(old: str, table: str, name: str) -> str:
    """The text without the table and the empty line before it. Raises Refused."""
    _toml(old)
    head = re.search(rf"(?:\r?\n)?^\[{re.escape(table)}\.{re.escape(name)}\][ \t]*(?:#[^\n]*)?\r?$", old, re.MULTILINE)
    if head is None:
        return old
    rest = re.compile(r"^[ \t]*\[", re.MULTILINE).search(old, head.end())
    new = old[: head.start()] + old[rest.start() if rest else len(old) :]
    if name in _toml(new).get(table, {}):
        raise Refused(f"its {table}.{name} is spread over several tables: remove it by hand")
    return new


def block_insertion(old: str, block: str) -> Insertion:
    """The marked block at the end of an instruction file; nothing where it is there. Raises Refused."""
    newline = "\r\n" if "\r\n" in old else "\n"
    text = newline.join([BEGIN, *block.split("\n"), END]) + newline
    if BEGIN in old or END in old:
        if text.strip() in old:
            return NOTHING
        raise Refused("it has a fourfold block of another version: run `fourfold uninstall` first")
    gap = "" if not old.strip("\ufeff \t\r\n") else newline if old.endswith("\n") else newline * 2
    return Insertion(len(old), gap + text)


def block_removal(old: str) -> str:
    """The text without the marked block and the empty line before it. Raises Refused for a half of a block."""
    if BEGIN not in old and END not in old:
        return old
    found = list(re.finditer(rf"(?:\r?\n)?{re.escape(BEGIN)}.*?{re.escape(END)}(?:\r?\n)?", old, re.DOTALL))
    if len(found) != 1 or old.count(BEGIN) != 1 or old.count(END) != 1:
        raise Refused("its fourfold block is not whole: remove it by hand")
    return old[: found[0].start()] + old[found[0].end() :]


def json_root(old: str) -> Node:
    """The document of a JSON file; raises Refused where it is none or no object."""
    try:
        node = parse(old)
    except Malformed as error:
        raise Refused(f"it is not valid JSON ({error})") from None
    if node.kind != "object":
        raise Refused("it is no JSON object")
    return node


def _toml(text: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text.removeprefix("\ufeff").replace("\r\n", "\n"))
    except tomllib.TOMLDecodeError as error:
        raise Refused(f"it is not valid TOML ({error})") from None


def _into(old: str, node: Node, key: str, value: Any, depth: int, step: str, newline: str) -> Insertion:
    """A member in front of the others of an object: no comma of theirs, and no comment, has to move."""
    rest = re.compile(r"(?:[ \t]|/\*[^\n]*?\*/)*(?://[^\n]*?)?(?=\r?\n)").match(old, node.start + 1)
    comma = "," if node.members else ""
    if rest is None and node.members:  # an object on one line
        return Insertion(node.start + 1, f"{json.dumps(key)}: {json.dumps(value)}, ")
    shown = json.dumps(value, indent=step, ensure_ascii=False).replace("\n", newline + step * depth)
    text = f"{newline}{step * depth}{json.dumps(key)}: {shown}{comma}"
    if rest is None:
        return Insertion(node.start + 1, f"{text}{newline}{step * (depth - 1)}")
    return Insertion(rest.end(), text)


def _step(old: str) -> str:
    """The indentation of one level: that of the first indented member, else two blanks."""
    found = re.search(r"\n([ \t]+)\"", old)
    return found.group(1) if found else "  "


def _document(keys: tuple[str, ...], name: str, entry: dict[str, Any], newline: str) -> str:
    value: dict[str, Any] = {name: entry}
    for key in reversed(keys):
        value = {key: value}
    return json.dumps(value, indent=2).replace("\n", newline) + newline
