"""Files left out of several services are counted together."""

from __future__ import annotations

from types import SimpleNamespace

from fourfold.store.joined import JoinedSnapshot


def test_reasons_are_counted_over_all_services() -> None:
    joined = object.__new__(JoinedSnapshot)
    joined.parts = {  # type: ignore[dict-item]
        "a": SimpleNamespace(tally=lambda: {"": 3, "minified": 1}),
        "b": SimpleNamespace(tally=lambda: {"": 2, "minified": 2}),
    }
    assert joined.tally() == {"": 5, "minified": 3}
