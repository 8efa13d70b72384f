"""docs/security.md names only defences whose tests are there."""

from __future__ import annotations

import re
from pathlib import Path

from benchmarks.secret_lines import negatives, positives
from benchmarks.secret_scan import scan
from tests.reports.listed import known_tests
from tests.security.attacks import attacks
from tests.security.entries import CLI, HTTP, MCP, PYTHON

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "security.md").read_text(encoding="utf-8")
NUMBERS = {7: "seven", 9: "nine", 13: "thirteen"}


def test_every_test_that_is_named_is_there() -> None:
    named = set(re.findall(r"`(test_\w+)`", PAGE))
    assert len(named) > 50
    assert sorted(named - set(known_tests())) == []


def test_every_defence_names_its_test() -> None:
    threats = PAGE.partition("## Secrets, measured")[0]
    rows = [line for line in threats.split("\n") if line.startswith("| ") and not line.startswith("| attack")]
    assert len(rows) > 25
    assert [row for row in rows if not re.search(r"\| (`test_\w+` ?)+ \|$", row)] == []


def test_the_figures_are_those_of_the_program() -> None:
    page = " ".join(PAGE.split())
    result = scan(positives(), negatives())
    assert f"{len(positives())} lines with a secret" in page
    assert f"{len(negatives())} harmless look-alikes" in page
    assert f"recall {result.recall:.3f}, precision {result.precision:.3f}" in page
    assert len({item.kind for item in positives()}) >= 40
    assert f"each of the {len(attacks(ROOT))} paths" in page
    counts = [NUMBERS[len(entries)] for entries in (CLI, PYTHON, HTTP, MCP)]
    assert "{} of the command line, {} of Python, {} of HTTP, {} of MCP".format(*counts) in page
