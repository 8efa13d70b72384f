"""A short run of each target of :mod:`benchmarks.fuzz`, and that it tells what does not hold."""

from __future__ import annotations

import pytest
from benchmarks.fuzz.__main__ import EXAMPLES, fuzz
from benchmarks.fuzz.targets import TARGETS, Target, timely
from hypothesis import strategies as st

from fourfold.model.errors import BadQuery


@pytest.mark.parametrize("name", TARGETS)
def test_nothing_is_found_in_a_round(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("benchmarks.fuzz.__main__.EXAMPLES", 25)
    tried, finding = fuzz(TARGETS[name], 0.0, 7)
    assert finding == ""
    assert tried == 25


def test_what_does_not_hold_is_found_and_made_small() -> None:
    def check(value: int) -> None:
        assert value < 100, "too large"

    tried, finding = fuzz(Target(st.integers(0, 10_000), check), 0.0, 1)
    assert tried <= 10 * EXAMPLES
    assert "AssertionError: too large" in finding
    assert finding.endswith("for 100")


def test_errors_on_purpose_are_none() -> None:
    def refuse(value: object) -> None:
        raise BadQuery("no")

    def lines(value: object) -> None:
        raise BadQuery("no\nno")

    timely(refuse)(1)
    with pytest.raises(AssertionError):
        timely(lines)(1)
