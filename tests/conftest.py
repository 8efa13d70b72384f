"""Makes shared test helpers importable (``from tests.contract.batches import ...``) by plain ``pytest``."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = str(Path(__file__).resolve().parent.parent)
if ROOT not in sys.path:
    sys.path.insert(0, ROOT)

# No test leaves a process behind; those of the helper switch it on and end it.
os.environ["FOURFOLD_HELPER_ENABLED"] = "0"
# Workers of a parallel run are given a width, which would cut what is printed to a pipe.
os.environ.pop("COLUMNS", None)

from hypothesis import HealthCheck, settings  # noqa: E402

# How long an example takes says more about the machine than about the code.
settings.register_profile("fourfold", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("fourfold")


@pytest.fixture(autouse=True, scope="module")
def environment() -> Iterator[None]:
    """No module leaves settings behind: one that did changed the model of tests that ran after it in its process."""
    before = {name: value for name, value in os.environ.items() if name.startswith("FOURFOLD_")}
    yield
    after = {name: value for name, value in os.environ.items() if name.startswith("FOURFOLD_")}
    assert after == before, "the tests of this module have left settings in the environment"
