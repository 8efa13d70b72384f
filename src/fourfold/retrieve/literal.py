"""Text search: every line that a pattern matches, narrowed by the literal index, verified on the stored
text."""

from __future__ import annotations

import time
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass

from fourfold.model.errors import TimedOut, UsageError
from fourfold.retrieve.literal_engines import PlainEngine
from fourfold.retrieve.literal_lines import Line, context_after, context_before, matched_lines, other_lines
from fourfold.retrieve.literal_texts import texts_of
from fourfold.retrieve.patterns import Pattern, compile_pattern
from fourfold.store.contract import INDEXED, Snapshot

DEADLINE_S = 5.0
"""For one search. What was found by then is given, and called truncated."""
LINE_S = 0.00005
"""Time that each line found adds to the deadline, a few times what handing it out costs: a search that finds
most of a large code base has much to give, its expression is not slow."""
CLOCK_EVERY = 256
"""Matching lines between two looks at the clock."""
HITS_PER_FILE = 20
"""Lines of one file that :func:`literal_hits` gives, so that a file full of a word leaves room for others."""


@dataclass(frozen=True, slots=True)
class LineMatch:
    """One matching line.

    `line` and `column` (of the first match) count from 1, columns in characters. `spans` are half-open
    character offsets in `text`, empty where the match is of nothing or the search is inverted. `before` and
    `after` are context lines in file order.
    """

    path: str
    line: int
    column: int
    text: str
    spans: tuple[tuple[int, int], ...] = ()
    before: tuple[str, ...] = ()
    after: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class GrepHits:
    """Matching lines by path and line. `files` counts the files that hold them, `searched` those that were
    read.

    `truncated` says that there are, or may be, more lines, and `reason` why: the limit, or, where `late`, that
    time ran out, for the whole or for a file.
    """

    lines: list[LineMatch]
    files: int
    truncated: bool
    searched: int
    reason: str = ""
    late: bool = False


def grep(
    snapshot: Snapshot,
    pattern: Pattern,
    paths: Iterable[str] | None = None,
    *,
    before: int = 0,
    after: int = 0,
    limit: int | None = None,
    max_per_file: int | None = None,
    invert: bool = False,
    deadline_s: float = DEADLINE_S,
) -> GrepHits:
    """Every line of the snapshot's texts that `pattern` matches (with `invert`: does not match).

    `paths`, when not None, are the only paths looked at; `before` and `after` count context lines; `limit`
    bounds the lines given and `max_per_file` those of each file. A file whose search takes too long is left
    out, and the whole ends after `deadline_s` seconds and :data:`LINE_S` for each line found: both are told by
    ``truncated``, ``late`` and ``reason``. Order: by path, then by line. Raises :class:`UsageError` for a limit
    below 1 or a negative context.
    """
    _check(before, after, limit, max_per_file)
    started = time.monotonic()
    wanted = _candidates(snapshot, pattern, paths, invert)
    texts = texts_of(snapshot).read(snapshot, wanted)
    lines: list[LineMatch] = []
    files = searched = 0
    reason = ""
    for path, text in texts:
        deadline = started + deadline_s + LINE_S * len(lines)
        if time.monotonic() > deadline:
            return GrepHits(lines, files, True, searched, _late(pattern, deadline_s), True)
        searched += 1
        known = len(lines)
        try:
            for line in _lines(pattern, text, invert, deadline):
                if limit is not None and len(lines) == limit:
                    files += known < limit
                    return GrepHits(lines, files, True, searched, f"limit of {limit} lines reached")
                lines.append(_match(path, text, line, before, after))
                if len(lines) - known == max_per_file:
                    break
                if len(lines) % CLOCK_EVERY == 0 and time.monotonic() > deadline + LINE_S * (len(lines) - known):
                    return GrepHits(lines, files + 1, True, searched, _late(pattern, deadline_s), True)
        except TimedOut as error:
            reason = reason or f"{error.message}: {path}"
            if time.monotonic() > deadline:
                reason = _late(pattern, deadline_s)
        files += len(lines) > known
    return GrepHits(lines, files, bool(reason), searched, reason, bool(reason))


def literal_hits(
    snapshot: Snapshot,
    text: str,
    *,
    regex: bool = False,
    allowed: Collection[str] | None = None,
    limit: int = 200,
) -> list[tuple[str, int]]:
    """(path, line) of the lines that hold `text`, the most literal ones first, at most :data:`HITS_PER_FILE`
    a file and kind: whole words in the given case, then any place in it, then any case.

    `regex` takes `text` as a regular expression. Raises :class:`BadPattern`.
    """
    found: dict[tuple[str, int], None] = {}
    deadline = time.monotonic() + DEADLINE_S
    for word, ignore_case in ((True, False), (False, False), (False, True)):
        pattern = compile_pattern(text, literal=not regex, word=word, ignore_case=ignore_case)
        left = deadline - time.monotonic()
        hits = grep(snapshot, pattern, allowed, limit=limit, max_per_file=HITS_PER_FILE, deadline_s=left)
        found.update(dict.fromkeys((hit.path, hit.line) for hit in hits.lines))
        if len(found) >= limit or hits.late:
            break
    return list(found)[:limit]


def _candidates(snapshot: Snapshot, pattern: Pattern, paths: Iterable[str] | None, invert: bool) -> list[str]:
    """Sorted paths that may match."""
    narrowed = None
    if pattern.required is not None and not invert:
        narrowed = snapshot.paths_with_trigrams(pattern.required)
    if paths is None:
        return sorted(_indexed(snapshot) if narrowed is None else narrowed)
    allowed = set(paths)
    return sorted(allowed if narrowed is None else allowed.intersection(narrowed))


def _indexed(snapshot: Snapshot) -> list[str]:
    """The paths of all indexed files, in no particular order."""
    numbered = getattr(snapshot, "file_paths", None)
    if numbered is not None:
        return [path for path in numbered() if path]
    return [path for path, record in snapshot.records().items() if record.status == INDEXED]


def _lines(pattern: Pattern, text: str, invert: bool, deadline: float) -> Iterator[Line]:
    matched = matched_lines(text, pattern.spans(text, deadline))
    return other_lines(text, matched) if invert else matched


def _match(path: str, text: str, line: Line, before: int, after: int) -> LineMatch:
    start = line.start
    if len(line.spans) == 1 and line.spans[0][1] > line.spans[0][0]:
        begin, end = line.spans[0]
        spans: tuple[tuple[int, int], ...] = ((begin - start, end - start),)
    else:
        spans = tuple((begin - start, end - start) for begin, end in line.spans if end > begin)
    return LineMatch(
        path,
        line.number,
        line.spans[0][0] - start + 1 if line.spans else 1,
        text[start : line.end],
        spans,
        context_before(text, start, before) if before else (),
        context_after(text, line.end, after) if after else (),
    )


def _check(before: int, after: int, limit: int | None, max_per_file: int | None) -> None:
    if before < 0 or after < 0:
        raise UsageError("the number of context lines is negative", hint="give 0 or more")
    for name, value in (("limit", limit), ("limit per file", max_per_file)):
        if value is not None and value < 1:
            message = f"the {name} is {value}, it must be at least 1"
            raise UsageError(message, hint="leave it out for no limit")


def _late(pattern: Pattern, deadline_s: float) -> str:
    slow = "there is much text" if isinstance(pattern.engine, PlainEngine) else "the expression is too slow"
    return f"stopped after {deadline_s:g} s: {slow}"
