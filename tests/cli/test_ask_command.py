"""``fourfold ask`` from end to end: text, JSON, exit codes, and a model that answers as it goes."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.answer.conftest import FILES, FakeModel, reply, server, status

__all__ = ["server"]
Fourfold = Callable[..., Any]


@pytest.fixture
def shop(repo: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The project of the answers' tests as the working directory; vectors without a model."""
    for name, text in FILES.items():
        (repo / name).parent.mkdir(parents=True, exist_ok=True)
        (repo / name).write_text(text)
    monkeypatch.setenv("FOURFOLD_EMBEDDING_MODEL", "hash")
    monkeypatch.delenv("HF_HUB_OFFLINE", raising=False)
    return repo


@pytest.fixture
def model(server: FakeModel, shop: Path, monkeypatch: pytest.MonkeyPatch) -> FakeModel:
    """A configured model."""
    monkeypatch.setenv("FOURFOLD_LLM_ENDPOINT", server.address)
    monkeypatch.setenv("FOURFOLD_LLM_MODEL", "tiny")
    monkeypatch.setenv("FOURFOLD_LLM_TIMEOUT_S", "5")
    return server


def test_the_answer_its_sources_and_who_worded_it(shop: Path, fourfold: Fourfold) -> None:
    ran = fourfold("ask", "who", "calls", "backoff_delay")
    assert ran.code == 0
    head, rest = ran.out.split("\n", 1)
    assert head.startswith("extractive answer · no language model is configured · ")
    assert "is called in 4 places" in rest
    assert "[1] shop/retry.py:8-9" in rest
    assert "def backoff_delay" not in rest.split("[1] shop/retry.py:8-9")[1]


def test_quotes_are_shown_where_wanted(shop: Path, fourfold: Fourfold) -> None:
    ran = fourfold("ask", "--quotes", "where is backoff_delay defined")
    assert "8  def backoff_delay(attempt, base=0.5):" in ran.out


def test_json(shop: Path, fourfold: Fourfold) -> None:
    ran = fourfold("ask", "--json", "where is backoff_delay defined")
    data = json.loads(ran.out)
    assert (data["schema"], data["answer"]["extractive"], data["answer"]["removed"]) == ("fourfold/1", True, 0)
    assert data["answer"]["citations"][0]["path"] == "shop/retry.py"


def test_paths_are_those_of_the_folder_one_is_in_and_results_are_narrowed_to_it(shop: Path, fourfold: Fourfold) -> None:
    ran = fourfold("-C", "shop", "ask", "where is backoff_delay defined")
    assert "[1] retry.py:8-9" in ran.out


def test_lines_fit_the_terminal(shop: Path, fourfold: Fourfold) -> None:
    ran = fourfold("ask", "how is the back-off delay computed", columns=60, tty=True)
    plain = [line for line in ran.out.replace("\x1b[0m", "").split("\n") if not line.startswith("\x1b")]
    assert plain and all(len(line.split("\x1b")[0]) <= 60 for line in plain)


def test_nothing_found_is_exit_1_and_no_question_exit_2(shop: Path, fourfold: Fourfold) -> None:
    assert fourfold("ask", "lang:go", "where are unicorns fed").code == 1
    ran = fourfold("ask")
    assert ran.code == 2
    assert "no question was given" in ran.err
    assert fourfold("ask", "--tokens", "3", "x").code == 2


def test_a_model_words_the_answer_as_it_goes(model: FakeModel, fourfold: Fourfold) -> None:
    model.scripts[:] = [reply("`backoff_delay` has full jitter [shop/retry.py:8-10].\nIt was invented in May.\n")]
    ran = fourfold("ask", "how is the back-off delay computed", tty=True, columns=100)
    assert ran.code == 0
    assert ran.out.count("has full jitter") == 1
    assert "shop/retry.py:8-10" in ran.out
    assert "1 sentence of the model without a citation" in ran.err
    piped = fourfold("ask", "how is the back-off delay computed")
    assert piped.out.startswith("answered by tiny")
    assert "[1] shop/retry.py:8-10" in piped.out


def test_a_model_that_fails_is_exit_5_with_an_extractive_answer(model: FakeModel, fourfold: Fourfold) -> None:
    model.scripts[:] = [status(401)]
    ran = fourfold("ask", "where is backoff_delay defined")
    assert ran.code == 5
    assert "`shop/retry.py:8`" in ran.out
    assert "HTTP 401" in ran.err and "llm.key_env" in ran.err
    asked = len(model.bodies)
    assert fourfold("ask", "--extractive", "where is backoff_delay defined").code == 0
    assert len(model.bodies) == asked


