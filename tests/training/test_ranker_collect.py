"""Collecting what the ranking sees, on a small repository."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from benchmarks.dataset import Question, Target
from training.ranker import collect as collecting
from training.ranker.collected import load
from training.ranker.fit import evaluate

from fourfold import Index
from fourfold.evaluate.learn.asked import Collected
from fourfold.pipeline.ranker import rankers

FILES = {
    "src/session.py": "class Session:\n    pass\n\n\ndef expire_session(session, now):\n"
    "    # drop what is over\n    return session.end < now\n",
    "src/mail.py": "def send(message, server):\n    server.write(message)\n\n\n"
    "def queue(message):\n    return [message]\n",
    "src/app.py": "from src.session import expire_session\n\n\ndef sweep(sessions, now):\n"
    "    return [s for s in sessions if expire_session(s, now)]\n",
    "docs/notes.md": "# Notes\n\nA session expires at its end, and mail is sent.\n",
}


def question(number: int, text: str, *targets: Target, root: str = "") -> Question:
    return Question("small", f"small-{number}", "python", "semantic", text, targets, root)


QUESTIONS = [
    question(0, "how an old session is dropped", Target("src/session.py", 5, 7), Target("src/app.py")),
    question(1, "Session", Target("src/session.py")),
    question(2, "where the message goes to the server", Target("src/mail.py", 1, 2)),
]


@pytest.fixture(scope="module")
def corpora(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    folder = tmp_path_factory.mktemp("corpora")
    for name, text in FILES.items():
        path = folder / "ranker" / "small" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    lines = [
        json.dumps(
            {
                "repo": one.repo, "query_id": one.id, "language": "python", "category": "semantic", "query": one.text,
                "relevant": [{"path": t.path, "start_line": t.start_line, "end_line": t.end_line} for t in one.targets],
                "benchmark_root": ".", "tags": ["function", "whole"],
            }
        )
        for one in QUESTIONS
    ]  # fmt: skip
    (folder / "ranker" / "questions.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("FOURFOLD_CACHE_DIR", str(folder / "cache"))
        yield folder


@pytest.fixture(scope="module")
def found(corpora: Path) -> Collected:
    return collecting.collect(corpora / "ranker" / "small", QUESTIONS, {"small-0": ["function"]})


def test_every_candidate_has_its_features_and_labels(found: Collected) -> None:
    first = found.asked[0]
    assert first.record["tags"] == ["function"]
    assert (first.record["targets"], first.record["lined"]) == (2, 0b01)
    assert first.files.shape == (len(first.paths), len(found.file_names))
    assert first.chunks.shape == (int(first.offsets[-1]), len(found.chunk_names))
    assert np.isfinite(first.files).all()
    hits = dict(zip(first.paths, first.file_hits.tolist(), strict=True))
    assert (hits["src/session.py"], hits["src/app.py"], hits["src/mail.py"]) == (0b01, 0b10, 0)
    position = first.paths.index("src/session.py")
    own = first.chunk_hits[first.offsets[position] : first.offsets[position + 1]].tolist()
    assert 0b01 in own  # the chunk with the lines
    is_docs = first.files[first.paths.index("docs/notes.md"), found.columns(["is_docs"])[0]]
    assert is_docs == 1.0


def test_where_the_weights_have_no_say_the_answer_is_kept(found: Collected) -> None:
    prose, name, _ = found.asked
    assert "fixed" not in prose.record
    assert name.record["is_name"]
    assert name.record["fixed"][0] == 1


def test_the_answer_made_again_is_that_of_the_program(corpora: Path, found: Collected) -> None:
    from benchmarks.metrics import Place, judge

    made = rankers()
    again = evaluate(found, made["default"].weights, made["chunk"].weights)
    root = corpora / "ranker" / "small"
    with Index.open(root, root=root) as index:
        for one, (_, value) in zip(QUESTIONS, again, strict=True):
            items = index.search(one.text, limit=10, refresh=False).items
            places = [Place(item.path, item.start_line, item.end_line) for item in items]
            assert value == pytest.approx(judge(one, places).ndcg), one.text


def test_targets_are_named_from_the_repository_though_a_folder_is_indexed(corpora: Path) -> None:
    one = question(9, "how an old session is dropped", Target("src/session.py", 5, 7), root="src")
    (asked,) = collecting.collect(corpora / "ranker" / "small" / "src", [one]).asked
    assert asked.file_hits[asked.paths.index("session.py")] == 1


def test_the_command_collects_once_each_repository_of_a_set(corpora: Path, tmp_path: Path) -> None:
    command = ["--set", "ranker", "--corpora", str(corpora), "--out", str(tmp_path)]
    collecting.main(command)
    (file,) = tmp_path.iterdir()
    read = load(tmp_path)
    assert [one.record["id"] for one in read.asked] == ["small-0", "small-1", "small-2"]
    assert read.asked[0].record["tags"] == ["function", "whole"]
    before = file.stat().st_mtime_ns
    collecting.main(command)
    assert file.stat().st_mtime_ns == before
    collecting.main([*command[:-1], str(tmp_path / "none"), "another"])
    assert not (tmp_path / "none").exists()
