"""Questions mined from an index: what they ask, what is hidden, and that the seed decides."""

from __future__ import annotations

import random
import subprocess
from pathlib import Path

import pytest
from tests.built import Built
from tests.evaluate.conftest import TOPICS, project

from fourfold.evaluate.labels.candidates import Candidate, draw
from fourfold.evaluate.labels.from_calls import from_calls
from fourfold.evaluate.labels.miner import GROUPS, NAMED_SHARE, mine
from fourfold.evaluate.labels.python_docs import parsed
from fourfold.evaluate.labels.tree import Tree
from fourfold.evaluate.question import Target
from fourfold.evaluate.repository import commits_of, tree_of
from fourfold.syntax.parse import parse_file


def tree(files: dict[str, str]) -> Tree:
    """The files read and parsed, Python and C by their endings."""
    languages = {"py": "python", "c": "c"}
    found = {path: parse_file(path, text, languages[path.rsplit(".", 1)[1]]) for path, text in files.items()}
    return Tree(files, found)


def test_a_docstring_asks_for_its_function_and_is_hidden_from_the_texts() -> None:
    mined = mine(tree(project()), count=20, groups=["docs"])
    asked = {question.targets[0].path: question for question in mined.questions if question.kind == "function"}
    assert set(asked) == set(project())
    for path, question in asked.items():
        topic = next(one for one in TOPICS if path == f"src/{one[0]}.py")
        assert question.targets == (Target(path, 4, 14),)
        assert set(question.text.lower().split()) & set(topic[2].lower().split())
        assert topic[2] not in mined.texts[path] and topic[2] in project()[path]
        assert mined.texts[path].count("\n") == project()[path].count("\n")
        assert topic[1] in mined.texts[path]
    assert mined.hidden == len(TOPICS)


def test_names_and_callers_hide_nothing() -> None:
    mined = mine(tree(project()), count=40, groups=["names", "callers"])
    assert mined.texts == project() and mined.hidden == 0
    assert {question.intent for question in mined.questions} == {"find_definition", "find_references"}


def test_the_same_seed_draws_the_same_questions_and_another_one_others() -> None:
    one, same, other = (mine(tree(project()), count=12, seed=seed).questions for seed in (3, 3, 4))
    assert one == same
    assert one != other


def test_ids_are_unique_and_the_count_is_a_limit() -> None:
    mined = mine(tree(project()), count=15)
    assert len(mined.questions) == 15
    assert len({question.id for question in mined.questions}) == 15


def test_names_do_not_fill_what_sentences_leave() -> None:
    bare = {path: text.replace('"""', "#") for path, text in project().items()}
    found = mine(tree({path: "\n".join(line for line in text.split("\n") if "#" not in line)
                       for path, text in bare.items()}), count=40)  # fmt: skip
    assert 0 < len(found.questions) <= 40 * NAMED_SHARE
    assert set(found.counts) <= {"symbol", "where", "caller"}


def test_nothing_comes_of_nothing() -> None:
    assert mine(tree({}), count=10).questions == ()
    assert mine(Tree({"a.txt": "only words here"}, {}), count=10).questions == ()


def test_who_calls_a_function_is_told_by_the_text() -> None:
    files = {
        "a.py": "def load_plan(path):\n    return load_plan(path)\n\n\n# load_plan(1) is only said\n",
        "b.py": "from a import load_plan\n\n\ndef first():\n    x = 1\n    return load_plan(x)\n\n\nload_plan(2)\n",
        "c.c": "int load_plan(int);\nint use_it(void) {\n  return load_plan(3);\n}\n",
    }
    (found,) = (one for one in from_calls(tree(files)) if one.text == "who calls load_plan")
    assert set(found.targets) == {Target("b.py", 4, 6), Target("b.py", 9, 9), Target("c.c", 2, 4)}


def test_a_name_that_is_defined_twice_is_not_asked_for() -> None:
    files = {
        "a.py": "def load_plan():\n    pass\n",
        "b.py": "def load_plan():\n    pass\n\n\ndef go():\n    load_plan()\n",
    }
    assert not [one for one in from_calls(tree(files)) if "load_plan" in one.text]


def test_a_function_with_many_callers_is_not_asked_for() -> None:
    calls = "\n\n".join(f"def user_{n}():\n    load_plan()" for n in range(9))
    files = {"a.py": "def load_plan():\n    return 1\n", "b.py": calls}
    assert not [one for one in from_calls(tree(files)) if "load_plan" in one.text]


def test_quotas_and_files_limit_a_draw() -> None:
    pool = [Candidate("function", f"question number {n}", "semantic", (Target("a.py", n, n),)) for n in range(1, 20)]
    assert len(draw(pool, random.Random(1), quotas={"function": 10}, per_file=3)) == 3
    assert len(draw(pool, random.Random(1), quotas={"function": 5}, per_file=9)) == 5


def test_broken_and_hostile_source_is_no_reason_to_fail() -> None:
    assert parsed("def f(:\n") is None
    assert parsed("x = " + "(" * 5000) is None
    assert parsed("a\0b") is None
    assert parsed('x = "\\d"\n') is not None  # a compiler would warn, and warnings are errors here
    hostile = {"a.py": '"""' + "a " * 20_000 + '"""\n', "b.py": "def f():\n    '''\\x00'''\n" * 50}
    assert mine(tree(hostile), count=10).questions == ()


def test_the_tree_of_an_index_is_what_is_indexed(built: Built) -> None:
    found = tree_of(built.snapshot)
    assert dict(found.texts) == project()
    assert found.parsed["src/mail.py"].language == "python"
    assert "queue_message" in {one.name for one in found.parsed["src/mail.py"].symbols}
    assert mine(found, count=12) == mine(tree_of(built.snapshot), count=12)


def git(root: Path, *arguments: str) -> None:
    config = [
        "-c",
        "user.name=a",
        "-c",
        "user.email=a@b",
        "-c",
        "commit.gpgsign=false",
        "-c",
        "init.defaultBranch=main",
    ]
    subprocess.run(["git", *config, *arguments], cwd=root, check=True, capture_output=True)


def test_commits_ask_for_the_files_they_changed(built: Built) -> None:
    if not list(commits_of(built.root)):
        git(built.root, "init")
    path = built.root / "src" / "mail.py"
    git(built.root, "add", ".")
    git(built.root, "commit", "-m", "Initial import")
    path.write_text(path.read_text(encoding="utf-8") + "\nQUEUE_LIMIT = 5\n", encoding="utf-8")
    git(built.root, "commit", "-am", "Allow an envelope behind the postman to wait in the message queue (#12)")
    built.index.refresh()
    commits = list(commits_of(built.root))
    assert commits[0] == (
        "Allow an envelope behind the postman to wait in the message queue (#12)",
        ("src/mail.py",),
    )
    mined = mine(tree_of(built.snapshot), commits, count=20, groups=["commits"])
    assert [question.targets for question in mined.questions] == [(Target("src/mail.py"),)]
    assert "#12" not in mined.questions[0].text


def test_no_history_is_no_fault(tmp_path: Path) -> None:
    assert list(commits_of(tmp_path)) == []


def test_the_command_names_every_group() -> None:
    from fourfold.interfaces.cli import eval_session

    assert eval_session.GROUPS == GROUPS


@pytest.mark.parametrize("group", GROUPS)
def test_a_group_is_mined_alone(group: str) -> None:
    kinds = set(mine(tree(project()), [], count=30, groups=[group]).counts)
    allowed = {"docs": {"function", "type", "file"}, "names": {"symbol", "where"}, "callers": {"caller"}}
    assert kinds <= allowed.get(group, set())
