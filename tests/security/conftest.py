"""The attacked project, indexed once, with everything that lies around it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.security.attacks import make_inside, make_outside

from fourfold import Index
from fourfold.config.load import load_settings


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The project; home, cache and settings are its own. Tests only read it."""
    folder = Path(os.path.realpath(tmp_path_factory.mktemp("attacked")))
    made = folder / "repo"
    (made / ".git").mkdir(parents=True)
    make_outside(folder)
    make_inside(made)
    (folder / "user.toml").write_text('[embedding]\nmodel = "hash"\n')
    before = dict(os.environ)
    os.environ.update(
        HOME=str(folder / "home"), FOURFOLD_CACHE_DIR=str(folder / "cache"), FOURFOLD_CONFIG=str(folder / "user.toml")
    )
    yield made
    os.environ.clear()
    os.environ.update(before)


@pytest.fixture(scope="module")
def index(root: Path) -> Iterator[Index]:
    """The index of the project."""
    with Index.open(root, root=root, settings=load_settings(root, {}).settings) as made:
        made.refresh()
        yield made
