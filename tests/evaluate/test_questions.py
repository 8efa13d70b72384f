"""Files of questions: what may be written, and that every fault is told with its line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.built import Built

from fourfold.evaluate.question import Question, Target
from fourfold.evaluate.questions import MAX_TOLD, read_questions, write_questions
from fourfold.evaluate.targets import Known
from fourfold.model.errors import UsageError
from fourfold.model.symbol import Symbol


def symbol(name: str, qualified: str, start: int, end: int) -> Symbol:
    return Symbol(name, qualified, "function", start, end)


KNOWN = Known(
    lines={"src/app.py": 40, "src/util.py": 20, "a:1.py": 3},
    skipped={"big.bin": "binary"},
    symbols={
        "src/app.py": [symbol("start", "App.start", 5, 9), symbol("main", "main", 12, 30)],
        "src/util.py": [symbol("start", "start", 1, 4)],
    },
)


def read(tmp_path: Path, *lines: str) -> tuple[Question, ...]:
    path = tmp_path / "q.jsonl"
    path.write_text("\n".join(lines), encoding="utf-8")
    return read_questions(path, KNOWN)


def one(target: object, **more: object) -> str:
    return json.dumps({"id": "1", "question": "what", "targets": target, **more})


@pytest.mark.parametrize(
    ("written", "targets"),
    [
        (["src/app.py"], [Target("src/app.py")]),
        ("src/app.py", [Target("src/app.py")]),
        (["./src/app.py:7"], [Target("src/app.py", 7, 7)]),
        (["src/app.py:7-9", "src/util.py:1"], [Target("src/app.py", 7, 9), Target("src/util.py", 1, 1)]),
        (["a:1.py"], [Target("a:1.py")]),
        (["src/app.py:39-60"], [Target("src/app.py", 39, 60)]),
        ([{"path": "src/app.py", "start_line": 3, "end_line": 4}], [Target("src/app.py", 3, 4)]),
        ([{"path": "src/app.py", "end_line": 4}], [Target("src/app.py", 4, 4)]),
        ([{"symbol": "main"}], [Target("src/app.py", 12, 30)]),
        ([{"symbol": "start"}], [Target("src/app.py", 5, 9), Target("src/util.py", 1, 4)]),
        ([{"symbol": "App.start"}], [Target("src/app.py", 5, 9)]),
        ([{"symbol": "start", "path": "src/util.py"}], [Target("src/util.py", 1, 4)]),
    ],
)
def test_a_target_may_be_a_file_lines_or_a_symbol(tmp_path: Path, written: object, targets: list[Target]) -> None:
    (found,) = read(tmp_path, one(written))
    assert found.targets == tuple(targets)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ('{"id": "1", "question": "x"', "broken JSON at column 28"),
        ("[1]", "must be an object"),
        ('{"id": "1", "question": "x", "target": ["src/app.py"]}', "no key 'target'; did you mean targets?"),
        ('{"question": "x", "targets": ["src/app.py"]}', "the id is missing"),
        ('{"id": [], "question": "x", "targets": ["src/app.py"]}', "the id must be a text"),
        ('{"id": "1", "question": "  ", "targets": ["src/app.py"]}', "the question is missing or empty"),
        ('{"id": "1", "question": "x"}', "the targets are missing"),
        (one([]), "the targets are missing"),
        (one(["src/ap.py"]), "'src/ap.py' does not exist; did you mean src/app.py?"),
        (one(["/etc/passwd"]), "'/etc/passwd' is outside of the root"),
        (one(["../x.py"]), "'../x.py' is outside of the root"),
        (one(["C:\\x.py"]), "is outside of the root"),
        (one(["big.bin"]), "'big.bin' is not indexed: binary"),
        (one(["src/app.py:41"]), "line 41 is outside of src/app.py, which has 40 lines"),
        (one(["src/app.py:9-7"]), "lines 9-7 of src/app.py are no range"),
        (one(["src/app.py:0"]), "lines 0-0 of src/app.py are no range"),
        (one([7]), "a target must be a path"),
        (one([{"symbol": "strt"}]), "nothing defines 'strt'; did you mean start?"),
        (one([{"symbol": "main", "path": "src/util.py"}]), "nothing in src/util.py defines 'main'"),
        (one([{"line": 4}]), "a target has no key 'line'"),
        (one([{"path": "src/app.py", "start_line": "4"}]), "must be whole numbers"),
        (one([{}]), "neither a path nor a symbol"),
        (one(["src/app.py"], intent="find"), "there is no intent 'find'"),
        (one(["src/app.py"], tags="a"), "tags must be a list of texts"),
        (one(["src/app.py"], question="x" * 2_000_000), "the question is longer than"),
        ('{"a":' * 3000, "broken JSON"),
    ],
)
def test_a_fault_is_told_with_its_line(tmp_path: Path, line: str, said: str) -> None:
    with pytest.raises(UsageError) as caught:
        read(tmp_path, one(["src/app.py"]).replace('"1"', '"0"'), "", line)
    assert caught.value.message.startswith("q.jsonl, line 3: ")
    assert said in caught.value.message


def test_an_id_given_twice_is_told_with_both_lines(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"line 2: the id '1' was given on line 1 already"):
        read(tmp_path, one(["src/app.py"]), one(["src/util.py"]))


def test_further_faults_are_told_too(tmp_path: Path) -> None:
    with pytest.raises(UsageError) as caught:
        read(tmp_path, *["[]"] * (MAX_TOLD + 4))
    assert "line 1:" in caught.value.message
    assert "line 2:" in caught.value.hint and "and 3 more" in caught.value.hint


@pytest.mark.parametrize(
    ("content", "said"),
    [(b"", "holds no question"), (b"\n\n", "holds no question"), (b'{"id"\n\xff', "line 2: this is")],
)
def test_a_file_without_text_or_questions(tmp_path: Path, content: bytes, said: str) -> None:
    path = tmp_path / "q.jsonl"
    path.write_bytes(content)
    with pytest.raises(UsageError, match=said):
        read_questions(path, KNOWN)


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="cannot be read"):
        read_questions(tmp_path / "nope.jsonl", KNOWN)
    with pytest.raises(UsageError, match="cannot be written"):
        write_questions(tmp_path / "no" / "q.jsonl", [])


def test_a_file_without_end_is_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("fourfold.evaluate.questions.MAX_BYTES", 100)
    (tmp_path / "q.jsonl").write_bytes(b" " * 101)
    with pytest.raises(UsageError, match="is larger than 100 bytes"):
        read_questions(tmp_path / "q.jsonl", KNOWN)
    with pytest.raises(UsageError, match="cannot be read"):
        read_questions(tmp_path, KNOWN)


def test_a_byte_order_mark_and_windows_line_ends_are_read(tmp_path: Path) -> None:
    path = tmp_path / "q.jsonl"
    path.write_bytes(b"\xef\xbb\xbf" + one(["src/app.py"]).encode() + b"\r\n")
    assert len(read_questions(path, KNOWN)) == 1


def test_what_is_written_is_read_again(tmp_path: Path) -> None:
    questions = (
        Question("1", "wo wird gestartet", (Target("src/app.py", 5, 9),), "find_definition", ("a", "b")),
        Question("2", "どこ", (Target("src/util.py"), Target("a:1.py", 2, 3))),
    )
    write_questions(tmp_path / "q.jsonl", questions)
    assert read_questions(tmp_path / "q.jsonl", KNOWN) == questions


def test_an_index_knows_its_files_and_symbols(built: Built) -> None:
    (built.root / "logo.png").write_bytes(b"\x89PNG\0")
    built.index.refresh()
    known = Known.of(built.snapshot)
    assert known.lines["src/mail.py"] > 20
    assert known.skipped["logo.png"] == "binary"
    assert known.named("queue_message")[0].path == "src/mail.py"
