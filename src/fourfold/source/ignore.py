"""Ignore files: parsing them, and asking them about one entry of a folder.

A :class:`RuleSet` answers for an entry itself, never for what lies below it: folders are pruned before they
are entered, so what lies below an ignored folder is never asked about. That is how git does it too. In one
file the last matching rule wins; among several files the deepest wins; the caller keeps them in that order.

Most rules of real ignore files are a plain name, a suffix (``*.pyc``) or a prefix (``cmake-*``): these are
looked up, and only what remains is matched by a regular expression.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from fourfold.model.record import record
from fourfold.source.glob import SPECIAL, translate

GITIGNORE = ".gitignore"
OWN_IGNORE = ".fourfoldignore"

_EVERYTHING = frozenset({"*", "**", "/*", "/**", "**/*", "*/", "**/", "/*/", "*/*", "*.*"})
"""Patterns that leave nothing of a tree. In a global excludes file they are a mistake (a dotfiles
repository's)."""


@record(frozen=True, slots=True)
class Rule:
    """One line of an ignore file.

    `pattern` has no leading ``!`` or ``/`` and no trailing ``/``; its characters are the bytes of the line,
    since git's ``?`` and brackets match one byte.
    """

    source: str
    line: int
    text: str
    pattern: str
    negated: bool
    folders_only: bool
    anchored: bool

    @property
    def origin(self) -> str:
        """Where the rule stands, as people write it: ``.gitignore:3: build/``."""
        return f"{self.source}:{self.line}: {self.text}"


def parse_line(raw: str, source: str, line: int) -> Rule | None:
    """One line of an ignore file, or None where it is blank or a comment."""
    text = _strip_trailing_spaces(raw.removesuffix("\r"))
    if not text or text.startswith("#"):
        return None
    negated = text.startswith("!")
    body = text[1:] if negated else text
    folders_only = body.endswith("/")
    body = body[:-1] if folders_only else body
    anchored = "/" in body
    body = body.removeprefix("/")
    if not body:
        return None
    return Rule(source, line, text, as_bytes(body), negated, folders_only, anchored)


def parse(content: bytes, source: str) -> list[Rule]:
    """All rules of an ignore file's bytes. Bytes that are not UTF-8 stay as they are in file names of the
    system."""
    text = content.removeprefix(b"\xef\xbb\xbf").decode("utf-8", "surrogateescape")
    lines = text.split("\n")
    return [rule for number, raw in enumerate(lines, 1) if (rule := parse_line(raw, source, number)) is not None]


def as_bytes(name: str) -> str:
    """A name with one character for each byte that it has on disk."""
    return name if name.isascii() else name.encode("utf-8", "surrogateescape").decode("latin-1")


def refuse_everything(rules: Iterable[Rule]) -> tuple[list[Rule], list[Rule]]:
    """(rules kept, rules refused): a global rule that would ignore every file of every tree is refused."""
    kept: list[Rule] = []
    refused: list[Rule] = []
    for rule in rules:
        (refused if not rule.negated and rule.text in _EVERYTHING else kept).append(rule)
    return kept, refused


class RuleSet:
    """The rules of one ignore file.

    `base` is the folder that the file speaks of, as a prefix of root-relative paths ("" or "src/"); `above`
    is what stands before root-relative paths where the file lies above the root ("" or "packages/app/").
    """

    __slots__ = (
        "_above",
        "_base_length",
        "_fold",
        "_names",
        "_passages",
        "_paths",
        "_prefixes",
        "_regexes",
        "_suffixes",
        "rules",
    )

    def __init__(self, rules: Iterable[Rule], *, base: str = "", above: str = "", ignore_case: bool = False) -> None:
        self.rules = tuple(rules)
        self._base_length = len(base)
        self._above = above
        self._fold = ignore_case
        self._names: dict[str, list[int]] = {}
        self._paths: dict[str, list[int]] = {}
        self._suffixes: list[tuple[int, str]] = []
        self._prefixes: list[tuple[int, str]] = []
        self._regexes: list[tuple[int, re.Pattern[str], bool]] = []
        self._passages: RuleSet | None = None
        for number in range(len(self.rules) - 1, -1, -1):
            self._add(number, self.rules[number])

    def _add(self, number: int, rule: Rule) -> None:
        pattern = rule.pattern.lower() if self._fold else rule.pattern
        if not SPECIAL.search(pattern):
            (self._paths if rule.anchored else self._names).setdefault(pattern, []).append(number)
        elif not rule.anchored and pattern[0] == "*" and not SPECIAL.search(pattern[1:]):
            self._suffixes.append((number, pattern[1:]))
        elif not rule.anchored and pattern[-1] == "*" and not SPECIAL.search(pattern[:-1]):
            self._prefixes.append((number, pattern[:-1]))
        else:
            # Without a slash, ** is no more than *: a name has no folders to span.
            whole = pattern if rule.anchored else re.sub(r"\*\*+", "*", pattern)
            regex = translate(whole)
            if regex is not None:
                flags = re.DOTALL | (re.IGNORECASE if self._fold else 0)
                self._regexes.append((number, re.compile(regex, flags), rule.anchored))

    def match(self, path: str, name: str, is_dir: bool) -> Rule | None:
        """The rule that decides about this entry, or None. `path` is relative to the root, `name` its last
        part."""
        relative = self._above + path[self._base_length :]
        if not relative.isascii():
            name, relative = as_bytes(name), as_bytes(relative)
        if self._fold:
            name, relative = name.lower(), relative.lower()
        best = -1
        rules = self.rules
        for table, key in ((self._names, name), (self._paths, relative)):
            for number in table.get(key, ()):
                if is_dir or not rules[number].folders_only:
                    best = max(best, number)
                    break
        for number, suffix in self._suffixes:
            if number <= best:
                break
            if name.endswith(suffix) and (is_dir or not rules[number].folders_only):
                best = number
        for number, prefix in self._prefixes:
            if number <= best:
                break
            if name.startswith(prefix) and (is_dir or not rules[number].folders_only):
                best = number
        for number, regex, anchored in self._regexes:
            if number <= best:
                break
            if (is_dir or not rules[number].folders_only) and regex.fullmatch(relative if anchored else name):
                best = number
        return rules[best] if best >= 0 else None

    def opens(self, path: str, name: str) -> bool:
        """True where a negated rule with a folder part may match something below the folder `path`.

        So ``!generated/client/`` finds its way although ``generated`` is ignored. A negated rule that may lie
        anywhere (``!client/``, ``!**/client``) opens nothing: it would make every ignored folder be walked.
        """
        if self._passages is None:
            self._passages = RuleSet(_passages(self.rules), ignore_case=self._fold)
            self._passages._base_length = self._base_length
            self._passages._above = self._above
        return bool(self._passages.rules) and self._passages.match(path, name, True) is not None


def _passages(rules: Iterable[Rule]) -> list[Rule]:
    """Rules that match the folders on the way to what negated rules name."""
    out: list[Rule] = []
    for rule in rules:
        segments = rule.pattern.split("/")
        if not rule.negated or not rule.anchored or segments[0] == "**":
            continue
        for count in range(1, len(segments)):
            way = "/".join(segments[:count])
            out.append(Rule(rule.source, rule.line, rule.text, way, False, True, True))
            if segments[count - 1] == "**":
                break
    return out


def _strip_trailing_spaces(line: str) -> str:
    """Trailing spaces do not count, except one that a backslash protects."""
    end = len(line)
    while end and line[end - 1] == " ":
        end -= 1
    backslashes = len(line[:end]) - len(line[:end].rstrip("\\"))
    return line[: end + 1] if backslashes % 2 and end < len(line) else line[:end]
