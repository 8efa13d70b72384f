"""docs/pipelines.md says what there is, and its examples run."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from fourfold.config.settings import PRESETS
from fourfold.pipeline.loader import load_text
from fourfold.pipeline.registry import SHIPPED

PAGE = (Path(__file__).parent.parent.parent / "docs" / "pipelines.md").read_text(encoding="utf-8")


def example(language: str) -> str:
    found = re.search(rf"```{language}\n(.*?)```", PAGE, re.DOTALL)
    assert found is not None
    return found.group(1)


def test_every_preset_step_and_parameter_is_on_the_page() -> None:
    for name in PRESETS:
        assert f"| `{name}` |" in PAGE
    for step in SHIPPED:
        (row,) = [line for line in PAGE.split("\n") if line.startswith(f"| `{step.type}` |")]
        assert all(f"`{name}`" in row for name in step.parameters()), step.type


def test_the_preset_of_the_page_loads() -> None:
    pipeline = load_text(example("yaml"))
    assert list(pipeline)[-2:] == ["demote", "limit"]


def test_the_python_of_the_page_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("FOURFOLD_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setenv("FOURFOLD_EMBEDDING_MODEL", "hash")
    root = tmp_path / "root"
    root.mkdir()
    (root / "cache.py").write_text("def empty_cache(store):\n    # the cache is emptied\n    store.clear()\n")
    (root / "notes.md").write_text("The cache is emptied here.\n")
    monkeypatch.chdir(root)
    exec(compile(example("python"), "pipelines.md", "exec"), {})
    out = capsys.readouterr().out.split("\n")
    assert out[0] == "50"
    assert out[1].startswith("cache.py 1 ")
    assert "notes.md" not in "\n".join(out)
