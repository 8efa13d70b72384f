"""Field reports, group G: text search finds what was typed, and says what it cannot read."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.contract.batches import make_batch

from fourfold.model.errors import BadPattern
from fourfold.retrieve.literal import grep, literal_hits
from fourfold.retrieve.patterns import compile_pattern
from fourfold.store.contract import Snapshot
from fourfold.store.local.store import LocalStore

HOSTILE = (
    "@nasa",
    "a-b",
    "don't",
    "GB/s",
    "foo.bar(",
    "C++",
    '"quoted"',
    '"',
    "''",
    "NEAR(",
    "x AND y",
    "OR",
    "*",
    "col:val",
    "^",
    "(",
    "\\",
    "nul\0byte",
    "%_;--",
    "认证",
    "認",
    "審批流程",
    "😀",
    "naïve",
)


def _snapshot(tmp_path: Path, files: dict[str, str]) -> Snapshot:
    store = LocalStore(tmp_path / "index")
    with store.writer() as writer:
        writer.put(make_batch(files))
    return store.snapshot()


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Snapshot:
    files = {f"{number:02}.py": f"# one\nx = 1  # see {text} here\n" for number, text in enumerate(HOSTILE)}
    return _snapshot(tmp_path_factory.mktemp("hostile"), {**files, "plain.py": "nothing to see\n"})


def test_g8_every_matching_line_of_a_file_is_listed(tmp_path: Path) -> None:
    text = "".join(f"value_{number} = {number}\n# note\n" for number in range(500))
    hits = grep(_snapshot(tmp_path, {"a.py": text}), compile_pattern(r"^value_\d+"))
    assert [hit.line for hit in hits.lines] == list(range(1, 1000, 2))
    assert not hits.truncated


def test_g10_a_bad_regular_expression_names_the_position_and_offers_literal_search(hostile: Snapshot) -> None:
    with pytest.raises(BadPattern) as caught:
        compile_pattern("foo(")
    assert str(caught.value) == 'regular expression ends inside a group at position 4: "foo("'
    assert "grep -F" in caught.value.hint
    assert grep(hostile, compile_pattern("foo.bar(", literal=True)).files == 1


@pytest.mark.parametrize("text", HOSTILE)
@pytest.mark.parametrize("ignore_case", [False, True])
def test_g11_hostile_text_is_found(hostile: Snapshot, text: str, ignore_case: bool) -> None:
    expected = {f"{number:02}.py" for number, other in enumerate(HOSTILE) if text in f"# see {other} here"}
    hits = grep(hostile, compile_pattern(text, literal=True, ignore_case=ignore_case))
    found = {hit.path for hit in hits.lines}
    assert found >= expected
    assert ignore_case or found == expected
    assert all(text.lower() in hit.text.lower() for hit in hits.lines)
    assert {path for path, _ in literal_hits(hostile, text)} >= expected


def test_g12_cjk_shorter_than_a_trigram_is_found(tmp_path: Path) -> None:
    snapshot = _snapshot(tmp_path, {"a.py": "# 用户认证失败\nx = 1\n# 認\n", "b.py": "# 审批流程\n"})
    for pattern, expected in (
        ("认证", [("a.py", 1)]),
        ("認", [("a.py", 3)]),
        ("审批流程", [("b.py", 1)]),
        ("审.流", [("b.py", 1)]),
    ):
        assert [(hit.path, hit.line) for hit in grep(snapshot, compile_pattern(pattern)).lines] == expected
    assert grep(snapshot, compile_pattern("认证")).lines[0].column == 5


@pytest.mark.parametrize("pattern", ["(a+)+$", "(a|aa)+$", "(.*)*x", "(a*)*b$", "(?:a?){50}a{50}x"])
def test_g10_a_catastrophic_pattern_ends(tmp_path: Path, pattern: str) -> None:
    snapshot = _snapshot(tmp_path, {"a.py": "a" * 50_000 + "!\n", "b.py": "aaa\n"})
    hits = grep(snapshot, compile_pattern(pattern))
    assert not hits.truncated
    assert {hit.path for hit in hits.lines} <= {"b.py"}


def test_g10_a_catastrophic_look_around_is_cut_short(tmp_path: Path) -> None:
    snapshot = _snapshot(tmp_path, {"a.py": "a" * 50_000 + "!\n", "b.py": "aaa\n"})
    hits = grep(snapshot, compile_pattern("(?=a)(a+)+$", timeout_s=0.05))
    assert [hit.path for hit in hits.lines] == ["b.py"]
    assert hits.truncated
    assert hits.reason.endswith("a.py")
