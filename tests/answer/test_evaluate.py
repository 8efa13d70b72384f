"""How answers are judged: values worked out by hand."""

from __future__ import annotations

from fourfold.answer.evaluate import AnswerScores, Truth, evaluate_answers, score_answer, summed_up
from fourfold.answer.tokens import estimate
from fourfold.model.answer import Answer, AskResult, Citation
from fourfold.model.result import Meta, QueryInfo

FILE = "def first():\n    return 1\n\n\ndef second():\n    return first()\n"
GOOD = Citation(1, "a.py", 1, 2, "def first():\n    return 1", True, "first")
MOVED = Citation(2, "a.py", 2, 2, "    return first()", True, "second")


def result(text: str, *citations: Citation) -> AskResult:
    return AskResult(QueryInfo("q", "understand_code", 0.75, (), ""), Answer(text, citations), (), Meta())


def read(path: str) -> str | None:
    return FILE if path == "a.py" else None


def test_an_answer_is_judged_citation_by_citation() -> None:
    text = "`first()` gives 1. [1] `third()` calls it. [1][2]"
    found = score_answer(result(text, GOOD, MOVED), [Truth("a.py", 2, 2), Truth("b.py")], read)
    assert (found.citations, found.held) == (2, 0.5)  # the second quote stands elsewhere
    assert found.named == 0.5  # third stands in nothing that is cited
    assert (found.precision, found.recall, found.files) == (1.0, 0.5, 0.5)
    assert found.shown


def test_tokens_count_the_text_and_the_lines_shown_on_the_way() -> None:
    far = Citation(1, "b.py", 1, 1, "x = 1", True)
    near = Citation(2, "a.py", 1, 2, GOOD.quote, True)
    text = "Something first. [1]\nThen the answer. [2]"
    found = score_answer(result(text, far, near), [Truth("a.py", 1, 2)], read)
    assert found.tokens is not None
    parts = estimate("Something first. [1]") + estimate("Then the answer. [2]")
    assert parts < found.tokens < parts + 60
    assert score_answer(result(text, far, near), [Truth("c.py")], read).tokens is None


def test_each_target_counts_that_is_shown_within_the_first_tokens() -> None:
    late = Citation(2, "b.py", 1, 1, "x = 1", True)
    text = f"First. [1]\n{'word ' * 1_500}\nMuch later. [2]"
    found = score_answer(result(text, GOOD, late), [Truth("a.py", 1, 2), Truth("b.py")], read)
    assert (found.shown, found.reached, found.recall) == (True, 0.5, 1.0)
    quoted = Citation(1, "c.py", 1, 3, "x" * 6_000, True)
    found = score_answer(result("Long. [1] Then it. [2]", quoted, MOVED), [Truth("a.py", 2, 2)], read)
    assert (found.reached, found.printed) == (0.0, 1.0)  # the quoted lines come before it, but are not printed
    found = score_answer(result(text, GOOD, late), [Truth("a.py", 1, 2), Truth("b.py")], read)
    assert summed_up([found])["reached"] == 0.5


def test_lines_count_where_a_target_has_lines() -> None:
    assert Truth("a.py").cited_by(GOOD)
    assert Truth("a.py", 2, 9).cited_by(GOOD)
    assert not Truth("a.py", 3, 9).cited_by(GOOD)
    assert not Truth("b.py", 1, 2).cited_by(GOOD)


def test_an_answer_without_citations_shows_nothing() -> None:
    found = score_answer(result("Nothing was found."), [Truth("a.py")], read)
    assert (found.held, found.named, found.precision, found.recall, found.tokens) == (1.0, 1.0, 0.0, 0.0, None)


def test_means_are_over_answers_and_tokens_the_median() -> None:
    seen: list[tuple[int, int]] = []
    questions = [("a", [Truth("a.py", 1, 2)]), ("b", [Truth("b.py")])]
    scores = evaluate_answers(lambda _: result("`first()` [1]", GOOD), questions, read, lambda *n: seen.append(n))
    assert seen == [(1, 2), (2, 2)]
    found = summed_up(scores)
    assert (found["questions"], found["answered"], found["recall"], found["shown"]) == (2.0, 1.0, 0.5, 0.5)
    assert found["tokens"] == scores[0].tokens
    assert summed_up([]) == {"questions": 0.0}
    assert isinstance(scores[0], AnswerScores)
