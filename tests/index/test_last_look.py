"""The last look of a process at a tree: it spares walks, and never an edit."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from fourfold import Index
from fourfold.config.settings import Settings, build
from fourfold.index.last_look import NAME
from fourfold.source import walk as walking

HOUR_NS = 3_600 * 10**9


@pytest.fixture
def index(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Index:
    """An index of two files that were not changed lately, as far as the walker can tell."""
    root = tmp_path / "tree"
    (root / "src").mkdir(parents=True)
    (root / "src/a.py").write_text("def alpha():\n    return 1\n")
    (root / "b.py").write_text("def beta():\n    return 2\n")
    settings: Settings = build({"cache_dir": str(tmp_path / "cache"), "embedding.model": "none"})
    now = time.time_ns
    monkeypatch.setattr(time, "time_ns", lambda: now() + HOUR_NS)
    return Index.open(root, settings=settings)


@pytest.fixture
def walks(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """A number for each walk."""
    counted: list[int] = []
    run = walking._Walker.run

    def counting(walker: walking._Walker) -> walking.WalkResult:
        counted.append(1)
        return run(walker)

    monkeypatch.setattr(walking._Walker, "run", counting)
    return counted


def found(index: Index, name: str) -> list[str]:
    return [item.path for item in index.grep(name, literal=True).items]


def test_from_the_third_look_on_an_unchanged_tree_is_not_walked(index: Index, walks: list[int]) -> None:
    for _ in range(2):
        assert found(index, "alpha") == ["src/a.py"]
    before = len(walks)
    for _ in range(3):
        report = index.refresh()
        assert (report.unchanged, report.added, report.changed, report.removed) == (2, 0, 0, 0)
    assert len(walks) == before


def test_edits_are_taken_in_without_a_walk(index: Index, walks: list[int]) -> None:
    for _ in range(3):
        index.refresh()
    before = len(walks)
    for number in range(3):
        (index.root / "src/a.py").write_text(f"def gamma{number}():\n    return 1\n")
        report = index.refresh()
        assert (report.unchanged, report.added, report.changed, report.removed) == (1, 0, 1, 0)
        assert found(index, f"gamma{number}") == ["src/a.py"]
    assert len(walks) == before


def test_who_asks_for_the_state_of_the_index_does_not_walk_either(index: Index, walks: list[int]) -> None:
    for _ in range(3):
        index.refresh()
    before = len(walks)
    assert index.status().stale_files == 0
    (index.root / "src/a.py").write_text("def delta():\n    return 1\n")
    assert index.status().stale_files == 1
    assert len(walks) == before
    (index.root / "new.py").write_text("def epsilon():\n    return 1\n")
    assert index.status().stale_files == 2


def test_a_file_edited_within_the_time_stamp_of_its_reading_is_read_again(
    index: Index, monkeypatch: pytest.MonkeyPatch
) -> None:
    for _ in range(3):
        index.refresh()
    monkeypatch.undo()  # the clock is right again: what is edited now was edited a moment ago
    path = index.root / "src/a.py"
    path.write_text("def gamma():\n    return 1\n")
    assert found(index, "gamma") == ["src/a.py"]
    snapshot, options = index._store.snapshot(), index._options().walk
    again = index._last_look.again(index.tree, snapshot, options, time.time_ns() - HOUR_NS)
    assert again is not None
    assert {task.found.path for task in again[1].young} == {"src/a.py", "b.py"}
    later = index._last_look.again(index.tree, snapshot, options, time.time_ns() + HOUR_NS)
    assert later is not None
    assert later[1].empty


def test_an_edit_is_seen_by_the_next_question(index: Index) -> None:
    for _ in range(3):
        assert found(index, "alpha") == ["src/a.py"]
    (index.root / "src/a.py").write_text("def gamma():\n    return 1\n")
    assert found(index, "alpha") == []
    assert found(index, "gamma") == ["src/a.py"]
    (index.root / "src/a.py").unlink()
    assert found(index, "gamma") == []
    (index.root / "c.py").write_text("def gamma():\n    return 3\n")
    assert found(index, "gamma") == ["c.py"]


def test_what_another_process_indexed_is_not_taken_for_this_tree(index: Index, walks: list[int]) -> None:
    for _ in range(3):
        index.refresh()
    with Index.open(index.root, settings=index.settings) as other:
        other.refresh(force=True)
    for path in (index.location / "derived").glob(f"{NAME}-*"):
        path.unlink()
    before = len(walks)
    index.refresh()
    assert len(walks) > before  # the content is another: the tree is compared with it


def test_the_next_process_needs_no_walk(index: Index, walks: list[int]) -> None:
    index.refresh()
    before = len(walks)
    for number in range(3):
        with Index.open(index.root, settings=index.settings) as other:
            report = other.refresh()
            assert (report.unchanged, report.changed, report.files) == (2, 0, 2)
            (index.root / "b.py").write_text(f"def delta{number}():\n    return 1\n")
            assert found(other, f"delta{number}") == ["b.py"]
    assert len(walks) == before


def test_a_new_file_and_a_deleted_one_are_seen_by_the_next_process(index: Index) -> None:
    index.refresh()
    (index.root / "src/new.py").write_text("def delta():\n    return 1\n")
    with Index.open(index.root, settings=index.settings) as other:
        assert found(other, "delta") == ["src/new.py"]
        (index.root / "b.py").unlink()
    with Index.open(index.root, settings=index.settings) as another:
        assert found(another, "beta") == []
        assert another.refresh().files == 2


@pytest.mark.parametrize("harm", ["empty", "cut", "other"])
def test_a_harmed_footprint_only_costs_a_walk(index: Index, walks: list[int], harm: str) -> None:
    index.refresh()
    (path,) = (index.location / "derived").glob(f"{NAME}-*")
    data = path.read_bytes()
    path.write_bytes({"empty": b"", "cut": data[: len(data) // 2], "other": data[:-9] + b"src/z.py\0"}[harm])
    before = len(walks)
    with Index.open(index.root, settings=index.settings) as other:
        assert other.refresh().unchanged == 2
    assert len(walks) == before + 1


def test_other_options_are_looked_at_anew(index: Index) -> None:
    for _ in range(3):
        assert found(index, "beta") == ["b.py"]
    options = {"embedding.model": "none", "index.exclude": ["b.py"]}
    index.settings = build({"cache_dir": index.settings.cache_dir, **options})
    assert found(index, "beta") == []
