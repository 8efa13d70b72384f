"""The commands: what they show, and their exit codes."""

from __future__ import annotations

from pathlib import Path

import pytest

from fourfold.interfaces.cli.main import run


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty project and home folder."""
    (tmp_path / "project/.git").mkdir(parents=True)
    (tmp_path / "home").mkdir()
    (tmp_path / "user.toml").write_text("")
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("FOURFOLD_CONFIG", str(tmp_path / "user.toml"))
    monkeypatch.setenv("FOURFOLD_CACHE_DIR", str(tmp_path / "cache"))
    for name in ("XDG_CONFIG_HOME", "CODEX_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(tmp_path / "project")
    return tmp_path / "project"


def test_install_shows_what_it_writes_and_uninstall_takes_it_away(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["install", "claude-code", "--project"]) == 0
    out = capsys.readouterr().out
    assert f"written  {here / '.mcp.json'}  server for Claude Code" in out
    assert '"command": "fourfold"' in out
    assert run(["uninstall"]) == 0
    assert "removed" in capsys.readouterr().out
    assert [path.name for path in here.iterdir()] == [".git"]


def test_a_dry_run_writes_nothing(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["install", "codex", "--user", "--dry-run"]) == 0
    out = capsys.readouterr().out
    assert "would be written" in out and "[mcp_servers.fourfold]" in out and "search_code" in out
    assert not list((here.parent / "home").iterdir())
    assert not (here.parent / "cache" / "agents").exists()


def test_a_refused_file_is_named_and_the_exit_code_says_so(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here / ".mcp.json").write_text("[]")
    assert run(["install", "claude-code"]) == 1
    out = capsys.readouterr().out
    assert f"left alone  {here / '.mcp.json'}: it is no JSON object" in out
    assert (here / "CLAUDE.md").exists()


def test_clients_that_are_unknown_or_not_there(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["install", "emacs"]) == 2
    assert "choose among: claude-code" in capsys.readouterr().err
    assert run(["install"]) == 2
    assert "no coding agent was found" in capsys.readouterr().err
    assert run(["install", "windsurf", "--project"]) == 2
    assert "--user windsurf" in capsys.readouterr().err


def test_nothing_to_uninstall_is_said(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["uninstall", "--user"]) == 0
    assert "nothing of fourfold was found" in capsys.readouterr().err
