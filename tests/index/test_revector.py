"""Another built-in model makes the vectors of an index anew, and nothing else."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from fourfold import Index
from fourfold.config.load import load_settings
from fourfold.store.local.corpus import Corpus
from fourfold.store.local.vectors import Vectors

FILES = {
    "src/session.py": "class Session:\n    def expire(self, now):\n        return now > 3600\n\n\ndef f():\n    pass\n",
    "src/empty.py": "",
    "web/app.ts": "export function render(view: View): string {\n  return view.html;\n}\n",
    "README.md": "# Sessions\n\nThey expire.\n\n# 中文\n\n会话\n",
    "conf.toml": "[a]\nx = 1\n",
}


def opened(folder: Path, cache: str, model: str) -> Index:
    root = folder / "root"
    settings = load_settings(root, {"cache_dir": str(folder / cache), "embedding.model": model}, environ={}).settings
    return Index.open(root, root=root, settings=settings)


def write(folder: Path, files: Mapping[str, str]) -> None:
    for name, text in files.items():
        (folder / "root" / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / "root" / name).write_text(text, encoding="utf-8")


def rows(index: Index) -> dict[tuple[str, int], tuple[Any, ...]]:
    """What the model made of each chunk, by path and line."""
    corpus = Corpus(index._store.snapshot())
    vectors = Vectors(corpus)
    live = np.flatnonzero(corpus.live_chunks)
    found = {}
    for row in live.tolist():
        one = np.array([row])
        tokens = corpus.name_tokens(one)[0].tolist()
        made = () if vectors.empty else (vectors.content(one).tobytes(), vectors.with_path(one).tobytes())
        place = (corpus.paths[int(corpus.chunk_file[row])], int(corpus.start_lines[row]))
        found[place] = (tokens, *made, corpus.column("chunk.signs")[row].tobytes())
    return found


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write(tmp_path, FILES)
    return tmp_path


@pytest.mark.parametrize(("before", "after"), [("hash", "static"), ("none", "hash"), ("static", "none")])
def test_new_vectors_are_those_of_a_fresh_index_and_nothing_is_parsed(
    folder: Path, before: str, after: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with opened(folder, "cache", before) as index:
        index.refresh()
        write(folder, {"src/session.py": FILES["src/session.py"] + "\n\ndef late():\n    return 1\n"})
        (folder / "root" / "conf.toml").unlink()
        index.refresh()
    with opened(folder, "fresh", after) as fresh:
        fresh.refresh()
        wanted, words = rows(fresh), [item.location for item in fresh.search("sessions expire", preset="text").items]

    def parsed(*_: Any, **__: Any) -> None:
        raise AssertionError("a file was parsed again")

    monkeypatch.setattr("fourfold.index.stages.parse_file", parsed)
    seen = []
    with opened(folder, "cache", after) as index:
        report = index.refresh(progress=seen.append)
        assert report.warnings == ("the vectors were made anew, nothing else: embedding model changed",)
        assert (report.added, report.changed, report.removed) == (0, 0, 0)
        assert rows(index) == wanted
        assert [item.location for item in index.search("sessions expire", preset="text").items] == words
        assert index.refresh().warnings == ()
        assert all(check.ok for check in index.doctor())
    assert any(moment.stage == "embed" and moment.done == moment.total for moment in seen)


def test_a_run_cut_short_leaves_the_old_vectors(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with opened(folder, "cache", "hash") as index:
        index.refresh()
        before = rows(index)

    def stop(*_: Any, **__: Any) -> None:
        raise KeyboardInterrupt

    with opened(folder, "cache", "static") as index:
        with monkeypatch.context() as patch:
            patch.setattr("fourfold.index.revector._joined", stop)
            with pytest.raises(KeyboardInterrupt):
                index.refresh()
        with opened(folder, "cache", "hash") as old:
            assert rows(old) == before
            assert old.search("expire", refresh=False).items
        index.refresh()
        assert rows(index) != before


def test_what_else_changed_is_read_as_ever(folder: Path) -> None:
    with opened(folder, "cache", "hash") as index:
        index.refresh()
    write(folder, {"src/new.py": "def fresh_needle():\n    return 1\n"})
    with opened(folder, "cache", "static") as index:
        report = index.refresh()
        assert (report.added, len(report.warnings)) == (1, 1)
        assert index.search("fresh needle").items[0].path == "src/new.py"
