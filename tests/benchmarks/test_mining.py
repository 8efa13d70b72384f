"""From documentation to questions: sentences, functions in each language, pruned copies."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from benchmarks.manifest import Corpus
from benchmarks.mined import PER_FILE, candidates, draw, mine
from benchmarks.mining.comments import commented_functions

from fourfold.evaluate.labels.documented import blanked, python_functions
from fourfold.evaluate.labels.sentences import first_sentence, without_name

SOURCE = '''\
import math


@cached
def backoff_delay(attempt):
    """Compute how long to wait before the next attempt.

    Doubles each time.
    """
    base = 2 ** attempt
    jitter = math.sin(attempt)
    return base + jitter


def forwarded():
    """Compute something else that is only a forward."""
    return 1
'''


@pytest.mark.parametrize(
    ("doc", "sentence"),
    [
        ("Return the size of the open file.\n\nMore.", "Return the size of the open file"),
        ("Return the size e.g of the\nopen file\n:param x: y", "Return the size e.g of the open file"),
        ("Opens the {@link File file} given as `path` now.", "Opens the File given as path now"),
        ("Load :class:`~a.b.Thing` from the given open stream.", "Load a.b.Thing from the given open stream"),
        ("Too short.", None),
        ("Copyright of this file lies with its authors.", None),
        ("计算 下一次 尝试 之前 等待 多长 时间", None),
    ],
)
def test_the_first_sentence(doc: str, sentence: str | None) -> None:
    assert first_sentence(doc) == sentence


def test_words_of_the_name_are_taken_out() -> None:
    sentence = "Compute how long to wait before delayed attempts, doubling the back-off"
    assert without_name(sentence, "backoffDelay") == "Compute how long to wait before attempts, doubling the"
    assert without_name("Get the size of it now", "get_size") is None


def test_python_functions_have_their_docstring_and_lines() -> None:
    (found,) = python_functions("m.py", SOURCE)
    assert (found.name, found.start_line, found.end_line) == ("backoff_delay", 4, 12)
    assert (found.doc_start, found.doc_end) == (6, 9)
    pruned = blanked(SOURCE, [found])
    assert pruned.count("\n") == SOURCE.count("\n")
    assert "Doubles" not in pruned
    compile(pruned, "m.py", "exec")


def test_python_that_does_not_parse_gives_nothing() -> None:
    assert list(python_functions("m.py", "def broken(:\n")) == []


LANGUAGES = {
    "go": (
        "package p\n\n// Open opens the named file for\n// reading.\n"
        "func (c *C) Open(n string) int {\n\tx := 1\n\treturn x\n}\n"
    ),
    "rust": "/// Opens the named file.\n#[inline]\npub fn open(n: &str) -> i32 {\n    let x = 1;\n    x\n}\n",
    "java": (
        "class C {\n  /**\n   * Opens the named file.\n   */\n  @Override\n"
        "  int open(String n) {\n    int x = 1;\n    return x;\n  }\n}\n"
    ),
    "c": "/* Opens the named file. */\nstatic int *open(const char *n)\n{\n  int x = 1;\n  return x;\n}\n",
    "javascript": (
        "/**\n * Opens the named file.\n */\n\nFile.prototype.open = function(n) {\n  const x = 1;\n  return x;\n};\n"
    ),
    "typescript": (
        "/** Opens the named file. */\nexport function open(n: string): number {\n  const x = 1\n  return x\n}\n"
    ),
    "php": (
        "<?php\nclass C {\n    /**\n     * Opens the named file.\n     */\n"
        "    function open($n) {\n        $x = 1;\n        return $x;\n    }\n}\n"
    ),
    "ruby": "class C\n  # Opens the named file.\n  def open(n)\n    x = 1\n    x\n  end\nend\n",
}
NOT_REQUIRED = {"php": "tree_sitter_php", "ruby": "tree_sitter_ruby"}
"""Grammars that Fourfold itself may do without."""


@pytest.mark.parametrize("language", LANGUAGES)
def test_functions_below_a_comment(language: str) -> None:
    if language in NOT_REQUIRED:
        pytest.importorskip(NOT_REQUIRED[language])
    text = LANGUAGES[language]
    (found,) = commented_functions("f", text, language)
    assert found.name.lower() == "open"
    assert " ".join(found.doc.split()).lower().endswith(("opens the named file.", "for reading."))
    pruned = blanked(text, [found])
    assert "file" not in pruned.lower().replace("file.prototype", "")
    kept = pruned.split("\n")[found.start_line - 1 : found.end_line]
    assert "1" in "".join(kept)


@pytest.mark.parametrize(
    "text",
    [
        "// Opens it.\n\n\nfunc Open() int {\n\tx := 1\n\treturn x\n}\n",
        "// Opens it.\nvar y = 1\nfunc Open() int {\n\tx := 1\n\treturn x\n}\n",
    ],
)
def test_a_comment_must_be_right_above(text: str) -> None:
    assert list(commented_functions("f.go", "package p\n" + text, "go")) == []


def _module(count: int, prefix: str) -> str:
    return "\n\n".join(
        f'def {prefix}{n}(value):\n    """Turn the {prefix} value number {n} into words."""\n'
        f"    first = value + {n}\n    second = first * 2\n    return second"
        for n in range(count)
    )


@pytest.fixture(name="package")
def _package(tmp_path: Path) -> Path:
    source = tmp_path / "source"
    for name, text in {"a.py": _module(9, "alpha"), "tests/test_a.py": _module(3, "gamma")}.items():
        (source / name).parent.mkdir(parents=True, exist_ok=True)
        (source / name).write_text(text)
    (source / "logo.bin").write_bytes(b"\0\1")
    return source


CORPUS = Corpus("pkg", "wheel", "1", "MIT", ("mined",), "packages/pkg", language="python", suffix=".py")


def test_mining_makes_two_questions_a_function(package: Path, tmp_path: Path) -> None:
    questions = mine(CORPUS, package, tmp_path / "copy")
    assert len(questions) == 2 * PER_FILE
    assert {question.category for question in questions} == {"named", "unnamed"}
    assert {target.path for question in questions for target in question.targets} == {"a.py"}
    assert len({question.id for question in questions}) == len(questions)
    assert questions == mine(CORPUS, package, tmp_path / "copy")


def test_the_copy_lacks_exactly_what_is_asked(package: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    questions = mine(CORPUS, package, copy)
    pruned = (copy / "a.py").read_text()
    asked = {question.text for question in questions if question.category == "named"}
    assert not any(sentence in pruned for sentence in asked)
    assert pruned.count("into words") == 9 - len(asked)
    assert (copy / "tests" / "test_a.py").read_text() == _module(3, "gamma")
    assert not (copy / "logo.bin").exists()
    for question in questions:
        (target,) = question.targets
        lines = pruned.split("\n")[target.start_line - 1 : target.end_line]
        assert lines[0].startswith("def alpha")
        assert lines[-1].strip() == "return second"


def test_a_sentence_that_occurs_twice_makes_no_question() -> None:
    text = _module(1, "alpha")
    assert candidates(CORPUS, {"a.py": text, "b.py": text}) == []


def test_drawing_keeps_to_the_limits() -> None:
    texts = {f"m{n}.py": _module(9, f"word{chr(97 + n)}") for n in range(4)}
    found = candidates(CORPUS, texts)
    drawn = draw(found, random.Random(1), count=12)
    assert len(found) == 36
    assert len(drawn) == 12
    assert max(sum(c.function.path == path for c in drawn) for path in texts) <= PER_FILE


def test_a_missing_source_names_the_command(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match=r"benchmarks\.prepare mined"):
        mine(CORPUS, tmp_path / "none", tmp_path / "copy")
