"""A short run of :mod:`benchmarks.concurrency`, and that its rules tell what does not hold."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from benchmarks.concurrency.__main__ import run
from benchmarks.concurrency.asking import Seen, judged
from benchmarks.concurrency.chronicle import Chronicle
from benchmarks.concurrency.judging import judge
from benchmarks.concurrency.texts import check_lines, text_of


@pytest.fixture
def folder(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder whose path is short, as that of the helper's socket must be."""
    for name in ("FOURFOLD_CACHE_DIR", "FOURFOLD_HELPER_ENABLED"):
        monkeypatch.setenv(name, "0")
    monkeypatch.setenv("FOURFOLD_EMBEDDING_MODEL", "hash")
    made = Path(tempfile.mkdtemp(prefix="ff"))
    yield made
    shutil.rmtree(made, ignore_errors=True)


def test_a_short_run_has_no_fault(folder: Path) -> None:
    verdict, editor, crowd = run(folder, 3.0, 5, ("python", "python without a refresh"), files=12, indexers=1)
    assert verdict.faults == {}
    assert sum(verdict.answers.values()) > 0
    assert editor.done
    assert crowd.codes


def lines(version: int, start: int, end: int) -> list[tuple[int, str]]:
    return list(enumerate(text_of(version).split("\n"), 1))[start - 1 : end]


def test_lines_are_known_by_version_and_place() -> None:
    assert check_lines(lines(7, 1, 9)) == (7, "")
    assert check_lines([(3, ""), (4, "  ")]) == (None, "")
    assert "no line has a stamp" in check_lines([(1, "def f():")])[1]
    moved = [(number + 1, line) for number, line in lines(7, 1, 9)]
    assert "is not that of version 7" in check_lines(moved)[1]
    assert "is not that of version 7" in check_lines([*lines(7, 1, 2), *lines(8, 3, 9)])[1]


def answer(path: str, version: int, **meta: object) -> dict[str, object]:
    shown = text_of(version).split("\n")[:5]
    item = {"path": path, "start_line": 1, "snippet": "\n".join(shown)}
    return {"items": [item], "meta": {"generation": 1, "stale": False, "degraded": None, "truncated": False, **meta}}


def test_what_an_asker_sees() -> None:
    seen = Seen("python-1", "search", 0.0)
    judged(answer("a.py", 3), seen, "x")
    assert (seen.seen, seen.fresh, seen.faults) == ({"a.py": 3}, True, [])
    judged({**answer("a.py", 3), "items": []}, seen, "x")
    assert seen.faults == ["nothing was found"]
    seen = Seen("python-1", "search", 0.0)
    two = answer("a.py", 3)
    two["items"] += answer("a.py", 4)["items"]  # type: ignore[operator]
    judged(two, seen, "x")
    assert "versions 3 and 4 in one answer" in seen.faults[0]


def shown(version: int, generation: int, began: float, *, fresh: bool = False, who: str = "python-1") -> Seen:
    return Seen(who, "search", began, began + 1.0, generation, fresh, {"a.py": version})


@pytest.mark.parametrize(
    ("answers", "rule"),
    [
        ([shown(1, 1, 2.0), shown(2, 2, 12.0)], None),
        ([shown(1, 2, 2.0), shown(2, 2, 12.0, who="python-2")], "one generation"),
        ([shown(1, 2, 2.0), shown(1, 1, 4.0)], "no older generation"),
        ([shown(9, 1, 2.0)], "a version that was there"),
        ([shown(2, 1, 2.0)], "a version that was there"),
        ([shown(2, 1, 25.0)], "nothing deleted"),
        ([shown(1, 1, 15.0)], None),
        ([shown(1, 1, 15.0, fresh=True)], "up to date where it says so"),
        ([shown(1, 1, 12.0, fresh=True, who="http-1")], None),
    ],
)
def test_every_rule_tells(answers: list[Seen], rule: str | None) -> None:
    chronicle = Chronicle()
    chronicle.note(0.0, 1.0, {"a.py": 1})
    chronicle.note(10.0, 11.0, {"a.py": 2})
    chronicle.note(20.0, 21.0, {"a.py": None})
    assert set(judge(answers, chronicle).faults) == ({rule} if rule else set())
