"""What a refresh does: by stat, by content where the stat cannot tell, anew where the identity changed."""

from __future__ import annotations

import io
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest
from tests.built import Built

from fourfold.index import freshness
from fourfold.index.diff import RACY_NS, compare, same_stat
from fourfold.index.frames import receive, send
from fourfold.index.freshness import CHECK_S, Freshness
from fourfold.index.identity import index_identity, rebuild_reason
from fourfold.index.options import refresh_options
from fourfold.index.refresh import RefreshOptions
from fourfold.model.errors import NewerFormat
from fourfold.source.tree import DiskTree
from fourfold.source.walk import Found, Skip, WalkOptions, WalkResult
from fourfold.store.contract import INDEXED, SKIPPED, FileRecord

READ_AT = 1_700_000_000_000_000_000


def found(path: str, age_ns: int = 10 * RACY_NS, **changes: int) -> Found:
    """A file last changed so long before the index read it."""
    values = {"size": 5, "mtime_ns": READ_AT - age_ns, "ctime_ns": 7, "inode": 3, **changes}
    return Found(path, **values)


def record(path: str, age_ns: int = 10 * RACY_NS, **changes: object) -> FileRecord:
    made = FileRecord(path, 5, READ_AT - age_ns, 7, 3, content_hash=f"hash of {path}")
    return made._replace(**changes)  # type: ignore[arg-type]


def records(*all_records: FileRecord) -> dict[str, FileRecord]:
    return {one.path: one for one in all_records}


def test_new_changed_unchanged_and_removed_files() -> None:
    walked = WalkResult(found=[found("new"), found("same"), found("changed", size=6)])
    diff = compare(walked, records(record("same"), record("changed"), record("gone")), READ_AT)
    assert (diff.added, diff.changed, diff.removed, diff.unchanged) == (["new"], ["changed"], ["gone"], 1)
    assert [(task.found.path, task.known_hash) for task in diff.tasks] == [("new", ""), ("changed", "hash of changed")]
    assert not diff.empty


@pytest.mark.parametrize("field", ["size", "mtime_ns", "ctime_ns", "inode"])
def test_every_stat_value_counts(field: str) -> None:
    assert same_stat(record("a"), found("a"))
    assert not same_stat(record("a"), found("a", **{field: 99}))


def test_a_file_changed_just_before_it_was_read_is_compared_once_more() -> None:
    walked = WalkResult(found=[found("a", age_ns=RACY_NS), found("b", age_ns=RACY_NS + 1)])
    known = records(record("a", age_ns=RACY_NS), record("b", age_ns=RACY_NS + 1))
    diff = compare(walked, known, READ_AT)
    assert (diff.changed, diff.unchanged) == ([], 2)
    assert [(task.found.path, task.known_hash) for task in diff.young] == [("a", "hash of a")]
    assert not diff.empty


def test_an_unchanged_tree_is_no_work() -> None:
    skip = Skip("b.png", "binary", "why", 1, 2, 3, 4)
    known = records(record("a"), FileRecord("b.png", 1, 2, 3, 4, status=SKIPPED, reason="binary", detail="why"))
    assert compare(WalkResult(found=[found("a")], skipped=[skip]), known, READ_AT).empty


def test_a_skip_is_recorded_once_and_again_where_its_reason_changes() -> None:
    skip = Skip("b.png", "binary", "why", 1, 2, 3, 4)
    first = compare(WalkResult(skipped=[skip]), {}, READ_AT)
    assert [(one.path, one.status, one.reason) for one in first.skipped] == [("b.png", SKIPPED, "binary")]
    again = compare(WalkResult(skipped=[skip]), records(*first.skipped), READ_AT)
    assert again.empty
    other = compare(WalkResult(skipped=[replace(skip, reason="too-large")]), records(*first.skipped), READ_AT)
    assert [one.reason for one in other.skipped] == ["too-large"]


def test_a_file_that_was_skipped_is_read_without_a_known_hash_once_it_changed() -> None:
    known = records(record("a", status=SKIPPED, content_hash=""))
    assert compare(WalkResult(found=[found("a")]), known, READ_AT).empty
    changed = compare(WalkResult(found=[found("a", size=6)]), known, READ_AT)
    assert [(task.found.path, task.known_hash) for task in changed.tasks] == [("a", "")]


def test_force_reads_everything() -> None:
    diff = compare(WalkResult(found=[found("a"), found("b")]), records(record("a")), READ_AT, force=True)
    assert (diff.added, diff.changed) == (["b"], ["a"])
    assert [task.known_hash for task in diff.tasks] == ["", ""]


def test_frames_carry_messages_one_after_another() -> None:
    stream = io.BytesIO()
    for message in ([1, "two"], {"three": b"\0" * 70_000}, None):
        send(stream, message)
    stream.seek(0)
    assert [receive(stream) for _ in range(3)] == [[1, "two"], {"three": b"\0" * 70_000}, None]
    with pytest.raises(EOFError):
        receive(stream)


@pytest.mark.parametrize("kept", [0, 3, 8, 12])
def test_a_message_that_is_cut_off_is_the_end(kept: int) -> None:
    stream = io.BytesIO()
    send(stream, "a message of some length")
    with pytest.raises(EOFError):
        receive(io.BytesIO(stream.getvalue()[:kept]))


def test_what_is_no_message_is_the_end() -> None:
    with pytest.raises(EOFError, match="no message"):
        receive(io.BytesIO(b"Warning: something was printed here\n"))


