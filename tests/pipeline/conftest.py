"""A small index, and candidates made by hand."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from tests.built import Built

from fourfold.model.query import Filters, Query
from fourfold.pipeline.searcher import Searcher
from fourfold.pipeline.state import Candidate, RetrieverState, SearchQuery

FILES = {
    "src/session.py": '"""Sessions."""\n\n\nclass Session:\n    """One session."""\n\n'
    "    def expire_session(self, now):\n"
    "        # drop what is over\n        return self.end < now\n\n    def extend_session(self, seconds):\n"
    "        self.end += seconds\n",
    "src/app.py": "from src.session import Session\n\n\ndef sweep_all(sessions, now):\n    sessions = list(sessions)\n"
    "    return [s for s in sessions if Session.expire_session(s, now)]\n\n\ndef main(sessions):\n"
    "    return sweep_all(sessions, 1)\n",
    "src/mail.py": "def send_mail(text):\n    raise ValueError('no such mailbox')\n",
    "tests/test_session.py": "from src.session import Session\n\n\ndef test_expiry():\n"
    "    assert Session.expire_session(None, 1)\n",
    "docs/notes.md": "# Notes\n\nAsk Session.expire_session about the end.\n\n## Mail\n\nThere is a mailbox.\n",
}


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Built]:
    with Built(tmp_path_factory.mktemp("small")) as built:
        yield built.write(FILES)


@pytest.fixture(scope="module")
def searcher(small: Built) -> Searcher:
    return small.index._open_searcher()


MakeState = Callable[..., RetrieverState]


@pytest.fixture
def state_of(searcher: Searcher) -> MakeState:
    """A state for a question; `understood` replaces what the rules would say of it."""

    def make(terms: str, *, filters: Filters | None = None, understood: Query | None = None) -> RetrieverState:
        state = RetrieverState(SearchQuery(terms, filters or Filters()), searcher)
        if understood is not None:
            state.scratch["understood"] = understood
        return state

    return make


def made(score: float, path: str = "a.py", start: int = 1, end: int = 9, chunk: int = 0, **more: object) -> Candidate:
    """A candidate by hand."""
    return Candidate(chunk, path, start, end, score, **more)  # type: ignore[arg-type]
