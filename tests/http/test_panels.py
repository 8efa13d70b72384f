"""The History page: what commits did, which of them touched a symbol; the Services page of a server of one project."""

from __future__ import annotations

import html
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient
from tests.built import Built
from tests.http.conftest import FILES, serving
from tests.http.test_page import Page

from fourfold.interfaces.web import times

RETRY = "src/net/retry.py"


def commit(root: Path, message: str, files: dict[str, str]) -> None:
    """Write files and commit them."""
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, encoding="utf-8")
    environment = {**os.environ, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull}
    who = ("-c", "user.name=Ada Byron", "-c", "user.email=ada@example.org")
    for command in (["add", "-A"], ["commit", "-q", "-m", message]):
        subprocess.run(["git", *who, *command], cwd=root, env=environment, check=True)


@pytest.fixture(scope="module")
def history(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[TestClient, Built]]:
    """A project of three commits, the last of which changes one function alone; served."""
    with Built(tmp_path_factory.mktemp("history")) as built:
        subprocess.run(["git", "init", "-q"], cwd=built.root, check=True)
        tracked = {name: text for name, text in FILES.items() if name != ".env"}
        commit(built.root, "Retries", tracked)
        commit(built.root, "Guide <script>x</script>", {"guide.md": "# Guide\n", "old/gone.py": "gone = 1\n"})
        (built.root / "old/gone.py").unlink()
        commit(built.root, "Cap the backoff\n\nA minute is enough.", {RETRY: FILES[RETRY].replace("60.0", "59.0")})
        built.write({})
        with serving(built) as client:
            yield client, built


def page(client: TestClient, address: str, status: int = 200) -> tuple[str, Page]:
    """The page at an address, and its tags."""
    reply = client.get(address, headers={"accept": "text/html"})
    assert reply.status_code == status, reply.text
    return reply.text, Page(reply.text)


def subjects(text: str) -> list[str]:
    """The subjects that a page shows."""
    return [html.unescape(part.partition("</span></p>")[0]) for part in text.split('class="subject">')[1:]]


def test_commits_are_found_by_what_they_did_and_lead_to_their_files(history: tuple[TestClient, Built]) -> None:
    client, _ = history
    text, parsed = page(client, "/history?q=cap+the+backoff")
    assert "<mark>backoff</mark>" in text and "A minute is enough." in text
    assert "Ada Byron" in text
    assert f"/file/{RETRY}" in parsed.links()
    newest, _ = page(client, "/history")
    assert len(subjects(newest)) == 3 and "<script>x" not in newest
    gone, parsed = page(client, "/history?path=old")
    assert "old/gone.py" in gone and "/file/old/gone.py" not in parsed.links()


def test_the_commits_that_touched_a_symbol(history: tuple[TestClient, Built]) -> None:
    client, _ = history
    text, parsed = page(client, "/history?symbol=backoff_delay")
    assert subjects(text) == ["Cap the backoff", "Retries"]
    assert any(link.startswith(f"/file/{RETRY}") and link.endswith("#L8") for link in parsed.links())
    untouched, _ = page(client, "/history?symbol=Patient")
    assert subjects(untouched) == ["Retries"]
    shown, _ = page(client, f"/file/{RETRY}?symbol=Policy.wait&at=16")
    assert "/history?symbol=Policy.wait" in shown
    assert "symbol=backoff_delay" in page(client, "/history?symbol=backof_delay")[0]


def test_lines_that_moved_since_the_commit_are_found_there(history: tuple[TestClient, Built]) -> None:
    client, built = history
    kept = (built.root / RETRY).read_text(encoding="utf-8")
    try:
        built.write({RETRY: "# moved\n" * 30 + kept + "\n\ndef uncommitted():\n    return 1\n"})
        body: dict[str, Any] = client.get("/api/v1/history?symbol=Policy&limit=5").json()
        assert [item["subject"] for item in body["items"]] == ["Retries"]
        assert body["query"]["line"] > 40 and body["items"][0]["files"] == [RETRY]
        fresh = client.get("/api/v1/history?symbol=uncommitted").json()
        assert fresh["items"] == [] and fresh["query"]["end_line"] > 50
        assert "in no commit yet" in page(client, "/history?symbol=uncommitted")[0]
    finally:
        built.write({RETRY: kept})


def test_what_is_wrong_leaves_the_form(history: tuple[TestClient, Built]) -> None:
    client, _ = history
    text, parsed = page(client, "/history?q=cap&since=never")
    assert 'role="alert"' in text and "is no date" in text
    assert any(tag == "input" and attrs.get("value") == "never" for tag, attrs in parsed.tags)
    assert client.get("/api/v1/history?symbol=%20").status_code == 400


def test_a_project_without_commits_says_so(client: TestClient) -> None:
    text, _ = page(client, "/history")
    assert "not in a git repository" in text
    assert str(Path.home()) not in text or str(Path.home()) == "/"


def test_a_server_of_one_project_says_what_serves_several(client: TestClient) -> None:
    text, parsed = page(client, "/services")
    assert "This server serves one project" in text
    assert "/services" not in parsed.links()


def test_moments_in_words(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fourfold.interfaces.web.times.time.time", lambda: 1_000_000.0)
    assert [times.ago(1_000_000.0 - past) for past in (5, 65, 7300, 400_000)] == [
        "just now",
        "1 min ago",
        "2 h ago",
        "1970-01-07",
    ]
    assert times.utc(0) == "1970-01-01T00:00:00Z"
