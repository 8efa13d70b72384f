"""Every input of the kept corpora of :mod:`benchmarks.fuzz`: seeds of guided runs, and what was found once."""

from __future__ import annotations

import pytest
from benchmarks.fuzz.guided import CORPUS
from benchmarks.fuzz.targets import TARGETS, timely

KEPT = [(folder.name, path.name) for folder in sorted(CORPUS.iterdir()) for path in sorted(folder.iterdir())]


def test_every_target_has_a_corpus() -> None:
    assert {name for name, _ in KEPT} == set(TARGETS)
    assert len(KEPT) > 50


@pytest.mark.parametrize(("target", "name"), KEPT)
def test_what_is_kept_holds(target: str, name: str) -> None:
    given = TARGETS[target]
    timely(given.check)(given.of_bytes((CORPUS / target / name).read_bytes()))
