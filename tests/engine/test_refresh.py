"""The index equals the tree: after every edit, after a kill, beside other processes."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.built import Built

from fourfold import Index

OpenIndex = Callable[[], Index]
QUESTIONS = ("alpha value", "how is beta computed", "gamma_two", "delta", '"return 1"', "class Omega", "zeta eta")
WORDS = ("alpha", "beta", "gamma_two", "delta", "Omega", "zeta", "eta", "value", "computed")
NAMES = ("a.py", "b.py", "pkg/c.py", "pkg/d.ts", "e.md", "pkg/deep/f.go")


def source_of(seed: int) -> str:
    """A small source text that depends on the seed alone."""
    chooser = random.Random(seed)
    blocks = []
    for number in range(chooser.randint(0, 4)):
        name, other = chooser.choice(WORDS), chooser.choice(WORDS)
        blocks.append(f"def {name}_{number}({other}):\n    # {chooser.choice(WORDS)} {other}\n    return {seed % 7}\n")
    return "\n\n".join(blocks)


def answers(index: Index) -> str:
    """Everything that must not depend on how the index came about."""
    found = []
    for question in QUESTIONS:
        result = index.search(question, refresh=False, limit=20)
        found.append([(i.path, i.start_line, i.end_line, i.symbol, round(i.score, 4), i.snippet) for i in result.items])
    lines = index.grep("return", refresh=False).items
    found.append([(line.path, line.line, line.text) for line in lines])
    return json.dumps(found)


EDITS = st.lists(
    st.tuples(st.sampled_from(["write", "write", "write", "delete", "move", "empty"]), st.sampled_from(NAMES),
              st.sampled_from(NAMES), st.integers(0, 1000)),
    min_size=1,
    max_size=6,
)  # fmt: skip


def apply_edit(root: Path, edit: tuple[str, str, str, int]) -> None:
    kind, name, other, seed = edit
    path, target = root / name, root / other
    path.parent.mkdir(parents=True, exist_ok=True)
    target.parent.mkdir(parents=True, exist_ok=True)
    if kind == "write":
        path.write_text(source_of(seed), encoding="utf-8")
    elif kind == "empty":
        path.write_text("", encoding="utf-8")
    elif path.exists() and kind == "delete":
        path.unlink()
    elif path.exists() and kind == "move":
        path.replace(target)


@settings(max_examples=20)
@given(rounds=st.lists(EDITS, min_size=1, max_size=4))
def test_an_incremental_index_answers_as_a_fresh_one(
    tmp_path_factory: pytest.TempPathFactory, rounds: list[list[tuple[str, str, str, int]]]
) -> None:
    folder = tmp_path_factory.mktemp("incremental")
    root = folder / "root"
    root.mkdir()
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("FOURFOLD_CACHE_DIR", str(folder / "one"))
        index = Index.open(root, root=root)
        for edits in rounds:
            for edit in edits:
                apply_edit(root, edit)
            index.refresh()
        patch.setenv("FOURFOLD_CACHE_DIR", str(folder / "two"))
        fresh = Index.open(root, root=root)
        fresh.refresh()
        assert fresh.location != index.location
        assert answers(index) == answers(fresh)
        assert set(index._store.snapshot().records()) == set(fresh._store.snapshot().records())
        index.close()
        fresh.close()


def test_a_deleted_file_is_never_returned(open_index: OpenIndex, project: Path) -> None:
    index = open_index()
    assert index.search("expire sessions").items[0].path == "src/auth/session.py"
    (project / "src/auth/session.py").unlink()
    unrefreshed = index.search("expire sessions", refresh=False)
    assert "src/auth/session.py" not in [item.path for item in unrefreshed.items]
    assert unrefreshed.meta.stale
    assert "src/auth/session.py" not in [item.path for item in index.search("expire sessions").items]
    assert not index.grep("expire_sessions").items


def test_a_moved_file_answers_from_its_new_place(open_index: OpenIndex, project: Path) -> None:
    index = open_index()
    index.refresh()
    (project / "src/auth/session.py").rename(project / "src/expiry.py")
    assert index.search("expire_sessions").items[0].path == "src/expiry.py"


def test_a_shrunk_file_leaves_no_orphans(open_index: OpenIndex, project: Path) -> None:
    index = open_index()
    index.refresh()
    (project / "src/net/retry.py").write_text("LIMIT = 3\n", encoding="utf-8")
    index.refresh()
    assert not index.grep("backoff_delay", filters=None).items or all(
        line.path != "src/net/retry.py" for line in index.grep("backoff_delay").items
    )
    status = index.status()
    assert status.stale_files == 0
    assert status.files == 5


def test_emptying_the_tree_empties_the_index(open_index: OpenIndex, project: Path) -> None:
    index = open_index()
    index.refresh()
    for path in sorted(project.rglob("*"), reverse=True):
        if path.is_file():
            path.unlink()
    assert index.search("retry").items == ()
    assert index.status().files == 0


def test_an_unchanged_tree_is_not_written(open_index: OpenIndex) -> None:
    index = open_index()
    time.sleep(2.1)  # until the files are older than the granularity that a stat can tell
    index.refresh(force=True)
    before = index.refresh().generation
    assert index.refresh().generation == before
    assert index.refresh().unchanged == 5


def test_a_touched_file_is_not_read_as_changed(open_index: OpenIndex, project: Path) -> None:
    index = open_index()
    index.refresh()
    os.utime(project / "README.md", (1, 1))
    report = index.refresh()
    assert (report.changed, report.chunks) == (0, 0)


INDEXER = """
import sys
from fourfold import Index
from fourfold.config.load import load_settings
root = sys.argv[1]
index = Index.open(root, root=root)
report = index.refresh(wait_s=60)
print(report.generation)
"""


def environment(cache: Path) -> dict[str, str]:
    return os.environ | {"FOURFOLD_CACHE_DIR": str(cache), "FOURFOLD_INDEX_WORKERS": "1", "FOURFOLD_CONFIG": ""}


def tree_of(root: Path, files: int) -> None:
    for number in range(files):
        path = root / f"pkg{number % 5}" / f"mod{number}.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("\n".join(source_of(number * 13 + part) for part in range(6)), encoding="utf-8")


def test_kill_at_any_moment_loses_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = tmp_path / "root"
    tree_of(root, 120)
    moments = random.Random(7)
    cache = tmp_path / "killed"
    for _ in range(20):
        process = subprocess.Popen([sys.executable, "-c", INDEXER, str(root)], env=environment(cache))
        try:
            process.wait(moments.uniform(0.15, 2.0))
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGKILL)
            process.wait()
    monkeypatch.setenv("FOURFOLD_CACHE_DIR", str(cache))
    with Index.open(root, root=root) as survivor:
        survivor.refresh(wait_s=30)
        killed = answers(survivor)
        assert survivor.status().stale_files == 0
        assert all(check.ok for check in survivor.doctor())
    monkeypatch.setenv("FOURFOLD_CACHE_DIR", str(tmp_path / "fresh"))
    with Index.open(root, root=root) as fresh:
        fresh.refresh()
        assert answers(fresh) == killed


def test_two_indexers_and_a_reader_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root, cache = tmp_path / "root", tmp_path / "cache"
    tree_of(root, 150)
    for name, value in {"CACHE_DIR": str(cache), "CONFIG": "", "EMBEDDING_MODEL": "hash"}.items():
        monkeypatch.setenv(f"FOURFOLD_{name}", value)  # the reader's settings are those of the writers
    writers = [
        subprocess.Popen([sys.executable, "-c", INDEXER, str(root)], env=environment(cache), stdout=subprocess.PIPE)
        for _ in range(2)
    ]
    faults: list[BaseException] = []
    done = threading.Event()

    def read() -> None:
        with Index.open(root, root=root) as reader:
            while not done.is_set():
                try:
                    if reader._store.snapshot().info().files:
                        reader.search("alpha value", refresh=False)
                except BaseException as error:
                    faults.append(error)
                    return

    reader = threading.Thread(target=read)
    reader.start()
    codes = [writer.wait(120) for writer in writers]
    done.set()
    reader.join()
    for writer in writers:
        assert writer.stdout is not None
        writer.stdout.close()
    assert codes == [0, 0]
    assert not faults
    with Index.open(root, root=root) as index:
        assert index.status().stale_files == 0
        assert index.status().files == 150


def test_a_search_beside_a_writer_answers_and_says_so(open_index: OpenIndex, project: Path) -> None:
    index = open_index()
    index.refresh()
    (project / "src/new.py").write_text("def brand_new():\n    return 1\n", encoding="utf-8")
    with open_index()._store.writer(purpose="test"):
        result = index.search("expire sessions")
    assert result.items
    assert result.meta.degraded is not None
    assert result.meta.stale


def test_an_interrupted_refresh_tells_only_what_it_kept(open_index: OpenIndex, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_: object) -> object:
        raise KeyboardInterrupt

    index = open_index()
    with monkeypatch.context() as patch:
        patch.setattr("fourfold.index.pool.prepare_all", interrupt)
        report = index.refresh()
    assert report.interrupted
    assert (report.added, report.changed, report.chunks) == (0, 0, 0)
    assert index.refresh().added == 5


def test_a_file_that_was_only_looked_at_again_takes_none_from_those_that_changed(tmp_path: Path) -> None:
    with Built(tmp_path) as built:
        built.write({"a.py": "A = 1\n", "b.py": "B = 1\n"})
        (built.root / "a.py").write_text("A = 2\n")
        report = built.index.refresh()  # b.py is so young that its content is compared again
        assert (report.changed, report.chunks) == (1, 1)