IDENTITY = index_identity(RefreshOptions(model="hash"))


@pytest.mark.parametrize(
    ("options", "named"),
    [
        (RefreshOptions(model="none"), "embedding model"),
        (RefreshOptions(model="hash", chunker="lines"), "chunker"),
        (RefreshOptions(model="hash", walk=WalkOptions(redact_secrets=False)), "secret redaction"),
        (RefreshOptions(model="hash", languages={"kjs": "javascript"}), "language map"),
    ],
)
def test_what_makes_an_index_anew(options: RefreshOptions, named: str) -> None:
    assert rebuild_reason(IDENTITY, index_identity(options), 3) == f"{named} changed"


def test_what_does_not_make_an_index_anew() -> None:
    for options in (
        RefreshOptions(model="hash", workers=7, deadline_s=9.0, commit="abc"),
        RefreshOptions(model="hash"),
    ):
        assert rebuild_reason(IDENTITY, index_identity(options), 3) == ""
    assert rebuild_reason({}, IDENTITY, 3) == ""
    assert rebuild_reason({"model": "other"}, IDENTITY, 0) == ""
    several = {**IDENTITY, "model": "other", "tokenizer": "0"}
    assert rebuild_reason(several, IDENTITY, 1) == "word splitting, embedding model changed"


class Clock:
    """A clock that stands still until it is moved."""

    def __init__(self) -> None:
        self.now = 1000.0

    def monotonic(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    made = Clock()
    monkeypatch.setattr(freshness, "time", made)
    return made


@pytest.fixture
def looks(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What was looked at: ``tree`` or ``git``."""
    seen: list[str] = []

    def look(*_: object, **__: object) -> tuple[None, SimpleNamespace, str]:
        seen.append("tree")
        return None, SimpleNamespace(added=["a"], changed=[], removed=["b", "c"]), ""

    def dirty(tree: DiskTree) -> int:
        seen.append("git")
        return 4

    monkeypatch.setattr(freshness, "look", look)
    monkeypatch.setattr(DiskTree, "dirty", dirty)
    return seen


@pytest.fixture
def fresh(tmp_path: Path) -> Freshness:
    return Freshness(tmp_path, None, RefreshOptions)  # type: ignore[arg-type]


def test_the_tree_is_compared_at_most_so_often(fresh: Freshness, clock: Clock, looks: list[str]) -> None:
    assert [fresh.stale_files(), fresh.stale_files()] == [3, 3]
    assert looks == ["tree"]
    clock.now += CHECK_S
    fresh.stale_files()
    assert looks == ["tree"]
    clock.now += 0.1
    fresh.stale_files()
    assert looks == ["tree", "tree"]


def test_after_a_refresh_nothing_is_stale(fresh: Freshness, clock: Clock, looks: list[str]) -> None:
    assert fresh.stale_files() == 3
    fresh.refreshed()
    assert fresh.stale_files() == 0
    assert looks == ["tree"]
    clock.now += CHECK_S + 0.1
    assert fresh.stale_files() == 3


def test_git_counts_beside_the_question_and_at_most_so_often(fresh: Freshness, clock: Clock, looks: list[str]) -> None:
    assert fresh.dirty_files() == 0  # nothing was begun
    fresh.begin()
    assert fresh.dirty_files() == 4
    for _ in range(3):
        fresh.begin()
        assert fresh.dirty_files() == 4
    assert looks == ["git"]
    clock.now += CHECK_S + 0.1
    fresh.begin()
    assert fresh.dirty_files() == 4
    assert looks == ["git", "git"]


def test_settings_become_options(tmp_path: Path) -> None:
    with Built(tmp_path) as built:
        options = refresh_options(built.index.settings, built.root)
        assert (options.model, options.chunker, options.walk.redact_secrets, options.commit) == (
            "hash",
            "ast",
            True,
            "",
        )
        assert options.prepare(built.root).deadline_s == options.deadline_s == 2.0


def test_a_record_of_the_index_is_the_stat_it_was_read_under(tmp_path: Path) -> None:
    with Built(tmp_path) as built:
        built.write({"a.py": "x = 1\n", "b.png": "\0\0"})
        record_a = built.snapshot.record("a.py")
        assert record_a is not None
        status = (built.root / "a.py").stat()
        assert (record_a.status, record_a.size, record_a.mtime_ns) == (INDEXED, 6, status.st_mtime_ns)
        assert same_stat(record_a, Found("a.py", 6, status.st_mtime_ns, status.st_ctime_ns, status.st_ino))


@pytest.mark.parametrize("key", ["tokenizer", "chunker", "secrets"])
def test_what_a_newer_program_made_is_left_alone(key: str) -> None:
    ours = dict(IDENTITY)
    kind, _, number = ours[key].rpartition("-")
    newer = ours | {key: f"{kind}-{int(number) + 1}" if kind else str(int(number) + 1)}
    with pytest.raises(NewerFormat, match="newer version of Fourfold") as caught:
        rebuild_reason(newer, ours, 3)
    assert "restart" in caught.value.hint
    assert rebuild_reason(ours, newer, 3).endswith(" changed")
    assert rebuild_reason(newer, ours, 0) == ""


def test_another_kind_of_chunks_is_no_newer_one() -> None:
    assert rebuild_reason(IDENTITY | {"chunker": "lines-99999"}, IDENTITY, 3) == "chunker changed"
