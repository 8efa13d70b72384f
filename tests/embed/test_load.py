"""Embedders by name, and the check of an index's model."""

from __future__ import annotations

import subprocess
import sys

import pytest

from fourfold.embed.load import EMBEDDERS, check_identity, identity_key, load_embedder
from fourfold.model.errors import BackendUnavailable


def test_every_listed_name_loads() -> None:
    loaded = {name: load_embedder(name) for name in EMBEDDERS}
    assert loaded["none"] is None
    assert loaded["static"] is not None and loaded["static"].identity.name == "fourfold-static-code"
    assert loaded["hash"] is not None and loaded["hash"].identity.dimension == 64


@pytest.mark.parametrize("name", ["", "Static", "minilm", "../data"])
def test_unknown_name_lists_what_there_is(name: str) -> None:
    with pytest.raises(BackendUnavailable) as caught:
        load_embedder(name)
    assert repr(name) in str(caught.value)
    assert all(known in caught.value.hint for known in EMBEDDERS)


@pytest.mark.parametrize("name", EMBEDDERS)
def test_own_identity_is_accepted(name: str) -> None:
    embedder = load_embedder(name)
    check_identity(identity_key(embedder), embedder)


def test_module_is_light() -> None:
    """Asking which embedders there are, or for none, must not load numpy."""
    script = """
import sys
from fourfold.embed.load import load_embedder
load_embedder("none")
print("numpy" in sys.modules)
"""
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "False"
