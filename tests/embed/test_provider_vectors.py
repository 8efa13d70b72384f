"""An index whose vectors come from a server: what is sent, what is kept, what answers while something is missing."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.embed.provider_server import DIMENSION, EmbeddingServer, answer, send, vector

from fourfold import Index
from fourfold.config.load import load_settings
from fourfold.embed.cached import BATCH
from fourfold.engine.asking import INLINE_VECTORS
from fourfold.index.vectors import overlay_of
from fourfold.store.local.corpus import Corpus
from fourfold.store.local.overlaid import overlaid_vectors

SECRET = "AKIA" + "IOSFODNN7ABCDEFG"


class Project:
    """A folder, its cache, and settings that name the server."""

    def __init__(self, folder: Path, server: EmbeddingServer) -> None:
        self.root = folder / "project"
        self.root.mkdir()
        self.cache = folder / "cache"
        self.server = server
        self._open: list[Index] = []

    def write(self, files: dict[str, str]) -> None:
        for name, text in files.items():
            (self.root / name).parent.mkdir(parents=True, exist_ok=True)
            (self.root / name).write_text(text, encoding="utf-8")

    def many(self, count: int, word: str = "number") -> None:
        """Files of one chunk each."""
        self.write({f"pkg/m{n}.py": f"def {word}_{n}(value):\n    return value + {n}\n" for n in range(count)})

    def index(self, **more: Any) -> Index:
        values = {
            "cache_dir": str(self.cache),
            "embedding.provider": "openai",
            "embedding.endpoint": self.server.address + "/v1",
            "embedding.model": "tiny",
            "embedding.dimension": DIMENSION,
        }
        values |= {key.replace("__", "."): value for key, value in more.items()}
        settings = load_settings(self.root, values, environ={}).settings
        index = Index.open(self.root, root=self.root, settings=settings)
        self._open.append(index)
        return index

    def close(self) -> None:
        for index in self._open:
            index.close()


@pytest.fixture
def project(tmp_path: Path, server: EmbeddingServer) -> Iterator[Project]:
    made = Project(tmp_path, server)
    yield made
    made.close()


@pytest.fixture(autouse=True)
def _no_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    """Attempts follow each other at once."""
    monkeypatch.setattr("fourfold.embed.providers.client.FIRST_WAIT_S", 0.001)


def stored(index: Index) -> dict[tuple[str, int], np.ndarray[Any, Any]]:
    """The vectors laid over an index, by path and line."""
    snapshot = index._store.snapshot()
    _, overlay = overlay_of(index._store, index.settings)
    made = overlaid_vectors(snapshot, overlay)
    assert made is not None
    corpus = Corpus(snapshot)
    rows = np.flatnonzero(corpus.live_chunks)
    content = made[0].content(rows)
    paths = [corpus.paths[int(file)] for file in corpus.chunk_file[rows]]
    return {
        (path, int(corpus.start_lines[row])): vector for path, row, vector in zip(paths, rows, content, strict=True)
    }


def test_every_chunk_gets_its_vector_and_questions_are_asked_of_the_same_model(project: Project) -> None:
    project.write(
        {"src/fonts.py": "def load_glyphs():\n    return 1\n", "src/net.py": "def open_socket():\n    return 2\n"}
    )
    index = project.index()
    report = index.refresh()
    assert (report.vectors, report.fault, report.warnings) == (2, "", ())
    found = stored(index)[("src/fonts.py", 1)]
    wanted = np.array(vector("src/fonts.py load_glyphs\ndef load_glyphs():\n    return 1"))
    np.testing.assert_allclose(found, wanted / np.linalg.norm(wanted), atol=0.01)
    result = index.search("load the glyphs of fonts", preset="dense")
    assert result.items[0].path == "src/fonts.py"
    assert result.meta.degraded is None
    assert project.server.texts[-1] == "load the glyphs of fonts"


def test_a_second_run_sends_nothing_and_an_edit_sends_its_chunks_only(project: Project) -> None:
    project.many(30)
    index = project.index()
    index.refresh()
    project.server.bodies.clear()
    assert index.refresh().vectors == 0
    assert project.server.bodies == []
    project.write({"pkg/m3.py": "def changed():\n    return 'now'\n"})
    assert index.refresh().vectors == 1
    assert project.server.texts == ["pkg/m3.py changed\ndef changed():\n    return 'now'"]
    # A wholly new index of the same files finds every vector in the cache.
    index.clear()
    project.server.bodies.clear()
    assert project.index().refresh().vectors == 30
    assert project.server.bodies == []


def test_a_small_change_is_embedded_by_the_next_question(project: Project) -> None:
    project.many(3)
    index = project.index()
    index.refresh()
    project.write({"zebra.py": "def zebra_crossing():\n    return 1\n"})
    project.server.bodies.clear()
    assert index.search("zebra crossing", preset="dense").items[0].path == "zebra.py"
    assert len(project.server.bodies) == 2, "the chunk, the question"


def test_vectors_do_not_depend_on_the_history_of_the_index(project: Project, tmp_path: Path) -> None:
    index = project.index()
    for turn in range(7):  # more segments than are left unmerged
        project.many(3 + turn, word=f"word{turn}")
        if turn % 2:
            (project.root / "pkg/m1.py").unlink()
        assert index.refresh().fault == ""
    fresh = project.index(cache_dir=str(tmp_path / "other"))
    fresh.refresh()
    left, right = stored(index), stored(fresh)
    assert left.keys() == right.keys()
    for place, row in left.items():
        np.testing.assert_allclose(row, right[place], atol=1e-6)
    assert all(np.linalg.norm(row) > 0.9 for row in left.values())


def test_merged_segments_take_their_vectors_along(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fourfold.engine.asking.INLINE_VECTORS", 5)
    index = project.index()
    for turn in range(6):
        project.many(4, word=f"turn{turn}")
        project.write({f"turn{turn}.py": f"def only_{turn}():\n    return {turn}\n"})
        (index.refresh if not turn else lambda: index.search("turn"))()
    segments = index.status().segments
    assert segments <= 4
    assert index.search("turn").meta.degraded is None
    assert all(row.any() for row in stored(index).values())


def test_what_is_sent_is_the_redacted_text(project: Project) -> None:
    project.write({"conf.py": f'def connect():\n    key = "{SECRET}"\n    return key\n', ".env": f"KEY={SECRET}\n"})
    project.index().refresh()
    sent = "\n".join(project.server.texts)
    assert "def connect" in sent
    assert SECRET not in sent
    assert "*" * len(SECRET) in sent


def test_requests_run_side_by_side_up_to_the_limit(project: Project) -> None:
    project.many(40)
    project.server.delay_s = 0.05
    project.index(embedding__batch=4, embedding__parallel=3).refresh()
    assert project.server.most_under_way == 3


def test_progress_counts_chunks(project: Project) -> None:
    project.many(40)
    seen = []
    project.index(embedding__batch=10).refresh(progress=seen.append)
    assert [(moment.done, moment.total) for moment in seen if moment.stage == "embed"] == [
        (10, 40),
        (20, 40),
        (30, 40),
        (40, 40),
    ]


def test_a_failure_in_the_middle_costs_nothing_that_was_done(project: Project) -> None:
    project.many(40)
    calls = iter(range(1000))

    def failing(request: Any) -> None:
        body = project.server.bodies[-1]
        send(answer(request.path, body) if next(calls) < 3 else {}, code=200 if next(calls) < 6 else 500)(request)

    project.server.always = failing
    index = project.index(embedding__batch=5, embedding__parallel=1)
    report = index.refresh()
    assert "tiny" in report.fault
    assert "are missing" in report.fault
    assert 0 < report.vectors < 40
    kept = report.vectors
    # Everything else works meanwhile, and the answer says what is not there.
    result = index.search("number 7 value")
    assert result.items
    assert "tiny has vectors of" in (result.meta.degraded or "")
    assert "bundled model answers" in (result.meta.degraded or "")
    assert index.grep("number_7").items
    # The next run goes on from there.
    project.server.always = None
    project.server.bodies.clear()
    report = index.refresh()
    assert (report.fault, report.vectors) == ("", 40 - kept)
    assert len(project.server.texts) == 40 - kept
    assert index.search("number 7 value").meta.degraded is None


def test_a_search_leaves_a_long_run_to_the_index_command(project: Project) -> None:
    project.many(INLINE_VECTORS + 1)
    index = project.index()
    result = index.search("number 7")
    assert result.items
    assert "fourfold index" in (result.meta.degraded or "")
    assert project.server.bodies == []


def test_a_model_that_falls_silent_is_stood_in_for(project: Project) -> None:
    project.write({"a.py": "def fetch_page():\n    return 1\n", "b.py": "def draw_line():\n    return 2\n"})
    index = project.index()
    index.refresh()
    project.server.always = send({}, code=503)
    for preset in ("default", "dense", "hybrid"):
        result = index.search("fetch the page", preset=preset)
        assert result.items[0].path == "a.py"
        assert "the embedding model tiny answered with HTTP 503: the bundled model answered" in str(
            result.meta.degraded
        )
    asked = len(project.server.bodies)
    index.search("draw a line")
    assert len(project.server.bodies) == asked, "it is left alone for a while"


def test_changing_the_model_reads_no_file_again(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    project.many(12)
    project.index().refresh()

    def parsed(*_: Any, **__: Any) -> None:
        raise AssertionError("a file was parsed again")

    monkeypatch.setattr("fourfold.index.stages.parse_file", parsed)
    second = project.index(embedding__model="other", embedding__dimension=8)
    report = second.refresh()
    assert (report.vectors, report.changed, report.added, report.chunks) == (12, 0, 0, 0)
    assert {body["model"] for body in project.server.bodies[1:]} == {"other"}
    # Going back finds the vectors of the first model where they were.
    project.server.bodies.clear()
    assert project.index().refresh().vectors == 0
    assert project.server.bodies == []
    # And so does the bundled model, at once.
    plain = project.index(embedding__provider="static", embedding__model="", embedding__endpoint="")
    assert plain.refresh().chunks == 0
    assert plain.search("number 3").meta.degraded is None


def test_a_server_that_was_left_is_asked_nothing_any_more(project: Project) -> None:
    project.many(INLINE_VECTORS + 2)
    project.index().refresh()
    project.server.bodies.clear()
    moved = project.index(embedding__model="other")
    result = moved.search("number 7")
    assert "the bundled model answers meanwhile" in str(result.meta.degraded)
    assert project.server.bodies == []


class Bag:
    """A local encoder that needs no library."""

    def __init__(self, spec: Any) -> None:
        from fourfold.embed.providers.encoder import ModelFacts

        self.facts = ModelFacts(spec.model, spec.provider, "r1", DIMENSION, 0, "MIT")
        self.fails = spec.model == "broken"

    def encode(self, texts: list[str], role: str) -> Any:
        if self.fails:
            from fourfold.model.errors import BackendUnavailable

            raise BackendUnavailable("the model broken cannot be used")
        return np.array([vector(text) for text in texts], np.float32)


def test_a_local_model_serves_until_the_next_one_is_ready(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fourfold.embed.providers.load._local", lambda settings, spec, offline: Bag(spec))
    project.many(INLINE_VECTORS + 2)
    local = {"embedding__provider": "model2vec", "embedding__endpoint": "", "embedding__dimension": 0}
    project.index(**local, embedding__model="first").refresh()
    second = project.index(**local, embedding__model="broken")
    assert "broken" in second.refresh().fault
    result = second.search("number 7", preset="dense")
    assert "first answers meanwhile" in str(result.meta.degraded)
    third = project.index(**local, embedding__model="third")
    assert third.refresh().fault == ""
    assert third.search("number 7", preset="dense").meta.degraded is None


def test_other_files_under_the_same_name_are_noticed(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    revision = "r1"

    class Changing(Bag):
        def __init__(self, spec: Any) -> None:
            from dataclasses import replace

            super().__init__(spec)
            self.facts = replace(self.facts, revision=revision)

    monkeypatch.setattr("fourfold.embed.providers.load._local", lambda settings, spec, offline: Changing(spec))
    local = {"embedding__provider": "model2vec", "embedding__endpoint": "", "embedding__dimension": 0}
    project.many(4)
    project.index(**local).refresh()
    revision = "r2"
    index = project.index(**local)
    result = index.search("number 2", preset="dense")
    assert "are not those that made the vectors" in str(result.meta.degraded)
    assert index.refresh().vectors == 4
    assert index.search("number 2", preset="dense").items


def test_pieces_that_the_model_has_nothing_for_are_told_and_not_asked_for_again(project: Project) -> None:
    project.many(6)

    def holey(request: Any) -> None:
        reply = answer(request.path, project.server.bodies[-1])
        for item, text in zip(reply["data"], project.server.bodies[-1]["input"], strict=True):
            if "m2.py" in text:
                item["embedding"] = [float("nan")] * DIMENSION
        send(reply)(request)

    project.server.always = holey
    index = project.index()
    report = index.refresh()
    assert report.fault == ""
    assert any("pkg/m2.py" in warning for warning in report.warnings)
    assert not stored(index)[("pkg/m2.py", 1)].any()
    project.server.bodies.clear()
    index.refresh()
    assert project.server.bodies == []
    assert any(item.path == "pkg/m2.py" for item in index.search("number_2").items), "words find it all the same"


def test_a_wrong_number_of_vectors_is_tried_text_by_text(project: Project) -> None:
    project.many(5)

    def short(request: Any) -> None:
        reply = answer(request.path, project.server.bodies[-1])
        send({"data": reply["data"][:1]})(request)

    project.server.always = short
    index = project.index()
    assert index.refresh().fault == ""
    assert all(row.any() for row in stored(index).values())
    assert len(project.server.bodies) == 6


def test_vectors_of_another_dimension_are_refused(project: Project) -> None:
    project.many(3)
    project.server.always = send({"data": [{"index": n, "embedding": [1.0] * 5} for n in range(3)]})
    report = project.index().refresh()
    assert "shape (3, 5)" in report.fault


@pytest.mark.parametrize("damage", ["cut", "flip", "model", "gone"])
def test_damaged_vectors_are_made_again_without_asking(project: Project, damage: str) -> None:
    project.many(5)
    index = project.index()
    index.refresh()
    before = stored(index)
    _, overlay = overlay_of(index._store, index.settings)
    file = overlay.folder / overlay.names()[0]
    data = bytearray(file.read_bytes())
    if damage == "cut":
        file.write_bytes(data[: len(data) // 2])
    elif damage == "flip":
        data[-5] ^= 255
        file.write_bytes(data)
    elif damage == "model":
        (overlay.folder / "model.json").write_text("{")
    else:
        file.unlink()
    project.server.bodies.clear()
    again = project.index()
    assert again.refresh().fault == ""
    assert project.server.bodies == []
    for place, row in stored(again).items():
        np.testing.assert_allclose(row, before[place], atol=1e-6)


def test_clear_removes_them(project: Project) -> None:
    project.many(2)
    index = project.index()
    index.refresh()
    assert (index.location / "vectors").is_dir()
    index.clear()
    assert not (index.location / "vectors").exists()


def test_a_killed_run_loses_nothing(project: Project, tmp_path: Path) -> None:
    project.many(160)
    project.server.delay_s = 0.1
    config = tmp_path / "config.toml"
    config.write_text(
        f'[embedding]\nprovider = "openai"\nendpoint = "{project.server.address}/v1"\nmodel = "tiny"\n'
        f"dimension = {DIMENSION}\nbatch = 8\nparallel = 2\n",
    )
    environment = os.environ | {"FOURFOLD_CONFIG": str(config), "FOURFOLD_CACHE_DIR": str(project.cache)}
    running = subprocess.Popen(
        [sys.executable, "-m", "fourfold.interfaces.cli.main", "-C", str(project.root), "index", "--no-progress"],
        env=environment,
        stderr=subprocess.DEVNULL,
    )
    deadline = time.monotonic() + 60
    while len(project.server.bodies) < 8 and time.monotonic() < deadline:
        time.sleep(0.01)
    os.kill(running.pid, signal.SIGKILL if hasattr(signal, "SIGKILL") else signal.SIGTERM)
    running.wait()
    answered = len(project.server.bodies) - 2
    assert answered >= 6
    project.server.delay_s = 0.0
    project.server.bodies.clear()
    index = project.index(embedding__batch=8, embedding__parallel=2)
    report = index.refresh()
    assert report.fault == ""
    assert len(stored(index)) == 160
    # At most what was under way is sent twice.
    assert len(project.server.texts) <= 160 - 8 * (answered - 2)


def test_a_repository_cannot_choose_a_provider_or_a_server(project: Project) -> None:
    project.write(
        {
            "fourfold.toml": '[embedding]\nprovider = "openai"\nendpoint = "http://127.0.0.1:1/v1"\nkey_env = "HOME"\n'
            'model = "x"\naccept_licence = ["x"]\n',
            "a.py": "x = 1\n",
        }
    )
    loaded = load_settings(project.root, {"cache_dir": str(project.cache)}, environ={})
    assert loaded.settings.embedding == type(loaded.settings.embedding)()
    assert sum("only the user may set it" in warning for warning in loaded.warnings) == 5


def test_the_batch_is_what_is_lost_at_most() -> None:
    assert BATCH <= INLINE_VECTORS
