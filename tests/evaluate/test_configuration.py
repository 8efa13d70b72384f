"""Configurations and gates as people write them."""

from __future__ import annotations

import pytest

from fourfold.config.settings import Settings
from fourfold.evaluate.configuration import Configuration, changed, configuration_of
from fourfold.evaluate.gate import METRICS, Gate, parse_gate
from fourfold.evaluate.report import LABELS
from fourfold.model.errors import FourfoldError, UsageError

BASE = configuration_of(Settings())


@pytest.mark.parametrize(
    ("written", "name"),
    [
        ("preset=quick", "preset=quick"),
        ("chunker=lines", "preset=default,chunker=lines"),
        (" preset = contract , k=10 ", "preset=contract,k=10"),
        ("model=hash,ranking=bundled", "preset=default,ranking=bundled,model=hash"),
        ("chunker=ast", "preset=default"),
        ("index.chunker=lines,chunker=ast", "preset=default"),
    ],
)
def test_a_configuration_is_called_what_would_be_written(written: str, name: str) -> None:
    assert changed(BASE, written, Settings()).name == name


def test_the_settings_of_a_configuration() -> None:
    found = changed(BASE, "chunker=lines,k=7", Settings()).settings(Settings())
    assert (found.index.chunker, found.search.k) == ("lines", 7)
    assert BASE.settings(Settings()) == Settings()


def test_a_change_builds_on_what_is_changed() -> None:
    first = changed(BASE, "chunker=lines", Settings())
    assert changed(first, "preset=quick", Settings()) == Configuration("quick", indexed={"index.chunker": "lines"})


@pytest.mark.parametrize(
    "written",
    [
        "",
        "preset",
        "preset=",
        "=quick",
        "preset=nope",
        "k=-1",
        "k=x",
        "ranking=mine",
        "chunker=words",
        "index.hidden=1",
        "x=1",
    ],
)
def test_what_cannot_be_compared_is_refused(written: str) -> None:
    with pytest.raises(FourfoldError) as caught:
        changed(BASE, written, Settings())
    assert caught.value.hint or "one of" in caught.value.message


def test_a_wrong_key_is_told_the_nearest() -> None:
    with pytest.raises(UsageError) as caught:
        changed(BASE, "chunkr=lines", Settings())
    assert 'did you mean "chunker"?' in caught.value.hint


@pytest.mark.parametrize(
    ("written", "gate"),
    [
        ("hit@5>=0.8", Gate("hit@5", True, 0.8)),
        (" NDCG >= .5 ", Gate("ndcg@10", True, 0.5)),
        ("tokens<=900", Gate("tokens", False, 900.0)),
        ("p95_ms<=1e2", Gate("p95_ms", False, 100.0)),
    ],
)
def test_gates_are_read(written: str, gate: Gate) -> None:
    assert parse_gate(written) == gate
    assert parse_gate(str(gate)) == gate


@pytest.mark.parametrize(
    "written", ["", "hit@5", "hit@5>0.8", "hit@5>=", "hit@5>=x", "hit@5>=1-2", "hit@5>=nan", "hit@6>=1"]
)
def test_other_gates_are_refused(written: str) -> None:
    with pytest.raises(UsageError):
        parse_gate(written)


def test_a_gate_is_met_at_its_bound() -> None:
    assert parse_gate("hit@5>=0.8").check(0.8)["met"] and not parse_gate("hit@5>=0.8").check(0.7999)["met"]
    assert parse_gate("tokens<=9").check(9)["met"] and not parse_gate("tokens<=9").check(9.1)["met"]


def test_a_gate_may_speak_of_every_metric() -> None:
    assert set(LABELS.values()) <= set(METRICS)
