"""Answers in words over HTTP: whole, streamed, with a thread; history and pipelines."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient
from tests.answer.conftest import FakeModel, make, raw, reply, server, status  # noqa: F401 (a fixture)
from tests.built import Built
from tests.http.conftest import FILES, LOCAL, serving
from tests.http.test_page import page

from fourfold.interfaces.http.app import create_app
from fourfold.interfaces.http.asking import turns
from fourfold.interfaces.http.options import ServeOptions
from fourfold.interfaces.http.schemas import ANSWERS, answer_of
from fourfold.interfaces.web.prose import prose
from fourfold.model.answer import MAX_TURNS, Citation, Turn

EVENTS = {"accept": "text/event-stream"}
GOOD = "The delay of `backoff_delay` has full jitter [src/net/retry.py:8-10].\n"


@pytest.fixture
def worded(tmp_path: Path, server: FakeModel) -> Iterator[TestClient]:  # noqa: F811
    """A client of a server that has a language model."""
    chosen = {"llm.endpoint": server.address, "llm.model": "tiny", "llm.timeout_s": 5.0}
    with make(tmp_path, FILES, **chosen) as index:
        index.refresh()
        with TestClient(create_app(index, ServeOptions()), base_url=LOCAL) as made:
            yield made


def events(text: str) -> list[tuple[str, Any]]:
    """(name, data) of each server-sent event."""
    found = []
    for block in text.split("\n\n"):
        lines = dict(line.split(": ", 1) for line in block.split("\n") if ": " in line)
        if "event" in lines:
            found.append((lines["event"], json.loads(lines["data"])))
    return found


def test_without_a_language_model_the_answer_says_so(client: TestClient, built: Built) -> None:
    body = client.get("/api/v1/ask", params={"q": "who calls backoff_delay"}).json()
    assert body["answer"]["extractive"] is True
    assert body["answer"]["note"] == "no language model is configured"
    assert body["answer"]["citations"] and all(one["checked"] for one in body["answer"]["citations"])
    wanted = built.index.ask("who calls backoff_delay").to_dict()
    for name in ("query", "answer", "items", "asked"):
        assert body[name] == wanted[name]
    assert body["meta"]["root"] == "."


def test_pieces_come_before_the_whole(worded: TestClient, server: FakeModel) -> None:  # noqa: F811
    server.scripts[:] = [reply(GOOD + "It is capped by `min` [src/net/retry.py:8-10].\n")]
    answer = worded.get("/api/v1/ask", params={"q": "how is the delay computed"}, headers=EVENTS)
    assert answer.headers["content-type"].startswith("text/event-stream")
    found = events(answer.text)
    assert [name for name, _ in found] == ["piece", "piece", "answer"]
    whole = found[-1][1]
    assert "\n".join(data["text"] for _, data in found[:-1]) == whole["answer"]["text"]
    assert answer_of(ANSWERS["ask"]).model_validate(whole)
    assert (whole["answer"]["extractive"], whole["answer"]["model"]) == (False, "tiny")
    lines = worded.get("/api/v1/ask", params={"q": "how is it"}, headers={"accept": "application/x-ndjson"}).text
    assert [json.loads(line)["event"] for line in lines.strip().split("\n")][-1] == "answer"


@pytest.mark.parametrize("wrong", ["[src/net/retry.py:900-910]", "[99]", "[src/nowhere.py:1-2]"])
def test_no_wrong_citation_reaches_a_client(worded: TestClient, server: FakeModel, wrong: str) -> None:  # noqa: F811
    server.scripts[:] = [reply(f"The delay of `backoff_delay` is read from a table {wrong}.\n{GOOD}")]
    text = worded.get("/api/v1/ask", params={"q": "how is the delay computed"}, headers=EVENTS).text
    assert "table" not in text
    found = events(text)[-1][1]["answer"]
    assert [one["path"] for one in found["citations"]] == ["src/net/retry.py"]
    assert found["removed"] >= 1


def test_a_model_that_fails_leaves_an_extractive_answer(worded: TestClient, server: FakeModel) -> None:  # noqa: F811
    server.scripts[:] = [status(401)]
    found = events(worded.get("/api/v1/ask", params={"q": "how is the delay computed"}, headers=EVENTS).text)
    assert [name for name, _ in found] == ["answer"]
    answer = found[0][1]["answer"]
    assert answer["extractive"] and "HTTP 401" in answer["failure"]
    server.scripts[:] = [reply(GOOD, whole=False)]
    found = events(worded.get("/api/v1/ask", params={"q": "how is the delay computed"}, headers=EVENTS).text)
    assert found[-1][1]["answer"]["citations"]
    assert "broke off" in found[-1][1]["answer"]["failure"]


def test_what_is_wrong_with_the_question_is_an_event_of_the_stream(client: TestClient) -> None:
    [(name, data)] = events(client.get("/api/v1/ask", params={"q": "x lang:klingon"}, headers=EVENTS).text)
    assert name == "error"
    assert data["error"]["code"] == "F102"
    plain = client.get("/api/v1/ask", params={"q": "x lang:klingon"})
    assert (plain.status_code, plain.json()["error"]["code"]) == (400, "F102")


@pytest.mark.parametrize(
    "query", [{"q": "x", "tokens": 1}, {}, {"q": "x" * 20_001}, {"q": "x", "before": ["a"] * (MAX_TURNS + 1)}]
)
def test_bad_requests_are_refused(client: TestClient, query: dict[str, Any]) -> None:
    assert client.get("/api/v1/ask", params=query).status_code == 422


def test_a_follow_up_leans_on_the_thread_it_sends(client: TestClient) -> None:
    first = client.get("/api/v1/ask", params={"q": "where is backoff_delay defined"}).json()
    assert first["asked"] == ""
    thread = {"before": "where is backoff_delay defined", "about": "backoff_delay"}
    follow = client.get("/api/v1/ask", params={"q": "and who calls it?", **thread}).json()
    assert follow["asked"] == "and who calls backoff_delay?"
    assert follow["query"]["intent"] == "find_references"
    assert "Patient.wait" in follow["answer"]["text"]


def test_turns_of_a_request_are_cut_to_size() -> None:
    assert turns(["a", "b"], ["x, y,,"]) == (Turn("a", ("x", "y")), Turn("b"))
    assert turns([], ["x"]) == ()
    [turn] = turns(["q" * 5000], [",".join("n" * 500 for _ in range(50))])
    assert len(turn.question) == 1000
    assert [len(name) for name in turn.about] == [200] * 5


# -- the page ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("address", ["/ask", "/ask?q=who+calls+backoff_delay", "/ask?q=how+does+hostileBackoff+work"])
def test_the_ask_page_is_whole_and_runs_nothing_inline(client: TestClient, address: str) -> None:
    text, parsed = page(client, address)
    assert parsed.open == []
    assert "<img" not in text and "<script>" not in text
    ids = [attrs["id"] for _, attrs in parsed.tags if "id" in attrs]
    assert len(ids) == len(set(ids))


def test_citations_open_the_file_at_their_lines(client: TestClient) -> None:
    text, parsed = page(client, "/ask?q=who+calls+backoff_delay")
    assert "extractive answer" in text
    cited = [attrs["href"] for tag, attrs in parsed.tags if tag == "a" and attrs.get("class") == "cite"]
    assert cited and all(link and link.startswith("/file/") and "#L" in link for link in cited)
    assert client.get(str(cited[0]).partition("#")[0], headers={"accept": "text/html"}).status_code == 200


def test_the_thread_of_the_page_needs_no_script(client: TestClient) -> None:
    _, parsed = page(client, "/ask?q=where+is+backoff_delay+defined")
    hidden = [(attrs["name"], attrs["value"]) for tag, attrs in parsed.tags if attrs.get("type") == "hidden"]
    assert ("before", "where is backoff_delay defined") in hidden
    query = [(name, value) for name, value in hidden if value] + [("q", "who calls it?")]
    text = client.get("/ask", params=query, headers={"accept": "text/html"}).text
    assert "Understood as: who calls backoff_delay?" in text
    assert 'class="earlier"' in text


def test_the_stream_of_the_page_is_html_that_holds_nothing_foreign(worded: TestClient, server: FakeModel) -> None:  # noqa: F811
    server.scripts[:] = [
        reply(GOOD + "<script>alert(1)</script> is said by `backoff_delay` [src/net/retry.py:8-10].\n")
    ]
    found = events(worded.get("/part/ask", params={"q": "how is the delay computed"}).text)
    assert [name for name, _ in found][-1] == "answer"
    html = "".join(data["html"] for _, data in found)
    assert "<script" not in html
    assert 'class="cite" href="/file/src/net/retry.py#L8"' in html


def test_an_answer_becomes_html_and_nothing_but_its_marks_becomes_markup() -> None:
    citation = Citation(1, 'a"<b>.py', 3, 4, "x", True)
    html = prose(
        "**Bold** `<i>` and [1] and [2] [?]\n\n- one [1]\n- two <b>\n```\n<x>[1]\n```\n[link](http://e)", [citation]
    )
    assert "<strong>Bold</strong> <code>&lt;i&gt;</code>" in html
    assert html.count('<a class="cite"') == 2
    assert "[2]" in html and 'class="uncited"' in html
    assert "<ul><li>one " in html and "<li>two &lt;b&gt;</li></ul>" in html
    assert '<pre class="code"><code>&lt;x&gt;[1]</code></pre>' in html
    assert "[link](http://e)" in html and "<a class" in html and 'href="http' not in html
    assert 'a"<b>' not in html


# -- history and pipelines ---------------------------------------------------------------------------------------------


def git(root: Path, *arguments: str) -> None:
    identity = ["-c", "user.name=Ada", "-c", "user.email=ada@example.org", "-c", "commit.gpgsign=false"]
    subprocess.run(["git", *identity, *arguments], cwd=root, check=True, capture_output=True)


def test_commits_are_found_over_http(tmp_path: Path) -> None:
    with Built(tmp_path) as built:
        built.write(FILES)
        git(built.root, "init", "-q")
        git(built.root, "add", "src/net/retry.py")
        git(built.root, "commit", "-qm", "Cap the back-off at sixty seconds")
        with serving(built) as client:
            body = client.get("/api/v1/history", params={"q": "back-off cap"}).json()
            assert answer_of(ANSWERS["history"]).model_validate(body)
            assert [item["subject"] for item in body["items"]] == ["Cap the back-off at sixty seconds"]
            assert body["meta"]["root"] == "."
            none = client.get("/api/v1/history", params={"author": "nobody"}).json()
            assert none["items"] == []
            bad = client.get("/api/v1/history", params={"since": "never"})
            assert (bad.status_code, bad.json()["error"]["code"]) == (400, "F102")
        with serving(built, read_only=True) as client:
            assert client.get("/api/v1/history", params={"q": "back-off"}).status_code == 200


def test_presets_are_listed_with_their_yaml(client: TestClient) -> None:
    items = {item["name"]: item for item in client.get("/api/v1/pipelines").json()["items"]}
    assert items["hybrid"]["steps"][:2] == ["pre_filter", "parallel"]
    assert "rrf_fusion: {k: 60}" in items["hybrid"]["text"]
    assert items["tree"]["shipped"] is True and items["tree"]["error"] is None


def test_a_stream_that_is_left_ends_the_work(worded: TestClient, server: FakeModel) -> None:  # noqa: F811
    service = worded.app._app.state.service  # type: ignore[attr-defined]
    server.scripts[:] = [raw(b"")]
    worded.get("/api/v1/ask", params={"q": "how is the delay computed"}, headers=EVENTS)
    assert service.streams == 0
