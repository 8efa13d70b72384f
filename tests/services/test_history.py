"""The history of services: of one that has a work tree; of all others it is said why not."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from fourfold import Index
from fourfold.config.load import load_settings
from fourfold.engine.joined import JoinedIndex
from fourfold.model.errors import UsageError
from fourfold.source.git_tree import GitTree
from fourfold.source.objects import GitObjects


def repository(folder: Path) -> Path:
    folder.mkdir()
    (folder / "a.py").write_text("def race():\n    return 1\n")
    git = ["git", "-C", str(folder), "-c", "user.email=a@b.c", "-c", "user.name=n"]
    for command in (["init", "-q"], ["add", "."], ["commit", "-qm", "Fix a race in the cache"]):
        subprocess.run([*git, *command], check=True)
    return folder


def test_it_is_that_of_the_one_service_on_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FOURFOLD_CACHE_DIR", str(tmp_path / "cache"))
    root = repository(tmp_path / "one")
    settings = load_settings(root).settings
    with Index.open(root) as one, Index.open(repository(tmp_path / "two")) as two:
        joined = JoinedIndex({"one": one}, settings)
        assert [item.subject for item in joined.history("race").items] == ["Fix a race in the cache"]
        with pytest.raises(UsageError, match="2 services are served"):
            JoinedIndex({"one": one, "two": two}, settings).history("race")
        commit = subprocess.run(
            ["git", "-C", str(root), "rev-parse", "HEAD"], check=True, capture_output=True, text=True
        ).stdout.strip()
        one.tree = GitTree(GitObjects(root / ".git"), commit)
        with pytest.raises(UsageError, match="the commits of one are not read"):
            joined.history("race")
