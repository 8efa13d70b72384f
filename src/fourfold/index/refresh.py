"""Bringing an index up to date: walk, compare, prepare, commit batch by batch, finish.

Every batch is committed as it comes, so a refresh that is interrupted (Ctrl-C, kill -9, power) keeps what it had, and
the next one goes on from there.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fourfold.index.diff import RACY_NS, Diff, compare
from fourfold.index.identity import OTHER_MODEL, index_identity, rebuild_reason
from fourfold.index.task import PrepareOptions
from fourfold.index.young import READ_BEGAN, settle, vouched_ns
from fourfold.model.record import record
from fourfold.model.report import Progress, RefreshPlan, RefreshReport
from fourfold.source.tree import Tree, as_tree
from fourfold.source.walk import WalkOptions, WalkResult
from fourfold.store.contract import INDEXED, Batch

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from fourfold.index.last_look import LastLook
    from fourfold.index.stage import NamedFileStages
    from fourfold.index.task import Prepared
    from fourfold.store.contract import Snapshot, Store, Writer

ProgressCallback = Callable[[Progress], None]

REBUILT = "the index was rebuilt: "
"""How the warning of a report begins that says why everything was indexed anew."""
REVECTORED = "the vectors were made anew, nothing else: "
"""How it begins where the texts that are stored were enough."""
FEW_PATHS = 500
"""Records looked up one by one, at 0.04 ms each; for more, all are read (12 ms for 1,000 files)."""


@record(frozen=True, slots=True)
class RefreshOptions:
    """What is indexed and how. `commit` is the commit checked out, recorded with the index ("" where unknown);
    `parsed` and `stages` see :class:`PrepareOptions`. As a pipeline: :mod:`fourfold.index.ingestion`."""

    walk: WalkOptions = field(default_factory=WalkOptions)
    chunker: str = "ast"
    deadline_s: float = 2.0
    languages: dict[str, str] = field(default_factory=dict)
    model: str = "static"
    workers: int = 0
    commit: str = ""
    parsed: Path | None = None
    stages: NamedFileStages = ()

    def prepare(self, root: Path | Tree) -> PrepareOptions:
        """The part that workers need."""
        return PrepareOptions(
            root=root,
            walk=self.walk,
            chunker=self.chunker,
            deadline_s=self.deadline_s,
            languages=self.languages,
            model=self.model,
            parsed=self.parsed,
            stages=self.stages,
        )


@record(frozen=False, slots=True)
class _Run:
    """Counts of one refresh as it goes."""

    started: float
    total: int
    callback: ProgressCallback | None
    done: int = 0
    chunks: int = 0
    lines: int = 0
    touched: set[str] = field(default_factory=set)

    def add(self, tasks: int, prepared: Prepared) -> None:
        self.done += tasks
        self.chunks += sum(file.record.chunks for file in prepared.batch.files)
        self.lines += sum(file.record.lines for file in prepared.batch.files)
        self.touched.update(record.path for record in prepared.touched)
        self.tell("index")

    def take_stock(self, snapshot: Snapshot) -> None:
        """A first build that was cut short and is now done is told whole: what the index holds, not the rest alone."""
        info = snapshot.info()
        self.done = self.total = info.files
        self.chunks, self.lines = info.chunks, info.lines
        self.tell("index")

    def tell(self, stage: str) -> None:
        if self.callback is not None:
            seconds = time.monotonic() - self.started
            self.callback(Progress(stage, self.done, self.total, self.chunks, self.lines, seconds))


def look(
    root: Path | Tree, store: Store, options: RefreshOptions, *, force: bool = False, last: LastLook | None = None
) -> tuple[WalkResult, Diff, str]:
    """Walk and compare without writing: (walk, difference, why the index must be rebuilt or "").

    `last` is what this process remembers of the tree: it spares the walk where nothing has changed since.
    """
    reason = store.needs_rebuild
    snapshot: Snapshot | None = None
    meta: Mapping[str, str] = {}
    if not reason:
        snapshot = store.snapshot()
        meta = snapshot.meta
        reason = rebuild_reason(meta, index_identity(options), snapshot.generation)
    fingerprint = meta.get("walk_fingerprint", "")
    tree = as_tree(root)
    finished = fingerprint and not force and not reason and meta.get("complete") != "0"
    if finished and snapshot is not None and tree.fingerprint(options.walk) == fingerprint:
        return WalkResult(fingerprint=fingerprint), Diff(unchanged=sum(snapshot.tally().values())), ""
    began = vouched_ns(store, snapshot) if snapshot is not None else 0
    if finished and last is not None and snapshot is not None:
        again = last.again(tree, snapshot, options.walk, began - RACY_NS)
        if again is not None:
            settle(again[1], tree, options.walk, store, snapshot)
            return *again, ""
    records = snapshot.records() if snapshot is not None and snapshot.generation and not reason else {}
    known = {path for path, record in records.items() if record.status == INDEXED} if fingerprint else None
    walk = tree.walk if last is None else partial(last.walk, tree)
    walked = walk(options.walk, known=known, fingerprint=fingerprint)
    diff = compare(walked, records, began, force=force)
    if snapshot is not None:
        settle(diff, tree, options.walk, store, snapshot)
    if finished and last is not None and snapshot is not None and diff.empty:
        last.note(snapshot, walked, diff.files)
    return walked, diff, reason


def plan(root: Path | Tree, store: Store, options: RefreshOptions) -> RefreshPlan:
    """What a refresh would do."""
    walked, diff, _ = look(root, store, options)
    sizes = {found.path: found.size for found in walked.found}
    return RefreshPlan(
        added=tuple(diff.added),
        changed=tuple(diff.changed),
        removed=tuple(diff.removed),
        unchanged=diff.unchanged,
        skipped=dict(Counter(skip.reason for skip in walked.skipped)),
        bytes=sum(sizes[task.found.path] for task in diff.tasks),
    )


def refresh(
    root: Path | Tree,
    store: Store,
    options: RefreshOptions,
    *,
    force: bool = False,
    progress: ProgressCallback | None = None,
    wait_s: float = 0.0,
    last: LastLook | None = None,
) -> RefreshReport:
    """Make the index equal to the tree; returns what was done. `last` see :func:`look`.

    Raises LockHeld where another process writes (and there is something to write), and RootRefused, IndexDamaged or
    NewerFormat as the parts say. On Ctrl-C what is committed stays, and the report says `interrupted`.
    """
    started = time.monotonic()
    began_ns = time.time_ns()
    before = None if store.needs_rebuild else store.snapshot()
    walked, diff, reason = look(root, store, options, force=force, last=last)
    run = _Run(started, len(diff.tasks), progress)
    run.tell("scan")
    told = REBUILT + reason if reason else ""
    if reason == OTHER_MODEL and _revector(store, options, run, wait_s):
        told = REVECTORED + reason
        before = store.snapshot()
        walked, diff, reason = look(root, store, options, force=force)
        run.total = len(diff.tasks)
    interrupted = False
    if reason or not diff.empty or _other_commit(store, options):
        with store.writer(wait_s=wait_s, purpose="index") as writer:
            if before is None or store.snapshot() is not before:
                # Another writer has published since.
                walked, diff, reason = look(root, store, options, force=force, last=last)
                run.total = len(diff.tasks)
            if reason:
                writer.wipe()
            try:
                _write(root, writer, walked, diff, options, run, began_ns)
                if last is not None:
                    last.note(store.snapshot(), walked, diff.files)
            except KeyboardInterrupt:
                interrupted = True
            finally:
                as_tree(root).close()
    snapshot = store.snapshot()
    if before is not None and before.generation and "walk_fingerprint" not in before.meta and not interrupted:
        run.take_stock(snapshot)
    skipped = Counter(snapshot.tally() if snapshot.generation else {})
    files = skipped.pop("", 0)
    read = set(diff.changed) if force else set(diff.changed) - run.touched
    indexed = _indexed(snapshot, [*diff.added, *read, *diff.removed])
    added, changed = len(indexed.intersection(diff.added)), len(read & indexed)
    # What changed and cannot be indexed any more is gone as well.
    removed = len(_indexed(before, [path for path in (*diff.removed, *read) if path not in indexed]))
    if interrupted:
        changed = max(0, min(changed, run.done - added))  # only what was committed before the interruption is told
    return RefreshReport(
        added=added,
        changed=changed,
        removed=removed,
        unchanged=files - added - changed,
        skipped=dict(skipped),
        chunks=run.chunks,
        lines=run.lines,
        seconds=time.monotonic() - started,
        generation=snapshot.generation,
        warnings=(*walked.warnings, *([told] if told else [])),
        interrupted=interrupted,
        files=files,
    )


def _indexed(snapshot: Snapshot | None, paths: Sequence[str]) -> set[str]:
    """Those of the paths that a snapshot holds as indexed files."""
    if snapshot is None or not snapshot.generation:
        return set()
    look_up = snapshot.record if len(paths) <= FEW_PATHS else snapshot.records().get
    return {path for path in paths if (record := look_up(path)) is not None and record.status == INDEXED}


def _revector(store: Store, options: RefreshOptions, run: _Run, wait_s: float) -> bool:
    """Make the vectors of the built-in model anew from what is stored; False where the store cannot do that."""
    from fourfold.store.local.store import LocalStore

    if not isinstance(store, LocalStore):
        return False
    from fourfold.index.revector import Revector

    def tell(done: int, total: int) -> None:
        if run.callback is not None:
            run.callback(Progress("embed", done, total, chunks=done, seconds=time.monotonic() - run.started))

    make = Revector(options.model, tell)
    with store.writer(wait_s=wait_s, purpose="index") as writer:
        writer.rewrite(make, {"model": index_identity(options)["model"]})
        writer.finish(statistics)
    run.chunks += make.done
    return True


def _other_commit(store: Store, options: RefreshOptions) -> bool:
    """True where the index speaks of another commit than the one checked out, or of nothing yet, or where a refresh
    was killed before it could say that it was done."""
    snapshot = store.snapshot()
    meta = snapshot.meta
    return (
        not snapshot.generation or meta.get("indexed_commit", "") != options.commit or meta.get("complete", "") == "0"
    )


def _write(
    root: Path | Tree,
    writer: Writer,
    walked: WalkResult,
    diff: Diff,
    options: RefreshOptions,
    run: _Run,
    began_ns: int,
) -> None:
    """Commit everything that differs. Identity first: a build that is cut short is continued, not mistaken."""
    from fourfold.index.pool import prepare_all

    writer.set_meta(index_identity(options) | {"complete": "0"})
    # New and changed files go in before old ones go: a moved file is never absent.
    for done, prepared in prepare_all(diff.tasks, options.prepare(root), options.workers):
        if prepared.batch.files or prepared.batch.skipped:
            writer.put(prepared.batch)
        if prepared.touched:
            writer.touch(prepared.touched)
        run.add(done, prepared)
    if diff.skipped:
        writer.put(Batch(skipped=diff.skipped))
    if diff.removed:
        writer.remove(diff.removed)
    run.tell("merge")
    writer.finish(statistics)
    writer.set_meta(
        {
            "complete": "1",
            "walk_fingerprint": walked.fingerprint,
            READ_BEGAN: str(began_ns),
            "indexed_commit": options.commit,
        }
    )


def statistics(snapshot: Any) -> dict[str, NDArray[np.float32]]:
    """Statistics of a generation that are worth keeping: the mean vector of its live chunks."""
    from fourfold.store.local.corpus import Corpus
    from fourfold.store.local.vectors import Vectors

    vectors = Vectors(Corpus(snapshot))
    return {} if vectors.empty else {"mean_vector": vectors.mean}
