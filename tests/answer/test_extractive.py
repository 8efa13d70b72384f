"""Answers without a language model: they say what is known, and every citation stands in the file."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from tests.answer.conftest import FILES, make

from fourfold import Index
from fourfold.answer import plan
from fourfold.answer.places import places
from fourfold.model.answer import AskResult
from fourfold.model.errors import BadQuery, UsageError


def assert_grounded(result: AskResult, root: Path) -> None:
    """Every mark has its citation, every citation its lines on disk."""
    answer = result.answer
    outside = re.sub(r"`[^`]*`", "", answer.text)
    assert {int(n) for n in re.findall(r"\[(\d+)\]", outside)} == {one.n for one in answer.citations}
    for one in answer.citations:
        lines = (root / one.path).read_text(encoding="utf-8").split("\n")
        assert one.checked
        assert "\n".join(lines[one.start_line - 1 : one.end_line]) == one.quote


def test_it_says_that_no_model_wrote_it(shop: Index) -> None:
    answer = shop.ask("how is the back-off delay computed").answer
    assert (answer.extractive, answer.model, answer.note) == (True, "", "no language model is configured")
    assert (answer.removed, answer.failure) == (0, "")


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("where is backoff_delay defined", ["`def backoff_delay(attempt, base=0.5)`", "`shop/retry.py:8`"]),
        ("where is backoff_delay defined", ["Compute the exponential back-off with full jitter."]),
        (
            "who calls backoff_delay",
            ["is called in 4 places", "`send()`", "`RetryPolicy.wait()`", "`test_the_delay_grows()`"],
        ),
        ("what does dispatch call", ["calls 1 definition", "`send()`", "defined in `shop/client.py:6`"]),
        ("which classes inherit from RetryPolicy", ["1 type inherits from", "`PatientPolicy`"]),
        (
            "what breaks if I change backoff_delay",
            ["reaches", "Directly", "In 2 steps", "`dispatch()`", "through `send`"],
        ),
        ("which tests cover backoff_delay", ["is reached by 1 test", "`tests/test_retry.py:5`"]),
        ("who imports backoff_delay", ["is imported in 2 places", "`tests/test_retry.py:1`"]),
        ("who imports CEILING", ["is imported in 1 place in 1 file", "from shop.limits import CEILING"]),
        ('"gave up sending"', ["stands here", "`shop/client.py:12`", 'raise TimeoutError("gave up sending")']),
        ("how is the back-off delay computed", ["`backoff_delay()` (function", "Compute the exponential back-off"]),
        (
            "how does RetryPolicy work",
            ["`RetryPolicy` (class) is defined in `shop/retry.py:13`", "Its public method is `wait()`"],
        ),
        ("where is backof_delay defined", ["Nothing here is named exactly `backof_delay`", "`backoff_delay()`"]),
    ],
)
def test_each_kind_of_question_is_answered_from_what_is_known(shop: Index, question: str, said: list[str]) -> None:
    result = shop.ask(question)
    for text in said:
        assert text in result.answer.text
    assert_grounded(result, shop.root)


def test_relations_between_the_places_are_told_with_their_confidence(shop: Index) -> None:
    text = shop.ask("how are failed requests sent again with a delay").answer.text
    assert "How they hang together:" in text
    assert re.search(
        r"`send\(\)` calls `RetryPolicy` \(resolved\): `def send\(request, policy=RetryPolicy\(3\)\):` \[\d+\]", text
    )


def test_two_questions_in_one_are_answered_apart(shop: Index) -> None:
    text = shop.ask("where is CEILING defined and who calls backoff_delay").answer.text
    assert "**where is CEILING defined**" in text
    assert "**who calls backoff_delay**" in text
    assert "CEILING = 60.0" in text
    assert "is called in 4 places" in text


def test_the_budget_bounds_the_answer_and_says_what_it_left_out(tmp_path: Path) -> None:
    calls = "\n\n".join(f"def caller_{n}():\n    return target({n})" for n in range(60))
    with make(tmp_path, {"a.py": f"def target(n):\n    return n\n\n\n{calls}\n"}) as index:
        small, large = index.ask("who calls target", tokens=300), index.ask("who calls target", tokens=4000)
    assert len(small.answer.citations) < len(large.answer.citations)
    assert small.meta.truncated and small.meta.dropped > large.meta.dropped
    assert f"({small.meta.dropped} further places left out.)" in small.answer.text
    assert len(small.answer.text) < 300 * 4


def test_nothing_found_is_said(tmp_path: Path) -> None:
    with make(tmp_path, {"a.txt": "\n"}) as index:
        result = index.ask("where are unicorns fed")
    reason = "no word of the question occurs in the index"
    assert result.answer.text == f"Nothing in this code base was found that speaks of it: {reason}."
    assert (result.answer.citations, result.items) == ((), ())


def test_the_json_shape(shop: Index) -> None:
    data = json.loads(json.dumps(shop.ask("who calls backoff_delay").to_dict()))
    assert (data["schema"], data["query"]["intent"]) == ("fourfold/1", "find_references")
    assert set(data) == {"schema", "query", "answer", "items", "meta", "asked"}
    assert data["answer"]["extractive"] is True
    assert {"n", "path", "start_line", "end_line", "quote", "checked"} <= set(data["answer"]["citations"][0])
    assert data["items"][0]["path"] == "shop/retry.py"
    assert [item["rank"] for item in data["items"]] == list(range(1, len(data["items"]) + 1))


def test_no_line_stands_in_two_passages(shop: Index) -> None:
    seen = set()
    for item in shop.ask("how does RetryPolicy compute its delay").items:
        for line in range(item.start_line, item.end_line + 1):
            assert (item.path, line) not in seen
            seen.add((item.path, line))
    assert seen


def test_filters_narrow_the_answer(shop: Index) -> None:
    text = shop.ask("who calls backoff_delay path:tests").answer.text
    assert "test_the_delay_grows" in text
    assert "shop/client.py" not in text


def test_an_answer_from_a_stale_index_follows_lines_that_moved_and_drops_what_is_gone(shop: Index) -> None:
    shop.refresh()
    retry, client = shop.root / "shop/retry.py", shop.root / "shop/client.py"
    retry.write_text("# new\n# lines\n" + FILES["shop/retry.py"])
    client.unlink()
    result = shop.ask("who calls backoff_delay", refresh=False)
    assert_grounded(result, shop.root)
    moved = {one.path: one.moved for one in result.answer.citations}
    assert moved["shop/retry.py"] == 2
    assert "shop/client.py" not in moved
    retry.write_text("x = 1\n")
    gone = shop.ask("where is backoff_delay defined", refresh=False)
    assert gone.answer.removed > 0
    assert all(one.path != "shop/retry.py" for one in gone.answer.citations)


def test_marks_in_documentation_do_not_read_as_citations(tmp_path: Path) -> None:
    files = {"a.py": 'def target():\n    """See the paper [7] of Smith."""\n'}
    with make(tmp_path, files) as index:
        result = index.ask("where is target defined")
    assert "See the paper (7) of Smith." in result.answer.text
    assert_grounded(result, index.root)


def test_secrets_are_not_quoted(tmp_path: Path) -> None:
    key = "AKIA" + "ABCDEFGHIJKLMNOP"
    with make(tmp_path, {"a.py": f'def connect():\n    return login("{key}")\n'}) as index:
        data = json.dumps(index.ask("what does connect call").to_dict())
    assert "login" in data
    assert key not in data


def test_an_architecture_question_names_the_central_types(tmp_path: Path) -> None:
    base = "from app.storage.base import Record\n\n\n"
    files = {
        "app/storage/base.py": 'class Record:\n    """Keep one row of the storage."""\n\n    size = 1\n',
        "app/storage/user.py": f'{base}class User(Record):\n    """A storage user."""\n',
        "app/storage/cart.py": f'{base}class Cart(Record):\n    """A storage cart."""\n',
    }
    with make(tmp_path, files) as index:
        part = index.ask("what is the architecture of the storage").answer.text
        whole = index.ask("give me an overview of the architecture").answer.text
    assert "Most of what comes closest to this lies in `app/storage/`" in part
    assert part.index("`Record` (class") < part.index("`Cart` (class")
    assert "Keep one row of the storage." in part
    assert "Languages: python (3 files)" in whole and "`Record` (class" in whole


@pytest.mark.parametrize(("question", "tokens"), [("  ", 2000), ("lang:py", 2000), ("x", 10), ("x", 10**6)])
def test_bad_arguments_are_refused(shop: Index, question: str, tokens: int) -> None:
    with pytest.raises((BadQuery, UsageError)):
        shop.ask(question, tokens=tokens)


def test_imports_of_the_whole_file_stand_apart(tmp_path: Path) -> None:
    files = {
        "lib.py": "def one():\n    pass\n\n\ndef two():\n    pass\n",
        "a.py": "from lib import one\n\none()\n",
        "b.py": "from lib import two\n\ntwo()\n",
        "c.py": "import lib\n\nlib.one()\n",
    }
    with make(tmp_path, files) as index:
        text = index.ask("who imports one").answer.text
    first, _, rest = text.partition("is imported whole, by files that use it, in 1 place")
    assert "`a.py:1`" in first and "`c.py:1`" not in first
    assert "`c.py:1`" in rest
    assert "`b.py" not in text


@pytest.mark.parametrize("step", [1, -1])
def test_the_parts_of_the_type_that_is_asked_about_come_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: int
) -> None:
    monkeypatch.setattr(plan, "places_of", lambda scene: places(scene)[::step])  # whatever the search thinks
    body = "".join(f"        self.step_number_{n} = self.measure_everything({n})\n" for n in range(60))
    files = {
        "policy.py": f"class DelayPolicy:\n    def start(self):\n{body}\n    def save_delay(self):\n{body}",
        "delay.py": f'class Other:\n    def save_delay_again(self):\n        """Save the delay, save it."""\n{body}',
    }
    with make(tmp_path, files) as index:
        text = index.ask("why does DelayPolicy save the delay").answer.text
    listed = text.split("further place")[1]
    assert listed.rindex("`DelayPolicy.") < listed.index("`Other")


def test_the_next_best_places_of_the_first_files_join_and_tests_come_last(tmp_path: Path) -> None:
    source = "\n\n\n".join(
        f'def upload_{name}(request):\n    """Handle the {name} of an upload."""\n' + "    step = request\n" * 40
        for name in ("headers", "body", "files")
    )
    tests = "\n\n\n".join(
        f"def test_upload_{n}():\n    assert upload_headers({n})  # upload request\n" for n in range(4)
    )
    files = {"app/upload.py": source, "tests/test_upload.py": f"from app.upload import upload_headers\n\n\n{tests}"}
    with make(tmp_path, files) as index:
        text = index.ask("how is an upload request handled").answer.text
        asked = index.ask("which tests cover how an upload request is handled").answer.text
    assert sum(f"upload_{name}()" in text for name in ("headers", "body", "files")) >= 2
    lines = [line for line in text.split("\n") if line.startswith("- ")]
    kinds = ["tests/" in line for line in lines if "app/upload.py" in line or "tests/" in line]
    assert kinds == sorted(kinds)
    assert "tests/test_upload.py" in asked


def test_what_is_written_as_code_is_the_name_that_is_meant(tmp_path: Path) -> None:
    files = {
        "app/log.py": "CHANGE = 2\n\n\ndef log(flag):\n    return flag == CHANGE\n",
        "app/zone.py": "def current_zone_name():\n    return 0\n\n\ndef render():\n    return current_zone_name()\n",
    }
    with make(tmp_path, files) as index:
        result = index.ask("what would be affected by a change to current_zone_name")
    assert "`current_zone_name()`" in result.answer.text
    assert "CHANGE" not in result.answer.text


def test_a_plain_word_that_is_no_name_leaves_room_for_the_places_found(tmp_path: Path) -> None:
    files = {
        "app/models.py": "class Genre:\n    file = None\n",
        "app/reload.py": 'def restart_server():\n    """Restart the server when a file changes."""\n    return 3\n',
    }
    with make(tmp_path, files) as index:
        result = index.ask("why does the server restart when a file changes")
    assert "restart_server()" in result.answer.text


def test_a_name_that_nothing_defines_is_shown_where_it_stands(tmp_path: Path) -> None:
    files = {
        "app/errors.py": 'def fail():\n    raise ValueError("RUNTIME.ITERATOR_CONSUMED")\n',
        "tests/test_errors.py": 'def test_it():\n    assert "RUNTIME.ITERATOR_CONSUMED" in str(fail())\n',
    }
    with make(tmp_path, files) as index:
        answer = index.ask("RUNTIME.ITERATOR_CONSUMED").answer
    assert [one.path for one in answer.citations] == ["app/errors.py", "tests/test_errors.py"]
    assert "Nothing here defines `RUNTIME.ITERATOR_CONSUMED`; it stands here:" in answer.text


def test_what_is_no_test_goes_first_where_there_is_little_room(tmp_path: Path) -> None:
    tests = "\n\n\n".join(f"def test_door_{n}():\n    assert open_door({n})" for n in range(14))
    files = {
        "a/door.py": "def open_door(number):\n    return number\n",
        "a/test_door.py": f"from a.door import open_door\n\n\n{tests}\n",
        "b/use.py": "from a.door import open_door\n\n\ndef enter():\n    return open_door(1)\n",
        "b/visit.py": "from b.use import enter\n\n\ndef visit():\n    return enter()\n",
    }
    with make(tmp_path, files) as index:
        text = index.ask("what depends on open_door", tokens=400).answer.text
    assert "`enter()`" in text
    assert "`visit()`" in text  # two steps away, but worth more than the tenth test
    assert "left out" in text
