"""Questions about the history: which commits did what. Read on request, in an index of its own."""

from __future__ import annotations

import re
import sqlite3
import time
from collections.abc import Callable
from dataclasses import asdict
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from fourfold.engine.asking import Asking
from fourfold.engine.checks import check_limit
from fourfold.model.errors import BadFilter, BadQuery, LockHeld
from fourfold.model.query import MAX_QUERY_CHARS, Filters
from fourfold.model.record import record
from fourfold.model.result import SCHEMA, Meta, plain

if TYPE_CHECKING:
    from fourfold.engine.asking import ProgressCallback
    from fourfold.index.history import HistoryReport
    from fourfold.retrieve.history import HistoryHits

T = TypeVar("T")

_AGO = re.compile(r"(\d{1,5})\s*(h|d|w|m|y|hours?|days?|weeks?|months?|years?)(?:\s+ago)?", re.IGNORECASE)
_UNITS = {"h": timedelta(hours=1), "d": timedelta(days=1), "w": timedelta(weeks=1)}
_UNITS |= {"m": timedelta(days=30.4375), "y": timedelta(days=365.25)}
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}|\d{8}")


@record(frozen=True, slots=True)
class HistoryItem:
    """One commit. `date` is the author's, as ISO 8601 in UTC; `snippet` is the part of the body that answers best;
    `files` are those shown of `files_total` touched ones."""

    rank: int
    commit: str
    date: str
    author: str
    subject: str
    snippet: str
    files: tuple[str, ...]
    files_total: int
    score: float


@record(frozen=True, slots=True)
class HistoryResult:
    """Query, commits best first, and meta, where `indexed_commit` is the one that the history was read up to."""

    query: dict[str, Any]
    items: tuple[HistoryItem, ...]
    meta: Meta

    def to_dict(self) -> dict[str, Any]:
        """The JSON shape: ``{"schema", "query", "items", "meta"}``, all plain lists, dicts, numbers and strings."""
        return {"schema": SCHEMA, **plain(asdict(self))}


