"""Things kept for who asks for them again."""

from __future__ import annotations

from pathlib import Path

import pytest

from fourfold.engine import Index
from fourfold.model.query import Query
from fourfold.pipeline.kept import Recent
from fourfold.pipeline.ranked import Answer
from fourfold.pipeline.searcher import Searcher


def test_a_thing_is_made_once_while_it_holds() -> None:
    made: list[str] = []

    def make() -> str:
        made.append("x")
        return f"answer {len(made)}"

    kept: Recent[str] = Recent(2)
    assert [kept.get("q", make) for _ in range(3)] == ["answer 1"] * 3
    assert kept.get("q", make, lambda _: False) == "answer 2"
    assert kept.get("q", make) == "answer 2"


def test_the_longest_unused_thing_goes_first() -> None:
    kept: Recent[str] = Recent(2)
    for asked in ("a", "b", "a", "c"):
        kept.get(asked, asked.upper)
    again = [kept.get(asked, lambda: "made anew") for asked in ("a", "c", "b")]
    assert again == ["A", "C", "made anew"]


@pytest.fixture
def index(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Index:
    monkeypatch.setenv("FOURFOLD_CACHE_DIR", str(tmp_path / "cache"))
    root = tmp_path / "tree"
    root.mkdir()
    for name in ("alpha", "beta"):
        (root / f"{name}.py").write_text(f"def session_{name}():\n    '''Expire the session.'''\n    return 1\n")
    return Index.open(root, root=root)


def test_a_question_is_ranked_once_a_generation(index: Index, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    answer = Searcher.answer

    def counted(self: Searcher, query: Query, depth: int = 20) -> Answer:
        asked.append(query.text)
        return answer(self, query, depth)

    monkeypatch.setattr(Searcher, "answer", counted)
    first = index.search("how does a session expire")
    again = index.search("how does a session expire", refresh=False)
    assert again.items == first.items and again.query == first.query
    assert len(asked) == 1
    index.search("how does a session expire", limit=1, refresh=False)
    index.search("how does a session expire", explain=True, refresh=False)
    assert len(asked) == 3
    (index.root / "gamma.py").write_text("def session_gamma():\n    '''Expire the session.'''\n    return 2\n")
    assert "gamma.py" in {item.path for item in index.search("how does a session expire").items}


def test_a_kept_answer_never_shows_a_file_that_is_gone(index: Index) -> None:
    assert {item.path for item in index.search("expire the session").items} == {"alpha.py", "beta.py"}
    (index.root / "beta.py").unlink()
    assert {item.path for item in index.search("expire the session", refresh=False).items} == {"alpha.py"}
