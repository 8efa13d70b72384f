"""Which places an answer names: as many as the likelihood bears, by file, breadth before length."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from tests.answer.conftest import make

from fourfold.answer.check import Checker
from fourfold.answer.claim import SPARE, Claim, Evidence, Section
from fourfold.answer.extract import assemble
from fourfold.answer.near import near
from fourfold.answer.places import LEAST, MOST, Place, by_file, likely
from fourfold.answer.tokens import estimate
from fourfold.model.query import Filters, Query
from fourfold.model.result import ResultItem
from fourfold.model.symbol import Symbol


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


def test_what_else_a_file_defines_near_the_question_is_named_where_there_is_room(tmp_path: Path) -> None:
    fields = (
        "date",
        "sender",
        "topic",
        "copy",
        "reply",
        "length",
        "kind",
        "origin",
        "agent",
        "cookie",
        "range",
        "host",
    )
    files = {
        "mail.py": "\n\n\n".join(
            f'def parse_{name}(line):\n    """Parse the {name} of a header."""\n' + "    step = line\n" * 40
            for name in fields
        )
    }
    with make(tmp_path, files) as index:
        wide, narrow = (index.ask("how is a header parsed", tokens=n).answer.text for n in (1_500, 250))
    assert wide.count("- `parse_") == len(fields)  # places, their neighbours and their parts alone are fewer
    assert narrow.count("- `parse_") < len(fields)
    assert ": Parse the" in narrow  # what the first ones do goes before naming more


def test_definitions_near_the_question_follow_meaning_and_words() -> None:
    def symbol(name: str, line: int, kind: str = "function") -> Symbol:
        return Symbol(name, name, kind, line, line + 1)

    symbols = [symbol("parse_date", 1), symbol("open_socket", 4), symbol("DATE", 7, "constant"), symbol("read_date", 9)]
    around = scene(result("dates.py", 0.9), text="where is a date read from text")
    around.stems = lambda: frozenset({"date", "read", "text"})
    around.symbols = lambda path: symbols
    around.pages = SimpleNamespace(lines=lambda path: ["date text"] * 20)
    around.structure = SimpleNamespace(
        searcher=SimpleNamespace(token_embedder=None), item=lambda path, one: SimpleNamespace(**vars_of(one))
    )
    found = near(around, [Place(result("dates.py", 0.9, 1), around.structure.item("dates.py", symbols[0]))])
    assert [one.item.symbol for one in found if one.item] == ["read_date", "open_socket"]
    assert all(one.near for one in found)


def vars_of(one: Symbol) -> dict[str, Any]:
    return {"symbol": one.qualified_name, "start_line": one.start_line}


def test_claims_for_spare_room_come_after_the_first_are_told_and_are_not_missed() -> None:
    def claim(text: str, rank: int, longer: Claim | None = None) -> Claim:
        return Claim(text, (Evidence(f"{text[:4].strip()}.py", 1, 1, "x"),), bullet=True, rank=rank, longer=longer)

    told = claim("best, and what it does " * 4, 1)
    claims = [claim("best", 1, told), claim("next", 9, claim("next, at length " * 4, 9)), claim("near", SPARE)]
    checker = Checker(lambda path: "x")
    room = [assemble([Section("", claims)], checker, tokens) for tokens in (40, 50, 70)]
    assert [("near" in one.text, "what it does" in one.text) for one in room] == [
        (True, False),  # no room to tell the best at length
        (False, True),
        (True, True),
    ]
    assert [one.left_out for one in room] == [0, 0, 0]
    assert "at length" not in room[2].text


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