def test_offline_asks_nobody(model: FakeModel, fourfold: Fourfold, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FOURFOLD_OFFLINE", "1")
    ran = fourfold("ask", "where is backoff_delay defined")
    assert (ran.code, model.bodies) == (0, [])
    assert "offline" in ran.out
    assert "not a setting" not in ran.err


def test_the_terminal_is_not_moved_by_what_a_repository_or_a_model_says(
    model: FakeModel, shop: Path, fourfold: Fourfold
) -> None:
    (shop / "evil.py").write_text('def evil():\n    """Do \x1b]0;owned\x07 \u202eharm. Really."""\n')
    model.scripts[:] = [reply("`evil` does \x1b[2J harm [evil.py:1-2].")]
    worded, own = fourfold("ask", "what does evil do"), fourfold("ask", "--extractive", "where is evil defined")
    for ran in (worded, own):
        assert "evil" in ran.out
        assert not {"\x1b", "\x07", "\u202e"} & set(ran.out + ran.err)


def test_a_follow_up_goes_on_from_the_last_question(shop: Path, fourfold: Fourfold) -> None:
    fourfold("ask", "where is backoff_delay defined")
    ran = fourfold("ask", "--follow-up", "and who calls it?")
    assert "understood as: and who calls backoff_delay?" in ran.err
    assert "is called in 4 places" in ran.out
    alone = fourfold("ask", "and who calls it?")
    assert "understood as" not in alone.err


def test_a_thread_goes_with_the_index(shop: Path, fourfold: Fourfold) -> None:
    fourfold("ask", "where is backoff_delay defined")
    assert fourfold("clear").code == 0
    assert "understood as" not in fourfold("ask", "--follow-up", "and who calls it?").err


def test_what_a_model_used_and_cost_is_told(
    model: FakeModel, fourfold: Fourfold, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FOURFOLD_LLM_INPUT_PRICE", "1000")
    model.scripts[:] = [reply("The delay of `backoff_delay` has full jitter [shop/retry.py:8-10].")]
    ran = fourfold("ask", "how is the delay computed")
    assert "tiny: about " in ran.err and "tokens, $" in ran.err


def test_answers_are_judged_without_a_model(shop: Path, fourfold: Fourfold, tmp_path: Path) -> None:
    questions = tmp_path / "questions.jsonl"
    questions.write_text(
        '{"id": "a", "question": "where is backoff_delay defined", "targets": ["shop/retry.py:8-10"]}\n'
        '{"id": "b", "question": "who calls send", "targets": ["shop/client.py:16-17"]}\n'
    )
    ran = fourfold("eval", "answers", "--questions", str(questions), "--json")
    scores = json.loads(ran.out)["scores"]
    assert (scores["questions"], scores["held"], scores["recall"], scores["shown"]) == (2.0, 1.0, 1.0, 1.0)
    assert 0 < scores["tokens"] < 1500
    text = fourfold("eval", "answers", "--questions", str(questions)).out
    assert "citations that stand on disk" in text and "1.000" in text


def test_every_score_of_answers_has_words() -> None:
    from fourfold.answer.evaluate import AnswerScores, summed_up
    from fourfold.interfaces.cli.eval_answers import WORDS

    one = AnswerScores(1, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, tokens=9, extractive=True)
    assert summed_up([one]).keys() <= WORDS.keys()


def test_answers_are_marked_by_a_model(model: FakeModel, shop: Path, fourfold: Fourfold, tmp_path: Path) -> None:
    from tests.answer.wire import tool

    questions = tmp_path / "questions.jsonl"
    questions.write_text('{"id": "a", "question": "where is send defined", "targets": ["shop/client.py"]}\n')
    model.scripts[:] = [tool({"faithfulness": 5, "relevance": 4})]
    ran = fourfold("eval", "answers", "--extractive", "--judge", "--questions", str(questions), "--json")
    scores = json.loads(ran.out)["scores"]
    assert (scores["faithfulness"], scores["relevance"], scores["extractive"]) == (5.0, 4.0, 1.0)
    assert "Faithfulness, from 1 to 5" in model.bodies[0]["messages"][0]["content"]
    model.scripts[:] = [tool({"faithfulness": 9, "relevance": "good"})]
    failed = fourfold("eval", "answers", "--extractive", "--judge", "--questions", str(questions))
    assert failed.code == 5
    assert "gave no marks from 1 to 5" in failed.err


def test_a_judge_needs_a_model(shop: Path, fourfold: Fourfold) -> None:
    ran = fourfold("eval", "answers", "--judge")
    assert ran.code == 5
    assert "--judge needs a language model: no language model is configured" in ran.err
