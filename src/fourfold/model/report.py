"""What the engine reports besides search results: progress, refreshes, status, checks."""

from __future__ import annotations

from dataclasses import field

from fourfold.model.record import record


@record(frozen=True, slots=True)
class Progress:
    """A moment of a long piece of work. `stage` is one of scan, index, merge, embed, copy, check; `seconds` since it
    began.

    `done` and `total` count files, in the stage embed pieces of code, in the stage check what is looked at."""

    stage: str
    done: int
    total: int
    chunks: int = 0
    lines: int = 0
    seconds: float = 0.0


@record(frozen=True, slots=True)
class RefreshReport:
    """What one refresh did. `files` are those that the index holds now: `added`, `changed` and `unchanged` ones;
    `removed` no longer are in it. `skipped` counts files of the tree that are not indexed, by reason. `lines` and
    `chunks` are what was written (what the index holds where this ended a first build that had been cut short),
    `vectors` those of a model that is not built in. `fault` says why some of these are missing ("" where none is):
    everything else is searchable all the same."""

    added: int = 0
    changed: int = 0
    removed: int = 0
    unchanged: int = 0
    skipped: dict[str, int] = field(default_factory=dict)
    chunks: int = 0
    lines: int = 0
    seconds: float = 0.0
    generation: int = 0
    warnings: tuple[str, ...] = ()
    interrupted: bool = False
    vectors: int = 0
    fault: str = ""
    files: int = 0


@record(frozen=True, slots=True)
class RefreshPlan:
    """What a refresh would do (dry run). Paths are root-relative; `bytes` is the size of what would be read."""

    added: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    unchanged: int = 0
    skipped: dict[str, int] = field(default_factory=dict)
    bytes: int = 0


@record(frozen=True, slots=True)
class VectorStatus:
    """Vectors of a model that is not built in: `made` live chunks have one, `missing` have none yet. `dimension` is 0
    and `licence` "" as long as neither is known. `server` is where texts are sent, "" for a model of this machine."""

    provider: str
    model: str
    dimension: int = 0
    licence: str = ""
    server: str = ""
    made: int = 0
    missing: int = 0


@record(frozen=True, slots=True)
class Status:
    """The state of an index. Counts are of live rows; `stale_files` differ from the tree right now. `vectors` is None
    where only a built-in model is used."""

    root: str
    location: str
    exists: bool
    generation: int = 0
    files: int = 0
    chunks: int = 0
    symbols: int = 0
    lines: int = 0
    segments: int = 0
    dead_chunks: int = 0
    bytes_on_disk: int = 0
    skipped: dict[str, int] = field(default_factory=dict)
    languages: dict[str, int] = field(default_factory=dict)
    indexed_commit: str | None = None
    live_commit: str | None = None
    branch: str | None = None
    dirty_files: int = 0
    stale_files: int = 0
    model: str = ""
    writer: str = ""
    format_version: int = 0
    vectors: VectorStatus | None = None


@record(frozen=True, slots=True)
class PathStatus:
    """What the index says of one path. `status` is indexed, skipped, ignored, absent or not-yet."""

    path: str
    status: str
    reason: str = ""
    detail: str = ""
    language: str = ""
    lines: int = 0
    chunks: int = 0
    note: str = ""


@record(frozen=True, slots=True)
class Check:
    """One finding of the doctor."""

    name: str
    ok: bool
    detail: str = ""
    hint: str = ""
