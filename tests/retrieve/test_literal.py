"""Text search over a snapshot: every matching line, verified, in order, bounded."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.contract.batches import make_batch, record_of, skipped

from fourfold.model.errors import BadPattern, UsageError
from fourfold.retrieve import literal, literal_engines
from fourfold.retrieve.literal import GrepHits, LineMatch, grep, literal_hits
from fourfold.retrieve.literal_texts import AT_ONCE, SCAN, Texts
from fourfold.retrieve.patterns import compile_pattern
from fourfold.store.contract import FileRecord
from fourfold.store.local.store import LocalStore


class FakeSnapshot:
    """The part of the contract that text search needs; counts what is read."""

    def __init__(self, files: Mapping[str, str]) -> None:
        self.files = dict(files)
        self.asked: list[Sequence[Sequence[str]]] = []
        self.read: list[str] = []

    def records(self) -> Mapping[str, FileRecord]:
        """All files, and one that was skipped."""
        return {
            **{path: record_of(path, text) for path, text in self.files.items()},
            "x.bin": skipped("x.bin"),
        }

    def text(self, path: str) -> str | None:
        """The text of a file."""
        self.read.append(path)
        return self.files.get(path)

    def paths_with_trigrams(self, required: Sequence[Sequence[str]]) -> list[str] | None:
        """Exact narrowing, in any case, in no good order."""
        self.asked.append(required)
        return sorted(
            (
                path
                for path, text in self.files.items()
                if any(all(literal.lower() in text.lower() for literal in every) for every in required)
            ),
            reverse=True,
        )


class BulkSnapshot(FakeSnapshot):
    """Offers several texts at once, too."""

    def texts(self, paths: Sequence[str]) -> Iterator[tuple[str, str]]:
        """Pairs of path and text, without unknown paths."""
        self.read.append(",".join(paths))
        return ((path, self.files[path]) for path in paths if path in self.files)


FILES = {
    "b.py": "import os\n\n\ndef get_name(self):\n    return self.name or get_name\n",
    "a.py": "def set_name(self, name):\n    self.name = name",
    "c.md": "# get_name\n",
    "empty.py": "",
}


def run(files: Mapping[str, str], pattern: str, **options: object) -> list[tuple[str, int, int, str]]:
    """(path, line, column, text) of the hits."""
    how = {key: options.pop(key) for key in ("literal", "ignore_case", "word") if key in options}
    hits = grep(FakeSnapshot(files), compile_pattern(pattern, **how), **options)  # type: ignore[arg-type]
    return [(hit.path, hit.line, hit.column, hit.text) for hit in hits.lines]


def test_every_matching_line_in_order() -> None:
    hits = grep(FakeSnapshot(FILES), compile_pattern("[gs]et_name"))  # type: ignore[arg-type]
    assert hits == GrepHits(
        [
            LineMatch("a.py", 1, 5, "def set_name(self, name):", ((4, 12),)),
            LineMatch("b.py", 4, 5, "def get_name(self):", ((4, 12),)),
            LineMatch("b.py", 5, 25, "    return self.name or get_name", ((24, 32),)),
            LineMatch("c.md", 1, 3, "# get_name", ((2, 10),)),
        ],
        files=3,
        truncated=False,
        searched=3,
    )


def test_several_matches_in_a_line_are_one_hit() -> None:
    (hit,) = grep(FakeSnapshot(FILES), compile_pattern("name"), ["a.py"], max_per_file=1).lines  # type: ignore[arg-type]
    assert (hit.line, hit.spans) == (1, ((8, 12), (19, 23)))


def test_only_candidates_are_read() -> None:
    snapshot = FakeSnapshot(FILES)
    assert grep(snapshot, compile_pattern("import")).searched == 1  # type: ignore[arg-type]
    assert (snapshot.asked, snapshot.read) == ([(("import",),)], ["b.py"])
    grep(snapshot, compile_pattern("os"))  # type: ignore[arg-type]
    assert sorted(set(snapshot.read)) == ["a.py", "b.py", "c.md", "empty.py"]


def test_allowed_paths() -> None:
    assert [path for path, *_ in run(FILES, "get_name", paths=iter(["c.md", "gone.py", "x.bin"]))] == ["c.md"]
    assert run(FILES, "zz", paths=["c.md", "gone.py", "x.bin"]) == []
    assert run(FILES, "get_name", paths=[]) == []


def test_context_stays_in_the_file() -> None:
    hits = grep(FakeSnapshot({"f": "1\n2\n\n4x\n5\n6\n"}), compile_pattern("4x"), before=2, after=9).lines  # type: ignore[arg-type]
    assert (hits[0].before, hits[0].after) == (("2", ""), ("5", "6"))
    hits = grep(FakeSnapshot({"f": "\nx1\nx2"}), compile_pattern("x."), before=5, after=1).lines  # type: ignore[arg-type]
    assert [(hit.before, hit.after) for hit in hits] == [(("",), ("x2",)), (("", "x1"), ())]


def test_limits_say_that_there_is_more() -> None:
    snapshot = FakeSnapshot({"a": "x\n" * 5, "b": "x\n", "c": "y\n"})
    pattern = compile_pattern("x")
    for limit, files, truncated in (
        (1, 1, True),
        (5, 1, True),
        (6, 2, False),
        (7, 2, False),
        (None, 2, False),
    ):
        hits = grep(snapshot, pattern, limit=limit)  # type: ignore[arg-type]
        assert (len(hits.lines), hits.files, hits.truncated) == (min(limit or 6, 6), files, truncated), limit
        assert hits.reason == (f"limit of {limit} lines reached" if truncated else "")
    hits = grep(snapshot, pattern, max_per_file=2)  # type: ignore[arg-type]
    assert [(hit.path, hit.line) for hit in hits.lines] == [("a", 1), ("a", 2), ("b", 1)]
    assert (hits.files, hits.truncated) == (2, False)


@pytest.mark.parametrize("options", [{"limit": 0}, {"limit": -1}, {"max_per_file": 0}, {"before": -1}, {"after": -1}])
def test_bad_numbers(options: dict[str, int]) -> None:
    with pytest.raises(UsageError):
        grep(FakeSnapshot(FILES), compile_pattern("x"), **options)  # type: ignore[arg-type]


def test_inverted() -> None:
    files = {"f": "a\n\nb\nab\nc", "g": "c\n"}
    assert run(files, "a", invert=True) == [
        ("f", 2, 1, ""),
        ("f", 3, 1, "b"),
        ("f", 5, 1, "c"),
        ("g", 1, 1, "c"),
    ]
    assert run(files, "abc", invert=True, paths=["g"]) == [("g", 1, 1, "c")]
    assert run(files, "^", invert=True) == []


def test_the_end_of_a_text_is_no_line() -> None:
    assert run({"f": "a\n", "g": "a", "h": "\n", "i": ""}, "$") == [
        ("f", 1, 2, "a"),
        ("g", 1, 2, "a"),
        ("h", 1, 1, ""),
    ]


def test_a_deadline_gives_what_was_found() -> None:
    hits = grep(FakeSnapshot(FILES), compile_pattern("nam."), deadline_s=-1.0)  # type: ignore[arg-type]
    assert hits == GrepHits([], 0, True, 0, "stopped after -1 s: the expression is too slow", True)
    hits = grep(FakeSnapshot(FILES), compile_pattern("name"), deadline_s=-1.0)  # type: ignore[arg-type]
    assert hits == GrepHits([], 0, True, 0, "stopped after -1 s: there is much text", True)


class Clock:
    """A clock that goes one second further each time it is looked at."""

    def __init__(self) -> None:
        self.now = 0.0

    def monotonic(self) -> float:
        self.now += 1.0
        return self.now


def test_one_deadline_holds_inside_a_file(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Clock()
    monkeypatch.setattr(literal_engines, "time", clock)
    monkeypatch.setattr(literal, "time", clock)
    files = {"a": "ab\n" * 100_000, "b": "ab\n"}
    hits = grep(FakeSnapshot(files), compile_pattern("(?:a?){50}b"), deadline_s=40)  # type: ignore[arg-type]
    assert hits.late
    assert hits.reason == "stopped after 40 s: the expression is too slow"
    assert 0 < len(hits.lines) < 100_000
    assert clock.now < 70  # each line found adds a little


def test_the_three_looks_of_a_question_share_one_deadline(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Clock()
    monkeypatch.setattr(literal_engines, "time", clock)
    monkeypatch.setattr(literal, "time", clock)
    files = {f"{number:04}": "x\n" * 1000 for number in range(500)}
    literal_hits(FakeSnapshot(files), "(?:a?){50}b|q+", regex=True)  # type: ignore[arg-type]
    assert clock.now < 30


def test_one_slow_file_does_not_hide_the_others() -> None:
    files = {"a": "aab\n", "b": "a" * 5000 + "b\n", "c": "b\na\n"}
    hits = grep(FakeSnapshot(files), compile_pattern("(?!b)(a|a)+$", timeout_s=0.05))  # type: ignore[arg-type]
    assert [(hit.path, hit.line) for hit in hits.lines] == [("c", 2)]
    assert (hits.files, hits.truncated, hits.searched) == (1, True, 3)
    assert hits.reason == "regular expression took more than 0.05 s on one file: b"


def test_texts_are_kept_in_memory_and_read_in_bulk() -> None:
    files = {f"{number:03}": f"name {number}" for number in range(AT_ONCE + 3)}
    snapshot = BulkSnapshot(files)
    assert len(grep(snapshot, compile_pattern("name")).lines) == AT_ONCE + 3  # type: ignore[arg-type]
    assert [len(paths.split(",")) for paths in snapshot.read] == [AT_ONCE, 3]
    assert len(grep(snapshot, compile_pattern("NAME", ignore_case=True)).lines) == AT_ONCE + 3  # type: ignore[arg-type]
    assert len(snapshot.read) == 2
    assert run(files, "name 66") == [("066", 1, 1, "name 66")]


def test_memory_for_texts_is_bounded() -> None:
    files = {f"{number:04}": "x" * 1000 for number in range(SCAN + 1)}
    snapshot = FakeSnapshot(files)
    texts = Texts(budget_bytes=3 * 1100)
    for paths, reread in (
        (["0000", "0001", "0002"], 3),
        (["0000", "0001", "0002"], 0),
        (["0003"], 1),  # pushes the oldest out
        (["0001", "0002", "0003"], 0),
        (["0000"], 1),
        (list(files), SCAN + 1 - 3),  # a scan pushes nothing out
        (["0002", "0003", "0000"], 0),
        (["gone"], 1),
    ):
        snapshot.read.clear()
        assert [path for path, _ in texts.read(snapshot, paths)] == [p for p in paths if p in files]  # type: ignore[arg-type]
        assert len(snapshot.read) == reread, paths


def test_literal_hits_put_the_most_literal_first() -> None:
    files = {
        "a": "GetName\nget_name_now\n",
        "b": "x get_name(\nGET_NAME\n",
        "c": "get_names\n",
    }
    snapshot = FakeSnapshot(files)
    assert literal_hits(snapshot, "get_name") == [("b", 1), ("a", 2), ("c", 1), ("b", 2)]  # type: ignore[arg-type]
    assert literal_hits(snapshot, "get_name", allowed={"a", "b"}, limit=2) == [("b", 1), ("a", 2)]  # type: ignore[arg-type]
    assert literal_hits(snapshot, "get_?name", regex=True) == [
        ("b", 1),
        ("a", 2),
        ("c", 1),
        ("a", 1),
        ("b", 2),
    ]  # type: ignore[arg-type]
    with pytest.raises(BadPattern):
        literal_hits(snapshot, "get(", regex=True)  # type: ignore[arg-type]


@pytest.fixture
def store(tmp_path: Path) -> LocalStore:
    return LocalStore(tmp_path / "index")


def test_on_the_local_store(store: LocalStore) -> None:
    with store.writer() as writer:
        writer.put(make_batch(FILES, [skipped("x.bin")]))
        writer.put(make_batch({"b.py": "def other():\n    pass\n"}))
        writer.remove(["c.md"])
    old = store.snapshot()
    assert [(hit.path, hit.line) for hit in grep(old, compile_pattern("_name|other")).lines] == [
        ("a.py", 1),
        ("b.py", 1),
    ]
    assert [(hit.path, hit.line) for hit in grep(old, compile_pattern("d")).lines] == [
        ("a.py", 1),
        ("b.py", 1),
    ]
    with store.writer() as writer:
        writer.put(make_batch({"a.py": "changed_name\n"}))
    assert [hit.text for hit in grep(store.snapshot(), compile_pattern("_name")).lines] == ["changed_name"]
    assert grep(old, compile_pattern("_name")).lines[0].text == "def set_name(self, name):"


LINES = st.lists(st.text("ab\t é认", max_size=6), max_size=8).map("\n".join)
PATTERNS = st.sampled_from(["a", "ab", "aab", "^a", "b$", "^$", "[ab]+", "é|认", "a*", "(?i)A", "(?<!a)b", ".", r"a\b"])


@settings(max_examples=200, deadline=None)
@given(files=st.dictionaries(st.sampled_from("xyz"), LINES, max_size=3), pattern=PATTERNS, invert=st.booleans())
def test_a_search_equals_line_by_line(files: dict[str, str], pattern: str, invert: bool) -> None:
    expected = []
    for path in sorted(files):
        lines = files[path].split("\n")
        for number, line in enumerate(lines if lines[-1] else lines[:-1], 1):
            match = re.search(pattern, line, re.ASCII)
            if (match is None) is invert:
                expected.append((path, number, 1 if invert or match is None else match.start() + 1, line))
    assert run(files, pattern, invert=invert) == expected


@pytest.mark.parametrize("text", ["", "\n", "one", "one\ntwo\n", "\n\nthree", "ä\n\U0001f600 b\n\ud800\nend"])
def test_a_part_of_a_text_is_its_lines(text: str) -> None:
    kept, lines = Texts(), text.split("\n")
    for first in range(1, len(lines) + 3):
        for last in range(first - 1, len(lines) + 3):
            assert kept.part("a.py", text, first, last) == "\n".join(lines[first - 1 : last])
