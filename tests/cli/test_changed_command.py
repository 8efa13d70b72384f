"""``--changed`` and ``--since`` with a real repository and a real index."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

NAMED = ("-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "commit.gpgsign=false")


def git(root: Path, *arguments: str) -> None:
    subprocess.run(["git", *NAMED, *arguments], cwd=root, check=True, capture_output=True)


@pytest.fixture
def work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Two commits (tag ``first`` names the older), one file edited since, one not tracked yet."""
    root = tmp_path / "work"
    (root / "lib").mkdir(parents=True)
    (tmp_path / "user.toml").write_text("")
    monkeypatch.setenv("FOURFOLD_CONFIG", str(tmp_path / "user.toml"))
    monkeypatch.setenv("FOURFOLD_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setenv("FOURFOLD_INDEX_WORKERS", "1")
    monkeypatch.chdir(root)
    git(root, "init", "-q", "-b", "main")
    (root / ".gitignore").write_text("*.log\n")
    for name in ("old", "edited", "second"):
        (root / "lib" / f"{name}.py").write_text(f"def retry_{name}():\n    return 1\n")
    git(root, "add", ".")
    git(root, "commit", "-q", "-m", "one")
    git(root, "tag", "first")
    (root / "lib" / "second.py").write_text("def retry_second():\n    return 2\n")
    git(root, "commit", "-q", "-a", "-m", "two")
    (root / "lib" / "edited.py").write_text("def retry_edited():\n    return 2\n")
    (root / "untracked.py").write_text("def retry_untracked():\n    return 1\n")
    (root / "x.log").write_text("def retry_log\n")
    return root


CHANGED = {"lib/edited.py", "untracked.py"}


@pytest.mark.parametrize(
    ("options", "paths"),
    [
        (["--changed"], CHANGED),
        (["--since", "HEAD"], CHANGED),
        (["--since", "first"], CHANGED | {"lib/second.py"}),
        (["--changed", "--since", "first"], CHANGED | {"lib/second.py"}),
    ],
)
def test_only_what_changed_is_searched(work: Path, fourfold: Any, options: list[str], paths: set[str]) -> None:
    found = fourfold("search", "--json", *options, "retry")
    assert {item["path"] for item in json.loads(found.out)["items"]} == paths
    assert set(fourfold("grep", "-l", *options, "def retry").out.split()) == paths


def test_other_filters_narrow_further(work: Path, fourfold: Any) -> None:
    assert fourfold("grep", "-l", "--changed", "retry", "lib").out == "lib/edited.py\n"
    assert fourfold("-C", "lib", "grep", "-l", "--since", "first", "retry").out == "edited.py\nsecond.py\n"
    assert fourfold("search", "-l", "--changed", "retry -path:lib").out == "untracked.py\n"


def test_where_nothing_changed_nothing_is_found(work: Path, fourfold: Any) -> None:
    git(work, "add", ".")
    git(work, "commit", "-q", "-m", "three")
    assert fourfold("search", "--changed", "retry").code == 1
    assert fourfold("grep", "--changed", "retry").code == 1


@pytest.mark.parametrize("reference", ["nowhere", "--output=x", ""])
def test_a_reference_that_git_does_not_know(work: Path, fourfold: Any, reference: str) -> None:
    for command in ("search", "grep"):
        ran = fourfold(command, f"--since={reference}", "retry")
        assert (ran.code, ran.out) == (2, "")
        assert "git knows no commit" in ran.err
    assert not (work / "x").exists()
