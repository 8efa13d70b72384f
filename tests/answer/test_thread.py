"""Follow-up questions: what "it" means, and how a thread is kept."""

from __future__ import annotations

from pathlib import Path

import pytest

from fourfold import Index
from fourfold.answer.thread import resolved
from fourfold.engine.thread import FILE, load_thread, save_thread, turns_of
from fourfold.model.answer import MAX_TURNS, Turn

THREAD = (Turn("where is RetryPolicy defined", ("RetryPolicy",)), Turn("where is send defined", ("send", "dispatch")))


@pytest.mark.parametrize(
    ("question", "meant"),
    [
        ("who calls it?", "who calls send?"),
        ("and who uses this?", "and who uses send?"),
        ("what does this function call", "what does send call"),
        ("what breaks if I change that?", "what breaks if I change send?"),
        ("which tests cover it", "which tests cover send"),
        ("and the tests?", "and the tests send"),
        ("why?", "why send"),
        ("who calls backoff_delay", "who calls backoff_delay"),
        ("does it use backoff_delay", "does it use backoff_delay"),
        ("how are requests that fail sent again", "how are requests that fail sent again"),
        ("how does authentication work in general here", "how does authentication work in general here"),
    ],
)
def test_a_question_takes_what_it_leans_on_from_the_thread(question: str, meant: str) -> None:
    assert resolved(question, THREAD) == meant


def test_without_a_thread_a_question_stands_for_itself() -> None:
    assert resolved("who calls it?", ()) == "who calls it?"
    assert resolved("who calls it?", (Turn("hello"),)) == "who calls it?"
    assert resolved("who calls it?", (*THREAD, Turn("nothing was found"))) == "who calls send?"


def test_the_answer_tells_what_it_was_about_and_the_next_question_goes_on(shop: Index) -> None:
    first = shop.ask("where is backoff_delay defined")
    assert first.turn.about[0] == "backoff_delay"
    assert first.asked == ""
    second = shop.ask("and who calls it?", thread=[first.turn])
    assert second.asked == "and who calls backoff_delay?"
    assert second.query.text == "and who calls it?"
    assert "`send()`" in second.answer.text
    assert shop.ask("who calls backoff_delay").answer.text == second.answer.text


def test_a_thread_is_kept_beside_the_index_and_the_oldest_turns_go(tmp_path: Path) -> None:
    many = [Turn(f"question {number}", (f"name{number}",)) for number in range(MAX_TURNS + 5)]
    save_thread(tmp_path, many)
    assert load_thread(tmp_path) == tuple(many[-MAX_TURNS:])
    assert (tmp_path / FILE).stat().st_mode & 0o077 == 0
    assert [path.name for path in tmp_path.iterdir()] == [FILE]


@pytest.mark.parametrize("text", ["", "{", "[1, 2]", '{"question": "x"}', '[{"question": 1, "about": []}]', "[" * 9999])
def test_a_damaged_thread_is_none(tmp_path: Path, text: str) -> None:
    (tmp_path / FILE).write_text(text)
    assert load_thread(tmp_path) == ()
    assert load_thread(tmp_path / "nowhere") == ()
    save_thread(tmp_path / "nowhere", THREAD)


def test_turns_of_data_leave_out_what_is_none() -> None:
    assert turns_of([{"question": "q", "about": ["a", 1]}, {"question": "q"}, None]) == (Turn("q", ("a",)),)