class HistoryQuestions(Asking):
    """The history of :class:`fourfold.engine.Index`. Nothing of it is read before it is asked for."""

    def history(
        self,
        query: str = "",
        limit: int = 10,
        *,
        filters: Filters | None = None,
        author: str = "",
        since: str = "",
        until: str = "",
        refresh: bool = True,
        progress: ProgressCallback | None = None,
    ) -> HistoryResult:
        """The commits that answer a question best; without words the newest ones that satisfy the filters.

        `filters` narrow to commits that touch a path (under the name it had then); `author` is part of a name or an
        e-mail address; `since` and `until` are dates (``2024-05-31``, ``2024-05-31T12:00``, ``3 weeks``, ``6m``).
        `refresh` reads commits that are new first. Raises BadQuery or BadFilter for bad arguments, IndexUnavailable
        where there is no git, no repository, or nothing was read yet and `refresh` is off.
        """
        from fourfold.retrieve.history import HistoryFilters, search_history

        started = time.perf_counter()
        check_limit(limit)
        if len(query) > MAX_QUERY_CHARS:
            raise BadQuery(f"the question has more than {MAX_QUERY_CHARS:,} characters", hint="ask in fewer words")
        now = datetime.now(UTC)
        asked = HistoryFilters(
            files=self._scoped(filters or Filters()),
            author=author.strip(),
            since=moment(since, now) if since else None,
            until=moment(until, now, end=True) if until else None,
        )
        degraded = self._freshen_history(progress) if refresh else ""
        found = self._on_history(lambda folder: search_history(folder, query, asked, limit), refresh, progress)
        info = {"text": query, "author": asked.author, "since": _moment(asked.since), "until": _moment(asked.until)}
        return HistoryResult(info, _items(found), self._history_meta(found, degraded, started))

    def refresh_history(self, *, progress: ProgressCallback | None = None, wait_s: float = 0.0) -> HistoryReport:
        """Read the commits that are new since the last time. Raises IndexUnavailable and LockHeld."""
        from fourfold.config.places import prepare_index_dir
        from fourfold.index.history import FOLDER, update

        folder = prepare_index_dir(self.root, self.settings) / FOLDER
        redacted = self.settings.index.redact_secrets
        return update(self.root, folder, redact_secrets=redacted, progress=progress, wait_s=wait_s)

    def _clear_history(self) -> None:
        from fourfold.index.history import FOLDER, clear

        clear(self.location / FOLDER)

    def _freshen_history(self, progress: ProgressCallback | None) -> str:
        """Read what is new; returns what is to be said where another process is doing so."""
        from fourfold.index.history import FOLDER, state_of

        try:
            self.refresh_history(progress=progress)
        except LockHeld as error:
            if not state_of(self.location / FOLDER):
                raise
            return f"answered from what was read so far: {error.message}"
        return ""

    def _on_history(self, work: Callable[[Path], T], refresh: bool, progress: ProgressCallback | None) -> T:
        """Ask the index; one that turns out to be damaged is made anew, once, where refreshing is allowed."""
        from fourfold.index.history import FOLDER, clear
        from fourfold.model.errors import IndexDamaged

        folder = self.location / FOLDER
        try:
            return work(folder)
        except sqlite3.DatabaseError as error:
            if not refresh:
                raise IndexDamaged(
                    f"the history in {folder} is damaged: {error}", hint="run: fourfold history"
                ) from error
        clear(folder)
        self.refresh_history(progress=progress)
        return work(folder)

    def _history_meta(self, found: HistoryHits, degraded: str, started: float) -> Meta:
        state = self._freshness.git()
        indexed, live = found.state.get("tip") or None, state.commit if state else None
        if found.state.get("complete") != "1" and not degraded:
            degraded = "the history is not read to its end: older commits may be missing"
        dropped = max(found.total - len(found.hits), 0)
        return Meta(
            preset="history",
            root=str(self.root),
            indexed_commit=indexed,
            live_commit=live,
            branch=state.branch if state else None,
            stale=bool(degraded) or indexed != live,
            truncated=dropped > 0,
            dropped=dropped,
            degraded=degraded or None,
            took_ms=round((time.perf_counter() - started) * 1000, 2),
        )


def moment(text: str, now: datetime, *, end: bool = False) -> int:
    """A date as seconds since the epoch. A day alone means its beginning, with `end` its last second; without a zone
    it is in UTC. ``3 weeks`` and ``6m`` lie before `now` (a month has 30.4 days). Raises BadFilter."""
    said = text.strip()
    ago = _AGO.fullmatch(said)
    try:
        if ago:
            return int((now - int(ago[1]) * _UNITS[ago[2][0].lower()]).timestamp())
        read = datetime.fromisoformat(said)
        if read.tzinfo is None:
            read = read.replace(tzinfo=UTC)
        if end and _DAY.fullmatch(said):
            read += timedelta(days=1, seconds=-1)
        return int(read.timestamp())
    except (ValueError, OverflowError):
        raise BadFilter(
            f"{said[:40]!r} is no date", hint="for instance: 2024-05-31, 2024-05-31T12:00, 3 weeks, 6m"
        ) from None


def _moment(seconds: int | None) -> str | None:
    return None if seconds is None else written(seconds)


def written(seconds: int) -> str:
    """ISO 8601 in UTC; a date that the calendar does not hold (a commit may claim any) as its nearest one."""
    known = min(max(seconds, -62135596800), 253402300799)
    return (datetime(1970, 1, 1, tzinfo=UTC) + timedelta(seconds=known)).strftime("%Y-%m-%dT%H:%M:%SZ")


def _items(found: HistoryHits) -> tuple[HistoryItem, ...]:
    return tuple(
        HistoryItem(
            rank=rank,
            commit=hit.commit,
            date=written(hit.date),
            author=hit.author,
            subject=hit.subject,
            snippet=hit.snippet,
            files=hit.files,
            files_total=hit.files_total,
            score=hit.score,
        )
        for rank, hit in enumerate(found.hits, 1)
    )
