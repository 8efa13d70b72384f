"""``match``: places in the code that have the shape of a pattern (``foo($A, $$$REST)``), by ast-grep."""

from __future__ import annotations

import re
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from fourfold.model.errors import BadPattern, UsageError
from fourfold.model.structure import MatchItem
from fourfold.pipeline.structure.items import MAX_TEXT, Structure
from fourfold.pipeline.structure.pattern import VARIABLE, root_of, rule_of
from fourfold.retrieve.literal_texts import texts_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fourfold.model.query import Filters

LANGUAGES = frozenset(
    "bash c cpp csharp css dart elixir go haskell hcl html java javascript json kotlin lua php python ruby rust scala "
    "swift tsx typescript yaml zig".split()
)
"""Languages that patterns can be written in."""
DEADLINE_S = 20.0
"""Time for one pattern; what was found until then is given, and said to be cut."""
MOST_LANGUAGES = 8
"""So many languages are tried where none is named."""
_DATA = frozenset({"json", "yaml", "html", "css", "hcl"})
"""Almost any text is code of these: only where they are named."""
_WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]{2,}")
_AT_ONCE = 64


@dataclass(frozen=True, slots=True)
class Matches:
    """Places that match; `dropped` counts those beyond the limit in the files that were looked at. `tried` are the
    languages whose code the pattern is, where none was named."""

    items: list[MatchItem]
    files: int
    dropped: int = 0
    timed_out: bool = False
    tried: tuple[str, ...] = ()


def match_any(structure: Structure, pattern: str, filters: Filters, limit: int) -> Matches:
    """:func:`match` in every language of the repository that the pattern is code of, those with most files first.

    Raises BadPattern where it is code of none of them, UsageError where no language here has patterns."""
    counts = Counter(one for one in structure.languages.values() if one in LANGUAGES and one not in _DATA)
    if not counts:
        raise UsageError("no file here is in a language with syntax patterns", hint="name one: --lang python")
    tried: list[str] = []
    items: list[MatchItem] = []
    files, dropped, refused = 0, 0, None
    started = time.monotonic()
    for language, _ in counts.most_common(MOST_LANGUAGES):
        try:
            found = match(structure, pattern, language, filters, limit - len(items))
        except BadPattern as error:
            refused = refused or error
            continue
        tried.append(language)
        items += found.items
        files, dropped = files + found.files, dropped + found.dropped
        if found.timed_out or time.monotonic() - started > DEADLINE_S:
            return Matches(items, files, dropped, True, tuple(tried))
    if refused is not None and not tried:
        raise refused
    return Matches(items, files, dropped, tried=tuple(tried))


def match(structure: Structure, pattern: str, language: str, filters: Filters, limit: int) -> Matches:
    """All places of a language that match a pattern.

    Raises UsageError for a language without patterns, BadPattern for a pattern that is no code of it.
    """
    if language not in LANGUAGES:
        known = ", ".join(sorted(LANGUAGES))
        raise UsageError(
            f"there are no syntax patterns for {language or 'this language'}", hint=f"choose one of: {known}"
        )
    rule = rule_of(pattern, language)
    started = time.monotonic()
    items: list[MatchItem] = []
    dropped, files, timed_out = 0, 0, False
    variables = list(dict.fromkeys(VARIABLE.findall(pattern)))
    for path, text in _texts(structure, pattern, language, filters):
        if time.monotonic() - started > DEADLINE_S:
            timed_out = True
            break
        found = _in_text(text, rule, language)
        files += bool(found)
        for node in found:
            if len(items) < limit:
                items.append(_item(structure, path, language, node, variables))
            else:
                dropped += 1
    return Matches(items, files, dropped, timed_out)


def _in_text(text: str, rule: dict[str, Any], language: str) -> Sequence[Any]:
    root = root_of(text, language)
    if root is None:
        return []
    try:
        found: list[Any] = root.find_all(rule)
    except (KeyboardInterrupt, SystemExit):
        raise
    except BaseException:  # a panic of the library is no Exception
        return []
    return found


def _texts(structure: Structure, pattern: str, language: str, filters: Filters) -> Iterator[tuple[str, str]]:
    """Texts of the language that hold every longer word of the pattern outside of its variables."""
    snapshot = structure.snapshot
    required = list(dict.fromkeys(_WORD.findall(VARIABLE.sub(" ", pattern))))
    narrowed = snapshot.paths_with_trigrams([required]) if required else None
    allowed, exists = structure.allowed(filters), structure.exists()
    candidates = sorted(structure.languages) if narrowed is None else narrowed
    paths = [path for path in candidates if structure.languages.get(path) == language and allowed(path)]
    for start in range(0, len(paths), _AT_ONCE):
        for path, text in texts_of(snapshot).read(snapshot, paths[start : start + _AT_ONCE]):
            if all(word in text for word in required) and exists(path):
                yield path, text


def _item(structure: Structure, path: str, language: str, node: Any, variables: list[tuple[str, str]]) -> MatchItem:
    place = node.range()
    captures = {}
    for many, name in variables:
        if many:
            captures[name] = ", ".join(one.text() for one in node.get_multiple_matches(name) if one.text() != ",")
        else:
            one = node.get_match(name)
            captures[name] = one.text() if one is not None else ""
    line = place.start.line + 1
    symbol = ""
    for row in structure.snapshot.symbols_of(path):
        if row.symbol.start_line <= line <= row.symbol.end_line:
            symbol = row.symbol.qualified_name
    return MatchItem(
        path=path,
        start_line=line,
        end_line=place.end.line + 1,
        column=place.start.column + 1,
        text=node.text()[:MAX_TEXT],
        language=language,
        captures={name: value[:MAX_TEXT] for name, value in captures.items()},
        symbol=symbol,
    )
