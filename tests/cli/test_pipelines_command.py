"""``fourfold pipelines``: what there is, how it is written, and a run, on a real small index."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest

from fourfold.config.settings import PRESETS
from fourfold.interfaces.cli.main import run


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with one file, a cache and a configuration of its own."""
    monkeypatch.setenv("FOURFOLD_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setenv("FOURFOLD_CONFIG", str(tmp_path / "config.toml"))
    monkeypatch.setenv("FOURFOLD_EMBEDDING_MODEL", "hash")
    (tmp_path / "config.toml").write_text("")
    (tmp_path / "presets").mkdir()
    root = tmp_path / "root"
    root.mkdir()
    (root / "cache.py").write_text("def empty_cache(store):\n    # forget all plans\n    store.clear()\n")
    return root


def said(capsys: pytest.CaptureFixture[str], root: Path, *words: str) -> tuple[int, str, str]:
    code = run(["-C", str(root), "pipelines", *words])
    out = capsys.readouterr()
    return code, out.out, out.err


def test_presets_are_listed_also_those_of_the_user_and_faulty_ones(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    presets = project.parent / "presets"
    (presets / "mine.yaml").write_text("about: only words\nsteps: [bm25_fetcher]\n")
    (presets / "broken.yaml").write_text("steps:\n  - nothing\n")
    code, out, err = said(capsys, project)
    assert code == 0
    assert [line.split()[0] for line in out.splitlines()] == [*PRESETS, "broken", "mine"]
    assert "faulty: " in out and "only words" in out
    assert str(presets) in err
    code, out, _ = said(capsys, project, "list", "--json")
    items = {item["name"]: item for item in json.loads(out)["items"]}
    assert items["mine"] == {"name": "mine", "shipped": False, "about": "only words", "steps": ["bm25_fetcher"]}
    assert "line 2, step nothing" in items["broken"]["error"]
    assert items["contract"]["shipped"] is True


def test_steps_are_listed_with_their_parameters(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = said(capsys, project, "list", "--steps")
    assert any(line.split() == ["dense_fetcher", "pool"] for line in out.splitlines())
    _, out, _ = said(capsys, project, "list", "--steps", "--json")
    (fusion,) = [item for item in json.loads(out)["items"] if item["name"] == "rrf_fusion"]
    assert fusion["parameters"]["k"]["expects"] == "a number, at least 1"


def test_a_preset_is_shown_as_written_or_its_fault(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = said(capsys, project, "show", "contract")
    assert code == 0
    assert out.startswith("# contract:") and "rrf_fusion: {k: 40, by_intent: true}" in out
    (project.parent / "presets" / "broken.yaml").write_text("steps:\n  - rrf_fusion: {k: 0}\n")
    code, out, err = said(capsys, project, "show", "broken")
    assert (code, out) == (2, "")
    assert "broken.yaml, line 2" in err
    code, _, err = said(capsys, project, "show", "fast")
    assert code == 2
    assert "there is no preset 'fast'" in err


def test_a_run_prints_the_text_or_the_list(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = said(capsys, project, "run", "graph", "forget", "all", "plans")
    assert code == 0
    assert out.startswith("## cache.py:1-3\ndef empty_cache(store):")
    code, out, _ = said(capsys, project, "run", "graph", "--ranked", "forget all plans")
    assert code == 0
    assert "cache.py:1-3" in out and "preset: graph" in out
    code, out, _ = said(capsys, project, "run", "contract", "--json", "forget all plans")
    found = json.loads(out)
    assert found["meta"]["preset"] == "contract"
    assert found["items"][0]["why"]["weights"]["semantic"] == 0.5


def test_nothing_found_and_nothing_asked(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = said(capsys, project, "run", "text", "zebra")
    assert (code, out) == (1, "")
    assert "nothing found" in err
    code, _, err = said(capsys, project, "run", "text")
    assert code == 2
    assert "no question" in err


def test_search_takes_a_preset_of_the_users_own(
    project: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (project.parent / "presets" / "mine.yaml").write_text("steps: [bm25_fetcher]\n")
    monkeypatch.setattr("sys.stdin", io.StringIO(""))
    assert run(["-C", str(project), "search", "--preset", "mine", "forget all plans", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["meta"]["preset"] == "mine"
