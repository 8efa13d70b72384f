"""The Evaluate page: what is stored is listed, drawn and linked; nothing of it runs."""

from __future__ import annotations

from typing import Any

from starlette.testclient import TestClient
from tests.built import Built

from fourfold.evaluate.configuration import changed, configuration_of
from fourfold.evaluate.evaluation import Labels, evaluate
from fourfold.evaluate.question import Question, Target
from fourfold.evaluate.stored import save_report
from fourfold.interfaces.web.evaluations import place_address


def stored(built: Built) -> tuple[str, dict[str, Any]]:
    """A report of one question that is answered and one that is missed."""
    questions = (
        Question("a", "backoff_delay", (Target("src/net/retry.py", 8, 10),), tags=("symbol",)),
        Question("<i>b</i>", "<b>exponential</b> back-off", (Target("src/app.py", 1, 2),), tags=("function",)),
    )
    base = configuration_of(built.index.settings)
    quick = changed(base, "preset=text", built.index.settings)
    report = evaluate(built.index, Labels(questions, "two.jsonl"), [base, quick])
    return save_report(built.index.location, report), report


def test_nothing_stored_says_how_to_make_a_report(client: TestClient) -> None:
    found = client.get("/evaluate")
    assert found.status_code == 200 and "fourfold eval" in found.text and "<svg xmlns" not in found.text


def test_the_newest_report_is_drawn_and_its_places_are_links(client: TestClient, built: Built) -> None:
    name, report = stored(built)
    text = client.get("/evaluate").text
    assert f'href="/evaluate?report={name}" aria-current="page"' in text
    assert text.count("<svg xmlns") >= 7
    assert 'href="/file/src/app.py#L1"' in text
    assert "&lt;b&gt;exponential" in text and "<b>exponential" not in text
    assert "style=" not in text.split("<main", 1)[1]
    assert f"{report['configurations'][0]['metrics']['ndcg@10']['value']:.3f}" in text
    assert client.get(f"/evaluate?report={name}").status_code == 200


def test_an_unknown_report_is_an_error_page(client: TestClient, built: Built) -> None:
    stored(built)
    for name in ("20260101T000000-abcdef", "../../x"):
        found = client.get(f"/evaluate?report={name}", headers={"accept": "text/html"})
        assert found.status_code == 400 and "there is no report" in found.text


def test_the_style_of_the_plots_is_served(client: TestClient) -> None:
    found = client.get("/evaluate.css")
    assert found.headers["content-type"].startswith("text/css") and ".plot svg" in found.text


def test_places_lead_to_their_lines() -> None:
    assert place_address("src/a b.py:3-9") == "/file/src/a%20b.py#L3"
    assert place_address("src/a.py") == "/file/src/a.py"
