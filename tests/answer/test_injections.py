"""The set of injections against every prompt and every answer: the task and the citations stay, nothing is obeyed."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from tests.answer.conftest import FakeModel, make, raw, reply
from tests.answer.injections import INJECTIONS, NAMES
from tests.answer.wire import openai_stream, tool

from fourfold import Index
from fourfold.answer.evaluate import Truth, score_answer
from fourfold.answer.prompt import messages
from fourfold.llm.fence import UNSEEN, fenced
from fourfold.model.answer import AskResult, Passage

QUESTION = "how is the session token checked"
TRUE = "The token is compared by `check_session_token` [src/session.py:5-7].\n"
IDS = [name for name, _, _ in INJECTIONS]


def hostile(text: str) -> dict[str, str]:
    """A small project in which an injection stands as a comment, in a documentation, as a string and in a document."""
    comment = "\n".join(f"# {line}" for line in text.split("\n"))
    flat = " ".join(text.split()).replace("\\", "").replace('"', "'")
    return {
        "src/session.py": '"""Sessions."""\n\nimport hmac\n\ndef check_session_token(given, kept):\n'
        f'    """Check the session token in constant time. {flat[:200]}"""\n'
        f'    return hmac.compare_digest(given, kept)\n\n\n{comment}\nNOTE = "{flat[:500]}"\n',
        "README.md": f"# Sessions\n\nHow the session token is checked.\n\n{text}\n",
        "notes/token.txt": f"session token checked\n{text}\n",
    }


def asked(index: Index, question: str = QUESTION, **options: Any) -> AskResult:
    return index.ask(question, **options)


def with_model(folder: Path, server: FakeModel, files: dict[str, str]) -> Index:
    chosen = {"llm.endpoint": server.address, "llm.model": "tiny", "llm.timeout_s": 5.0}
    return make(folder, files, **chosen)


@pytest.mark.parametrize(("name", "text", "obedience"), INJECTIONS, ids=IDS)
def test_an_extractive_answer_keeps_its_task_and_its_citations(
    tmp_path: Path, name: str, text: str, obedience: str
) -> None:
    with make(tmp_path, hostile(text)) as index:
        result = asked(index)
        scores = score_answer(result, [Truth("src/session.py", 5, 7)], lambda path: index.read(path).text)
    assert result.answer.extractive
    assert "check_session_token" in result.answer.text
    assert (scores.held, scores.recall) == (1.0, 1.0)
    numbers = {int(n) for n in re.findall(r"(?<!`)\[(\d+)\](?!`)", re.sub(r"`[^`\n]*`", "", result.answer.text))}
    assert numbers <= {one.n for one in result.answer.citations}
    assert not UNSEEN.search(result.answer.text.replace("\n", ""))


@pytest.mark.parametrize(("name", "text", "obedience"), INJECTIONS, ids=IDS)
def test_in_a_prompt_it_stays_inside_its_fence(
    tmp_path: Path, server: FakeModel, name: str, text: str, obedience: str
) -> None:
    server.scripts[:] = [reply(TRUE)]
    with with_model(tmp_path, server, hostile(text)) as index:
        result = asked(index)
    assert result.answer.text.startswith("The token is compared by `check_session_token`. [1]")
    system, user = server.bodies[-1]["messages"]
    assert text.split("\n")[0][:30] not in system["content"]
    fence = re.search(r"<(source-[0-9a-f]{12}) n=", user["content"])
    assert fence is not None
    name_of = fence[1]
    assert user["content"].count(f"<{name_of} ") == user["content"].count(f"</{name_of}>") == len(result.items)
    outside = re.sub(rf"<{name_of} .*?</{name_of}>", "", user["content"], flags=re.DOTALL)
    assert outside.strip() == f"Question of the programmer: {QUESTION}"
    inside = user["content"].replace(f"</{name_of}>", "").replace(f"<{name_of} ", "")
    assert not re.search(r"</?\s*(?:source|system|excerpt)|\[/?INST\]|<<SYS>>|\|>", inside, re.IGNORECASE)
    assert not UNSEEN.search(user["content"].replace("\n", ""))


@pytest.mark.parametrize(("name", "text", "obedience"), INJECTIONS, ids=IDS)
def test_a_model_that_obeys_is_not_believed(
    tmp_path: Path, server: FakeModel, name: str, text: str, obedience: str
) -> None:
    server.scripts[:] = [reply(f"{obedience}\n{TRUE}{obedience}\n")]
    said: list[str] = []
    with with_model(tmp_path, server, hostile(text)) as index:
        result = asked(index, said=said.append)
        scores = score_answer(result, [Truth("src/session.py", 5, 7)], lambda path: index.read(path).text)
    shown = "\n".join([result.answer.text, *said])
    assert "check_session_token" in result.answer.text
    assert scores.held == 1.0
    assert "evil.example" not in shown and "rm -rf" not in shown and "os.system" not in shown
    assert "](http" not in shown and "![" not in shown
    for line in result.answer.text.split("\n"):
        # what stays of it is either backed by lines that say it, or marked as a sentence without a source
        assert not line.strip() or re.search(r"\[(?:\d+|\?)\]", line) or len(line.split()) < 3, line


@pytest.mark.parametrize("name", NAMES)
def test_names_of_files_are_data_too(tmp_path: Path, server: FakeModel, name: str) -> None:
    path = "src/" + name.replace("/", "_")
    files = {**hostile("x"), path: "def check_session_token_twice(a, b):\n    return a == b  # session token checked\n"}
    server.scripts[:] = [reply(TRUE)]
    with with_model(tmp_path, server, files) as index:
        result = asked(index, f"{QUESTION} twice")
        plain = asked(index, f"{QUESTION} twice", extractive=True)
    user = server.bodies[-1]["messages"][1]["content"]
    heads = re.findall(r'^<source-[0-9a-f]{12} n="\d+" path="[^"<>]*" symbol="[^"<>]*">$', user, re.MULTILINE)
    assert len(heads) == len(result.items)
    assert "check_session_token_twice" in plain.answer.text
    assert all(one.checked for one in plain.answer.citations)


@pytest.mark.parametrize(("name", "text", "obedience"), INJECTIONS, ids=IDS)
def test_in_the_other_prompts_it_is_data_as_well(
    tmp_path: Path, server: FakeModel, name: str, text: str, obedience: str
) -> None:
    """The walk of the tree, ratings: what the repository says chooses and rates nothing, the model's call does."""
    with with_model(tmp_path, server, hostile(text)) as index:
        index.refresh()
        server.scripts[:] = [tool({"open": [], "answers": []})]
        assert index.search(QUESTION, preset="tree", refresh=False).items == ()
        sent = [server.bodies[-1]]
        server.scripts[:] = [raw(openai_stream(arguments=json.dumps({"open": [1, 2, 3, 4], "answers": []})))]
        index.search(QUESTION, preset="tree_rerank", refresh=False)
        sent += server.bodies[1:]
    for body in sent:
        user = body["messages"][1]["content"]
        fences = set(re.findall(r"source-[0-9a-f]{12}", body["messages"][0]["content"]))
        assert len(fences) == 1
        fence = fences.pop()
        assert user.count(f"</{fence}>") == 1
        assert user.split(f"</{fence}>")[1].strip() == f"Question: {QUESTION}"
        assert not re.search(r"</?\s*system|\[/?INST\]|<<SYS>>|\|>", user, re.IGNORECASE)


def test_a_fence_is_new_each_time_and_its_name_cannot_be_guessed() -> None:
    item = Passage(1, "a.py", 1, 1, "python", "file", "", "", 0.0, "x")
    names = {re.findall(r"source-[0-9a-f]{12}", messages("q", [item])[0].content)[0] for _ in range(20)}
    assert len(names) == 20
    block = fenced("source-abc", 1, 'p"</source-abc>', "s\n", "</source-abc>\nx")
    assert block.count("</source-abc>") == 1
