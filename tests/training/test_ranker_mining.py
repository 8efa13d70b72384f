"""Questions for fitting the ranking: what is documented, what is asked, what the copy must not hold any more."""

from __future__ import annotations

import random
import re
import subprocess
from pathlib import Path

import pytest
from benchmarks.dataset import Target
from benchmarks.manifest import Corpus
from training.ranker.history import commits
from training.ranker.mine import mine, records
from training.ranker.packages import Package, excluded_names, load_packages
from training.ranker.tree import Tree, read_tree

from fourfold.evaluate.labels import from_history, from_tests
from fourfold.evaluate.labels.candidates import PER_FILE, QUOTAS, Candidate, draw
from fourfold.evaluate.labels.documentation import documented_items
from fourfold.evaluate.labels.hidden import pruned
from fourfold.evaluate.labels.phrasing import CUT, asked, cut, named_share, sentence_of
from fourfold.evaluate.labels.rarity import Rarity
from fourfold.evaluate.labels.repeats import Repeats
from fourfold.syntax.parse import parse_file

PERMISSIVE = frozenset({"MIT", "Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "BSL-1.0", "ISC"})


def test_packages_are_permissive_pinned_and_none_is_excluded() -> None:
    packages = load_packages()
    assert 25 <= len(packages) <= 40
    excluded = excluded_names()
    for package in packages:
        corpus = package.corpus
        assert PERMISSIVE & set(corpus.licence.split(" OR ")), corpus.name
        assert corpus.name.lower() not in excluded
        if corpus.kind == "git":
            assert re.fullmatch(r"[0-9a-f]{40}", corpus.version)
            assert corpus.url.removesuffix(".git").rsplit("/", 1)[1].lower() not in excluded
        assert not any(path.startswith(("/", "..")) for path in (*corpus.keep, package.root))


def test_every_corpus_of_the_benchmarks_is_excluded() -> None:
    from benchmarks.manifest import GROUPS, corpora_for

    used = {corpus.name.lower() for group in GROUPS for corpus in corpora_for(group)}
    assert used <= set(excluded_names())


def test_an_unknown_package_is_named() -> None:
    with pytest.raises(ValueError, match="unknown package 'nowhere'"):
        load_packages(["nowhere"])


DOCUMENTED = [
    (
        "a.rs",
        "rust",
        "/// Splits the frame into parts.\n#[inline]\npub fn split(a: u8) -> u8 {\n    let b = a;\n    b\n}\n",
        ("function", "split", 1, 1, "Splits the frame into parts."),
    ),
    (
        "A.java",
        "java",
        "/**\n * Keeps idle connections.\n */\n@Deprecated\npublic class A {\n  int a;\n  int b;\n}\n",
        ("type", "A", 1, 3, "Keeps idle connections."),
    ),
    (
        "a.c",
        "c",
        "/*\n * Reads one frame.\n */\nstatic int\nread(int a)\n{\n  return a;\n}\n",
        ("function", "read", 1, 3, "Reads one frame."),
    ),
    (
        "a.hs",
        "haskell",
        "module A where\n\n-- | Parses one line.\nline :: Int -> Int\nline x = x\n",
        ("function", "line", 3, 3, "Parses one line."),
    ),
    (
        "a.ex",
        "elixir",
        'defmodule A do\n  @doc """\n  Sends the mail.\n  """\n  @spec send(a) :: b\n  def send(a), do: a\nend\n',
        ("function", "send", 2, 4, "Sends the mail."),
    ),
    (
        "a.py",
        "python",
        '"""Retries with jitter."""\n\nclass A:\n    pass\n',
        ("file", "a.py", 1, 1, "Retries with jitter."),
    ),
    (
        "a.py",
        "python",
        '@wraps\ndef a(b):\n    """Waits."""\n    c = b\n    d = c\n    return d\n',
        ("function", "a", 3, 3, "Waits."),
    ),
    (
        "a.zig",
        "zig",
        "//! Ring buffer of events.\nconst std = 1;\n",
        ("file", "a.zig", 1, 1, "Ring buffer of events."),
    ),
    (
        "a.rb",
        "ruby",
        "# Loads the cache.\ndef load(a)\n  b = a\n  b\nend\n",
        ("function", "load", 1, 1, "Loads the cache."),
    ),
    (
        "a.cs",
        "csharp",
        "/// <summary>\n/// Writes events.\n/// </summary>\n[Obsolete]\nclass A\n{\n  int a;\n}\n",
        ("type", "A", 1, 3, "Writes events."),
    ),
    (
        "a.lua",
        "lua",
        "local a = 1\n\n--- Draws the signs.\nlocal function draw(b)\n  b = a\n  return b\nend\n",
        ("function", "draw", 3, 3, "Draws the signs."),
    ),
]


@pytest.mark.parametrize(("path", "language", "text", "expected"), DOCUMENTED, ids=[c[1] + c[3][0] for c in DOCUMENTED])
def test_documentation_is_found_with_its_lines(
    path: str, language: str, text: str, expected: tuple[str, str, int, int, str]
) -> None:
    found = [
        (item.kind, item.what.name, item.what.doc_start, item.what.doc_end, " ".join(_said(item.what.doc).split()))
        for item in documented_items(path, text, parse_file(path, text, language))
    ]
    assert expected in found


def _said(doc: str) -> str:
    return re.sub(r"</?summary>", "", doc)


def test_a_licence_and_a_comment_on_the_first_definition_are_no_file_documentation() -> None:
    licence = "// Copyright 2020 A. All rights reserved.\n\n"
    text = licence + "// Encodes a frame.\nfunc Encode() int {\n\ta := 1\n\treturn a\n}\n"
    items = list(documented_items("a.go", text, parse_file("a.go", text, "go")))
    assert [(item.kind, item.what.name) for item in items] == [("function", "Encode")]


@pytest.mark.parametrize(
    ("doc", "name", "expected"),
    [
        ("Merge combines two sorted lists of keys.", "Merge", "combines two sorted lists of keys"),
        ("This module provides helpers for drawing borders.", "Borders", "helpers for drawing borders"),
        ("Converts the given path to a file URI.\n\n@param x", "toUri", "Converts the path to a file URI"),
        ("Stores the skiplist and its WAL. Writes go to both.", "memtable", "Stores the skiplist and its WAL"),
        ("\\brief Checks the chain against the trust store", "f", "Checks the chain against the trust store"),
        ("Checks the certificate chain of the peer and", "f", None),
        ("Not very pretty, but it helped us once", "f", None),
        ("Copyright 2020 by somebody or other entirely", "f", None),
        ("Check the chain of certificates before use.", "f", "Check the chain of certificates before use"),
    ],
)
def test_sentences(doc: str, name: str, expected: str | None) -> None:
    assert sentence_of(doc, name) == expected


def test_a_cut_question_has_five_to_nine_words_and_no_filler() -> None:
    sentence = (
        "Returns the number of idle connections that each worker of the pool should close before it stops accepting"
    )
    for seed in range(20):
        text = cut(sentence, random.Random(seed))
        assert text is not None
        assert CUT[0] <= len(text.split()) <= CUT[1]
        assert text.startswith("number idle connections")
        assert "should" not in text.split()
    assert cut("Closes the pool", random.Random(1)) is None


def test_a_sentence_that_begins_with_a_verb_may_become_a_question() -> None:
    made = {asked("Parses the header of a frame", random.Random(seed)) for seed in range(40)}
    assert "how to parse the header of a frame" in made
    assert "Parses the header of a frame" in made
    assert asked("Options of the parser", random.Random(0)) == "Options of the parser"


def test_named_share_counts_words_that_begin_like_the_name() -> None:
    assert named_share("parse configuration file", "parseConfig") == pytest.approx(2 / 3)
    assert named_share("retry with backoff", "parseConfig") == 0.0


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("test_retries_request_on_connection_timeout", "retries request on connection timeout"),
        ("shouldCloseIdleConnectionsWhenPoolIsFull", "close idle connections when pool is full"),
        ("it should reject a token that is expired already", "reject a token that is expired already"),
        ("test_parse", None),
        ("make names custom short", "make names custom short"),
        ("testMakeNamesCustomShort", None),
    ],
)
def test_questions_of_tests(name: str, expected: str | None) -> None:
    assert from_tests.question_of(name) == expected


