"""A project with documentation, tests and calls, indexed in a cache of its own."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.built import Built

TOPICS = (
    (
        "retry",
        "backoff_delay",
        "Computes the waiting time before a failed request is sent once more",
        "attempt",
        "jitter",
    ),
    ("sessions", "expire_sessions", "Drops signed-in visitors whose cookies have grown stale", "visitor", "cookie"),
    (
        "tokens",
        "verify_signature",
        "Checks that a credential was issued by the proper authority",
        "credential",
        "issuer",
    ),
    ("pages", "render_outline", "Draws the headings of a chapter as a nested list of anchors", "chapter", "anchor"),
    ("ledger", "balance_entries", "Adds every debit to its account until nothing remains unpaid", "debit", "account"),
    ("mail", "queue_message", "Puts an envelope behind those that wait for the postman", "envelope", "postman"),
    ("search", "rank_documents", "Orders articles by how often the reader's terms occur in them", "article", "reader"),
    ("images", "shrink_picture", "Scales a photograph down until both edges fit the frame", "photograph", "frame"),
)
"""(module, function, what its docstring says, two words of its body)."""


def source(module: str, name: str, doc: str, first: str, second: str) -> str:
    """A module with a documented function, a helper that it calls, and a class."""
    return f'''"""Everything about {module}."""


def {name}({first}, {second}=None):
    """{doc}.

    More is said here.
    """
    if {second} is None:
        {second} = prepare_{module}({first})
    total = {first}
    for part in {second}:
        total = total + part
    return total


def prepare_{module}({first}):
    found = []
    for item in {first}:
        found.append(item)
    return found


class {module.title()}Store:
    def __init__(self):
        self.items = []

    def add_{first}(self, {first}):
        self.items.append({name}({first}))
        return self
'''


def project() -> dict[str, str]:
    """The files of the project by path."""
    return {f"src/{topic[0]}.py": source(*topic) for topic in TOPICS}


@pytest.fixture
def built(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Built]:
    """The indexed project; the user's configuration lies beside it."""
    monkeypatch.setenv("FOURFOLD_CONFIG", str(tmp_path / "user" / "config.toml"))
    with Built(tmp_path) as made:
        monkeypatch.delenv("FOURFOLD_CONFIG")
        yield made.write(project())
