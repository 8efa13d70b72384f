"""From files to arrays: what is counted, under which name, and what a person is told of it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from tests.built import Built

from fourfold.embed.hash import FIELD_WEIGHTS, HashEmbedder
from fourfold.embed.protocol import EmbedInput, ModelIdentity
from fourfold.index.build import STEM_WEIGHT, SegmentBuilder, Source, path_context
from fourfold.index.prepare import Preparer
from fourfold.index.prose import prose_of
from fourfold.index.task import PrepareOptions, Task
from fourfold.model.chunk import KIND_CODES, Chunk
from fourfold.model.report import Progress
from fourfold.model.symbol import Symbol
from fourfold.source.walk import WalkOptions, walk
from fourfold.store.local.arrays import check_arrays
from fourfold.store.local.schema import FILE_FIELDS
from fourfold.store.terms import stem, term_hash

TEXT = "# opens sessions\nclass Pool:\n    def take(self):\n        return self.free\n"
FILE = Source(
    "net/http/pool.py",
    "python",
    TEXT,
    (Chunk(1, 4, TEXT.rstrip("\n"), "class", "Pool"),),
    (Symbol("Pool", "Pool", "class", 2, 4), Symbol("take", "Pool.take", "method", 3, 4, "Pool")),
    frozenset({"socket"}),
)
EMPTY = Source("empty.py", "python", "", (), (), frozenset())


def count_of(arrays: dict[str, np.ndarray], name: str, term: str) -> dict[int, list[int]]:
    """Row -> counts of a term in one of the inverted indexes."""
    at = np.flatnonzero(arrays[f"{name}.terms"] == np.uint64(term_hash(term)))
    if not len(at):
        return {}
    span = slice(int(arrays[f"{name}.indptr"][at[0]]), int(arrays[f"{name}.indptr"][at[0] + 1]))
    rows = arrays[f"{name}.rows"][span].tolist()
    counts = arrays[f"{name}.counts"][span] if f"{name}.counts" in arrays else np.zeros((len(rows), 0), np.uint8)
    return {row: np.atleast_1d(count).tolist() for row, count in zip(rows, counts, strict=True)}


@pytest.fixture(scope="module")
def arrays() -> dict[str, np.ndarray]:
    return SegmentBuilder(HashEmbedder()).build([FILE, EMPTY])


def test_arrays_follow_the_schema(arrays: dict[str, np.ndarray]) -> None:
    check_arrays(arrays, {"file": 2, "chunk": 1, "definition": 2}, [1, 0])
    assert arrays["chunk.kind"].tolist() == [KIND_CODES["class"]]
    assert (arrays["chunk.start"].tolist(), arrays["chunk.end"].tolist()) == ([1], [4])
    assert arrays["file.lines"].tolist() == [4, 0]
    assert arrays["definition.line"].tolist() == [2, 3]
    assert arrays["definition.chunk"].tolist() == [0, 0]
    assert arrays["definition.folded_name"][0] == term_hash("pool")


def test_a_chunk_is_found_by_its_text_its_path_and_its_name(arrays: dict[str, np.ndarray]) -> None:
    # Once in the text, twice as the file's stem, once as the symbol.
    assert count_of(arrays, "raw", "pool") == {0: [1 + STEM_WEIGHT + 1]}
    assert count_of(arrays, "raw", "http") == {0: [1]}
    assert count_of(arrays, "raw", "sessions") == {0: [1]}
    assert count_of(arrays, "raw", "self") == {0: [2]}
    assert count_of(arrays, "stems", stem("sessions")) == {0: [1]}
    assert count_of(arrays, "raw", "socket") == {}
    every = "opens sessions class pool def take self return free net http".split()
    held = sum(count_of(arrays, "raw", word)[0][0] for word in every)
    assert arrays["chunk.raw_length"].tolist() == [held]


def test_a_file_is_found_by_its_fields(arrays: dict[str, np.ndarray]) -> None:
    def fields(word: str) -> dict[str, int]:
        return dict(zip(FILE_FIELDS, count_of(arrays, "fields", stem(word))[0], strict=True))

    assert fields("pool") == {"path": STEM_WEIGHT, "definitions": 1, "docs": 0, "head": 1, "body": 1}
    assert fields("sessions") == {"path": 0, "definitions": 0, "docs": 1, "head": 1, "body": 1}
    assert fields("net") == {"path": 1, "definitions": 0, "docs": 0, "head": 0, "body": 0}
    assert count_of(arrays, "imports", "socket").keys() == {0}
    assert arrays["file.lengths"][1].tolist() == [2.0, 0, 0, 0, 0]


def test_vectors_are_those_of_the_model(arrays: dict[str, np.ndarray]) -> None:
    model = HashEmbedder()
    content = model.documents([EmbedInput(FILE.chunks[0].text, FILE.path, "Pool")])
    stored = arrays["chunk.vector"].astype(np.float32) * arrays["chunk.scale"][:, None]
    assert np.allclose(stored, content, atol=float(arrays["chunk.scale"][0]))
    path = arrays["file.path_vector"].astype(np.float32) * arrays["file.path_scale"][:, None]
    assert np.allclose(path[0], model.paths([FILE.path])[0], atol=float(arrays["file.path_scale"][0]))
    assert arrays["chunk.norm"][0] == pytest.approx(np.linalg.norm(stored[0]), rel=1e-5)
    assert arrays["chunk.norm_with_path"][0] == pytest.approx(np.linalg.norm(stored[0] + path[0]), rel=1e-5)
    assert FIELD_WEIGHTS["symbol"] > FIELD_WEIGHTS["body"]


class PlainModel:
    """A model that is no bag of tokens."""

    identity = ModelIdentity("plain", "1", 64, "none", "Apache-2.0")

    def __init__(self) -> None:
        self.seen: list[EmbedInput] = []

    def documents(self, inputs: list[EmbedInput]) -> np.ndarray:
        self.seen += inputs
        return np.full((len(inputs), 64), 2.0, np.float32)

    def paths(self, paths: list[str]) -> np.ndarray:
        return np.zeros((len(paths), 64), np.float32)

    def queries(self, texts: list[str]) -> np.ndarray:
        return np.zeros((len(texts), 64), np.float32)


def test_any_model_can_make_the_vectors() -> None:
    model = PlainModel()
    arrays = SegmentBuilder(model).build([FILE])
    assert model.seen == [EmbedInput(FILE.chunks[0].text, FILE.path, "Pool")]
    assert arrays["chunk.vector"].shape == (1, 64)
    assert arrays["chunk.norm"][0] == pytest.approx(16.0, rel=1e-3)
    without = SegmentBuilder(None).build([FILE])
    assert without["chunk.vector"].shape == (1, 0)
    assert count_of(without, "raw", "pool") == {0: [4]}


def test_words_between_batches_are_counted_alike() -> None:
    builder = SegmentBuilder(HashEmbedder())
    builder.build([EMPTY, FILE])
    again, fresh = builder.build([FILE]), SegmentBuilder(HashEmbedder()).build([FILE])
    for name in ("raw.terms", "raw.rows", "raw.counts", "stems.terms", "fields.counts", "chunk.vector"):
        assert np.array_equal(again[name], fresh[name]), name


def test_context_of_a_path() -> None:
    assert path_context("a/b/c/d/x.test.ts") == ("x", ["b", "c", "d"])
    assert path_context("Makefile") == ("Makefile", [])
    assert path_context(".env.example") == (".env.example", [])


@pytest.mark.parametrize(
    ("language", "text", "said", "unsaid"),
    [
        ("python", '"""Doc words."""\nx = 1  # a remark\n', ["Doc words.", "a remark"], ["x = 1"]),
        ("go", "// Package doc\n/* block */\nvar x = 1 // aside\n", ["Package doc", "block", "aside"], ["var x"]),
        ("rust", "/// Outer\n//! Inner\nlet x = 1;\n", ["Outer", "Inner"], ["let x"]),
        ("lua", "--[[ long\n-- short\nx = 1\n", ["long", "short"], ["x = 1"]),
        ("haskell", "{- block\nof two -}\n-- | line\nx = 1\n", ["of two", "line"], ["x = 1"]),
        ("markdown", "# Title\n\nAll of it.\n", ["# Title", "All of it."], []),
        ("python", "#!/usr/bin/env python\n", [], ["python"]),
    ],
)
def test_prose_of_a_file(language: str, text: str, said: list[str], unsaid: list[str]) -> None:
    prose = prose_of(text, language)
    assert [word for word in said if word not in prose] == []
    assert [word for word in unsaid if word in prose] == []


@pytest.fixture
def built(tmp_path: Path) -> Iterator[Built]:
    with Built(tmp_path) as made:
        yield made


def test_preparing_never_raises_and_says_why(built: Built) -> None:
    built.write({"a.py": "x = 1\n", "broken.py": "def (:\n", "b.bin": "\0\1\2", "gone.py": "y = 1\n"})
    preparer = Preparer(PrepareOptions(built.root, WalkOptions(), model="none"))
    tasks = [Task(found) for found in walk(built.root).found]
    (built.root / "gone.py").unlink()
    made = preparer.prepare(tasks)
    assert [file.record.path for file in made.batch.files] == ["a.py", "broken.py"]
    assert {record.path: record.reason for record in made.batch.skipped} == {"b.bin": "binary", "gone.py": "vanished"}
    notes = {file.record.path: file.record.note for file in made.batch.files}
    assert notes == {"a.py": "", "broken.py": "parsed with errors"}
    hashes = {file.record.path: file.record.content_hash for file in made.batch.files}
    again = preparer.prepare([Task(task.found, hashes.get(task.found.path, "")) for task in tasks])
    assert [record.path for record in again.touched] == ["a.py", "broken.py"]
    assert not again.batch.files
    assert preparer.prepare([]).batch.files == []


def test_status_of_an_index_and_of_its_paths(built: Built) -> None:
    index = built.index
    assert not index.status().exists
    built.write({"a.py": "def f(): pass\n", "b.png": "\0", ".fourfoldignore": "c.py\n", "c.py": "x = 1\n"})
    status = index.status()
    assert (status.exists, status.files, status.symbols, status.lines, status.stale_files) == (True, 2, 1, 2, 0)
    assert status.skipped == {"binary": 1}
    assert status.languages["python"] == 1
    assert status.bytes_on_disk > 0
    assert status.model == HashEmbedder().identity.key()
    (built.root / "new.py").write_text("x = 1\n")
    found = {path: index.status_of(path).status for path in ("a.py", "b.png", "c.py", "new.py", "nowhere.py")}
    assert found == {
        "a.py": "indexed", "b.png": "skipped", "c.py": "ignored", "new.py": "not-yet", "nowhere.py": "absent",
    }  # fmt: skip
    assert index.status().stale_files == 1


def test_the_doctor_finds_what_is_missing(built: Built, monkeypatch: pytest.MonkeyPatch) -> None:
    assert all(check.ok for check in built.index.doctor())
    assert next(check for check in built.index.doctor() if check.name == "index").detail == "none yet"
    built.write({"a.py": "def f(): pass\n"})
    segment = next((built.index.location / "segments").iterdir())
    data = bytearray(segment.read_bytes())
    data[-200:] = bytes(255 - value for value in data[-200:])
    segment.write_bytes(data)
    checks = {check.name: check for check in built.index.doctor()}
    assert not checks["index"].ok
    assert "checksum" in checks["index"].detail
    assert "clear" in checks["index"].hint
    assert checks["grammars"].ok


def test_progress_counts_up_to_the_end(built: Built) -> None:
    seen: list[Progress] = []
    for number in range(5):
        (built.root / f"m{number}.py").write_text("x = 1\n")
    report = built.index.refresh(progress=seen.append)
    assert [moment.stage for moment in seen] == ["scan", "index", "merge"]
    assert [(moment.done, moment.total) for moment in seen] == [(0, 5), (5, 5), (5, 5)]
    assert (seen[-1].chunks, seen[-1].lines) == (report.chunks, report.lines) == (5, 5)