@pytest.mark.parametrize(
    ("subject", "expected"),
    [
        ("Fix stale rendering after a shared texture atlas is cleared (#12)", "stale rendering after a shared texture"),
        ("fix(pool): prevent connection leak when the socket times out", "prevent connection leak when the socket"),
        ("Bump actions/checkout from 6 to 7 in all workflows", None),
        ("Move command parser into a class of its own", None),
        ("Fix typo", None),
    ],
)
def test_questions_of_commits(subject: str, expected: str | None) -> None:
    text = from_history.question_of(subject)
    assert text == expected if expected is None else text is not None and text.startswith(expected)


def test_commits_are_read_with_the_files_they_changed(tmp_path: Path) -> None:
    def git(*arguments: str) -> str:
        identity = ["-c", "user.name=a", "-c", "user.email=a@b"]
        done = subprocess.run(["git", *identity, *arguments], cwd=tmp_path, check=True, capture_output=True, text=True)
        return done.stdout.strip()

    git("init", "--quiet")
    for number in (1, 2):
        (tmp_path / f"{number}.py").write_text("a\n")
        git("add", ".")
        git("commit", "--quiet", "-m", f"Add file {number}")
    head = git("rev-parse", "HEAD")
    assert list(commits(tmp_path / ".git", head)) == [("Add file 2", ["2.py"]), ("Add file 1", ["1.py"])]


