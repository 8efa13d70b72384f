"""``fourfold service`` and ``--service``, run in this process."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.services.git_server import GitServer, Repository

from fourfold.interfaces.cli.main import run


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of no project."""
    folder = tmp_path / "here"
    folder.mkdir()
    monkeypatch.chdir(folder)
    return folder


def test_from_adding_to_removing(app: Repository, capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["service", "list"]) == 0
    assert "no service is listed" in capfd.readouterr().err
    assert run(["service", "add", "app", app.url, "--ref", "main", "--sync"]) == 0
    assert "synced  app at " in capfd.readouterr().err
    assert run(["service", "sync", "app"]) == 0
    assert "3 files: nothing changed" in capfd.readouterr().err
    assert run(["search", "--service", "app", "exponential back-off"]) == 0
    assert "app/src/retry.py:1-3" in capfd.readouterr().out
    assert run(["search", "--service", "*", "--json", "exponential back-off"]) == 0
    answer = json.loads(capfd.readouterr().out)
    assert (answer["items"][0]["service"], answer["items"][0]["ref"]) == ("app", "main")
    assert answer["items"][0]["path"] == "src/retry.py"
    assert run(["grep", "--service", "app", "-n", "def backoff"]) == 0
    assert capfd.readouterr().out.startswith("app/src/retry.py:1:")
    assert run(["symbol", "--service", "app", "backoff_delay"]) == 0
    assert "app/src/retry.py:1-3" in capfd.readouterr().out
    assert run(["service", "list", "--json"]) == 0
    (row,) = json.loads(capfd.readouterr().out)["items"]
    assert (row["name"], row["files"], row["error"]) == ("app", 3, None)
    assert run(["service", "remove", "app"]) == 0
    assert run(["search", "--service", "app", "x"]) == 2


def test_a_failed_sync_has_the_exit_code_of_its_error(
    app: Repository, server: GitServer, capfd: pytest.CaptureFixture[str]
) -> None:
    assert run(["service", "add", "app", app.url, "--sync"]) == 0
    server.broken = 500
    assert run(["service", "sync"]) == 5
    said = capfd.readouterr().err
    assert "failed  app: " in said
    assert "Traceback" not in said
    assert run(["service", "list"]) == 0
    assert "cannot be fetched" in capfd.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["web", "ext::sh -c id"], "no address"),
        (["web", "https://me:secret@example.org/x.git"], "holds a user or password"),
        (["web", "http://example.org/x.git"], "unencrypted"),
        (["web", "git://example.org/x.git"], "not allowed"),
        (["web", "no/such/folder"], "there is no folder"),
        (["a b", "."], "no name of a service"),
        (["web", ".", "--ref", "-x"], "no name of a branch"),
        (["web", ".", "--ref", "a..b"], "no name of a branch"),
        (["web", ".", "--root", "../up"], "no folder inside"),
        (["web", ".", "--token-env", "my token"], "name of an environment variable"),
    ],
)
def test_what_cannot_be_added_is_said_in_a_sentence(
    arguments: list[str], said: str, capfd: pytest.CaptureFixture[str]
) -> None:
    assert run(["service", "add", *arguments]) == 2
    err = capfd.readouterr().err
    assert said in err
    assert "secret@" not in err
    assert "Traceback" not in err


def test_a_folder_that_only_lists_services_is_searched_as_them(here: Path, capfd: pytest.CaptureFixture[str]) -> None:
    for name in ("web", "core"):
        (here / name).mkdir()
        (here / name / "code.py").write_text(f"def of_{name}():\n    return 1\n", encoding="utf-8")
    (here / "fourfold.toml").write_text(
        '[services.web]\npath = "web"\n[services.core]\npath = "core"\n', encoding="utf-8"
    )
    assert run(["search", "of_core"]) == 0
    out = capfd.readouterr().out
    assert out.index("core/code.py") < out.index("web/code.py") if "web/code.py" in out else "core/code.py" in out
    assert "service core" in out


def test_what_is_for_one_project_is_refused(capfd: pytest.CaptureFixture[str], here: Path) -> None:
    (here / "a.py").write_text("a = 1\n", encoding="utf-8")
    assert run(["service", "add", "here", "."]) == 0
    assert run(["search", "--service", "here", "--changed", "a"]) == 2
    assert run(["search", "--service", "here", "--scope", "deps", "a"]) == 2
    assert "leave out --service" in capfd.readouterr().err


def test_a_bare_repository_wants_a_ref_when_it_is_added(app: Repository, capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["service", "add", "app", str(app.bare)]) == 3
    assert "--ref BRANCH" in capfd.readouterr().err
    assert run(["service", "list"]) == 0
    assert "no service is listed" in capfd.readouterr().err
    assert run(["service", "add", "app", str(app.bare), "--ref", "main", "--sync"]) == 0
