"""Asking a system, with small trees and a system whose answers are known."""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace

import pytest
from benchmarks.dataset import Question, Target, load_questions, save_questions
from benchmarks.harness import ask, evaluate
from benchmarks.systems.fourfold_presets import PRESETS, FourfoldIndexes, FourfoldPreset
from benchmarks.systems.plain_bm25 import PlainBM25, words

from benchmarks import quality

FILES = {
    "src/retry.py": "def backoff_delay(attempt):\n    return 2 ** attempt\n",
    "src/pool.py": "class ConnectionPool:\n    def acquire(self):\n        return self.free.pop()\n",
    "README.md": "# A client with a connection pool\n",
}


@pytest.fixture(name="corpora")
def _corpora(tmp_path: Path) -> Path:
    for path, text in FILES.items():
        target = tmp_path / "mined" / "client" / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text)
    questions = [
        Question("client", "client-0", "python", "named", "how long is the backoff delay of an attempt",
                 (Target("src/retry.py", 1, 2),), root="src"),
        Question("client", "client-1", "python", "unnamed", "acquire from the connection pool",
                 (Target("src/pool.py", 2, 3),), root="src"),
    ]  # fmt: skip
    save_questions(tmp_path / "mined" / "queries.jsonl", questions)
    return tmp_path


def test_questions_survive_saving(corpora: Path) -> None:
    saved = load_questions(corpora / "mined" / "queries.jsonl")
    again = corpora / "again.jsonl"
    save_questions(again, saved)
    assert load_questions(again) == saved
    assert saved[0].targets == (Target("src/retry.py", 1, 2),)


def test_answers_below_the_root_count_for_the_repository(corpora: Path) -> None:
    asked = []

    def answer(repo: str, root: Path, query: str):
        asked.append((repo, root.name))
        return [("retry.py", 2, 2)]

    run = ask("mined", answer, corpora=corpora)
    assert asked == [("client", "src")] * 2
    assert {place.path for answered in run.answers for place in answered.results} == {"src/retry.py"}
    assert run.scores().mean.hit1 == 0.5
    assert all(answered.ms >= 0 for answered in run.answers)


def test_answers_that_are_relative_to_the_repository_stay(corpora: Path) -> None:
    scores = evaluate("mined", lambda *_: [("src/pool.py", 3, 3)], corpora=corpora)
    assert scores.mean.hit1 == 0.5


def test_levels_judge_lines_or_files(corpora: Path) -> None:
    def answer(repo: str, root: Path, query: str):
        return [("pool.py", 1, 1), ("retry.py", 1, 1)]

    run = ask("mined", answer, corpora=corpora)
    assert run.scores("span").mean.recall == 0.5
    assert run.scores("file").mean.recall == 1.0
    with pytest.raises(ValueError, match="span, file"):
        run.scores("line")


def test_a_missing_repository_names_the_command(corpora: Path) -> None:
    with pytest.raises(FileNotFoundError, match=r"benchmarks\.prepare tuning"):
        evaluate("tuning", lambda *_: [], corpora=corpora, repos=["click"])


def test_an_unknown_set_is_refused(corpora: Path) -> None:
    with pytest.raises(ValueError, match="tuning, long, mined"):
        evaluate("exam", lambda *_: [], corpora=corpora)


@pytest.mark.parametrize("window", [0, 2])
def test_plain_bm25_finds_the_words(corpora: Path, window: int) -> None:
    system = PlainBM25("bm25", window)
    root = corpora / "mined" / "client"
    system.prepare(root)
    path, start, end = system.answer(root, "connectionPool acquire")[0]
    assert path == "src/pool.py"
    assert start == 1
    assert end == (window or 4)
    assert system.answer(root, "zebra") == []


def test_identifiers_are_split() -> None:
    assert words("HTTPServer.max_size2") == ["http", "server", "max", "size", "2"]


class _FakeIndex:
    """Answers every question with the pool; remembers how it was asked."""

    def __init__(self) -> None:
        self.presets: list[str] = []
        self.refreshed = 0
        self.closed = False

    def refresh(self) -> None:
        self.refreshed += 1

    def search(self, query: str, *, limit: int, preset: str, refresh: bool) -> SimpleNamespace:
        assert limit == 10
        assert not refresh
        self.presets.append(preset)
        return SimpleNamespace(items=[SimpleNamespace(path="pool.py", start_line=2, end_line=3)])

    def close(self) -> None:
        self.closed = True


def test_presets_share_one_index(corpora: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FOURFOLD_CACHE_DIR", "kept")
    index = _FakeIndex()
    indexes = FourfoldIndexes(make=lambda root: index)
    systems = [FourfoldPreset(name, preset, indexes) for name, preset in PRESETS.items()]
    runs = quality.compare("mined", systems, corpora=corpora)
    indexes.close()
    assert index.refreshed == 1
    assert index.closed
    assert set(index.presets) == set(PRESETS.values())
    assert list(runs) == list(PRESETS)
    assert all(len(run.answers) == 2 and run.scores().mean.hit1 == 0.5 for run in runs.values())


def test_the_table_has_a_row_a_system_and_level(corpora: Path) -> None:
    system = PlainBM25("files")
    records = quality.report(quality.compare("mined", [system], corpora=corpora))
    assert [record["level"] for record in records] == ["span", "file"]
    lines = quality.as_table(records).splitlines()
    assert len({len(line) for line in lines}) == 1
    assert "1.000" in lines[2]
    assert "named (n=1)" in quality.by_category(records)
    json.dumps(records)