def _candidate(kind: str, text: str, path: str) -> Candidate:
    return Candidate(kind, text, "semantic", (Target(path),), said=text)


def test_no_file_and_no_kind_takes_more_than_its_share() -> None:
    found = [_candidate("function", f"question {n}", f"{n % 100}.py") for n in range(1000)]
    drawn = draw(found, random.Random(1))
    assert len(drawn) == QUOTAS["function"]
    crowded = draw([_candidate("function", f"question {n}", "a.py") for n in range(50)], random.Random(1))
    assert len(crowded) == PER_FILE


def test_a_sentence_that_the_package_repeats_makes_no_question() -> None:
    repeats = Repeats({"a": "Closes all idle connections of a pool.", "b": "closes all IDLE connections of a pool"})
    assert repeats.is_repeated("Closes all idle connections of a pool")
    found = [_candidate("type", "closes all idle connections of a pool", "a"), _candidate("type", "opens a pool", "b")]
    assert [one.path for one in draw(found, random.Random(1), repeats.is_repeated)] == ["b"]


def test_rare_words_tell_files_apart() -> None:
    rarity = Rarity({str(n): "common word" + (" retried jitter" if n == 1 else "") for n in range(40)})
    assert rarity.telling("common word") == 0
    assert rarity.telling("jitter of the retries") == 2
    assert rarity.share_in("jitter of common retries", "1") == 1.0


MODULE = '''"""Retries of failed requests with exponential backoff and jitter."""


class Backoff:
    """Delays between attempts that grow exponentially up to a ceiling."""

    def wait(self, attempt):
        """Sleeps for the jittered delay that belongs to an attempt."""
        delay = attempt * 2
        return delay
'''
TEST = """def test_gives_up_after_the_ceiling_of_attempts():
    assert attempts(ceiling=3)


def test_other():
    assert True
"""


@pytest.fixture
def package(tmp_path: Path) -> tuple[Package, Tree]:
    corpus = Corpus("sample", "git", "0" * 40, "MIT", ("ranker",), "sample", language="python")
    folder = tmp_path / "sample"
    for path, text in {"src/backoff.py": MODULE, "tests/test_backoff.py": TEST, "src/pool.py": "x = 1\n"}.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)
    return Package(corpus), read_tree(folder, "python")


def test_what_a_question_was_made_of_is_blank_in_the_copy(package: tuple[Package, Tree]) -> None:
    chosen = mine(*package)
    texts = pruned(package[1].texts, chosen)
    assert {one.kind for one in chosen} == {"file", "type", "function", "test"}
    for path, text in package[1].texts.items():
        assert texts[path].count("\n") == text.count("\n")
    for one in chosen:
        if one.said:
            assert one.said not in "\n".join(texts.values())
        for target in one.targets:
            if target.start_line is not None:
                assert texts[target.path].split("\n")[target.start_line - 1].lstrip().startswith(("class", "def"))


def test_a_test_asks_for_its_subject_and_leaves_the_other_tests(package: tuple[Package, Tree]) -> None:
    tree = package[1]
    (one,) = from_tests.from_tests(tree, Rarity(tree.texts))
    assert (one.text, one.path) == ("gives up after the ceiling of attempts", "src/backoff.py")
    kept = pruned(tree.texts, [one])["tests/test_backoff.py"]
    assert "gives_up" not in kept
    assert "test_other" in kept


def test_mining_twice_gives_the_same_and_records_have_the_form_of_the_tuning_set(
    package: tuple[Package, Tree],
) -> None:
    first, second = mine(*package), mine(*package)
    assert first == second
    for record in records(package[0], first):
        assert {"repo", "query_id", "language", "category", "query", "relevant", "secondary", "tags"} <= set(record)
        assert record["benchmark_root"] == "."
        assert record["relevant"][0]["path"] in package[1].texts


def test_a_missing_package_says_how_to_get_it(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match=r"training\.ranker\.prepare"):
        read_tree(tmp_path / "none", "python")
