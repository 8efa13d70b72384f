"""Ignore rules, against git itself."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from fourfold.source.glob import translate
from fourfold.source.ignore import RuleSet, parse, refuse_everything
from fourfold.source.walk import WalkOptions, walk


def verdict(lines: str, path: str, *, is_dir: bool = False, fold: bool = False) -> bool | None:
    """True ignored, False re-included, None where no rule speaks."""
    rules = RuleSet(parse(lines.encode(), ".gitignore"), ignore_case=fold)
    rule = rules.match(path, path.rpartition("/")[2], is_dir)
    return None if rule is None else not rule.negated


@pytest.mark.parametrize(
    ("lines", "path", "is_dir", "expected"),
    [
        ("*.pyc", "a/b.pyc", False, True),
        ("/x", "x", False, True),
        ("/x", "a/x", False, None),
        ("a/b", "a/b", False, True),
        ("a/b", "c/a/b", False, None),
        ("build/", "build", False, None),
        ("build/", "src/build", True, True),
        ("doc/**", "doc", True, None),
        ("doc/**", "doc/a/b", False, True),
        ("**/foo", "foo", False, True),
        ("**/foo", "a/b/foo", False, True),
        ("a/**/b", "a/b", False, True),
        ("a/**/b", "a/x/y/b", False, True),
        ("a/**/b", "ab", False, None),
        ("*.log\n!keep.log", "keep.log", False, False),
        ("!keep.log\n*.log", "keep.log", False, True),
        ("foo*", "foobar", False, True),
        ("f?o", "f/o", False, None),
        ("[a-c].py", "b.py", False, True),
        ("[!a-c].py", "b.py", False, None),
        ("[[:digit:]]x", "7x", False, True),
        ("[]x]", "]", False, True),
        ("[a", "[a", False, None),
        (r"\#x", "#x", False, True),
        (r"\!x", "!x", False, True),
        ("#x", "#x", False, None),
        ("x  ", "x", False, True),
        ("x\\ ", "x ", False, True),
        ("x\r\n", "x", False, True),
        ("\ufeff*.tmp", "a.tmp", False, True),
        ("/", "a", True, None),
        ("**", "a/b", False, True),
        ("a/*", "a/b/c", False, None),
        ("ünï*", "ünïcode", False, True),
        ("x\\", "x", False, None),
    ],
)
def test_rules(lines: str, path: str, is_dir: bool, expected: bool | None) -> None:
    assert verdict(lines, path, is_dir=is_dir) is expected


def test_case_is_folded_only_where_the_repository_says_so() -> None:
    assert verdict("/Library/", "library", is_dir=True) is None
    assert verdict("/Library/", "library", is_dir=True, fold=True) is True
    assert verdict("*.LOG\nA[b]C", "x/abc", fold=True) is True


def test_origin_names_file_line_and_pattern() -> None:
    rules = RuleSet(parse(b"# top\n\n*.o\n", "sub/.gitignore"), base="sub/")
    rule = rules.match("sub/a.o", "a.o", False)
    assert rule is not None
    assert rule.origin == "sub/.gitignore:3: *.o"


def test_hostile_patterns_stay_linear() -> None:
    """A plain translation of these takes longer than anybody would wait: this test would not end."""
    assert verdict("*a" * 40 + "b", "a" * 4000) is None
    assert verdict("/" + "**/a*/" * 25 + "b", "/".join(["aa"] * 400)) is None


def test_refuse_everything_keeps_the_rest() -> None:
    kept, refused = refuse_everything(parse(b"*\n!.bashrc\n*.swp\n", "global"))
    assert [rule.text for rule in refused] == ["*"]
    assert [rule.text for rule in kept] == ["!.bashrc", "*.swp"]


def test_translate_refuses_what_git_never_matches() -> None:
    assert translate("a\\") is None
    assert translate("[[:nonsense:]]") is None


def test_opens_only_what_leads_to_a_negated_path() -> None:
    rules = RuleSet(parse(b"!gen/api/client/\n!any/\n!**/deep/x\n!a/**/b\n", ".fourfoldignore"))
    assert rules.opens("gen", "gen")
    assert rules.opens("gen/api", "api")
    assert not rules.opens("gen/other", "other")
    assert not rules.opens("any", "any")
    assert rules.opens("a/x/y", "y")
    assert not rules.opens("deep", "deep")


_NAMES = st.sampled_from(["a", "b", "ab", "abc", "a.py", "b.log", "build", "x y", "é"])
_PATTERN_PARTS = st.sampled_from(
    [
        "a",
        "b",
        "ab",
        "a*",
        "*b",
        "*",
        "**",
        "?",
        "[ab]",
        "[!a]",
        "*.py",
        "*.log",
        "build",
        "a?c",
        "[[:alpha:]]*",
        "é",
    ]
)


@st.composite
def _pattern(draw: st.DrawFn) -> str:
    body = "/".join(draw(st.lists(_PATTERN_PARTS, min_size=1, max_size=3)))
    return draw(st.sampled_from(["", "!", "/", "!/"])) + body + draw(st.sampled_from(["", "", "/"]))


_FILES = st.lists(st.lists(_NAMES, min_size=1, max_size=3).map("/".join), min_size=1, max_size=12, unique=True)
_IGNORES = st.dictionaries(st.sampled_from(["", "a/", "build/"]), st.lists(_pattern(), max_size=4), max_size=3)


def _write(root: Path, path: str, text: str = "x\n") -> None:
    target = root / path
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        if not target.is_dir():
            target.write_text(text)
    except OSError:
        return  # the path needs a folder where a file already is


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(files=_FILES, ignores=_IGNORES, exclude=st.lists(_pattern(), max_size=2), forced=st.integers(0, 3))
@example(files=["a/b", "a/ab/b"], ignores={"": ["a/**", "!a/b"]}, exclude=[], forced=0)
@example(files=["build/a/b.log"], ignores={"": ["build/"], "build/": ["!a"]}, exclude=[], forced=0)
def test_walk_lists_what_git_lists(
    tmp_path_factory: pytest.TempPathFactory,
    files: list[str],
    ignores: dict[str, list[str]],
    exclude: list[str],
    forced: int,
) -> None:
    root = tmp_path_factory.mktemp("tree")
    _git(root, "init", "-q")
    for path in files:
        _write(root, path)
    for folder, lines in ignores.items():
        _write(root, folder + ".gitignore", "\n".join(lines) + "\n")
    (root / ".git" / "info" / "exclude").write_text("\n".join(exclude) + "\n")
    for path in files[:forced]:
        _git(root, "add", "-f", "--", path, check=False)  # tracked although ignored
    listed = _git(root, "ls-files", "-z", "--cached", "--others", "--exclude-standard")
    expected = {path for path in listed.decode().split("\0") if path}
    options = WalkOptions()
    result = walk(root, options)
    assert {found.path for found in result.found} == expected
    known = {found.path: (found.size, found.mtime_ns) for found in result.found}
    assert walk(root, options, known, result.fingerprint) == result


def _git(root: Path, *arguments: str, check: bool = True) -> bytes:
    return subprocess.run(["git", *arguments], cwd=root, check=check, capture_output=True).stdout
