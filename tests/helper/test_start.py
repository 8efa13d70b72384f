"""What a helper is started with."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any

import pytest

from fourfold.interfaces.helper import start


def test_keys_of_the_first_caller_do_not_live_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A helper outlives the command that started it; anybody of this user can read what it was started with."""
    given: dict[str, str] = {}

    class Process:
        returncode = None

        def __init__(self, _: list[str], **options: Any) -> None:
            given.update(options["env"])

    monkeypatch.setattr(subprocess, "Popen", Process)
    for name in ("OPENAI_API_KEY", "GITHUB_TOKEN", "DB_PASSWORD", "MY_SECRET", "LC_TELEPHONE"):
        monkeypatch.setenv(name, "value")
    folder = tmp_path / "helper"
    folder.mkdir(mode=0o700)
    assert start.start(str(folder))
    assert given["LC_TELEPHONE"] == "value"
    assert not {"OPENAI_API_KEY", "GITHUB_TOKEN", "DB_PASSWORD", "MY_SECRET"} & given.keys()
