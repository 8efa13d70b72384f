"""Which places an answer names: as many as the likelihood bears, by file, breadth before length."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from tests.answer.conftest import make

from fourfold.answer.check import Checker
from fourfold.answer.claim import Claim, Evidence, Section
from fourfold.answer.extract import assemble
from fourfold.answer.places import LEAST, MOST, Place, by_file, likely
from fourfold.answer.tokens import estimate
from fourfold.model.query import Filters, Query
from fourfold.model.result import ResultItem


def result(path: str, score: float, start: int = 1) -> ResultItem:
    return ResultItem(1, path, start, start + 5, "python", "function", "f", "", score, "")


def scene(*results: ResultItem, text: str = "how is it done") -> Any:
    query = Query(text, "understand_code", 0.75, filters=Filters())
    return SimpleNamespace(query=query, filters=query.filters, results=results)


def paths(*results: ResultItem, **keywords: str) -> list[str]:
    return [one.path for one in likely(scene(*results, **keywords))]


def test_places_end_where_the_likelihood_is_used_up() -> None:
    scores = (0.7, 0.2, 0.04, 0.03, 0.01, 0.01, 0.005, 0.005)
    assert paths(*(result(f"{n}.py", score) for n, score in enumerate(scores))) == ["0.py", "1.py", "2.py", "3.py"]


def test_there_are_always_some_and_never_too_many() -> None:
    assert len(paths(*(result(f"{n}.py", 0.99 if not n else 0.001) for n in range(9)))) == LEAST
    assert len(paths(*(result(f"{n}.py", 0.02) for n in range(50)))) == MOST
    assert paths() == []


def test_scores_that_are_no_likelihoods_leave_nothing_out_but_the_last() -> None:
    assert len(paths(*(result(f"{n}.py", 1 / (40 + n)) for n in range(10)))) == 10


def test_tests_are_named_where_they_are_asked_for_or_there_is_little_else() -> None:
    found = [result("tests/test_a.py", 0.5), *(result(f"{n}.py", 0.1) for n in range(4))]
    assert "tests/test_a.py" not in paths(*found)
    assert "tests/test_a.py" in paths(*found, text="which tests check how it is done")
    assert paths(*found[:3]) == ["0.py", "1.py", "tests/test_a.py"]


def test_places_go_file_by_file_in_the_order_of_the_source() -> None:
    found = [Place(result(path, 0.1, start), None) for path, start in [("b", 9), ("a", 1), ("b", 3), ("a", 5)]]
    assert [one.key for one in by_file(found)] == [("b", 3), ("b", 9), ("a", 1), ("a", 5)]


LINES = [f"line_number_{n} = {n}" for n in range(30)]


def claims(number: int, *, longer: bool = True) -> list[Claim]:
    made = []
    for n in range(number):
        shown = (Evidence("a.py", n + 1, n + 1, LINES[n]),)
        more = Claim(f"place {n} " + "and what it does " * 5, shown, bullet=True) if longer else None
        made.append(Claim(f"place {n}", shown, bullet=True, rank=number - n, longer=more))
    return made


@pytest.mark.parametrize("tokens", [60, 150, 300, 900])
def test_every_place_is_named_before_any_is_told_at_length(tokens: int) -> None:
    extract = assemble([Section("Places:", claims(8))], Checker(lambda path: "\n".join(LINES)), tokens)
    lines = extract.text.split("\n")
    told = [line for line in lines if "what it does" in line]
    assert not (told and extract.left_out)
    assert [line[2:9] for line in lines if line.startswith("- ")] == [f"place {n}" for n in range(extract.left_out, 8)]
    assert told == [line for line in lines if line.startswith("- ")][8 - len(told) :] if told else True
    assert estimate(extract.text) <= tokens


def test_a_longer_claim_that_does_not_hold_leaves_the_short_one() -> None:
    false = Claim("at length", (Evidence("a.py", 1, 1, "this line is not in the file"),), bullet=True)
    short = Claim("short", (Evidence("a.py", 2, 2, LINES[1]),), bullet=True, longer=false)
    checker = Checker(lambda path: "\n".join(LINES))
    extract = assemble([Section("", [short])], checker, 500)
    assert extract.text == "- short [1]"
    assert [one.start_line for one in extract.citations] == [2]
    assert checker.removed == 0


def test_a_file_of_several_places_is_named_once_above_them(tmp_path: Path) -> None:
    body = "    step = request\n" * 40
    files = {
        "app/upload.py": "\n\n\n".join(
            f'def upload_{name}(request):\n    """Handle the {name} of an upload."""\n{body}'
            for name in ("head", "body")
        ),
        "app/store.py": f'def store_upload(request):\n    """Store an upload."""\n{body}',
    }
    with make(tmp_path, files) as index:
        text = index.ask("how is an upload request handled").answer.text
    assert "\n\n`app/upload.py`:\n- `upload_" in text
    assert "(function, line 1)" in text and "`app/upload.py:1`" not in text
    assert "`app/store.py:1`" in text


def test_definitions_beside_the_best_place_that_speak_of_the_question_are_named(tmp_path: Path) -> None:
    files = {
        "cache.py": "def cache_middleware(store):\n"
        '    """A middleware that caches answers: how a cache middleware computes things."""\n'
        + "    answer = store\n" * 5
        + '\n\ndef resolve_key(plan):\n    """The key of an answer."""\n    return plan\n'
        + "\n\ndef unrelated(plan):\n    return plan\n",
    }
    with make(tmp_path, files) as index:
        text = index.ask("how does the cache middleware compute the key of an answer").answer.text
    assert "`resolve_key()`" in text
    assert "unrelated" not in text


def test_uses_of_what_is_described_are_those_of_the_closest_definition(tmp_path: Path) -> None:
    files = {
        "queue.py": 'def drain(queue):\n    """Empty a queue of waiting jobs."""\n    queue.clear()\n',
        "main.py": "from queue import drain\n\n\ndef stop(jobs):\n    drain(jobs)\n",
        "other.py": "queue = None\njobs = None\n",
    }
    with make(tmp_path, files) as index:
        text = index.ask("who calls the function that empties a queue of waiting jobs").answer.text
    assert text.startswith("`drain()` comes closest to what is described. `drain()` (function) is defined in ")
    assert "`drain` is called in 1 place in 1 file:\n- `stop()`" in text
