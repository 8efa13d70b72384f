"""``fourfold history`` and ``fourfold watch`` with a real repository and a real index."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

NAMED = ("-c", "user.name=Jane\x1b[31m", "-c", "user.email=t@example.org", "-c", "commit.gpgsign=false")


def git(root: Path, *arguments: str) -> None:
    subprocess.run(["git", *NAMED, *arguments], cwd=root, check=True, capture_output=True)


@pytest.fixture
def work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Two commits, the working directory in ``lib``."""
    root = tmp_path / "work"
    (root / "lib").mkdir(parents=True)
    (tmp_path / "user.toml").write_text("")
    monkeypatch.setenv("FOURFOLD_CONFIG", str(tmp_path / "user.toml"))
    monkeypatch.setenv("FOURFOLD_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setenv("FOURFOLD_EMBEDDING_MODEL", "none")
    git(root, "init", "-q", "-b", "main")
    for message, name in (("Pool of connections\n\nThey are slow\nto open.", "pool"), ("Retry calls", "retry")):
        (root / "lib" / f"{name}.py").write_text(f"def {name}():\n    return 1\n")
        git(root, "add", ".")
        git(root, "commit", "-q", "-m", message)
    monkeypatch.chdir(root / "lib")
    return root


def test_commits_are_shown_for_people(work: Path, fourfold: Any) -> None:
    shown = fourfold("history", "connection", "pool")
    assert shown.code == 0
    assert "Pool of connections" in shown.out and "They are slow" in shown.out and "\n   pool.py\n" in shown.out
    assert "\x1b" not in shown.out and "Retry" not in shown.out
    narrow = fourfold("history", "connection", "pool", tty=True, columns=40)
    assert narrow.code == 0 and "\x1b[1m" in narrow.out


def test_commits_are_shown_for_programs(work: Path, fourfold: Any) -> None:
    data = json.loads(fourfold("history", "--json", "--path", "pool.py").out)
    assert [item["subject"] for item in data["items"]] == ["Pool of connections"]
    lines = fourfold("history", "--jsonl", "-n", "1").out.splitlines()
    assert json.loads(lines[0])["subject"] == "Retry calls" and json.loads(lines[1])["meta"]["dropped"] == 1


def test_the_commits_that_touched_a_symbol(work: Path, fourfold: Any) -> None:
    (work / "lib" / "pool.py").write_text("# two at once\n\n\ndef pool():\n    return 2\n")
    git(work, "commit", "-q", "-am", "Pools of two")
    data = json.loads(fourfold("history", "--symbol", "pool", "--json").out)
    assert [item["subject"] for item in data["items"]] == ["Pools of two", "Pool of connections"]
    assert (data["query"]["path"], data["query"]["line"], data["query"]["end_line"]) == ("lib/pool.py", 4, 5)
    absent = fourfold("history", "--symbol", "poll")
    assert absent.code == 1 and "there is no definition of poll; names like it: pool" in absent.err
    assert fourfold("history", "--symbol", "pool", "words").code == 2


def test_exit_codes(work: Path, fourfold: Any, tmp_path: Path) -> None:
    none = fourfold("history", "zebra")
    assert (none.code, none.out) == (1, "") and "no commit answers 'zebra'" in none.err
    assert fourfold("history", "--since", "someday", "x").code == 2
    (tmp_path / "plain").mkdir()
    refused = fourfold("-C", str(tmp_path / "plain"), "history", "x")
    assert refused.code == 3 and "is not in a git repository" in refused.err
    assert fourfold("-C", str(work), "history", "--no-refresh", "x").code == 1


def test_watch_ends_by_ctrl_c_with_130_and_a_whole_index(work: Path, fourfold: Any) -> None:
    watching = subprocess.Popen(
        [sys.executable, "-m", "fourfold.interfaces.cli.main", "watch", "--jsonl"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ,
    )
    assert watching.stdout is not None
    started = json.loads(watching.stdout.readline())
    assert (started["kind"], started["report"]["added"]) == ("started", 2)
    (work / "lib" / "new.py").write_text("def brand_new():\n    return 1\n")
    assert json.loads(watching.stdout.readline())["kind"] == "refreshed"
    watching.send_signal(signal.SIGINT)
    _, said = watching.communicate(timeout=60)
    assert watching.returncode == 130 and "what is indexed is kept" in said
    assert fourfold("grep", "-l", "--no-refresh", "brand_new").out == "new.py\n"


def test_watch_ends_with_the_process_it_was_given(work: Path, fourfold: Any) -> None:
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    done = fourfold("watch", "--parent-pid", str(ended.pid))
    assert done.code == 0 and "has ended" in done.out
