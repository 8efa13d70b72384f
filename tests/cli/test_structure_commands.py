"""The commands about structure from the words typed to the words printed and the exit code, on a real small index."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

FILES = {
    "src/core.py": '''"""Configuration."""


class Config:
    """All settings."""

    def get(self, key):
        return key


def parse_config(text):
    """Settings of a text."""
    return Config()
''',
    "src/use.py": "from src.core import parse_config\n\n\ndef main():\n    parse_config('{}')\n",
    "src/web.py": "from flask import Flask\n\napp = Flask(__name__)\n\n\n"
    '@app.get("/users/<int:n>")\ndef user(n):\n    return n\n',
    "src/twins.py": "class One:\n    def refresh(self):\n        pass\n\n\n"
    "class Two:\n    def refresh(self):\n        pass\n"
    "\n\ndef run(thing):\n    thing.refresh()\n",
    "tests/test_core.py": "from src.core import parse_config\n\n\ndef test_parse():\n    assert parse_config('{}')\n",
    "notes.md": "# Notes\n\nNothing of structure here.\n",
}


@pytest.fixture
def ask(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fourfold: Any) -> Any:
    """Run the program in a project of these files."""
    root = tmp_path / "project"
    for name, text in FILES.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, encoding="utf-8")
    (root / ".git").mkdir()
    monkeypatch.setenv("FOURFOLD_CONFIG", "")
    monkeypatch.setenv("FOURFOLD_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.delenv("COLUMNS", raising=False)
    monkeypatch.chdir(root)
    return fourfold


def test_symbol_shows_the_place_and_the_head_of_the_code(ask: Any) -> None:
    ran = ask("symbol", "parse_config")
    assert ran.code == 0
    assert "src/core.py:11-13  parse_config()  function" in ran.out
    assert "11  def parse_config(text):" in ran.out


def test_symbol_names_what_is_near_and_finds_nothing(ask: Any) -> None:
    ran = ask("symbol", "parseConfg", "--exact")
    assert (ran.code, ran.out) == (1, "")
    assert "no symbol parseConfg" in ran.err
    ran = ask("symbol", "parse_confg", "--exact")
    assert ran.code == 1
    assert "no symbol parse_confg; near: parse_config" in ran.err


def test_filters_that_leave_nothing_are_said(ask: Any) -> None:
    ran = ask("symbol", "parse_config", "--path", "tests")
    assert ran.code == 1
    assert "only what the filters leave" in ran.err
    assert ask("symbol", "Config", "--kind", "class").code == 0
    assert ask("symbol", "Config", "--kind", "enum").code == 1


def test_refs_on_a_pipe_have_whole_places(ask: Any) -> None:
    ran = ask("refs", "parse_config")
    assert ran.code == 0
    assert "src/use.py:5  main()  parse_config('{}')" in ran.out.split("\n")
    assert "tests/test_core.py:5  test_parse()  assert parse_config('{}')" in ran.out.split("\n")


def test_refs_on_a_terminal_stand_below_their_file(ask: Any) -> None:
    ran = ask("--no-color", "refs", "parse_config", tty=True, columns=60)
    lines = ran.out.split("\n")
    at = lines.index("src/use.py")
    assert lines[at + 1].split() == ["5", "main()", "parse_config('{}')"]
    assert all(len(line) <= 60 for line in lines)


def test_possible_references_stand_apart(ask: Any) -> None:
    ran = ask("refs", "One.refresh")
    assert ran.code == 0
    above, _, below = ran.out.partition("possible: ")
    assert "run()" not in above
    assert "src/twins.py:12  run()  ambiguous  thing.refresh()" in below


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("refs", "user"), "nothing calls user"),
        (("refs", "user", "-d", "inheritors"), "nothing inherits from user"),
        (("refs", "nothing_so_called"), "no symbol nothing_so_called"),
        (("impact", "user"), "nothing refers to user"),
        (("impact", "nothing_so_called"), "no symbol nothing_so_called"),
        (("context", "nothing_so_called"), "no symbol nothing_so_called"),
        (("context", "src/missing.ts"), "no such file: src/missing.ts"),
        (("refs", "src/missing.ts"), "no such file: src/missing.ts"),
        (("impact", "src/missing.ts"), "no such file: src/missing.ts"),
        (("context", "some/name"), "no symbol some/name"),
        (("context", f"src/{'x' * 5000}.py"), "no such file: src/xxx"),
        (("routes", "/nowhere"), "no route holds '/nowhere'"),
        (("match", "zzz($X)", "--lang", "py"), "nothing has the shape of 'zzz($X)'"),
    ],
)
def test_nothing_found_is_exit_code_one_and_a_sentence(ask: Any, arguments: tuple[str, ...], sentence: str) -> None:
    ran = ask(*arguments)
    assert (ran.code, ran.out) == (1, "")
    assert sentence in ran.err


@pytest.mark.parametrize(
    "arguments",
    [
        ("refs", "x", "--direction", "sideways"),
        ("impact", "x", "--depth", "0"),
        ("match", "def ((", "--lang", "py"),
        ("match", "x", "--lang", "klingon"),
        ("similar", "src/core.py"),
        ("similar", "src/core.py:0"),
        ("similar", "gone.py:3"),
        ("similar", "src/core.py:999"),
        ("symbol", "  "),
        ("symbol", "x", "-n", "0"),
        ("symbol", "x", "--path", "../.."),
        ("symbol",),
    ],
)
def test_bad_input_is_one_sentence_and_exit_code_two(ask: Any, arguments: tuple[str, ...]) -> None:
    ran = ask(*arguments)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.strip().split("\n")[-1].startswith("error F")
    assert "Traceback" not in ran.err


def test_impact_goes_by_steps(ask: Any) -> None:
    ran = ask("impact", "Config", "--depth", "2")
    assert ran.code == 0
    one, _, two = ran.out.partition("2 steps:")
    assert "parse_config()" in one
    assert "main()" in two and "test_parse()" in two
    assert ask("impact", "main", "--direction", "callees").code == 0


def test_context_of_a_symbol_holds_code_callers_and_tests(ask: Any) -> None:
    ran = ask("context", "parse_config")
    assert ran.code == 0
    for part in ("11  def parse_config(text):", "callers: 2", "tests: 1", "beside it"):
        assert part in ran.out


def test_context_of_a_file_is_taken_from_the_folder_one_is_in(ask: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir("src")
    ran = ask("context", "core.py")
    assert ran.code == 0
    assert "defines 3 symbols" in ran.out
    assert "imported by: 2" in ran.out


def test_a_file_whose_name_is_a_pattern(ask: Any) -> None:
    Path("src/*.py").write_text("def starry(sky):\n    return sky\n", encoding="utf-8")
    ran = ask("context", "src/*.py")
    assert (ran.code, "starry()" in ran.out) == (0, True)
    assert "nothing is indexed at" not in ask("similar", "src/*.py:1").err


def test_match_similar_routes_and_overview(ask: Any) -> None:
    ran = ask("match", "parse_config($X)", "--lang", "py")
    assert ran.code == 0
    assert "src/use.py:5  main  parse_config('{}')" in ran.out
    ran = ask("routes")
    assert ran.code == 0
    assert "GET" in ran.out and "/users/<int:n>" in ran.out and "src/web.py:6" in ran.out
    ran = ask("similar", "src/core.py:11")
    assert ran.code in (0, 1)
    assert "src/core.py:11-" not in ran.out
    ran = ask("overview")
    assert ran.code == 0
    assert "languages" in ran.out and "main()" in ran.out and "1 route" in ran.out


@pytest.mark.parametrize(
    "arguments",
    [
        ("symbol", "Config"),
        ("refs", "parse_config"),
        ("refs", "nothing_so_called"),
        ("impact", "Config"),
        ("context", "Config"),
        ("match", "parse_config($X)", "--lang", "py"),
        ("similar", "src/core.py:11"),
        ("routes",),
        ("overview",),
    ],
)
def test_json_is_one_object_also_where_nothing_was_found(ask: Any, arguments: tuple[str, ...]) -> None:
    ran = ask(*arguments, "--json")
    data = json.loads(ran.out)
    assert data["schema"] == "fourfold/1"
    assert {"query", "items", "meta"} <= data.keys()
    found = data["items"] or data.get("possible") or data.get("languages")
    assert ran.code == (0 if found else 1)


def test_no_refresh_answers_from_the_index_as_it_is(ask: Any) -> None:
    assert ask("index").code == 0
    Path("src/late.py").write_text("def late():\n    pass\n")
    assert ask("symbol", "late", "--exact", "--no-refresh").code == 1
    assert ask("symbol", "late", "--exact").code == 0


def test_what_comes_from_the_repository_is_printed_safely(ask: Any) -> None:
    Path("src/evil.py").write_text("def shown():\n    other('\x1b]0;x\x07')\n\n\ndef other(x):\n    pass\n")
    ran = ask("refs", "other", "--kind", "function")
    assert "\x1b" not in ran.out
    assert "\\x1b" in ran.out
